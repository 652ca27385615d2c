import { expect, test } from '@jest/globals';
import {
  logarithmicRange,
  writeCount,
  writeFixed,
  writePowerOfTen,
  writeSize,
  writeSmall,
} from '../../web/widgets/numbers.js';

test('small numbers are multiples of powers of ten', () => {
  expect([1.949e-7, 0, 0.25, 12].map((value) => writeSmall(value))).toEqual([
    '1.9 × 10⁻⁷',
    '0',
    '2.5 × 10⁻¹',
    '1.2 × 10¹',
  ]);
});

test('counts have their thousands apart', () => {
  expect([0, 999, 1000, 81_920.4, 4_194_304].map(writeCount)).toEqual([
    '0',
    '999',
    '1,000',
    '81,920',
    '4,194,304',
  ]);
});

test('fixed decimals have a true minus sign, and zero has none', () => {
  const write = (/** @type {number} */ value) => writeFixed(value, 2);
  expect([-1.234, -0.001, 0.5, -Infinity, Infinity, Number.NaN].map(write)).toEqual([
    '−1.23',
    '0.00',
    '0.50',
    '−∞',
    '∞',
    '–',
  ]);
});

test('sizes are powers of ten only where they are small or have more digits than are written', () => {
  const sizes = [0.036302, 1.5, 0.0012695, 5.6e-8, 123].map((value) => writeSize(value));
  expect(sizes).toEqual(['0.036', '1.5', '1.3 × 10⁻³', '5.6 × 10⁻⁸', '1.2 × 10²']);
  expect(writeSize(0.0012695, 4)).toBe('1.270 × 10⁻³');
  expect(writePowerOfTen(-12)).toBe('10⁻¹²');
});

test('a logarithmic axis begins and ends at powers of ten, and is labelled at six at most', () => {
  const { min, max, ticks } = logarithmicRange([0.02, 3, 0.5]);
  expect([min, max]).toEqual([0.01, 10]);
  expect(ticks).toEqual([0.01, 0.1, 1, 10]);
  expect(logarithmicRange([1, 1])).toMatchObject({ min: 1, max: 10 });
  expect(logarithmicRange([1e-8, 1]).ticks.length).toBeLessThanOrEqual(6);
});
