/** From the statistics of each dimension to curves, bars and lines; pure functions. */
import { sharpnessLine } from '../../engine/index.js';

/** @import { Point } from '../../charts/line-chart.js' */
/** @import { Sharpness } from '../../engine/protocol.js' */

/** The lesson's dimensions, in its order: its numbers come from one stream of random numbers. */
export const LESSON_DIMS = [4, 64, 512];

/** The lesson's come first, the others of the curves go on in the same stream. */
export const DIMS = [...LESSON_DIMS, 1, 2, 8, 16, 32, 128, 256, 1024];

export const SORTED_DIMS = [...DIMS].sort((a, b) => a - b);

/** Random numbers that the script draws before: query, key and value, 5 × 16 each. */
export const N_SKIP = 240;

/** Rows of weights that are measured for each dimension, and weights in a row. */
export const N_ROWS = 8000;
export const ROW = 8;

/** Bins of the histograms. */
export const N_BINS = 20;

/** Normals drawn for a dimension, by d: 10 000 pairs, and 1000 maps of 8 queries and 8 keys. */
const NORMALS_PER_D = 2 * 10_000 + 1000 * 2 * ROW;

/** What equal weights have for their largest, and for the norm of their gradient. */
export const EQUAL = { largest: 1 / ROW, gradient: Math.sqrt(ROW - 1) / ROW };

/** @param {readonly number[]} dims */
export function countNormals(dims) {
  return dims.reduce((sum, d) => sum + NORMALS_PER_D * d, 0);
}

/**
 * How many normals are drawn when `n_left` of `n_units` units are left. Every dimension has the
 * same number of units.
 *
 * @param {{n_units: number, n_left: number}} units
 * @param {readonly number[]} [dims]
 */
export function drawnNormals({ n_units, n_left }, dims = DIMS) {
  const done = ((n_units - n_left) / n_units) * dims.length;
  const whole = Math.floor(done);
  const part = whole < dims.length ? (done - whole) * countNormals([dims[whole]]) : 0;
  return countNormals(dims.slice(0, whole)) + part;
}

/**
 * The lines attention_check.py prints for the dimensions that are computed.
 *
 * @param {readonly Sharpness[]} results
 */
export function printedLines(results) {
  return LESSON_DIMS.flatMap((dim) => results.filter(({ d }) => d === dim)).map(sharpnessLine);
}

/**
 * What the lesson's printed lines say.
 *
 * @param {readonly string[]} lines
 * @returns {{d: number, variance: number, max_raw: number, max_scaled: number}[]}
 */
export function readLines(lines) {
  return lines.map((line) => {
    const numbers = line.match(/\d+(\.\d+)?/g) ?? [];
    const [d, variance, max_raw, max_scaled] = numbers.map(Number);
    return { d, variance, max_raw, max_scaled };
  });
}

/** The members of the statistics that are curves over d. @typedef {'variance' | 'variance_scaled' | 'max_raw' | 'max_scaled' | 'max_over_d' | 'gradient_raw' | 'gradient_scaled' | 'gradient_over_d'} CurveName */

/**
 * @param {readonly Sharpness[]} results
 * @param {CurveName} name
 * @returns {Point[]}
 */
export function curve(results, name) {
  return results.map((result) => ({ x: result.d, y: result[name] })).sort((a, b) => a.x - b.x);
}

/** The edges of so many bins of equal width, each by its lower one. @param {number} n_bins */
export function binEdges(n_bins) {
  return Array.from({ length: n_bins }, (_, i) => String(Number((i / n_bins).toFixed(2))));
}
