/** From attention's tensors to what is read of them; pure functions. */
import { allClose, attentionCheckLines } from '../../engine/index.js';

/** @import { Tensor } from '../../engine/protocol.js' */

/** @typedef {{seed: number, n: number, d: number, scaled: boolean, inverse_temperature: number}} Sizes */
/** @typedef {{scores: Tensor, weights: Tensor, output: Tensor, plain_output: Tensor}} Attention */

/**
 * The temperature so near to 0 that beside the greatest score no other counts: its inverse, as a
 * factor of the scores.
 */
export const COLDEST = 1e30;

/** Exponents of a larger size, of either sign, have exponentials that nobody can read. */
const LARGEST_EXPONENT = 80;

/** Products that are written out; what is left of q·k is one number. */
const WRITTEN_TERMS = 4;

/**
 * The factor of q·k before the temperature: 1/√d, or 1 where scores are not scaled.
 *
 * @param {{d: number, scaled: boolean}} sizes
 */
export function scaleOf({ d, scaled }) {
  return scaled ? 1 / Math.sqrt(d) : 1;
}

/**
 * The weight of query i on key j, by hand: each step from the engine's own tensors.
 *
 * @typedef {object} Hand
 * @property {{q: number, k: number}[]} terms the first products of q·k
 * @property {number} n_rest how many more there are
 * @property {number} rest their sum
 * @property {number} dot q·k
 * @property {number} score q·k, scaled
 * @property {boolean} masked
 * @property {number | null} shift the row's greatest score, taken from all where their exponentials
 *   would be too large or too small: the quotient is the same
 * @property {number[]} exponentials of the scores that the query may see
 * @property {number} sum
 * @property {number[]} weights the row's
 */

/**
 * @param {object} tensors
 * @param {Tensor} tensors.query
 * @param {Tensor} tensors.key
 * @param {Tensor} tensors.dots every q·k
 * @param {Tensor} tensors.scores −∞ where masked
 * @param {Tensor} tensors.weights
 * @param {number} inverse_temperature
 * @param {{row: number, column: number}} cell i and j
 * @returns {Hand}
 */
export function computeByHand(
  { query, key, dots, scores, weights },
  inverse_temperature,
  { row: i, column: j },
) {
  const [n, d] = query.shape;
  const pairs = Array.from({ length: d }, (_, m) => ({
    q: query.data[i * d + m],
    k: key.data[j * d + m],
  }));
  // One product more is as short as the words for the rest.
  const n_terms = d <= WRITTEN_TERMS + 1 ? d : WRITTEN_TERMS;
  const row = Array.from(scores.data.subarray(i * n, (i + 1) * n));
  const visible = row.filter((score) => score > -Infinity);
  const greatest = Math.max(...visible);
  const isReadable = Math.abs(greatest * inverse_temperature) <= LARGEST_EXPONENT;
  const shift = isReadable ? null : greatest;
  const exponentials = visible.map((score) =>
    Math.exp((score - (shift ?? 0)) * inverse_temperature),
  );
  return {
    terms: pairs.slice(0, n_terms),
    n_rest: d - n_terms,
    rest: pairs.slice(n_terms).reduce((sum, { q, k }) => sum + q * k, 0),
    dot: dots.data[i * n + j],
    score: row[j],
    masked: row[j] === -Infinity,
    shift,
    exponentials,
    sum: exponentials.reduce((sum, e) => sum + e, 0),
    weights: Array.from(weights.data.subarray(i * n, (i + 1) * n)),
  };
}

/** @param {ArrayLike<number>} values */
function largestOf(values) {
  return Array.from(values).reduce((best, value, i) => (value > values[best] ? i : best), 0);
}

/**
 * How weights and output stand to a dictionary.
 *
 * @param {{weights: Tensor, output: Tensor}} attention
 * @param {Tensor} value
 */
export function readOut({ weights, output }, value) {
  const [n] = weights.shape;
  const d = value.shape[1];
  const rows = Array.from({ length: n }, (_, i) => weights.data.subarray(i * n, (i + 1) * n));
  const distances = rows.map((row, i) => {
    const found = largestOf(row) * d;
    return Math.max(
      ...Array.from({ length: d }, (_, m) =>
        Math.abs(output.data[i * d + m] - value.data[found + m]),
      ),
    );
  });
  const sums = rows.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  return {
    /** By how much the sum of a row's weights misses 1. */
    sum_error: Math.max(...sums.map((sum) => Math.abs(sum - 1))),
    largest: rows.reduce((sum, row) => sum + Math.max(...row), 0) / n,
    /** How far an output is from the value whose key fits best. */
    distance: Math.max(...distances),
  };
}

/**
 * @param {ArrayLike<number>} ours
 * @param {ArrayLike<number>} reference
 */
export function largestDifference(ours, reference) {
  return Array.from(ours).reduce(
    (largest, value, i) => Math.max(largest, Math.abs(value - reference[i])),
    0,
  );
}

/**
 * What attention_check.py prints before its statistics. With the lesson's settings the comparison is
 * with what PyTorch returned, else with attention by plain loops.
 *
 * @param {object} numbers
 * @param {Attention} numbers.full
 * @param {Attention} numbers.causal
 * @param {{output: number[], causal_output: number[]} | null} recorded PyTorch's, for these settings
 * @param {string} plainLabel what the first line says where nothing is recorded
 */
export function checkLines({ full, causal }, recorded, plainLabel) {
  const reference = recorded?.output ?? full.plain_output.data;
  const causal_reference = recorded?.causal_output ?? causal.plain_output.data;
  const same = allClose(full.output.data, reference);
  const same_causal = allClose(causal.output.data, causal_reference);
  return {
    same,
    same_causal,
    lines: attentionCheckLines({
      ...(recorded === null && { label: plainLabel }),
      same,
      same_causal,
      causal_weights: causal.weights,
      sharpness: [],
    }),
    difference: Math.max(
      largestDifference(full.output.data, reference),
      largestDifference(causal.output.data, causal_reference),
    ),
  };
}

/** The largest size of the finite ones. @param {Iterable<number>} values */
export function largestSize(values) {
  let largest = 0;
  for (const value of values) {
    if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}

/**
 * The far end of a colour scale that reaches every value: two digits, rounded up.
 *
 * @param {Iterable<number>} values
 */
export function roundRange(values) {
  const largest = largestSize(values);
  if (largest === 0) return 1;
  const unit = 10 ** (Math.floor(Math.log10(largest)) - 1);
  return Number((Math.ceil(largest / unit) * unit).toPrecision(2));
}

/**
 * The labels of so many columns, some of them empty where all would touch. The map itself skips
 * labels of more than sixteen.
 *
 * @param {number} columns
 */
export function columnLabels(columns) {
  const stride = columns > 16 ? 1 : columns > 12 ? 4 : columns > 10 ? 2 : 1;
  return Array.from({ length: columns }, (_, i) => (i % stride === 0 ? String(i) : ''));
}
