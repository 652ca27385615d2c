import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  allCurves,
  LARGEST_K,
  product,
  productCurve,
  SEQ_LEN,
  wave,
  wavelength,
  writeLength,
} from '../../web/widgets/attn-positions/model.js';

/** @import { Tensor } from '../../web/engine/protocol.js' */

const golden = JSON.parse(readFileSync(new URL('../golden/posenc.json', import.meta.url), 'utf8'));

/** @type {Tensor} */
let positions;

beforeAll(() => {
  const { shape, data } = golden.pe_48x32;
  positions = { shape, data: Float32Array.from(data) };
});

test('the product of a position with itself is d/2, its unit', () => {
  for (let p = 0; p < SEQ_LEN; p++) expect(product(positions, p, p)).toBeCloseTo(1, 6);
});

describe('the curve of a position', () => {
  test.each([
    [0, 0, 24],
    [10, -10, 24],
    [24, -24, 23],
    [47, -24, 0],
  ])('p = %i goes from %i to %i', (p, first, last) => {
    const curve = productCurve(positions, p);
    expect([curve[0].x, curve[curve.length - 1].x]).toEqual([first, last]);
  });

  test.each([0, 10, 24])('p = %i is PyTorch’s', (p) => {
    for (const { x, y } of productCurve(positions, p)) {
      expect(Math.abs(y - golden[`dot_p${p}`].data[p + x])).toBeLessThan(1e-6);
    }
  });
});

describe('all curves in one', () => {
  test('have a mean at every k, the exact curve', () => {
    const { mean } = allCurves(positions);
    expect(mean.map(({ x }) => x)).toEqual(
      Array.from({ length: 2 * LARGEST_K + 1 }, (_, i) => i - LARGEST_K),
    );
    for (const { x, y } of mean) {
      expect(Math.abs(y - golden.curve64.data[Math.abs(x)])).toBeLessThan(1e-6);
    }
  });

  test('differ by as much as one of them is moved', () => {
    const data = positions.data.slice();
    // Position 40 grows: its product with itself, at k = 0, most of all.
    for (let i = 0; i < 32; i++) data[40 * 32 + i] *= 1.1;
    const { spread } = allCurves({ shape: positions.shape, data });
    expect(spread).toBeCloseTo(0.21, 5);
    expect(allCurves(positions).spread).toBeLessThan(2e-6);
  });
});

test('a wave is a column of the map', () => {
  const points = wave(positions, 5);
  expect(points).toHaveLength(SEQ_LEN);
  expect(points[7]).toEqual({ x: 7, y: positions.data[7 * 32 + 5] });
});

test('the wavelength is where the wave returns', () => {
  const sizes = { d_model: 32, base: 10_000 };
  expect(wavelength(0, sizes)).toBeCloseTo(2 * Math.PI, 12);
  expect(wavelength(1, sizes)).toBe(wavelength(0, sizes));
  for (const column of [4, 5, 30]) {
    const turned = golden.w_32.data[Math.floor(column / 2)] * wavelength(column, sizes);
    expect(turned).toBeCloseTo(2 * Math.PI, 5);
  }
});

test('lengths are written for readers', () => {
  expect([6.283, 19.87, 628.3, 35_332.4].map(writeLength)).toEqual([
    '6.28',
    '19.9',
    '628',
    '35,332',
  ]);
});
