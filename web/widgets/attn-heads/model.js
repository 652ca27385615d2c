/** Heads that are made, and heads that were trained; pure functions. */
import { indexOfPeak } from '../peak.js';

/** @import { Metrics, Tensor } from '../../engine/protocol.js' */

/** The lesson's sequences and vectors. */
export const SEQ_LEN = 10;
export const D_MODEL = 32;

/** The lesson's base of positions. */
const BASE = 10_000;

/**
 * The heads that are made: head h looks k places on, by the pairs of position dimensions that are
 * its own. The slower half of the pairs belongs to none: there neighbours hardly differ.
 */
export const OFFSETS = [-1, 1, 0, -3];
export const N_PAIRS = 2;

/** Dimensions of all of these heads together. */
export const WIDTH = 2 * N_PAIRS * OFFSETS.length;

/**
 * Heads whose maps differ by less than this on average do not divide the work: half of a row's
 * weight, in the mean, would have to lie elsewhere.
 */
export const DIVIDED = 0.5;

/** A head that costs less than this share of the digits when it is silent is not missed. */
const MISSED = 0.01;

/**
 * The factor of R_k in W_Q that makes the score of the place next to the right one lower by
 * `margin`: PE(p)·PE(p+1) falls short of PE(p)·PE(p) by the sum of 1 − cos w_i over the pairs, and
 * scores are divided by √d_k. Slower pairs need a greater factor.
 *
 * @param {number} first_pair
 * @param {number} n_pairs
 * @param {number} margin
 */
export function sharpnessOf(first_pair, n_pairs, margin) {
  let loss = 0;
  for (let i = first_pair; i < first_pair + n_pairs; i++) {
    loss += 1 - Math.cos(BASE ** ((-2 * i) / D_MODEL));
  }
  return (margin * Math.sqrt(2 * n_pairs)) / loss;
}

/**
 * Query and key of the single head whose W_Q is the sum of all the rotations.
 *
 * @param {Tensor} positions (T, D)
 * @param {Tensor[]} rotations (D, D), of each offset
 * @param {number} margin
 * @returns {{query: Tensor, key: Tensor}} (T, WIDTH)
 */
export function singleHead(positions, rotations, margin) {
  const [T, D] = positions.shape;
  const factor = sharpnessOf(0, WIDTH / 2, margin);
  const query = new Float32Array(T * WIDTH);
  const key = new Float32Array(T * WIDTH);
  for (let p = 0; p < T; p++) {
    for (let i = 0; i < WIDTH; i++) {
      key[p * WIDTH + i] = positions.data[p * D + i];
      for (const { data } of rotations) {
        for (let m = 0; m < WIDTH; m++) {
          query[p * WIDTH + i] += factor * data[i * D + m] * positions.data[p * D + m];
        }
      }
    }
  }
  return { query: { shape: [T, WIDTH], data: query }, key: { shape: [T, WIDTH], data: key } };
}

/**
 * Where the heads look from one row, and how much weight lies there.
 *
 * @param {Tensor[]} maps (T, T), of each offset
 * @param {Tensor} single
 * @param {number} row
 * @returns {{places: {place: number | null, weight: number}[], together: number, alone: number}}
 *   `together`: the weight all heads have on their places; `alone`: what the single head has there
 */
export function targets(maps, single, row) {
  const places = OFFSETS.map((k, h) => {
    const place = row + k;
    const isThere = place >= 0 && place < SEQ_LEN;
    return {
      place: isThere ? place : null,
      weight: isThere ? maps[h].data[row * SEQ_LEN + place] : 0,
    };
  });
  const alone = places.reduce(
    (sum, { place }) => sum + (place === null ? 0 : single.data[row * SEQ_LEN + place]),
    0,
  );
  return { places, together: places.reduce((sum, { weight }) => sum + weight, 0), alone };
}

/**
 * Where the largest value of a row stands; null where no single one is the largest.
 *
 * @param {ArrayLike<number>} values row by row
 * @param {number} row
 * @param {number} [n] columns
 * @returns {number | null}
 */
export function peakOf(values, row, n = SEQ_LEN) {
  return indexOfPeak(Array.from({ length: n }, (_, j) => values[row * n + j]));
}

/**
 * The map of every head, out of (1, H, T, T).
 *
 * @param {Tensor} weights
 * @returns {Float32Array[]}
 */
export function mapsOf({ shape, data }) {
  const size = SEQ_LEN * SEQ_LEN;
  return Array.from({ length: shape[1] }, (_, h) => data.slice(h * size, (h + 1) * size));
}

/**
 * How much of a row's weight lies elsewhere in another map, mean over the rows: 0 the same, 1
 * nothing in common (the total variation distance).
 *
 * @param {Float32Array} a
 * @param {Float32Array} b
 */
export function mapDistance(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i] - b[i]);
  return sum / 2 / SEQ_LEN;
}

/**
 * The mean weight at 9 − i, which the lesson gives for its picture.
 *
 * @param {Float32Array} map
 */
export function reversingWeight(map) {
  let sum = 0;
  for (let i = 0; i < SEQ_LEN; i++) sum += map[i * SEQ_LEN + SEQ_LEN - 1 - i];
  return sum / SEQ_LEN;
}

/**
 * What heads do, over several sequences.
 *
 * @typedef {object} Habits
 * @property {number | null} distance mean over all pairs of heads; null where there is no pair
 * @property {number} n_reversing heads whose largest weight is at 9 − i in more than half of the rows
 */

/**
 * @param {Tensor[]} weights (1, H, T, T), of each sequence
 * @returns {Habits}
 */
export function habitsOf(weights) {
  const sequences = weights.map(mapsOf);
  const heads = sequences[0].map((_, h) => sequences.map((maps) => maps[h]));
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const rows = Array.from({ length: SEQ_LEN }, (_, i) => i);
  const pairs = heads.flatMap((_, a) => heads.slice(a + 1).map((__, i) => [a, a + 1 + i]));
  const distances = pairs.map(([a, b]) =>
    mean(sequences.map((maps) => mapDistance(maps[a], maps[b]))),
  );
  const n_reversing = heads.filter((maps) => {
    const hits = maps.flatMap((map) => rows.filter((i) => peakOf(map, i) === SEQ_LEN - 1 - i));
    return hits.length > (maps.length * SEQ_LEN) / 2;
  }).length;
  return { distance: pairs.length === 0 ? null : mean(distances), n_reversing };
}

/** The share of digits that are right. @param {Pick<Metrics, 'digits' | 'n_digits'>} metrics */
export function accuracy({ digits, n_digits }) {
  return digits / n_digits;
}

/**
 * What switching heads off, one at a time, has shown.
 *
 * @param {Metrics} all
 * @param {Metrics[]} without each head
 * @returns {{most: number, least: number, n_unmissed: number}} heads, and how many are not missed
 */
export function missedHeads(all, without) {
  const rates = without.map(accuracy);
  return {
    most: rates.indexOf(Math.min(...rates)),
    least: rates.indexOf(Math.max(...rates)),
    n_unmissed: rates.filter((rate) => accuracy(all) - rate < MISSED).length,
  };
}
