import { describe, expect, test } from '@jest/globals';
import {
  barsOf,
  innerMean,
  isTestStep,
  longestPeriod,
  maskedFloor,
  nextPiece,
  positionFloors,
  verdict,
} from '../../web/widgets/attn-peek/model.js';

const LN_10 = Math.log(10);

describe('the least possible loss', () => {
  test('of random digits is 0 where the answer is in sight, else ln 10', () => {
    const random = { seq_len: 4, period: 0 };
    expect(positionFloors(random, false)).toEqual([0, 0, 0, LN_10]);
    expect(positionFloors(random, true)).toEqual([LN_10, LN_10, LN_10, LN_10]);
    expect(maskedFloor(random)).toBeCloseTo(LN_10, 12);
  });

  test('of a pattern is ln 10 until the pattern has passed once', () => {
    const pattern = { seq_len: 5, period: 3 };
    expect(positionFloors(pattern, true)).toEqual([LN_10, LN_10, 0, 0, 0]);
    expect(positionFloors(pattern, false)).toEqual([0, 0, 0, 0, 0]);
  });

  test.each([1, 2, 3, 5, 9, 10])(
    'with the mask is (P − 1) ln 10 / (L − 1) for P = %i',
    (period) => {
      expect(maskedFloor({ seq_len: 10, period })).toBeCloseTo(((period - 1) * LN_10) / 9, 12);
    },
  );

  test('of a pattern longer than the sequence is that of random digits', () => {
    const long = { seq_len: 5, period: 6 };
    expect(positionFloors(long, true)).toEqual(positionFloors({ ...long, period: 0 }, true));
  });
});

test('the longest pattern begins anew within its sequence', () => {
  for (const seq_len of [4, 16]) {
    const known = (/** @type {number} */ period) =>
      positionFloors({ seq_len, period }, true).slice(0, -1).includes(0);
    expect(known(longestPeriod(seq_len))).toBe(true);
    expect(known(longestPeriod(seq_len) + 1)).toBe(false);
  }
});

test('the mean leaves the last position out', () => {
  expect(innerMean([1, 2, 3, 100], 4)).toBe(2);
});

test('the bars set the last position apart', () => {
  expect(barsOf({ position_loss: [1, 2, 3, 0, 0] }, 3)).toEqual([1, 2, Number.NaN, 3]);
});

test('says what two losses show', () => {
  expect(verdict({ free: 2.4, masked: 2.4, floor: LN_10 })).toBe('untrained');
  expect(verdict({ free: 1, masked: 2.3, floor: LN_10 })).toBe('under way');
  expect(verdict({ free: 0.01, masked: 2.31, floor: LN_10 })).toBe('peeked');
  expect(verdict({ free: 0.01, masked: 1.2, floor: 0.51 })).toBe('under way');
  expect(verdict({ free: 0.01, masked: 0.01, floor: 0 })).toBe('same');
});

test('pieces end at tests and at the end', () => {
  expect(nextPiece({ step: 0, n_steps: 600, ms_per_step: 0 })).toBe(1);
  expect(nextPiece({ step: 1, n_steps: 600, ms_per_step: 6 })).toBe(10);
  expect(nextPiece({ step: 45, n_steps: 600, ms_per_step: 6 })).toBe(5);
  expect(nextPiece({ step: 598, n_steps: 599, ms_per_step: 6 })).toBe(1);
  expect(nextPiece({ step: 0, n_steps: 600, ms_per_step: 500 })).toBe(1);
  expect([0, 50, 51, 70].map((step) => isTestStep({ step, n_steps: 70 }))).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
