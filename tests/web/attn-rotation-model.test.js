import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  arc,
  frequencies,
  largestError,
  rotate,
  tip,
  whereRowsLook,
  writeDegrees,
  writeOffset,
} from '../../web/widgets/attn-rotation/model.js';
import { readGolden } from '../wasm/golden.js';
import { loadEngine } from '../wasm/load.js';

/** @import { Engine } from '../../web/engine/engine.js' */
/** @import { Tensor } from '../../web/engine/protocol.js' */

/** @type {Engine} */
let engine;
/** @type {Tensor} */
let positions;

beforeAll(async () => {
  ({ engine } = await loadEngine());
  positions = engine.positional({ seq_len: 48, d_model: 32 });
});

/** @param {number} k */
const matrixOf = (k) => engine.rotationMatrix({ d_model: 32, k });

test('frequencies are read from the first step', () => {
  const golden = readGolden('posenc').w_32.data;
  for (const [i, w] of frequencies(positions).entries()) expect(w).toBeCloseTo(golden[i], 6);
});

test('the matrix turns PE(p) to PE(p + k)', () => {
  const turned = rotate(matrixOf(3), positions, 10);
  for (let i = 0; i < 32; i++) expect(turned[i]).toBeCloseTo(positions.data[13 * 32 + i], 5);
});

describe('the largest error', () => {
  test.each([-7, -1, 0, 7])('of R_%i is rounding', (k) => {
    expect(largestError(matrixOf(k), positions, k)).toBeLessThan(2e-6);
  });

  test('of a matrix for another k is not', () => {
    expect(largestError(matrixOf(2), positions, 1)).toBeGreaterThan(0.1);
  });

  test('sees a single position that is off', () => {
    const data = positions.data.slice();
    data[30 * 32 + 4] += 0.01;
    expect(largestError(matrixOf(1), { shape: positions.shape, data }, 1)).toBeCloseTo(0.01, 4);
  });
});

describe('where rows look', () => {
  /** Three rows: the first looks right, the second at itself, the third left. */
  const weights = {
    shape: [3, 3],
    data: Float32Array.from([0.1, 0.8, 0.1, 0.2, 0.5, 0.3, 0.1, 0.6, 0.3]),
  };

  test('hits are counted among rows that have something to hit', () => {
    expect(whereRowsLook(weights, -1)).toEqual({ hits: 1, n: 2, outside: [{ row: 0, column: 1 }] });
    expect(whereRowsLook(weights, 0)).toEqual({ hits: 1, n: 3, outside: [] });
    expect(whereRowsLook(weights, 1)).toEqual({ hits: 1, n: 2, outside: [{ row: 2, column: 1 }] });
    expect(whereRowsLook(weights, 2)).toMatchObject({ hits: 0, n: 1 });
  });

  test('a greatest weight that is shared looks nowhere most', () => {
    const flat = { shape: [3, 3], data: new Float32Array(9).fill(1 / 3) };
    expect(whereRowsLook(flat, -1)).toEqual({
      hits: 0,
      n: 2,
      outside: [{ row: 0, column: null }],
    });
    const shared = Float32Array.from([0.4, 0.4, 0.2, 0.2, 0.5, 0.3, 0.1, 0.6, 0.3]);
    expect(whereRowsLook({ shape: [3, 3], data: shared }, 0).hits).toBe(1);
  });
});

describe('hands', () => {
  test('turn counter-clockwise from the right, on a page whose y goes down', () => {
    expect(tip(0)).toEqual({ x: 1, y: -0 });
    expect(tip(Math.PI / 2).y).toBeCloseTo(-1, 12);
  });

  test('an arc begins and ends where its hands stand', () => {
    expect(arc(0, Math.PI / 2, 10)).toMatch(/^M10\.000 -?0\.000A10 10 0 0 0 .*0\.000 -10\.000$/);
    // Clockwise, the other sweep.
    expect(arc(0, -Math.PI / 2, 10)).toMatch(/A10 10 0 0 1 -?0\.000 10\.000$/);
  });

  test('an arc of more than a turn is a whole circle', () => {
    const path = arc(1, 7, 10);
    const [start, end] = [/M(\S+ \S+?)A/, /(\S+ \S+)$/].map((place) => place.exec(path)?.[1]);
    expect(end).toBe(start);
    expect(path.match(/A/g)?.length).toBeGreaterThan(2);
  });
});

test('angles and offsets are written short', () => {
  expect([-1, 0.1, 0.01, -0.0001, 7].map(writeDegrees)).toEqual([
    '−57°',
    '5.7°',
    '0.57°',
    '−0.01°',
    '401°',
  ]);
  expect([-1, 0, 3].map(writeOffset)).toEqual([' − 1', '', ' + 3']);
});
