/** From positions, rotation matrix and attention map to hands and words; pure functions. */
import { indexOfPeak } from '../peak.js';

/** @import { Tensor } from '../../engine/protocol.js' */

/** The lesson's positions, and a map small enough to see one step of it. */
export const SEQ_LEN = 48;
export const D_MODEL = 32;
export const N_PAIRS = D_MODEL / 2;
export const MAP_LEN = 10;
export const LARGEST_K = 7;

/**
 * How far each pair turns from one position to the next, radians: the angle of PE(1), since PE(0)
 * stands at 0 and no pair turns by half a circle or more.
 *
 * @param {Tensor} positions (T, D)
 * @returns {number[]}
 */
export function frequencies({ shape: [, D], data }) {
  return Array.from({ length: D / 2 }, (_, i) => Math.atan2(data[D + 2 * i], data[D + 2 * i + 1]));
}

/**
 * R PE(p).
 *
 * @param {Tensor} matrix (D, D)
 * @param {Tensor} positions (T, D)
 * @param {number} p
 * @returns {Float64Array} (D)
 */
export function rotate(matrix, positions, p) {
  const [D] = matrix.shape;
  return Float64Array.from({ length: D }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < D; i++) sum += matrix.data[row * D + i] * positions.data[p * D + i];
    return sum;
  });
}

/**
 * The largest difference between R_k PE(p) and PE(p + k) over every p for which both are positions.
 *
 * @param {Tensor} matrix (D, D)
 * @param {Tensor} positions (T, D)
 * @param {number} k
 */
export function largestError(matrix, positions, k) {
  const [T, D] = positions.shape;
  let largest = 0;
  for (let p = Math.max(0, -k); p < Math.min(T, T - k); p++) {
    for (const [i, value] of rotate(matrix, positions, p).entries()) {
      largest = Math.max(largest, Math.abs(value - positions.data[(p + k) * D + i]));
    }
  }
  return largest;
}

/**
 * Where the rows of a map look: how many of those that have a position i + k look most at it, and
 * the rows that have none, with the position they look at most. Where several weights are the
 * greatest a row looks at none of them most.
 *
 * @param {Tensor} weights (T, T)
 * @param {number} k
 * @returns {{hits: number, n: number, outside: {row: number, column: number | null}[]}}
 */
export function whereRowsLook({ shape: [T], data }, k) {
  let hits = 0;
  /** @type {{row: number, column: number | null}[]} */
  const outside = [];
  for (let row = 0; row < T; row++) {
    const weights = data.subarray(row * T, (row + 1) * T);
    const column = indexOfPeak(weights);
    if (row + k < 0 || row + k >= T) outside.push({ row, column });
    else if (column === row + k) hits++;
  }
  return { hits, n: T - outside.length, outside };
}

/**
 * The tip of a hand at an angle, on a circle of radius 1 as the page draws it: y goes down.
 *
 * @param {number} angle radians, counter-clockwise from the right
 */
export function tip(angle) {
  return { x: Math.cos(angle), y: -Math.sin(angle) };
}

/**
 * The path of an arc between two angles, drawn as far as it turns; whole circles close.
 *
 * @param {number} from radians
 * @param {number} turn radians, counter-clockwise if positive
 * @param {number} radius
 * @returns {string}
 */
export function arc(from, turn, radius) {
  const steps = Math.max(1, Math.ceil(Math.min(Math.abs(turn), 2 * Math.PI) / 1.5));
  const shown = Math.sign(turn) * Math.min(Math.abs(turn), 2 * Math.PI);
  const place = (/** @type {number} */ angle) => {
    const { x, y } = tip(angle);
    return `${(radius * x).toFixed(3)} ${(radius * y).toFixed(3)}`;
  };
  const sweep = turn > 0 ? 0 : 1;
  const pieces = Array.from(
    { length: steps },
    (_, i) => `A${radius} ${radius} 0 0 ${sweep} ${place(from + (shown * (i + 1)) / steps)}`,
  );
  return `M${place(from)}${pieces.join('')}`;
}

/** An angle in degrees, as short as it may be. @param {number} angle radians */
export function writeDegrees(angle) {
  const degrees = Math.abs((angle * 180) / Math.PI);
  const digits = degrees >= 10 ? 0 : degrees >= 1 ? 1 : 2;
  const text = degrees.toFixed(digits);
  return `${angle < 0 && Number(text) !== 0 ? '−' : ''}${text}°`;
}

/** What is added to i: ` − 1`, ` + 2`, nothing for 0. @param {number} k */
export function writeOffset(k) {
  return k === 0 ? '' : ` ${k < 0 ? '−' : '+'} ${Math.abs(k)}`;
}
