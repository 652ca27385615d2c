/** The figure of the statistics computes the lesson's lines in pieces, and gives up when told. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordedCheck } from '../../web/lesson/render/recorded.mjs';
import { loadEngine } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const LESSON_LINES = recordedCheck().lines.slice(-3);

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-sharpness' });
});

afterAll(() => browser.close());

/** @param {string} selector */
const text = async (selector) => (await open.figure.locator(selector).textContent()) ?? '';

/** What the page's engine holds. */
const usage = () =>
  open.figure.evaluate((element) => /** @type {any} */ (element).engine.request('usage', {}));

/** @param {string} action */
const press = (action) => open.figure.locator(`[data-action=${action}]`).click();

/** Waits until the figure has computed so many dimensions. @param {number} n_dims */
const untilComputed = (n_dims) =>
  open.page.waitForFunction(
    (n) =>
      /** @type {any} */ (globalThis).figureEvents.some(
        (/** @type {any} */ event) => event.type === 'attn-step' && event.detail.n_dims >= n,
      ),
    n_dims,
    { polling: 50, timeout: 120_000 },
  );

test('begins with the lesson’s first line, computed here, and holds nothing', async () => {
  expect(await open.until('attn-ready')).toEqual({
    seed: 0,
    d: 4,
    n_dims: 1,
    lines: LESSON_LINES.slice(0, 1),
  });
  expect((await text('.own')).trimEnd()).toBe(LESSON_LINES[0]);
  expect((await text('.printed .lesson')).trimEnd()).toBe(LESSON_LINES.join('\n'));
  expect(await text('.verdict')).toContain('1 行');
  expect(await usage()).toMatchObject({ jobs: 0 });
});

test('computes the lesson’s three lines while the engine answers others', async () => {
  await press('run');
  await open.figure.getByRole('button', { name: '暫停' }).waitFor();
  const answered = await open.figure.evaluate(async (element) => {
    const { engine } = /** @type {any} */ (element);
    let n = 0;
    let done = false;
    element.addEventListener('attn-step', () => {
      done = true;
    });
    for (; !done; n++) await engine.request('positional', { seq_len: 8, d_model: 8 });
    return n;
  });
  expect(answered).toBeGreaterThan(1);
  expect(await usage()).toMatchObject({ jobs: 1 });
  await untilComputed(3);
  await open.figure.locator('.verdict.same').waitFor();
  expect((await text('.own')).trimEnd()).toBe(LESSON_LINES.join('\n'));
});

test('pauses where it is, and goes on from there', async () => {
  await press('run');
  await open.figure.getByRole('button', { name: '繼續' }).waitFor();
  const before = await open.figure.locator('progress').getAttribute('value');
  expect(Number(before)).toBeGreaterThan(0.27);
  expect(Number(before)).toBeLessThan(1);
  await press('run');
  await open.figure.getByRole('button', { name: '暫停' }).waitFor();
  await open.page.waitForFunction(
    (value) =>
      Number(
        document
          .querySelector('attn-sharpness')
          ?.shadowRoot?.querySelector('progress')
          ?.getAttribute('value'),
      ) > Number(value),
    before,
    { polling: 50 },
  );
});

test('the chosen dimension’s numbers are the engine’s', async () => {
  const { engine } = await loadEngine();
  const { job, n_units } = engine.sharpnessBegin({ seed: 0, n_skip: 240, dims: [4, 64] });
  engine.jobAdvance({ job, n_units });
  const [, computed] = engine.sharpnessResults({ job });
  engine.sharpnessFree({ job });
  await open.after('attn-change', () => open.figure.locator('[name=d]').fill('6'));
  expect(await open.figure.getAttribute('d')).toBe('64');
  expect(await text('[data-value=variance_raw]')).toBe(computed.variance.toFixed(2));
  expect(await text('[data-value=max_raw]')).toBe(computed.max_raw.toFixed(3));
  expect(await text('[data-value=max_scaled]')).toBe(computed.max_scaled.toFixed(3));
  expect(await text('[data-value=gradient_over_d]')).toBe(computed.gradient_over_d.toFixed(3));
  await press('table');
  const bins = open.figure.locator('.data table').nth(1).locator('tbody tr');
  const columns = await bins.locator('td:nth-child(2)').allTextContents();
  expect(columns.map(Number)).toEqual(computed.histogram_raw);
  await press('table');
});

test('reset gives the job up', async () => {
  await open.after('attn-change', () => press('reset'));
  expect(await usage()).toMatchObject({ jobs: 0 });
  expect((await text('.own')).trimEnd()).toBe(LESSON_LINES[0]);
  expect(await text('[data-value=max_raw]')).toBe('–');
});

test('the charts are those of the seed, there and back', async () => {
  /** Whether every chart comes to show what it showed when this was first asked, or none does. @param {boolean} same */
  const areDrawn = (same) =>
    open.figure.evaluate(async (element, wanted) => {
      const figure = /** @type {any} */ (element);
      const known = /** @type {any} */ (globalThis);
      const deadline = performance.now() + 5000;
      for (;;) {
        const shown = await Promise.all(
          ['histogram', 'sample'].map(async (name) => {
            const picture = await figure.picture(name);
            return new Uint8Array(await picture.arrayBuffer()).join();
          }),
        );
        // Curves of one dimension are points without a line: their text alternative tells more.
        shown.push(figure.shadowRoot.querySelector('.curves canvas').ariaLabel);
        known.shown ??= shown;
        if (shown.every((each, i) => (each === known.shown[i]) === wanted)) return true;
        if (performance.now() > deadline) return false;
        await new Promise(requestAnimationFrame);
      }
    }, same);
  await open.after('attn-change', () => press('lesson'));
  await open.figure.locator('.histogram-caption', { hasText: 'd = 4：' }).waitFor();
  expect(await areDrawn(true)).toBe(true);
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('seed', '1')),
  );
  expect(await areDrawn(false)).toBe(true);
  await open.after('attn-change', () => press('lesson'));
  expect(await areDrawn(true)).toBe(true);
});

test('another seed has other lines, and says why', async () => {
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => {
      element.setAttribute('seed', '1');
      element.removeAttribute('d');
    }),
  );
  expect((await text('.own')).trimEnd()).toBe(LESSON_LINES[0].replace('4.0', '4.1'));
  expect(await text('.own mark')).toBe('1');
  expect(await text('.departure')).toContain('隨機種子');
});

/** Holds the answers to one type of request, of what is begun from now on; counts those requests. @param {string} type */
async function hold(type) {
  await open.figure.evaluate((element, held) => {
    const figure = /** @type {any} */ (element);
    const real = figure.engine;
    const released = new Promise((resolve) => Object.assign(globalThis, { release: resolve }));
    Object.assign(globalThis, { n_held: 0, real });
    figure.engine = {
      request: async (/** @type {string} */ asked, /** @type {any} */ args) => {
        const answer = await real.request(asked, args);
        // The first dimension is computed without being asked for.
        if (asked !== held || !figure.isHeld) return answer;
        /** @type {any} */ (globalThis).n_held++;
        await released;
        return answer;
      },
    };
  }, type);
  await open.after('attn-change', () => press('reset'));
  await open.figure.evaluate((element) => Object.assign(element, { isHeld: true }));
}

/** Lets the answers go, and the engine be the figure's own again. */
const release = () =>
  open.figure.evaluate((element) => {
    const { real, release: letGo } = /** @type {any} */ (globalThis);
    Object.assign(element, { isHeld: false, engine: real });
    letGo();
    return /** @type {any} */ (globalThis).n_held;
  });

const errors = () =>
  open.page.evaluate(() =>
    /** @type {any} */ (globalThis).figureEvents.filter(
      (/** @type {any} */ { type }) => type === 'attn-error',
    ),
  );

/** @param {RegExp} name */
const button = (name) => open.figure.getByRole('button', { name });

test('paused and continued before it has begun, it begins one job', async () => {
  await hold('sharpness_begin');
  await button(/^計算$/).click();
  await button(/^暫停$/).click();
  await button(/^計算$/).click();
  await button(/^暫停$/).waitFor();
  expect(await release()).toBe(1);
  await untilComputed(2);
  expect(await usage()).toMatchObject({ jobs: 1 });
});

test('paused and continued within one piece, it ends once and without an error', async () => {
  await hold('sharpness_advance');
  await button(/^計算$/).click();
  await button(/^暫停$/).click();
  await button(/^繼續$/).click();
  await button(/^暫停$/).waitFor();
  await open.after('attn-done', release);
  // What was asked before this is answered by now.
  expect(await usage()).toMatchObject({ jobs: 0 });
  expect(await errors()).toEqual([]);
}, 120_000);

test('“compute again” pressed twice begins one run, and does not pause it', async () => {
  const done = await open.after('attn-done', async () => {
    await open.figure.getByRole('button', { name: '再算一次' }).evaluate((element) => {
      /** @type {HTMLButtonElement} */ (element).click();
      /** @type {HTMLButtonElement} */ (element).click();
    });
  });
  expect(done.n_dims).toBe(11);
  expect(await errors()).toEqual([]);
}, 120_000);

test('removed while it computes, it leaves no job behind', async () => {
  await press('run');
  await open.figure.getByRole('button', { name: '暫停' }).waitFor();
  const left = await open.figure.evaluate(async (element) => {
    const { engine } = /** @type {any} */ (element);
    element.remove();
    return engine.request('usage', {});
  });
  expect(left).toMatchObject({ jobs: 0 });
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});
