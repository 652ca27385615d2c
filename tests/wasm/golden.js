/** PyTorch's numbers (tests/golden) and how near to them is near enough. */

import { readFileSync } from 'node:fs';

/**
 * @typedef {object} GoldenTensor
 * @property {number[]} shape
 * @property {number[]} data
 * @property {number} [max] the largest absolute value of a computed tensor
 */

/** The tolerances of tests/golden/README.md, by what they are for. */
export const TOLERANCE = {
  /** times `max` of the tensor: layer outputs, gradients, logits */
  tensor: 1e-5,
  /** relative: the loss of the first batch */
  first_loss: 2e-6,
  /** absolute: parameters after one Adam step */
  parameter: 1e-6,
  /** absolute: p in adam.json */
  adam: 2e-7,
  /** absolute: posenc.json */
  positions: 2e-6,
  /** absolute: A and out in attention_check.json */
  attention_check: 2e-6,
  /** relative: its statistics */
  statistics: 1e-6,
  /** absolute: the attention map of the first test sample after the training */
  map: 1e-4,
  /** absolute: the gradient of the key bias, which is 0 but for rounding */
  key_bias_gradient: 1e-7,
};

/** Relative, for the loss of a step: the entry of the first step that is not before it. */
const LOSS = {
  transformer: { 100: 1e-5, 250: 1e-4, 500: 5e-4, 1000: 1e-3, 1500: 2e-3 },
  bilstm: { 250: 1e-5, 500: 2e-5, 1000: 5e-3, 1500: 2e-2 },
};

/** @param {number} step @param {keyof typeof LOSS} [model] */
export function lossTolerance(step, model = 'transformer') {
  const limit = Object.entries(LOSS[model]).find(([last]) => step <= Number(last));
  if (!limit) throw new RangeError(`no tolerance for step ${step}`);
  return limit[1];
}

/** @param {string} name */
export function readGolden(name) {
  return JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'));
}

/** The shortest decimals read back exactly once they are rounded to 32 bits. @param {GoldenTensor} tensor */
export function floats({ data }) {
  return Float32Array.from(data, Math.fround);
}

/**
 * The largest difference between corresponding elements; NaN where one is NaN.
 *
 * @param {ArrayLike<number>} ours
 * @param {ArrayLike<number>} reference
 */
export function largestDifference(ours, reference) {
  if (ours.length !== reference.length) {
    throw new RangeError(`${ours.length} values against ${reference.length}`);
  }
  let largest = 0;
  for (let i = 0; i < ours.length; i++) {
    largest = Math.max(largest, Math.abs(ours[i] - reference[i]));
  }
  return largest;
}

/**
 * How far a computed tensor is off, in units of what is allowed: 1 is the limit.
 *
 * @param {ArrayLike<number>} ours
 * @param {GoldenTensor} golden
 */
export function tensorError(ours, golden) {
  if (!golden.max) throw new RangeError('the tensor does not say its largest value');
  return largestDifference(ours, floats(golden)) / (TOLERANCE.tensor * golden.max);
}

/** @param {number} ours @param {number} reference */
export function relativeDifference(ours, reference) {
  return Math.abs(ours - reference) / Math.abs(reference);
}
