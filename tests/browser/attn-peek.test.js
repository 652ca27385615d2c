/** The figure of the causal mask trains two networks and shows what the engine measures of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { innerMean } from '../../web/widgets/attn-peek/model.js';
import { loadEngine, withSession } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const N_STEPS = 200;
const SEQ_LEN = 10;
const LN_10 = Math.log(10);

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-peek', attributes: { 'n-steps': `${N_STEPS}` } });
});

afterAll(() => browser.close());

/**
 * The losses at each position that the engine measures in Node after the same training.
 *
 * @param {boolean} causal
 */
async function lossesInNode(causal) {
  const { engine } = await loadEngine();
  /** @type {number[]} */
  let losses = [];
  withSession(engine, { task: 'next_token', causal }, (session) => {
    engine.step({ session, n_steps: N_STEPS });
    const { metrics } = engine.evaluate({ session, seed: 99, n_sequences: 2000 });
    losses = metrics.position_loss.slice(0, SEQ_LEN);
  });
  return losses;
}

/** @param {string} name */
const value = async (name) =>
  Number(await open.figure.locator(`[data-value=${name}]`).textContent());

test('begins with two untrained networks that know nothing', async () => {
  const { step, free, masked, floor } = await open.until('attn-ready');
  expect(step).toBe(0);
  expect(Math.min(free, masked)).toBeGreaterThan(LN_10);
  expect(floor).toBeCloseTo(LN_10, 12);
  expect(await open.figure.locator('.verdict').textContent()).toContain('還沒有學會');
});

test('training can be paused, and goes on from there', async () => {
  const train = open.figure.locator('[data-action=train]');
  await train.click();
  await open.until('attn-step', 2);
  await train.click();
  await open.figure.locator('[data-action=train]', { hasText: '繼續訓練' }).waitFor();
  const { step } = await open.after('attn-step', () =>
    open.figure.locator('[data-action=single]').click(),
  );
  expect(step).toBeLessThan(N_STEPS);
  await train.click();
  expect(await open.until('attn-done')).toMatchObject({ step: N_STEPS });
});

test('shows the engine’s losses: the network without the mask has peeked', async () => {
  const [free, masked] = await Promise.all([lossesInNode(false), lossesInNode(true)]);
  expect(await value('free')).toBe(Number(innerMean(free, SEQ_LEN).toFixed(3)));
  expect(await value('masked')).toBe(Number(innerMean(masked, SEQ_LEN).toFixed(3)));
  expect(await value('free')).toBeLessThan(0.05);
  expect(Math.abs((await value('masked')) - LN_10)).toBeLessThan(0.05);
  expect(await open.figure.locator('.verdict').textContent()).toContain('答案就在輸入裡');
  expect(await open.figure.locator('.verdict-last').textContent()).toContain('位置 9');

  await open.figure.locator('[data-action=table]').click();
  const rows = await open.figure.locator('.data tbody tr').all();
  expect(rows).toHaveLength(SEQ_LEN);
  for (const [i, row] of rows.entries()) {
    const cells = await row.locator('td').allTextContents();
    expect(cells.slice(0, 2)).toEqual([free[i].toFixed(4), masked[i].toFixed(4)]);
  }
});

test('a cell of the map says whether the answer stands there', async () => {
  await open.figure.locator('.map.free').focus();
  for (const key of ['ArrowRight', 'ArrowRight']) await open.page.keyboard.press(key);
  await open.figure.locator('.cell', { hasText: /位置 0 看位置 1.*那裡正是答案/ }).waitFor();
  await open.figure.locator('.map.masked').focus();
  for (const key of ['ArrowRight', 'ArrowRight']) await open.page.keyboard.press(key);
  await open.figure.locator('.cell', { hasText: /看不到，權重 0/ }).waitFor();
});

test('other sequences begin a new run, with the floor of their pattern', async () => {
  const { step, floor } = await open.after('attn-change', () =>
    open.figure.locator('[name=period]').fill('3'),
  );
  expect(step).toBe(0);
  expect(floor).toBeCloseTo((2 * LN_10) / 9, 12);
  expect(await value('masked')).toBeGreaterThan(2);
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});

test('a pattern is at most one place shorter than the sequence, wherever that is said', async () => {
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => {
      element.setAttribute('period', '15');
      element.setAttribute('seq-len', '16');
    }),
  );
  expect(await open.figure.getAttribute('period')).toBe('15');
  const slider = open.figure.locator('[name=period]');
  const changed = await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('seq-len', '8')),
  );
  expect(changed).toMatchObject({ period: 7, seq_len: 8 });
  expect(changed.floor).toBeCloseTo((6 * LN_10) / 7, 12);
  expect(await slider.inputValue()).toBe('7');
  expect(await slider.getAttribute('aria-valuetext')).toBe('每 7 個重複');
  expect(await open.figure.getAttribute('period')).toBe('7');
  expect(await open.figure.locator('[data-value=masked-floor]').textContent()).toContain('(7−1)');
});

/** Presses a button of the figure several times before it can show that it was pressed. @param {string[]} actions */
const pressAtOnce = (...actions) =>
  open.figure.evaluate((element, pressed) => {
    for (const action of pressed) {
      const selector = `[data-action=${action}]`;
      const button = element.shadowRoot?.querySelector(selector);
      /** @type {HTMLButtonElement} */ (button).click();
    }
  }, actions);

/** Trains to the end, with so few steps that nobody waits. */
async function trainToEnd() {
  await open.after('attn-done', async () => {
    await open.figure.evaluate((element) => {
      element.setAttribute('n-steps', '50');
      element.setAttribute('seq-len', '6');
      element.setAttribute('period', '2');
    });
    await open.figure.locator('[data-action=train]').click();
  });
  await open.figure.locator('[data-action=train]', { hasText: '再訓練一次' }).waitFor();
}

test('training again, pressed twice, goes on to its end', async () => {
  await trainToEnd();
  expect(await open.after('attn-done', () => pressAtOnce('train', 'train'))).toMatchObject({
    step: 50,
  });
});

test('removed before it trains again, it does not begin by itself later', async () => {
  await open.figure.locator('[data-action=train]', { hasText: '再訓練一次' }).waitFor();
  await open.after('attn-ready', () =>
    open.figure.evaluate((element) => {
      const root = /** @type {ShadowRoot} */ (element.shadowRoot);
      /** @type {HTMLButtonElement} */ (root.querySelector('[data-action=train]')).click();
      const parent = /** @type {Element} */ (element.parentElement);
      element.remove();
      parent.prepend(element);
    }),
  );
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('init-seed', '1')),
  );
  await open.figure.locator('[data-action=train]', { hasText: /^訓練$/ }).waitFor();
});

test('what was pressed for numbers that are gone is not done to others', async () => {
  // Training waits for the test after the step, and goes with it.
  await open.after('attn-change', () => pressAtOnce('single', 'train', 'reset'));
  await open.figure.locator('.progress output', { hasText: '第 0 ／' }).waitFor();
  await open.figure.locator('[data-action=train]', { hasText: /^訓練$/ }).waitFor();
  expect(await open.after('attn-step', () => pressAtOnce('single'))).toMatchObject({ step: 1 });
});

test('what is pressed while a step is under way is done after it, in turn', async () => {
  const done = await open.after('attn-done', () => pressAtOnce('single', 'single', 'train'));
  expect(done).toMatchObject({ step: 50 });
});

test('no single step goes beyond the end', async () => {
  await trainToEnd();
  const { step } = await open.after('attn-step', () =>
    open.figure.evaluate((element) => {
      // As of a press that has waited for the test at the end.
      for (const action of ['single', 'train']) /** @type {any} */ (element).act(action);
    }),
  );
  expect(step).toBe(1);
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});

test('removed while it trains, it leaves nothing behind', async () => {
  await open.after('attn-step', () => open.figure.locator('[data-action=train]').click());
  const usage = await open.page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attn-peek'));
    const before = await element.engine.request('usage', {});
    element.remove();
    const deadline = performance.now() + 5000;
    for (;;) {
      const after = await element.engine.request('usage', {});
      if (after.sessions <= before.sessions - 2 || performance.now() > deadline) {
        return { freed: before.sessions - after.sessions, jobs: after.jobs - before.jobs };
      }
    }
  });
  expect(usage).toEqual({ freed: 2, jobs: 0 });
});
