import { expect, test } from '@jest/globals';
import { recordedCheck } from '../../web/lesson/render/recorded.mjs';
import {
  binEdges,
  countNormals,
  curve,
  DIMS,
  drawnNormals,
  EQUAL,
  LESSON_DIMS,
  N_BINS,
  N_SKIP,
  printedLines,
  readLines,
  SORTED_DIMS,
} from '../../web/widgets/attn-sharpness/model.js';
import { loadEngine } from '../wasm/load.js';

test('the lesson’s dimensions come first, and all are powers of two up to 1024', () => {
  expect(DIMS.slice(0, 3)).toEqual([4, 64, 512]);
  expect(SORTED_DIMS).toEqual(Array.from({ length: 11 }, (_, i) => 2 ** i));
});

test('the lesson draws 20.9 million normals', () => {
  expect(countNormals(LESSON_DIMS)).toBe(20_880_000);
  expect(countNormals(DIMS)).toBe(36_000 * 2047);
});

test('progress counts the normals of dimensions done and of the part of the next', () => {
  const n_units = 1100;
  expect(drawnNormals({ n_units, n_left: n_units })).toBe(0);
  expect(drawnNormals({ n_units, n_left: 1000 })).toBe(countNormals([4]));
  expect(drawnNormals({ n_units, n_left: 950 })).toBe(countNormals([4]) + countNormals([64]) / 2);
  expect(drawnNormals({ n_units, n_left: 0 })).toBe(countNormals(DIMS));
});

test('lines say what the lesson’s say, and are read back', async () => {
  const { engine } = await loadEngine();
  const lesson = recordedCheck().lines.slice(-3);
  const { job, n_units } = engine.sharpnessBegin({ seed: 0, n_skip: N_SKIP, dims: [4, 64] });
  engine.jobAdvance({ job, n_units });
  const results = engine.sharpnessResults({ job });
  engine.sharpnessFree({ job });
  // In the lesson's order whatever the order of the computation.
  expect(printedLines([...results].reverse())).toEqual(lesson.slice(0, 2));
  expect(printedLines([])).toEqual([]);
  expect(readLines(lesson)).toEqual([
    { d: 4, variance: 4, max_raw: 0.53, max_scaled: 0.34 },
    { d: 64, variance: 64.4, max_raw: 0.87, max_scaled: 0.36 },
    { d: 512, variance: 498.2, max_raw: 0.95, max_scaled: 0.36 },
  ]);
  expect(curve([...results].reverse(), 'max_scaled')).toEqual([
    { x: 4, y: results[0].max_scaled },
    { x: 64, y: results[1].max_scaled },
  ]);
  expect(results[0].histogram_raw).toHaveLength(N_BINS);
});

test('equal weights', () => {
  const alpha = Array(8).fill(EQUAL.largest);
  const entries = alpha.flatMap((a, i) => alpha.map((b, j) => (i === j ? a : 0) - a * b));
  expect(Math.hypot(...entries)).toBeCloseTo(EQUAL.gradient, 12);
});

test('bins are named by their lower edge', () => {
  expect(binEdges(4)).toEqual(['0', '0.25', '0.5', '0.75']);
  expect(binEdges(N_BINS)[3]).toBe('0.15');
});
