import { expect, test } from '@jest/globals';
import { writeFixed, writeSmall } from '../../web/widgets/numbers.js';

test('small numbers are multiples of powers of ten', () => {
  expect([1.949e-7, 0, 0.25, 12].map(writeSmall)).toEqual([
    '1.9 × 10⁻⁷',
    '0',
    '2.5 × 10⁻¹',
    '1.2 × 10¹',
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
