/** The figure of the lesson's attention check shows what the engine computes, step by step. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordedCheck } from '../../web/lesson/render/recorded.mjs';
import { computeByHand } from '../../web/widgets/attn-check/model.js';
import { loadEngine } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const LESSON = recordedCheck().lines.slice(0, 8).join('\n');

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-check' });
});

afterAll(() => browser.close());

/** @param {string} selector */
const text = async (selector) => (await open.figure.locator(selector).textContent()) ?? '';

/** @param {Record<string, string>} attributes */
const set = (attributes) =>
  open.after('attn-change', () =>
    open.figure.evaluate((element, given) => {
      for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    }, attributes),
  );

/** The numbers a step shows, true minus signs read. @param {number} step */
async function numbersOf(step) {
  const shown = await text(`.steps li:nth-child(${step})`);
  return (shown.replaceAll('−', '-').match(/-?\d+\.\d+/g) ?? []).map(Number);
}

test('begins with the lesson’s lines, the same as those it printed', async () => {
  const detail = await open.until('attn-ready');
  expect(detail).toMatchObject({ seed: 0, n: 5, d: 16, causal: true, scaled: true });
  expect(detail).toMatchObject({ same: true, same_causal: true });
  expect((await text('.own')).trimEnd()).toBe(LESSON);
  expect((await text('.printed .lesson')).trimEnd()).toBe(LESSON);
  expect(await text('.verdict')).toContain('與課文相同');
  expect(await text('.reference')).toContain('PyTorch');
});

test('arrow keys choose a weight, and its steps are the engine’s numbers', async () => {
  const { engine } = await loadEngine();
  const { query, key, value } = engine.attentionCheck({ seed: 0, n: 5, d: 16 });
  await open.figure.locator('.map.weights').focus();
  await open.after('attn-change', () => open.page.keyboard.press('ArrowDown'));
  const attend = (/** @type {number} */ scale, /** @type {boolean} */ causal) =>
    engine.attention({ query, key, value, scale, causal });
  const { scores, weights } = attend(1 / 4, true);
  const dots = attend(1, false).scores;
  const hand = computeByHand({ query, key, dots, scores, weights }, 1, { row: 4, column: 1 });
  expect((await numbersOf(1)).at(-1)).toBe(Number(hand.dot.toFixed(4)));
  expect((await numbersOf(1)).slice(0, 8)).toEqual(
    hand.terms.flatMap(({ q, k }) => [Number(q.toFixed(4)), Number(k.toFixed(4))]),
  );
  expect((await numbersOf(2)).at(-1)).toBe(Number(hand.score.toFixed(4)));
  expect((await numbersOf(3)).at(-1)).toBe(Number(hand.exponentials[1].toFixed(4)));
  expect((await numbersOf(4)).at(-1)).toBe(Number(hand.sum.toFixed(4)));
  expect((await numbersOf(5)).at(-1)).toBe(Number(hand.weights[1].toFixed(4)));
  expect(await open.figure.getAttribute('row')).toBe('4');
});

test('pointing at a weight chooses it, and it stays when the pointer leaves', async () => {
  const canvas = open.figure.locator('.map.weights canvas');
  const { width } = (await canvas.boundingBox()) ?? { width: 0 };
  await canvas.hover({ position: { x: width - 12, y: 12 } });
  await open.figure.locator('.hand-title', { hasText: '位置 0 對位置 4' }).waitFor();
  expect(await text('.steps li:nth-child(2)')).toContain('因果遮罩');
  await open.page.mouse.move(0, 0);
  expect(await text('.hand-title')).toContain('位置 0 對位置 4');
});

test('without the mask the later keys count', async () => {
  const { weight } = await open.after('attn-change', () =>
    open.figure.locator('[name=causal]').click(),
  );
  expect(weight).toBeGreaterThan(0);
  expect(await text('.verdict')).toContain('與課文相同');
});

test('the temperature goes from equal weights to one exact entry', async () => {
  const slider = open.figure.locator('[name=inverse_temperature]');
  const hot = await open.after('attn-change', () => slider.fill('0'));
  expect(hot.weight).toBeCloseTo(0.2, 6);
  expect(await text('.own')).toContain('與逐項迴圈的獨立實作相同： True');
  await open.after('attn-change', () => slider.fill('9'));
  expect(await text('[data-value=largest]')).toBe('1.0000');
  expect(await text('[data-value=distance]')).toBe('0');
  expect(await text('.verdict')).not.toContain('與課文相同');
  await open.after('attn-change', () => open.figure.locator('[data-action=lesson]').click());
  expect((await text('.own')).trimEnd()).toBe(LESSON);
});

test('another seed and size agree with the plain loops', async () => {
  expect(await set({ seed: '7', n: '12', d: '64' })).toMatchObject({
    same: true,
    same_causal: true,
  });
  expect(await text('.reference')).toContain('逐項迴圈');
  expect((await text('.own')).split('\n')).toHaveLength(28);
  await open.figure.locator('[data-action=table]').click();
  expect(await open.figure.locator('.data table').count()).toBe(6);
});

test('the table’s weights are the engine’s', async () => {
  const { engine } = await loadEngine();
  const inputs = engine.attentionCheck({ seed: 7, n: 12, d: 64 });
  const { weights } = engine.attention({ ...inputs, scale: 1 / 8, causal: true });
  const table = open.figure.locator('.data table').nth(4);
  const shown = (await table.locator('td').allTextContents()).map(Number);
  expect(shown).toEqual(Array.from(weights.data, (weight) => Number(weight.toFixed(6))));
});

test('where rounding takes the outputs apart it says so', async () => {
  expect(await set({ scaled: 'false' })).toMatchObject({ same: false });
  expect(await text('.own')).toContain('與逐項迴圈的獨立實作相同： False');
  expect(await text('.verdict')).toMatch(/分數大到 2\d，32 位元浮點數的捨入誤差.*× 10⁻⁶/);
});

test('axe finds nothing, no error is logged, no other origin is asked', async () => {
  await open.figure.locator('[data-action=table]').click();
  expect(await open.violations()).toEqual([]);
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});
