/** The figure of the lesson's table counts what the engine counts, and measures on this machine. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEngine } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-cost' });
});

afterAll(() => browser.close());

const KINDS = /** @type {const} */ (['lstm', 'attention', 'self_attention']);

/** What the engine counts, here. @param {{n: number, d: number}} sizes */
async function countHere({ n, d }) {
  const { engine } = await loadEngine();
  return KINDS.map((kind) => engine.costBegin({ kind, n, d }).multiply_adds);
}

/** @param {string} column */
async function shown(column) {
  const texts = await Promise.all(
    KINDS.map((kind) => open.figure.locator(`[data-value=${kind}-${column}]`).textContent()),
  );
  return texts.map((text) => (text ?? '').replaceAll(',', ''));
}

/** Jobs of the page; sessions are those of the figures around. @returns {Promise<number>} */
const jobs = () =>
  open.figure.evaluate(async (element) => {
    const { engine } = /** @type {any} */ (element);
    return (await engine.request('usage', {})).jobs;
  });

/** It comes with the frame after the last measurement. */
function findingOfTimes() {
  return open.figure.locator('.finding', { hasText: '量到的時間' }).waitFor();
}

test('begins with the counts at the lesson’s sizes, and measures nothing unasked', async () => {
  const { multiply_adds, ...settings } = await open.until('attn-ready');
  expect(settings).toEqual({ evidence: 'operations', n: 10, d: 32 });
  const counts = await countHere({ n: 10, d: 32 });
  expect(KINDS.map((kind) => multiply_adds[kind])).toEqual(counts);
  expect(await shown('count')).toEqual(counts.map(String));
  expect(await shown('time')).toEqual(['–', '–', '–']);
  expect(await jobs()).toBe(0);
});

test('every cell of the lesson’s table opens its evidence', async () => {
  const cells = open.page.locator('#transformer-block td a');
  expect(await cells.count()).toBe(6);
  for (const [i, evidence] of ['path', 'path', 'parallel', 'parallel'].entries()) {
    await cells.nth(i).click();
    await open.figure.locator(`[data-view=${evidence}]:not([hidden])`).waitFor();
    expect(await open.figure.locator('.view:not([hidden])').count()).toBe(1);
  }
  expect(await open.figure.locator('.recurrent-schedule rect').count()).toBe(10);
  expect(await open.figure.locator('.recurrent-schedule line').count()).toBe(9);
  expect(await open.figure.locator('.attention-schedule line').count()).toBe(0);
  await cells.nth(4).focus();
  await open.page.keyboard.press('Enter');
  await open.figure.locator('[data-view=operations]:not([hidden])').waitFor();
  expect(new URL(open.page.url()).search).toBe('');
});

test('another n and d have the engine’s counts, in the table too', async () => {
  await open.after('attn-change', () => open.figure.locator('[name=d]').fill('2'));
  await open.after('attn-change', () => open.figure.locator('[name=n]').fill('7'));
  expect(await shown('count')).toEqual((await countHere({ n: 256, d: 64 })).map(String));
  await open.figure.locator('[data-action=table]').click();
  const row = open.figure.locator('.data table').first().locator('tbody tr', { hasText: /^512/ });
  const counts = await countHere({ n: 512, d: 64 });
  expect(
    (await row.locator('td').allTextContents()).map((text) => text.replaceAll(',', '')),
  ).toEqual(counts.map(String));
  await open.figure.locator('[data-action=table]').click();
});

test('a measurement can be cancelled, and leaves no job', async () => {
  const button = open.figure.locator('[data-action=measure]');
  await button.click();
  await open.page.waitForFunction(
    (element) => /** @type {any} */ (element).shadowRoot.querySelector('progress').value >= 3,
    await open.figure.elementHandle(),
  );
  expect(await button.textContent()).toBe('取消');
  await button.click();
  await open.figure.locator('[data-action=measure]', { hasText: '量時間' }).waitFor();
  await open.page.waitForFunction(
    (element) =>
      /** @type {any} */ (element).engine
        .request('usage', {})
        .then((/** @type {{jobs: number}} */ { jobs }) => jobs === 0),
    await open.figure.elementHandle(),
  );
});

test('a whole measurement times every layer, while the engine answers others at once', async () => {
  const answered = open.figure.evaluate(async (element) => {
    const { engine } = /** @type {any} */ (element);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const start = performance.now();
    for (let i = 0; i < 5; i++) await engine.request('positional', { seq_len: 8, d_model: 8 });
    return (performance.now() - start) / 5;
  });
  const { d, times } = await open.after('attn-done', () =>
    open.figure.locator('[data-action=measure]').click(),
  );
  // A piece takes 25 ms; the machine may be busy besides.
  expect(await answered).toBeLessThan(250);
  expect(d).toBe(64);
  for (const kind of KINDS) {
    expect(Object.keys(times[kind])).toHaveLength(9);
    // 128 times as long, and at least 128 times the work: noise is far from turning that around.
    expect(times[kind][512]).toBeGreaterThan(10 * times[kind][4]);
  }
  await findingOfTimes();
  expect(await shown('time')).toEqual(KINDS.map(() => expect.stringMatching(/^[\d.]+ (ms|µs)$/)));
  expect(await jobs()).toBe(0);
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});

test('pressed while another d is counted, however often, it measures that d once', async () => {
  const { d, times } = await open.after('attn-done', () =>
    open.figure.evaluate(async (element) => {
      const button = /** @type {HTMLButtonElement | null | undefined} */ (
        element.shadowRoot?.querySelector('[data-action=measure]')
      );
      element.setAttribute('d', '16');
      // Attributes that change together are applied together, before the next press.
      await null;
      button?.click();
      button?.click();
    }),
  );
  expect(d).toBe(16);
  for (const kind of KINDS) expect(Object.keys(times[kind])).toHaveLength(9);
  await findingOfTimes();
  expect(await shown('time')).toEqual(KINDS.map(() => expect.stringMatching(/^[\d.]+ (ms|µs)$/)));
});

test('a measurement that fails is over, and another can begin', async () => {
  await open.figure.evaluate((element) => {
    const figure = /** @type {any} */ (element);
    const { engine } = figure;
    let fails = true;
    figure.engine = {
      request: async (/** @type {string} */ type, /** @type {any} */ args) => {
        if (type !== 'cost_advance' || !fails) return engine.request(type, args);
        fails = false;
        throw new Error('no time');
      },
    };
    figure.setAttribute('d', '32');
  });
  const measure = open.figure.locator('[data-action=measure]');
  await open.after('attn-error', () => measure.click());
  await measure.filter({ hasText: '量時間' }).waitFor();
  await open.after('attn-done', () => measure.click());
  await findingOfTimes();
});

test('removed in the middle of a measurement, it frees its job', async () => {
  await open.figure.locator('[data-action=measure]').click();
  await open.figure.locator('[data-action=measure]', { hasText: '取消' }).waitFor();
  const left = await open.figure.evaluate(async (element) => {
    const { engine } = /** @type {any} */ (element);
    element.remove();
    await engine.request('usage', {});
    // What was asked before the removal is answered by now, and what it made is freed next.
    return (await engine.request('usage', {})).jobs;
  });
  expect(left).toBe(0);
});
