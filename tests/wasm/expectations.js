/** What holds for every network that is compared with PyTorch's. */

import { expect } from '@jest/globals';
import { floats, largestDifference, relativeDifference, TOLERANCE, tensorError } from './golden.js';

/** @typedef {import('./golden.js').GoldenTensor} GoldenTensor */

const LEARNING_RATE = 0.003;

/** Row i of a tensor whose rows are sequences. @param {GoldenTensor} tensor @param {number} i */
export function sequence({ shape, data }, i) {
  return data.slice(i * shape[1], (i + 1) * shape[1]);
}

/** Where the key bias lies in a query-key-value bias. @param {Float32Array} bias */
const keyBias = (bias) => bias.subarray(bias.length / 3, (2 * bias.length) / 3);

/** @param {number[]} values @param {number} n_keys_from the middle third becomes 0 */
function withoutKeyBias(values, n_keys_from) {
  return values.map((value, i) => (i >= n_keys_from && i < 2 * n_keys_from ? 0 : value));
}

/**
 * Every gradient by name. The key bias has a true gradient of 0: only its smallness is checked.
 *
 * @param {Record<string, Float32Array>} ours
 * @param {Record<string, GoldenTensor>} golden
 */
export function expectGradients(ours, golden) {
  expect(Object.keys(ours)).toEqual(Object.keys(golden).map((name) => `${name}.grad`));
  for (const [name, reference] of Object.entries(golden)) {
    let [mine, theirs] = [ours[`${name}.grad`], reference];
    if (name.endsWith('in_proj_bias')) {
      const n = mine.length / 3;
      expect(largestDifference(keyBias(mine), new Float32Array(n))).toBeLessThanOrEqual(
        TOLERANCE.key_bias_gradient,
      );
      mine = Float32Array.from(withoutKeyBias([...mine], n));
      theirs = { ...reference, data: withoutKeyBias(reference.data, n) };
    }
    expect({ name, close: tensorError(mine, theirs) <= 1 }).toEqual({ name, close: true });
  }
}

/**
 * Every parameter by name after one step; of some large ones only the first values are recorded.
 *
 * @param {Record<string, Float32Array>} ours
 * @param {Record<string, GoldenTensor>} golden
 */
export function expectParameters(ours, golden) {
  expect(Object.keys(ours)).toEqual(Object.keys(golden));
  for (const [name, reference] of Object.entries(golden)) {
    let [mine, theirs] = [ours[name].subarray(0, reference.data.length), floats(reference)];
    if (name.endsWith('in_proj_bias')) {
      const n = mine.length / 3;
      // Adam turns the rounding noise there into steps of up to the learning rate, from 0.
      const moved = largestDifference(keyBias(mine), new Float32Array(n));
      expect(moved).toBeLessThanOrEqual(Math.fround(LEARNING_RATE));
      mine = Float32Array.from(withoutKeyBias([...mine], n));
      theirs = Float32Array.from(withoutKeyBias([...theirs], n));
    }
    const difference = largestDifference(mine, theirs);
    expect({ name, close: difference <= TOLERANCE.parameter }).toEqual({ name, close: true });
  }
}

/**
 * @param {import('../../web/engine/protocol.js').Metrics[]} metrics
 * @param {Record<string, number>} golden by step
 * @param {(step: number) => number} tolerance relative
 */
export function expectLosses(metrics, golden, tolerance) {
  for (const [step, loss] of Object.entries(golden)) {
    const difference = relativeDifference(metrics[Number(step) - 1].loss, loss);
    const close = difference <= tolerance(Number(step));
    expect({ step, difference, close }).toEqual({ step, difference, close: true });
  }
}
