/** What becomes of every token's numbers when the tokens change places; pure functions. */

/** @import { Tensor } from '../../engine/protocol.js' */

/** The lesson's sequences; one digit names a place. */
export const SEQ_LEN = 10;

/**
 * Numbers that differ by no more are the same: where sums run over the places, another order of
 * the summands rounds differently.
 */
export const SAME = 1e-6;

/**
 * `order[p]` is the original place of the token that stands at p.
 *
 * @typedef {number[]} Order
 */

/** @param {string} text @returns {Order} */
export function parseOrder(text) {
  return Array.from(text, Number);
}

/** Whether every place is named once. @param {string} text */
export function isOrder(text) {
  return [...text].sort().join('') === writeOrder(originalOrder());
}

/** @param {Order} order */
export function writeOrder(order) {
  return order.join('');
}

/** @returns {Order} */
export function originalOrder() {
  return Array.from({ length: SEQ_LEN }, (_, p) => p);
}

/**
 * @param {Order} order
 * @param {number} a
 * @param {number} b
 * @returns {Order}
 */
export function exchange(order, a, b) {
  return order.map((token, p) => {
    if (p === a) return order[b];
    return p === b ? order[a] : token;
  });
}

/**
 * Another order, every one as likely as the next (Fisher and Yates), but not the one there is.
 *
 * @param {Order} order
 * @param {() => number} random in 0 … 1
 * @returns {Order}
 */
export function shuffle(order, random) {
  let shuffled = order;
  for (let p = order.length - 1; p > 0; p--) {
    shuffled = exchange(shuffled, p, Math.floor(random() * (p + 1)));
  }
  return writeOrder(shuffled) === writeOrder(order) ? exchange(order, 0, 1) : shuffled;
}

/**
 * @template T
 * @param {readonly T[]} items in their original places
 * @param {Order} order
 */
export function arrange(items, order) {
  return order.map((token) => items[token]);
}

/** @param {number} a @param {number} b masked scores are −∞ on both sides */
function difference(a, b) {
  return a === b ? 0 : Math.abs(a - b);
}

/**
 * By how much each token's numbers have changed on its way: the largest difference of its row, by
 * original place.
 *
 * @param {Tensor} before (…, T, D)
 * @param {Tensor} after the same of the tokens in `order`
 * @param {Order} order
 * @returns {number[]}
 */
export function rowDifferences(before, after, order) {
  const D = before.shape[before.shape.length - 1];
  /** @type {number[]} */
  const differences = [];
  for (const [p, token] of order.entries()) {
    const columns = Array.from({ length: D }, (_, i) =>
      difference(after.data[p * D + i], before.data[token * D + i]),
    );
    differences[token] = Math.max(...columns);
  }
  return differences;
}

/**
 * The largest difference between the score of two tokens before and after.
 *
 * @param {Tensor} before (…, T, T)
 * @param {Tensor} after
 * @param {Order} order
 */
export function scoreDifference(before, after, order) {
  const T = order.length;
  const differences = order.map((query, p) =>
    order.map((key, q) => difference(after.data[p * T + q], before.data[query * T + key])),
  );
  return Math.max(...differences.flat());
}
