import { describe, expect, test } from '@jest/globals';
import {
  arrange,
  exchange,
  isOrder,
  originalOrder,
  parseOrder,
  rowDifferences,
  SEQ_LEN,
  scoreDifference,
  shuffle,
  writeOrder,
} from '../../web/widgets/attn-order/model.js';
import { rangeOf } from '../../web/widgets/numbers.js';

/** @param {number[]} shape @param {number[]} values */
const tensor = (shape, values) => ({ shape, data: Float32Array.from(values) });

describe('an order', () => {
  test('is written a digit a place, and read back', () => {
    expect(parseOrder('0823456719')).toEqual([0, 8, 2, 3, 4, 5, 6, 7, 1, 9]);
    expect(writeOrder(originalOrder())).toBe('0123456789');
  });

  test.each([
    ['0123456789', true],
    ['9876543210', true],
    ['012345678', false],
    ['0123456788', false],
    ['01234567890', false],
    ['nonsense', false],
    ['', false],
  ])('%j is one: %j', (text, is) => {
    expect(isOrder(text)).toBe(is);
  });

  test('two places exchange what stands there, and twice is as before', () => {
    const once = exchange([3, 1, 2, 0], 1, 3);
    expect(once).toEqual([3, 0, 2, 1]);
    expect(exchange(once, 3, 1)).toEqual([3, 1, 2, 0]);
  });

  test('shuffled, it holds every token once and is another one', () => {
    const before = originalOrder();
    for (const random of [() => 0, () => 0.5, () => 0.999, Math.random]) {
      const after = shuffle(before, random);
      expect(isOrder(writeOrder(after))).toBe(true);
      expect(after).not.toEqual(before);
    }
    expect(before).toEqual(originalOrder());
  });

  test('says at each place which token stands there', () => {
    expect(arrange(['a', 'b', 'c'], [2, 0, 1])).toEqual(['c', 'a', 'b']);
  });
});

describe('differences', () => {
  const before = tensor([1, 3, 2], [1, 2, 3, 4, 5, 6]);

  test('are 0 for every token whose row went with it', () => {
    const after = tensor([1, 3, 2], [5, 6, 1, 2, 3, 4]);
    expect(rowDifferences(before, after, [2, 0, 1])).toEqual([0, 0, 0]);
  });

  test('are the largest of a row, by original place', () => {
    const after = tensor([1, 3, 2], [5, 6.5, 1, 2, 3.25, 3]);
    expect(rowDifferences(before, after, [2, 0, 1])).toEqual([0, 1, 0.5]);
  });

  test('see rows that stayed where they were', () => {
    expect(rowDifferences(before, before, [1, 0, 2])).toEqual([2, 2, 0]);
  });

  test('of scores follow query and key; what is masked on both sides is the same', () => {
    const scores = tensor([1, 1, 2, 2], [1, -Infinity, 3, 4]);
    expect(scoreDifference(scores, tensor([1, 1, 2, 2], [4, 3, -Infinity, 1]), [1, 0])).toBe(0);
    expect(scoreDifference(scores, scores, [0, 1])).toBe(0);
    expect(scoreDifference(scores, scores, [1, 0])).toBe(Infinity);
  });
});

test.each([
  [[0.41, -0.2], 0.45],
  [[-1.05], 1.5],
  [[2], 2],
  [[0, 0], 1],
  [[12.1], 15],
])('a scale for %j ends at %d', (values, end) => {
  expect(rangeOf([tensor([values.length], values)])).toBe(end);
});

test('an order names places by one digit', () => {
  expect(SEQ_LEN).toBeLessThanOrEqual(10);
});
