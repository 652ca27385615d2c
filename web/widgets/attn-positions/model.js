/** From sinusoidal positions to the curves of their products; pure functions. */
import { writeCount } from '../numbers.js';

/** @import { Point } from '../../charts/line-chart.js' */
/** @import { Tensor } from '../../engine/protocol.js' */

/** The lesson's picture: so many positions, and offsets up to half of them. */
export const SEQ_LEN = 48;
export const LARGEST_K = 24;

/**
 * PE(p)·PE(q) / (d/2), which is 1 where p = q.
 *
 * @param {Tensor} positions (T, D)
 * @param {number} p
 * @param {number} q
 */
export function product({ shape: [, D], data }, p, q) {
  let sum = 0;
  for (let i = 0; i < D; i++) sum += data[p * D + i] * data[q * D + i];
  return sum / (D / 2);
}

/**
 * The products of one position with its neighbours, over k; where there are neighbours.
 *
 * @param {Tensor} positions (T, D)
 * @param {number} p
 * @returns {Point[]}
 */
export function productCurve(positions, p) {
  const [T] = positions.shape;
  const first = Math.max(-LARGEST_K, -p);
  const last = Math.min(LARGEST_K, T - 1 - p);
  return Array.from({ length: last - first + 1 }, (_, i) => ({
    x: first + i,
    y: product(positions, p, p + first + i),
  }));
}

/**
 * Every curve in one: the mean over p at each k, and the largest difference between two p at any k.
 *
 * @param {Tensor} positions (T, D)
 * @returns {{mean: Point[], spread: number}}
 */
export function allCurves(positions) {
  const [T] = positions.shape;
  const curves = Array.from({ length: T }, (_, p) => productCurve(positions, p)).flat();
  /** @type {Map<number, number[]>} */
  const at = new Map();
  for (const { x, y } of curves) at.set(x, [...(at.get(x) ?? []), y]);
  const offsets = [...at.keys()].sort((a, b) => a - b);
  const valuesAt = (/** @type {number} */ k) => /** @type {number[]} */ (at.get(k));
  return {
    mean: offsets.map((k) => ({
      x: k,
      y: valuesAt(k).reduce((sum, y) => sum + y, 0) / valuesAt(k).length,
    })),
    spread: Math.max(...offsets.map((k) => Math.max(...valuesAt(k)) - Math.min(...valuesAt(k)))),
  };
}

/**
 * The values of one dimension over all positions.
 *
 * @param {Tensor} positions (T, D)
 * @param {number} column
 * @returns {Point[]}
 */
export function wave({ shape: [T, D], data }, column) {
  return Array.from({ length: T }, (_, p) => ({ x: p, y: data[p * D + column] }));
}

/**
 * After how many positions a dimension repeats: 2π / w_i with w_i = base^(−2i/d).
 *
 * @param {number} column 2i or 2i + 1
 * @param {{d_model: number, base: number}} sizes
 */
export function wavelength(column, { d_model, base }) {
  return 2 * Math.PI * base ** ((2 * Math.floor(column / 2)) / d_model);
}

/** Three digits, and no more of them than a reader needs. @param {number} length */
export function writeLength(length) {
  return length < 100 ? length.toPrecision(3) : writeCount(length);
}
