import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordedCheck } from '../../web/lesson/render/recorded.mjs';
import {
  COLDEST,
  checkLines,
  columnLabels,
  computeByHand,
  largestDifference,
  readOut,
  roundRange,
  scaleOf,
} from '../../web/widgets/attn-check/model.js';
import { loadEngine } from '../wasm/load.js';

/** @import { Engine } from '../../web/engine/engine.js' */

/** @type {Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/** What the figure asks the engine for. @param {{seed?: number, n?: number, d?: number, scaled?: boolean, inverse?: number}} [settings] */
function ask({ seed = 0, n = 5, d = 16, scaled = true, inverse = 1 } = {}) {
  const { query, key, value } = engine.attentionCheck({ seed, n, d });
  const scale = scaleOf({ d, scaled });
  const attend = (/** @type {number} */ factor, /** @type {boolean} */ causal) =>
    engine.attention({ query, key, value, scale: factor, causal });
  const at = (/** @type {boolean} */ causal) => ({
    ...attend(scale * inverse, causal),
    scores: attend(scale, causal).scores,
  });
  return {
    query,
    key,
    value,
    dots: attend(1, false).scores,
    full: at(false),
    causal: at(true),
  };
}

describe('the computation by hand', () => {
  test('arrives at the engine’s weight, for every cell, size and temperature', () => {
    for (const settings of [
      {},
      { seed: 3, n: 12, d: 64, scaled: false },
      { n: 2, d: 2, inverse: 0 },
      { seed: 5, n: 7, d: 5, inverse: 16 },
      { seed: 1, n: 6, inverse: COLDEST },
    ]) {
      const result = ask(settings);
      const [n, d] = result.query.shape;
      for (const { scores, weights } of [result.full, result.causal]) {
        for (let cell = 0; cell < n * n; cell++) {
          const [row, column] = [Math.floor(cell / n), cell % n];
          const hand = computeByHand({ ...result, scores, weights }, settings.inverse ?? 1, {
            row,
            column,
          });
          const products = hand.terms.reduce((sum, { q, k }) => sum + q * k, hand.rest);
          expect(products).toBeCloseTo(hand.dot, 4);
          expect(hand.terms.length + hand.n_rest).toBe(d);
          expect(hand.terms.length).toBe(Math.min(d, d === 5 ? 5 : 4));
          const weight = hand.masked ? 0 : hand.exponentials[column] / hand.sum;
          expect(weight).toBeCloseTo(weights.data[cell], 5);
          expect(hand.weights[column]).toBe(weights.data[cell]);
          expect(Number.isFinite(hand.sum)).toBe(true);
          if (!hand.masked) expect(hand.score).toBe(scores.data[cell]);
        }
      }
    }
  });

  test('takes the greatest score off only where exponentials could not be read', () => {
    const { full, ...result } = ask();
    const cell = { row: 3, column: 1 };
    expect(computeByHand({ ...result, ...full }, 1, cell).shift).toBe(null);
    const cold = ask({ inverse: COLDEST });
    const { shift, exponentials } = computeByHand({ ...cold, ...cold.full }, COLDEST, cell);
    expect(shift).toBe(Math.max(...cold.full.scores.data.subarray(15, 20)));
    expect(exponentials).toContain(1);
    expect(exponentials.filter((e) => e !== 0)).toHaveLength(1);
  });

  test('says that a later key is masked', () => {
    const { causal, ...result } = ask();
    const hand = computeByHand({ ...result, ...causal }, 1, { row: 1, column: 3 });
    expect(hand.masked).toBe(true);
    expect(hand.exponentials).toHaveLength(2);
  });
});

test('the readout: rows sum to 1, and cold attention is a look-up', () => {
  const warm = ask();
  const soft = readOut(warm.causal, warm.value);
  expect(soft.sum_error).toBeLessThan(3e-7);
  expect(soft.distance).toBeGreaterThan(0.5);
  const cold = ask({ inverse: COLDEST });
  expect(readOut(cold.causal, cold.value)).toEqual({ sum_error: 0, largest: 1, distance: 0 });
  const hot = ask({ inverse: 0 });
  expect(readOut(hot.full, hot.value).largest).toBeCloseTo(0.2, 6);
});

describe('the printed lines', () => {
  const recorded = recordedCheck();

  test('with PyTorch’s record are the lesson’s', () => {
    const { lines, same, same_causal, difference } = checkLines(ask(), recorded, '迴圈');
    expect(lines).toEqual(recorded.lines.slice(0, 8));
    expect([same, same_causal]).toEqual([true, true]);
    expect(difference).toBeLessThan(2e-6);
    expect(difference).toBeGreaterThan(0);
  });

  test('without it name the plain loops', () => {
    const { lines, difference } = checkLines(ask({ seed: 1 }), null, '迴圈');
    expect(lines[0]).toBe('迴圈： True');
    expect(difference).toBeLessThan(2e-6);
  });

  test('say False where the outputs are not those', () => {
    const { lines } = checkLines(ask({ seed: 1 }), recorded, '迴圈');
    expect(lines.slice(0, 2)).toEqual([
      '自己寫的 = PyTorch 內建： False',
      '因果遮罩也相同： False',
    ]);
  });
});

test('colour scales reach every value, in two digits', () => {
  expect(roundRange([0.1, -3.41, Infinity, -Infinity])).toBe(3.5);
  expect(roundRange([12.01])).toBe(13);
  expect(roundRange([0.05])).toBe(0.05);
  expect(roundRange([0])).toBe(1);
});

test('labels of columns do not touch', () => {
  expect(columnLabels(5)).toEqual(['0', '1', '2', '3', '4']);
  expect(columnLabels(12).filter((label) => label !== '')).toEqual(['0', '2', '4', '6', '8', '10']);
  expect(columnLabels(16).filter((label) => label !== '')).toEqual(['0', '4', '8', '12']);
  expect(columnLabels(64)).toHaveLength(64);
});

test('the largest difference', () => {
  expect(largestDifference([1, 2], [1, 2.5])).toBe(0.5);
});
