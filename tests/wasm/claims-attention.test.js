/** Claims 2, 3 and 6 of the lesson: the formula is PyTorch's, a soft look-up, and masked. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allClose, attentionCheckLines } from '../../web/engine/lesson-output.js';
import { recordedCheck } from '../../web/lesson/render/recorded.mjs';
import { floats, largestDifference, readGolden, TOLERANCE } from './golden.js';
import { loadEngine } from './load.js';

/** @import { Engine } from '../../web/engine/engine.js' */
/** @import { Tensor } from '../../web/engine/protocol.js' */

const CHECK = readGolden('attention_check');

/** The lesson's sizes, and its factor of the scores. */
const LESSON = { seed: 0, n: 5, d: 16 };
const SCALE = 1 / Math.sqrt(LESSON.d);

/** Beside the greatest score no other counts. */
const COLDEST = 1e30;

/** @type {Engine} */
let engine;
/** @type {{query: Tensor, key: Tensor, value: Tensor}} */
let inputs;

beforeAll(async () => {
  ({ engine } = await loadEngine());
  const { query, key, value } = engine.attentionCheck(LESSON);
  inputs = { query, key, value };
});

/** @param {Tensor} matrix @returns {Float32Array[]} */
function rowsOf({ shape: [rows, columns], data }) {
  return Array.from({ length: rows }, (_, i) => data.subarray(i * columns, (i + 1) * columns));
}

/** @param {Float32Array} row */
const indexOfLargest = (row) => row.indexOf(Math.max(...row));

describe('the formula', () => {
  test.each([
    [false, 'builtin_out'],
    [true, 'builtin_out_c'],
  ])('with the causal mask %p it is PyTorch’s, by torch.allclose’s rule', (causal, name) => {
    const { output, plain_output } = engine.attention({ ...inputs, scale: SCALE, causal });
    const reference = floats(CHECK[name]);
    expect(allClose(output.data, reference)).toBe(true);
    expect(largestDifference(output.data, reference)).toBeLessThan(TOLERANCE.attention_check);
    // The plain loops share no code with it.
    expect(allClose(output.data, plain_output.data)).toBe(true);
    // The rule tells one scale from another.
    const unscaled = engine.attention({ ...inputs, scale: 1, causal });
    expect(allClose(unscaled.output.data, reference)).toBe(false);
    expect(allClose(unscaled.output.data, unscaled.plain_output.data)).toBe(true);
  });

  test.each([
    { seed: 7, n: 12, d: 64 },
    { seed: 4_294_967_295, n: 2, d: 2 },
    { seed: 3, n: 9, d: 33 },
  ])('for other seeds and sizes it is that of the plain loops: %o', (sizes) => {
    const { query, key, value } = engine.attentionCheck(sizes);
    for (const causal of [false, true]) {
      for (const inverse_temperature of [0, 1 / 8, 1, 4, COLDEST]) {
        const scale = inverse_temperature / Math.sqrt(sizes.d);
        const ours = engine.attention({ query, key, value, scale, causal });
        const { n } = sizes;
        expect(ours.output.data.every(Number.isFinite)).toBe(true);
        expect(ours.weights.shape).toEqual([n, n]);
        expect(largestDifference(ours.output.data, ours.plain_output.data)).toBeLessThan(4e-6);
      }
    }
  });

  test('the lesson’s eight lines come out, character for character', () => {
    const full = engine.attention({ ...inputs, scale: SCALE, causal: false });
    const causal = engine.attention({ ...inputs, scale: SCALE, causal: true });
    const recorded = recordedCheck();
    expect(
      attentionCheckLines({
        same: allClose(full.output.data, recorded.output),
        same_causal: allClose(causal.output.data, recorded.causal_output),
        causal_weights: causal.weights,
        sharpness: [],
      }),
    ).toEqual(recorded.lines.slice(0, 8));
  });
});

describe('the soft dictionary', () => {
  test.each([false, true])('every row of weights sums to 1, causal mask %p', (causal) => {
    for (const inverse_temperature of [0, 0.125, 1, 16, COLDEST]) {
      const { weights } = engine.attention({
        ...inputs,
        scale: SCALE * inverse_temperature,
        causal,
      });
      for (const row of rowsOf(weights)) {
        const sum = row.reduce((total, weight) => total + weight, 0);
        expect(Math.abs(sum - 1)).toBeLessThan(3e-7);
      }
    }
  });

  test('infinitely hot, every key that is seen has the same weight', () => {
    for (const causal of [false, true]) {
      const { weights } = engine.attention({ ...inputs, scale: 0, causal });
      for (const [i, row] of rowsOf(weights).entries()) {
        const visible = causal ? i + 1 : LESSON.n;
        expect(Array.from(row)).toEqual(
          Array.from({ length: LESSON.n }, (_, j) => (j < visible ? Math.fround(1 / visible) : 0)),
        );
      }
    }
  });

  test('infinitely cold, the output is the value whose key fits best, bit for bit', () => {
    for (const causal of [false, true]) {
      const { scores } = engine.attention({ ...inputs, scale: SCALE, causal });
      const { weights, output } = engine.attention({ ...inputs, scale: COLDEST, causal });
      const values = rowsOf(inputs.value);
      const outputs = rowsOf(output);
      for (const [i, row] of rowsOf(scores).entries()) {
        const best = indexOfLargest(row);
        expect(rowsOf(weights)[i][best]).toBe(1);
        expect(outputs[i]).toEqual(values[best]);
      }
    }
  });
});

test('the causal weights have a zero upper triangle, and the printed digits', () => {
  const { weights, scores } = engine.attention({ ...inputs, scale: SCALE, causal: true });
  expect(largestDifference(weights.data, floats(CHECK.A_c))).toBeLessThan(
    TOLERANCE.attention_check,
  );
  const printed = floats(CHECK.A_c_printed_2_decimals);
  for (const [i, row] of rowsOf(weights).entries()) {
    for (const [j, weight] of row.entries()) {
      expect(weight === 0).toBe(j > i);
      expect(scores.data[i * LESSON.n + j] === -Infinity).toBe(j > i);
      expect(Math.round(weight * 100)).toBe(Math.round(printed[i * LESSON.n + j] * 100));
    }
  }
});
