/** Gradients over the distance of two positions; pure functions. */

/** @import { Point } from '../../charts/line-chart.js' */

/** The sequences of the lesson's example. */
export const LESSON_SEQ_LEN = 10;
export const LARGEST_SEQ_LEN = 32;

/**
 * The pair that is shown where the sequence is shorter than the settings ask.
 *
 * @param {{seq_len: number, input: number, output: number}} settings
 */
export function pairOf({ seq_len, input, output }) {
  return { input: Math.min(input, seq_len - 1), output: Math.min(output, seq_len - 1) };
}

/**
 * By what factor the gradient changes with every further step: of the straight line that fits the
 * logarithms best. Distance 0 stands apart: no step is taken there.
 *
 * @param {Point[]} means by distance, 0 … T − 1 with T at least 3
 */
export function factorPerStep(means) {
  const points = means.slice(1).map(({ x, y }) => ({ x, y: Math.log(y) }));
  const middle = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = middle(points.map((point) => point.x));
  const y = middle(points.map((point) => point.y));
  const covariance = middle(points.map((point) => (point.x - x) * (point.y - y)));
  const variance = middle(points.map((point) => (point.x - x) ** 2));
  return Math.exp(covariance / variance);
}

/** Where the axis of distances is labelled. @param {number} seq_len */
export function distanceTicks(seq_len) {
  const stride = Math.ceil(seq_len / 12);
  return Array.from({ length: Math.ceil(seq_len / stride) }, (_, i) => i * stride);
}
