/** How the figure behaves in a reader's hands: keys, words, colours, sizes, tabs, company. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { fitsWindow, openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const CHINESE = /[\u4e00-\u9fff]+/g;

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure | undefined} */
let current;

beforeAll(async () => {
  browser = await TestBrowser.launch();
});

afterEach(async () => {
  const { complaints, page } = /** @type {OpenFigure} */ (current);
  await page.context().close();
  expect(complaints).toEqual({ errors: [], foreign: [] });
});

afterAll(() => browser.close());

/** @param {Parameters<typeof openFigure>[1]} [options] */
async function open(options) {
  current = await openFigure(browser, options);
  return current;
}

/**
 * The map's canvas: its pixels, its size on the screen, and the colours along its middle from left to right.
 *
 * @param {OpenFigure} open
 */
function canvasOf({ figure }) {
  return figure.locator('.map canvas').evaluate((element) => {
    const canvas = /** @type {HTMLCanvasElement} */ (element);
    const box = canvas.getBoundingClientRect();
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const rows = [];
    const y = Math.floor(canvas.height / 2);
    for (let x = 0; x < canvas.width; x++) {
      const at = 4 * (y * canvas.width + x);
      rows.push(`${data[at]},${data[at + 1]},${data[at + 2]}`);
    }
    return {
      width: canvas.width,
      height: canvas.height,
      shown: [box.width, box.height],
      middle: rows,
    };
  });
}

/** Different colours from left to right across the map's middle. @param {string[]} colours */
function runs(colours) {
  return colours.filter((colour, i) => i === 0 || colour !== colours[i - 1]).length;
}

describe('the map', () => {
  test('is read cell by cell with the arrow keys, in words', async () => {
    const { page, figure, until } = await open();
    await until('attn-ready');
    await figure.locator('.map').focus();
    await page.keyboard.press('ArrowRight');
    const live = figure.locator('[data-live]');
    expect(await live.textContent()).toMatch(
      /^輸出第 0 位(看得最多的是|看)輸入第 0 位，權重 0\.\d\d$/,
    );
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowDown');
    expect(await live.textContent()).toMatch(
      /^輸出第 1 位(看得最多的是|看)輸入第 9 位，權重 0\.\d\d$/,
    );
    const cell = await figure.locator('.data tbody tr').nth(1).locator('td').nth(9).textContent();
    expect(await live.textContent()).toContain(Number(cell).toFixed(2));
    const before = await page.evaluate(() => scrollY);
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await page.keyboard.press('Escape');
    expect(await figure.locator('.cell').textContent()).toBe('指著一格，或用方向鍵，讀它的權重。');
  });

  test('says which input an output looks at most', async () => {
    const { page, figure, until } = await open();
    await until('attn-ready');
    const weights = await figure.locator('.data tbody tr').first().locator('td').allTextContents();
    const most = weights.map(Number).indexOf(Math.max(...weights.map(Number)));
    await figure.locator('.map').focus();
    for (let i = 0; i <= most; i++) await page.keyboard.press('ArrowRight');
    expect(await figure.locator('.cell').textContent()).toContain(
      `輸出第 0 位看得最多的是輸入第 ${most} 位`,
    );
  });

  test('shows a value and a cross-hair under the pointer, and takes them away', async () => {
    const figure = await open();
    await figure.until('attn-ready');
    const map = figure.figure.locator('.map');
    const plain = await canvasOf(figure);
    await map.hover();
    expect(await figure.figure.locator('.cell').textContent()).toMatch(
      /^輸出第 \d 位(看得最多的是|看)輸入第 \d 位/,
    );
    expect((await canvasOf(figure)).middle).not.toEqual(plain.middle);
    await figure.figure.locator('h3').hover();
    expect((await canvasOf(figure)).middle).toEqual(plain.middle);
  });

  test.each([1, 1.5, 2, 3])('is sharp at %s device pixels a pixel', async (deviceScaleFactor) => {
    const figure = await open({ context: { deviceScaleFactor } });
    await figure.until('attn-ready');
    const { width, height, shown, middle } = await canvasOf(figure);
    expect(Math.abs(width - shown[0] * deviceScaleFactor)).toBeLessThanOrEqual(deviceScaleFactor);
    expect(Math.abs(height - shown[1] * deviceScaleFactor)).toBeLessThanOrEqual(deviceScaleFactor);
    // Ten cells meet without blurred columns between them: in the right half of the row only cells remain.
    const right = middle.slice(Math.floor(width / 2), Math.floor(width * 0.9));
    expect(runs(right)).toBeLessThanOrEqual(6);
    expect(runs(right)).toBeGreaterThan(2);
  });

  test('drawn while hidden is right when shown', async () => {
    const figure = await open({ scroll: false });
    const { page } = figure;
    await figure.figure.evaluate((element) => element.scrollIntoView());
    await figure.until('attn-ready');
    const seen = await canvasOf(figure);
    // Hidden and made anew: its charts have no size when they are first drawn.
    await figure.figure.evaluate((element) => {
      const parent = /** @type {HTMLElement} */ (element.parentElement);
      element.remove();
      /** @type {HTMLElement} */ (element).hidden = true;
      parent.prepend(element);
    });
    await figure.figure.evaluate((element) => {
      /** @type {HTMLElement} */ (element).hidden = false;
    });
    await page.waitForFunction(
      () =>
        /** @type {any} */ (globalThis).figureEvents.filter(
          (/** @type {{tag: string, type: string}} */ { tag, type }) =>
            tag === 'attn-reverse' && type === 'attn-ready',
        ).length === 2,
    );
    await figure.figure.locator('.data td').first().waitFor({ state: 'attached' });
    const again = await canvasOf(figure);
    expect(again.shown).toEqual(seen.shown);
    expect(again.middle).toEqual(seen.middle);
  });

  test('is redrawn when the scheme changes, and in the projector’s colours', async () => {
    const figure = await open();
    await figure.until('attn-ready');
    const colours = new Set();
    const look = async () => {
      await figure.page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      const { middle } = await canvasOf(figure);
      colours.add(middle[0]);
      return middle[0];
    };
    expect(await look()).toBe('243,244,241');
    await figure.page.emulateMedia({ colorScheme: 'dark' });
    expect(await look()).toBe('29,33,38');
    await figure.page.locator('#theme').selectOption('projector');
    expect(await look()).toBe('255,255,255');
    expect(await figure.figure.locator('.bar-title').textContent()).toContain('越深越大');
  });

  test('leaves no marker of its curves in the colour of another scheme', async () => {
    const figure = await open();
    await figure.until('attn-ready');
    /** Pixels of a colour in the curves. @param {string} wanted */
    const pixels = (wanted) =>
      figure.figure.locator('.curves canvas').evaluate((element, colour) => {
        const canvas = /** @type {HTMLCanvasElement} */ (element);
        const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        let n = 0;
        for (let i = 0; i < data.length; i += 4) {
          if (data.slice(i, i + 3).join() === colour) n++;
        }
        return n;
      }, wanted);
    const [light, dark] = ['11,92,173', '108,179,255'];
    expect(await pixels(light)).toBeGreaterThan(0);
    await figure.page.emulateMedia({ colorScheme: 'dark' });
    await figure.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await pixels(dark)).toBeGreaterThan(0);
    expect(await pixels(light)).toBe(0);
  });

  test('is one for every head, with a choice of layer', async () => {
    const { figure, until } = await open({
      attributes: { 'n-heads': '4', 'n-layers': '2', 'n-steps': '2' },
    });
    await until('attn-ready');
    expect(await figure.locator('.map canvas').count()).toBe(4);
    expect(await figure.locator('.head .caption').allTextContents()).toEqual([
      '頭 1',
      '頭 2',
      '頭 3',
      '頭 4',
    ]);
    const first = await figure.locator('.data').textContent();
    await figure.locator('.layer').selectOption({ label: '第 2 層' });
    await figure.locator('.data td').first().waitFor({ state: 'attached' });
    expect(await figure.locator('.data table').count()).toBe(4);
    await figure.locator('button.primary').click();
    await until('attn-done');
    expect(await figure.locator('.data').textContent()).not.toBe(first);
  });
});

describe('controls', () => {
  test('a single step makes one update; reset goes back to the untrained network', async () => {
    const { figure, until } = await open();
    await until('attn-ready');
    const untrained = await figure.locator('.data').textContent();
    await figure.locator('[data-action=step]').click();
    expect(await until('attn-step')).toMatchObject({ step: 1 });
    await figure.locator('[data-action=step]').press('Enter');
    expect(await until('attn-step', 2)).toMatchObject({ step: 2 });
    expect(await figure.evaluate((element) => element.shadowRoot?.activeElement?.textContent)).toBe(
      '單步',
    );
    await figure.locator('[data-action=reset]').click();
    await figure.locator('.progress output', { hasText: '第 0 ／' }).waitFor();
    await figure.locator('button.primary', { hasText: /^訓練$/ }).waitFor();
    expect(await figure.locator('.data').textContent()).toBe(untrained);
  });

  test('slow training can be watched and paused at once', async () => {
    const { page, figure, until } = await open({ attributes: { speed: '4' } });
    await until('attn-ready');
    const start = Date.now();
    await figure.locator('button.primary').click();
    await until('attn-step', 3);
    expect(Date.now() - start).toBeGreaterThan(450);
    await figure.locator('button.primary', { hasText: '暫停' }).click();
    await figure.locator('button.primary', { hasText: '繼續訓練' }).waitFor();
    const paused = await figure.locator('.progress output').textContent();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));
    expect(await figure.locator('.progress output').textContent()).toBe(paused);
  });

  test('the panel holds the engine’s own list and what is changed is said', async () => {
    const { figure, until } = await open();
    await until('attn-ready');
    await figure.locator('summary').click();
    const names = await figure
      .locator('.settings [id^=setting-]:not([id$=-problem])')
      .evaluateAll((controls) => controls.map(({ id }) => id.replace('setting-', '')));
    const fields = await figure.evaluate(async (element) => {
      const { config } = await /** @type {any} */ (element).engine.request('constants', {});
      return config.fields.map((/** @type {{name: string}} */ { name }) => name);
    });
    const offered = fields.filter(
      (/** @type {string} */ name) => !['model', 'd_hidden'].includes(name),
    );
    expect(names).toEqual([...offered, 'n_steps']);
    await figure.locator('#setting-init_seed').fill('7');
    await figure.locator('#setting-init_seed').press('Enter');
    await figure.locator('.verdict', { hasText: '參數的隨機種子是 7（課文 0）' }).waitFor();
    expect(await figure.getAttribute('init-seed')).toBe('7');
    await figure.locator('footer [data-action=lesson]').click();
    await figure.locator('.verdict', { hasText: /^與課文不同，因為還沒有訓練（/ }).waitFor();
    expect(await figure.getAttribute('init-seed')).toBeNull();
  });

  test('another number of steps keeps the network', async () => {
    const { figure, until } = await open({ attributes: { 'n-steps': '5' } });
    await until('attn-ready');
    await figure.locator('button.primary').click();
    await until('attn-done');
    await figure.evaluate((element) => element.setAttribute('n-steps', '8'));
    await figure.locator('button.primary', { hasText: '繼續訓練' }).click();
    expect(await until('attn-done', 8)).toMatchObject({ step: 8 });
  });

  test('the speed to choose is that of the attribute, and goes back to the lesson’s', async () => {
    const { figure, until } = await open({ attributes: { speed: '4' } });
    await until('attn-ready');
    const select = figure.locator('[name=speed]');
    expect(await select.inputValue()).toBe('4');
    await figure.locator('footer [data-action=lesson]').click();
    await figure.locator('[name=speed]:has(option[value=full]:checked)').waitFor();
    await select.selectOption('20');
    expect(await figure.getAttribute('speed')).toBe('20');
    await select.selectOption('full');
    expect(await figure.getAttribute('speed')).toBeNull();
  });

  test('an end that comes while steps are under way is tested too', async () => {
    const { figure, until } = await open({ attributes: { 'n-steps': '20' } });
    await until('attn-ready');
    await figure.evaluate((element) => {
      const target = /** @type {any} */ (element);
      const { engine } = target;
      target.engine = {
        request: (/** @type {string} */ type, /** @type {any} */ args) => {
          if (type !== 'step') return engine.request(type, args);
          element.setAttribute('n-steps', '7');
          return engine.request(type, { ...args, n_steps: 12 });
        },
      };
    });
    await figure.locator('button.primary').click();
    expect(await until('attn-done')).toMatchObject({ step: 12 });
    await figure.locator('button.primary', { hasText: '再訓練一次' }).waitFor();
    expect(await figure.locator('.tested').textContent()).toContain('第 12 步');
    expect(await figure.locator('.progress output').textContent()).toBe('第 12 ／ 12 步');
  });

  test('an end before the step where training was paused ends it there, tested', async () => {
    const { figure, until, after } = await open();
    await until('attn-ready');
    for (const step of [1, 2]) {
      await figure.locator('[data-action=step]:enabled').click();
      await until('attn-step', step);
      await figure.locator('button.primary', { hasText: '繼續訓練' }).waitFor();
    }
    const done = await after('attn-done', () =>
      figure.evaluate((element) => element.setAttribute('n-steps', '1')),
    );
    expect(done).toMatchObject({ step: 2 });
    await figure.locator('button.primary', { hasText: '再訓練一次' }).waitFor();
    expect(await figure.locator('.tested').textContent()).toContain('第 2 步');
  });

  test('of many changes at once only the last session lives', async () => {
    const { figure, until } = await open({ alone: true });
    await until('attn-ready');
    const sessions = await figure.evaluate(async (element) => {
      for (const seed of ['1', '2', '3', '4', '5']) {
        element.setAttribute('init-seed', seed);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await new Promise((resolve) =>
        element.addEventListener('attn-ready', resolve, { once: true }),
      );
      const usage = await /** @type {any} */ (element).engine.request('usage', {});
      return usage.sessions;
    });
    expect(sessions).toBe(1);
  });
});

describe('the foot', () => {
  test('shows the C functions that train', async () => {
    const { figure, until } = await open();
    await until('attn-ready');
    await figure.locator('[data-action=source]').click();
    await figure.locator('.source pre').first().waitFor();
    const names = await figure.locator('.source .caption').allTextContents();
    expect(names.map((text) => text.split('（')[0])).toEqual([
      'session_step_advance',
      'transformer_forward',
      'attention_forward',
      'attention_backward',
      'adam_step',
    ]);
    await figure.locator('[data-action=source]').click();
    expect(await figure.locator('.source').isVisible()).toBe(false);
  });

  test('copies a link that opens the same figure', async () => {
    const first = await open({
      attributes: { 'init-seed': '7', 'n-steps': '20' },
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await first.until('attn-ready');
    await first.figure.locator('[data-action=link]').click();
    await first.figure.locator('.copied', { hasText: '已複製' }).waitFor();
    const link = await first.page.evaluate(() => navigator.clipboard.readText());
    const { search } = new URL(link);
    expect(search).toBe('?figure=attn-reverse&init-seed=7&n-steps=20');
    const { page } = await browser.newPage();
    await page.goto(link);
    await page.waitForFunction(
      () => document.querySelector('attn-reverse')?.getAttribute('init-seed') === '7',
    );
    expect(await page.locator('attn-reverse').getAttribute('n-steps')).toBe('20');
    await page.context().close();
  });
});

/** Everything written in a figure but the code, whose comments are its own. @param {OpenFigure} open */
function textOf({ figure }) {
  return figure.evaluate((element) => {
    const root = /** @type {ShadowRoot} */ (element.shadowRoot);
    const parts = [...root.querySelectorAll('*')];
    const texts = parts
      .filter((part) => part.childElementCount === 0 && !part.closest('code'))
      .map((part) => part.textContent);
    return [...texts, ...parts.map((part) => part.ariaLabel ?? '')].join(' ');
  });
}

describe('words', () => {
  test('change with the language, the state stays', async () => {
    const opened = await open();
    const { page, figure, until } = opened;
    await until('attn-ready');
    await figure.locator('[data-action=step]').click();
    await until('attn-step', 1);
    await figure.locator('#tokens').fill('0123456789');
    await figure.locator('#tokens').press('Enter');
    await figure.locator('.answer tr').first().waitFor();
    await page.locator('#language').selectOption('en');
    expect(await figure.locator('h3').textContent()).toBe(
      'Train a small Transformer to reverse a sequence',
    );
    expect(await figure.locator('.progress output').textContent()).toBe('Step 1 of 1500');
    expect(await figure.locator('.answer th').first().textContent()).toBe('Input');
    expect(await figure.locator('[data-action=step]').textContent()).toBe('Single step');
    expect(await figure.locator('#tokens').inputValue()).toBe('0123456789');
    expect((await textOf(opened)).match(CHINESE)).toBeNull();
  });

  test('that were said, copied or opened before change with the language too', async () => {
    const opened = await open({
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const { page, figure, until } = opened;
    await until('attn-ready');
    await figure.locator('.map').focus();
    await page.keyboard.press('ArrowRight');
    expect(await figure.locator('[data-live]').textContent()).toContain('輸出第 0 位');
    await figure.locator('[data-action=link]').click();
    await figure.locator('.copied', { hasText: '已複製' }).waitFor();
    await figure.locator('[data-action=source]').click();
    await figure.locator('.source .caption', { hasText: '（' }).first().waitFor();
    await page.locator('#language').selectOption('en');
    await figure.locator('.source .caption', { hasText: '(' }).first().waitFor();
    expect((await textOf(opened)).match(CHINESE)).toBeNull();
  });

  test('change while it trains, in the panel and in what is only read out', async () => {
    const opened = await open({ attributes: { speed: '1' } });
    const { page, figure, until } = opened;
    await until('attn-ready');
    await figure.locator('summary').click();
    await figure.locator('button.primary').click();
    await until('attn-step');
    await page.locator('#language').selectOption('en');
    expect((await textOf(opened)).match(CHINESE)).toBeNull();
    expect(await figure.locator('button.primary').textContent()).toBe('Pause');
  });
});

describe('the page’s thread and its frames', () => {
  test('training does not wait for frames, as in a hidden tab, and is right on return', async () => {
    const figure = await open({
      attributes: { 'n-steps': '100' },
      prepare: (page) =>
        page.addInitScript(() => {
          const state = /** @type {any} */ (globalThis);
          const original = requestAnimationFrame.bind(globalThis);
          /** @type {FrameRequestCallback[]} */
          const held = [];
          state.framesHeld = false;
          state.requestAnimationFrame = (/** @type {FrameRequestCallback} */ callback) =>
            state.framesHeld ? held.push(callback) : original(callback);
          state.release = () => {
            state.framesHeld = false;
            for (const callback of held.splice(0)) original(callback);
          };
        }),
    });
    await figure.until('attn-ready');
    await figure.page.evaluate(() => {
      /** @type {any} */ (globalThis).framesHeld = true;
    });
    await figure.figure.locator('button.primary').dispatchEvent('click');
    await figure.until('attn-done');
    const progress = figure.figure.locator('.progress output');
    expect(await progress.textContent()).toContain('第 0 ／');
    await figure.page.evaluate(() => /** @type {any} */ (globalThis).release());
    await figure.figure.locator('.progress output', { hasText: '第 100 ／ 100 步' }).waitFor();
  });

  test('out of view nothing is drawn while training goes on', async () => {
    const { page, figure, until } = await open({
      attributes: { 'n-steps': '300' },
      prepare: (given) =>
        given.addInitScript(() => {
          const state = /** @type {any} */ (globalThis);
          state.drawn = 0;
          const { drawImage } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.drawImage = function (/** @type {any[]} */ ...given) {
            state.drawn++;
            return /** @type {any} */ (drawImage).apply(this, given);
          };
        }),
    });
    await until('attn-ready');
    await figure.locator('button.primary').click();
    await until('attn-step', 5);
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))),
    );
    const drawn = () => page.evaluate(() => /** @type {any} */ (globalThis).drawn);
    const before = await drawn();
    await until('attn-done');
    expect(await drawn()).toBe(before);
    await figure.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    await figure.locator('.progress output', { hasText: '第 300 ／ 300 步' }).waitFor();
    expect(await drawn()).toBeGreaterThan(before);
  });

  test('less motion: a picture a second while training', async () => {
    const { page, figure, until } = await open({
      attributes: { 'n-steps': '200' },
      context: { reducedMotion: 'reduce' },
    });
    await until('attn-ready');
    await figure.evaluate((element) => {
      const output = element.shadowRoot?.querySelector('.progress output');
      /** @type {any} */ (globalThis).pictures = 0;
      new MutationObserver(() => /** @type {any} */ (globalThis).pictures++).observe(
        /** @type {Node} */ (output),
        { childList: true, characterData: true },
      );
    });
    const start = Date.now();
    await figure.locator('button.primary').click();
    await until('attn-done');
    const pictures = await page.evaluate(() => /** @type {any} */ (globalThis).pictures);
    const { length: replies } = await page.evaluate(
      () => /** @type {any} */ (globalThis).figureEvents,
    );
    // The first and the last are drawn at once.
    expect(pictures).toBeLessThanOrEqual((Date.now() - start) / 1000 + 2);
    expect(replies).toBeGreaterThan(2 * pictures);
  });
});

describe('company', () => {
  test('two figures on a page share the worker fairly', async () => {
    const { page, until } = await open({ attributes: { 'n-steps': '150' } });
    await until('attn-ready');
    const steps = await page.evaluate(async () => {
      const first = /** @type {HTMLElement} */ (document.querySelector('attn-reverse'));
      const second = /** @type {HTMLElement} */ (first.cloneNode());
      first.after(second);
      second.scrollIntoView();
      await new Promise((resolve) =>
        second.addEventListener('attn-ready', resolve, { once: true }),
      );
      // The button can be pressed once it is drawn.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const latest = new Map();
      for (const element of [first, second]) {
        element.addEventListener('attn-step', (event) =>
          latest.set(element, /** @type {CustomEvent} */ (event).detail.step),
        );
      }
      const done = Promise.race(
        [first, second].map(
          (element) => new Promise((resolve) => element.addEventListener('attn-done', resolve)),
        ),
      );
      for (const element of [first, second]) {
        const root = /** @type {ShadowRoot} */ (element.shadowRoot);
        /** @type {HTMLButtonElement} */ (root.querySelector('button.primary')).click();
      }
      await done;
      return [latest.get(first) ?? 0, latest.get(second) ?? 0];
    });
    expect(Math.max(...steps)).toBe(150);
    expect(Math.min(...steps)).toBeGreaterThan(75);
  });
});

describe('room', () => {
  test.each([360, 768, 1280, 1920])('at %s px nothing is wider than the window', async (width) => {
    const { page, figure, until } = await open({
      context: { viewport: { width, height: 800 } },
      attributes: { 'n-heads': '2', 'n-layers': '2' },
    });
    await until('attn-ready');
    await figure.locator('summary').click();
    await figure.locator('[data-action=table]').click();
    expect(await fitsWindow(page)).toBe(true);
    await page.locator('#language').selectOption('en');
    expect(await fitsWindow(page)).toBe(true);
  });

  test('at 200% text nothing is cut off', async () => {
    const { page, figure, until } = await open({
      context: { viewport: { width: 720, height: 900 } },
      prepare: (given) =>
        given.addInitScript(() =>
          addEventListener('DOMContentLoaded', () => {
            document.documentElement.style.fontSize = '200%';
          }),
        ),
    });
    await until('attn-ready');
    expect(await fitsWindow(page)).toBe(true);
    const cut = await figure.evaluate((element) =>
      [...(element.shadowRoot?.querySelectorAll('button, dd, dt, p, label, output') ?? [])]
        .filter((part) => !part.closest('.visually-hidden') && part.clientWidth > 0)
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .map((part) => part.textContent),
    );
    expect(cut).toEqual([]);
  });

  test('targets of the controls are at least 44 px high', async () => {
    const { figure, until } = await open({ context: { viewport: { width: 360, height: 800 } } });
    await until('attn-ready');
    await figure.locator('summary').click();
    const small = await figure.evaluate((element) =>
      [
        ...(element.shadowRoot?.querySelectorAll(
          'button, select, summary, input:not([type=checkbox])',
        ) ?? []),
      ]
        .map((part) => /** @type {const} */ ([part.outerHTML, part.getBoundingClientRect().height]))
        .filter(([, height]) => height > 0 && height < 44),
    );
    expect(small).toEqual([]);
  });

  test('the figure does not move when it starts', async () => {
    const { page, figure, until } = await open({ scroll: false });
    const height = () => figure.evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await figure.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    await until('attn-ready');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(Math.abs((await height()) - before)).toBeLessThan(2);
  });

  test('in English too the figure keeps its height while it trains', async () => {
    const { page, figure, until } = await open({ attributes: { 'n-steps': '30' } });
    await until('attn-ready');
    await page.locator('#language').selectOption('en');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    const height = () => figure.evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await figure.locator('button.primary').click();
    await figure.locator('button.primary', { hasText: 'Train again' }).waitFor();
    expect(await figure.locator('.map-caption').textContent()).toContain('step 30');
    expect(await height()).toBe(before);
  });

  test('on paper the charts stand as they are, inside their column, in the colours of paper', async () => {
    const figure = await open({ context: { colorScheme: 'dark' } });
    await figure.until('attn-ready');
    await figure.figure.locator('.data td').first().waitFor({ state: 'attached' });
    await figure.page.emulateMedia({ media: 'print' });
    const outside = await figure.figure.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect();
      return [...(element.shadowRoot?.querySelectorAll('canvas') ?? [])].filter((canvas) => {
        const box = canvas.getBoundingClientRect();
        return box.width === 0 || box.left < left || box.right > right + 1;
      }).length;
    });
    expect(outside).toBe(0);
    expect((await canvasOf(figure)).middle[0]).toBe('255,255,255');
    expect(await figure.figure.locator('.controls').isVisible()).toBe(false);
    expect(await figure.figure.locator('.readout').isVisible()).toBe(true);
  });
});
