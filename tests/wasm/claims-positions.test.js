/** What the lesson says of sinusoidal positions, on the WebAssembly build. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { floats, largestDifference, readGolden, TOLERANCE } from './golden.js';
import { loadEngine } from './load.js';

/** @import { Engine } from '../../web/engine/engine.js' */
/** @import { Tensor } from '../../web/engine/protocol.js' */

const GOLDEN = readGolden('posenc');

/** Positions and dimensions of the lesson's picture. */
const T = 48;
const D = 32;

/** PE(p)·PE(p+k) of different p differ by at most this much in each of their d/2 pairs. */
const SPREAD = 2e-6;

/** @type {Engine} */
let engine;
/** @type {Tensor} */
let positions;

beforeAll(async () => {
  ({ engine } = await loadEngine());
  positions = engine.positional({ seq_len: T, d_model: D });
});

/** @param {number} p */
const position = (p) => positions.data.subarray(p * D, (p + 1) * D);

/** @param {number} p @param {number} q */
function product(p, q) {
  const other = position(q);
  return position(p).reduce((sum, value, i) => sum + value * other[i], 0);
}

/** Every pair of positions that are k apart. @param {number} k */
function pairs(k) {
  const first = Math.max(0, -k);
  const last = Math.min(T - 1, T - 1 - k);
  return Array.from({ length: last - first + 1 }, (_, i) => [first + i, first + i + k]);
}

/** @param {Tensor} matrix @param {ArrayLike<number>} vector */
function times({ shape: [rows, columns], data }, vector) {
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < columns; i++) sum += data[row * columns + i] * vector[i];
    return sum;
  });
}

/** The column of the largest weight of every row. @param {Tensor} weights */
function strongest({ shape: [rows, columns], data }) {
  return Array.from({ length: rows }, (_, i) => {
    const row = data.subarray(i * columns, (i + 1) * columns);
    return row.indexOf(Math.max(...row));
  });
}

describe('claim 9, the formula', () => {
  test('48 positions of 32 dimensions are PyTorch’s', () => {
    const difference = largestDifference(positions.data, floats(GOLDEN.pe_48x32));
    expect(difference).toBeLessThanOrEqual(TOLERANCE.positions);
  });

  test('frequencies fall from left to right', () => {
    const [first, ...rest] = Array.from({ length: D / 2 }, (_, i) =>
      Math.atan2(position(1)[2 * i], position(1)[2 * i + 1]),
    );
    expect(first).toBeCloseTo(1, 6);
    for (const [i, frequency] of [first, ...rest].entries()) {
      const golden = GOLDEN.w_32.data[i];
      expect(Math.abs(frequency - golden)).toBeLessThanOrEqual(TOLERANCE.positions);
      if (i > 0) expect(frequency).toBeLessThan(0.6 * [first, ...rest][i - 1]);
    }
  });
});

describe('claim 10, the product depends on the distance only', () => {
  test('the same for every p, whatever k', () => {
    for (let k = -(T - 1); k < T; k++) {
      const products = pairs(k).map(([p, q]) => product(p, q));
      const spread = Math.max(...products) - Math.min(...products);
      expect({ k, even: spread < (SPREAD * D) / 2 }).toEqual({ k, even: true });
    }
  });

  test('greatest at k = 0, where it is d/2', () => {
    for (let p = 0; p < T; p++) {
      expect(Math.abs(product(p, p) - D / 2)).toBeLessThan((SPREAD * D) / 2);
      for (let q = 0; q < T; q++) {
        if (q !== p) expect(product(p, q)).toBeLessThan(0.96 * (D / 2));
      }
    }
  });

  test.each([0, 10, 24])('PyTorch’s curve for p = %i', (p) => {
    const ours = Array.from({ length: T }, (_, q) => product(p, q) / (D / 2));
    const difference = largestDifference(ours, floats(GOLDEN[`dot_p${p}`]));
    expect(difference).toBeLessThanOrEqual(TOLERANCE.positions);
  });

  test('so too for another width and another base', () => {
    const other = engine.positional({ seq_len: T, d_model: 64, base: 100 });
    const row = (/** @type {number} */ p) => other.data.subarray(p * 64, (p + 1) * 64);
    const dot = (/** @type {number} */ p, /** @type {number} */ q) =>
      row(p).reduce((sum, value, i) => sum + value * row(q)[i], 0);
    const products = pairs(5).map(([p, q]) => dot(p, q));
    expect(Math.max(...products) - Math.min(...products)).toBeLessThan(SPREAD * 32);
  });
});

describe('claim 11, a step by k is one fixed rotation', () => {
  test('R_k PE(p) = PE(p + k) for every p, whatever k', () => {
    for (let k = -(T - 1); k < T; k++) {
      const matrix = engine.rotationMatrix({ d_model: D, k });
      for (const [p, q] of pairs(k)) {
        const difference = largestDifference(times(matrix, position(p)), position(q));
        expect({ k, p, close: difference <= TOLERANCE.positions }).toEqual({ k, p, close: true });
      }
    }
  });

  test('a rotation: its columns are orthonormal, and R_−k turns back', () => {
    const [forth, back] = [7, -7].map((k) => engine.rotationMatrix({ d_model: D, k }));
    for (let column = 0; column < D; column++) {
      const unit = Float64Array.from({ length: D }, (_, i) => Number(i === column));
      const returned = times(back, times(forth, unit));
      expect(largestDifference(returned, unit)).toBeLessThanOrEqual(TOLERANCE.positions);
      // The inverse of a rotation is its transpose.
      const transposed = Float64Array.from({ length: D }, (_, i) => forth.data[column * D + i]);
      expect(largestDifference(times(back, unit), transposed)).toBeLessThanOrEqual(
        TOLERANCE.positions,
      );
    }
  });

  test('no other step’s matrix does it', () => {
    const matrix = engine.rotationMatrix({ d_model: D, k: 2 });
    expect(largestDifference(times(matrix, position(5)), position(6))).toBeGreaterThan(0.1);
  });
});

describe('claim 12, W_Q = R_−1 lets every position look at the one before', () => {
  const sizes = { seq_len: 48, d_model: D, sharpness: 40 };

  test('the largest weight of row i is at i − 1 for every i ≥ 1', () => {
    const columns = strongest(engine.rotationMap({ ...sizes, k: -1 }));
    expect(columns.slice(1)).toEqual(Array.from({ length: 47 }, (_, i) => i));
  });

  test('position 0 has no predecessor, and its row peaks at itself, the nearest there is', () => {
    expect(strongest(engine.rotationMap({ ...sizes, k: -1 }))[0]).toBe(0);
    const outside = strongest(engine.rotationMap({ ...sizes, seq_len: 10, k: 1 }))[9];
    expect(outside).toBe(9);
  });

  test.each([-7, -3, 0, 2, 7])('k = %i: every row that has i + k looks most at it', (k) => {
    for (const sharpness of [1, 40]) {
      const columns = strongest(engine.rotationMap({ ...sizes, seq_len: 10, k, sharpness }));
      for (const [row, column] of columns.entries()) {
        if (row + k >= 0 && row + k < 10) expect({ row, column }).toEqual({ row, column: row + k });
      }
    }
  });

  test('rows sum to 1, and without sharpness every weight is the same', () => {
    const { data } = engine.rotationMap({ ...sizes, k: -1 });
    for (let row = 0; row < 48; row++) {
      const sum = data.subarray(row * 48, (row + 1) * 48).reduce((total, weight) => total + weight);
      expect(sum).toBeCloseTo(1, 5);
    }
    const flat = engine.rotationMap({ ...sizes, seq_len: 10, k: -1, sharpness: 0 });
    for (const weight of flat.data) expect(weight).toBeCloseTo(0.1, 6);
  });
});
