/** Claims 4 and 5 of the lesson: why scores are divided by √d. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharpnessLine } from '../../web/engine/lesson-output.js';
import { recordedCheck } from '../../web/lesson/render/recorded.mjs';
import { DIMS, N_ROWS, N_SKIP } from '../../web/widgets/attn-sharpness/model.js';
import { readGolden, relativeDifference, TOLERANCE } from './golden.js';
import { loadEngine } from './load.js';

/** @import { Sharpness } from '../../web/engine/protocol.js' */

const { stats } = readGolden('attention_check');

/** By d, of the figure's own run: the lesson's dimensions and then the others. @type {Map<number, Sharpness>} */
let statistics;

beforeAll(async () => {
  const { engine } = await loadEngine();
  const { job, n_units } = engine.sharpnessBegin({ seed: 0, n_skip: N_SKIP, dims: DIMS });
  engine.jobAdvance({ job, n_units });
  statistics = new Map(engine.sharpnessResults({ job }).map((result) => [result.d, result]));
  engine.sharpnessFree({ job });
});

/** @param {number} d */
function at(d) {
  const result = statistics.get(d);
  if (!result) throw new RangeError(`d = ${d} was not computed`);
  return result;
}

describe('from seed 0', () => {
  test.each([
    [4, 4.0, 0.53, 0.34],
    [64, 64.4, 0.87, 0.36],
    [512, 498.2, 0.95, 0.36],
  ])('d = %i has the lesson’s variance and largest weights', (d, variance, raw, scaled) => {
    const ours = at(d);
    expect(Number(ours.variance.toFixed(1))).toBe(variance);
    expect(Number(ours.max_raw.toFixed(2))).toBe(raw);
    expect(Number(ours.max_scaled.toFixed(2))).toBe(scaled);
    const golden = stats[`d_${d}`];
    expect(relativeDifference(ours.variance, golden.var)).toBeLessThan(TOLERANCE.statistics);
    expect(relativeDifference(ours.max_raw, golden.max_raw)).toBeLessThan(TOLERANCE.statistics);
    expect(relativeDifference(ours.max_scaled, golden.max_scaled)).toBeLessThan(
      TOLERANCE.statistics,
    );
  });

  test('the three lines are the lesson’s, character for character', () => {
    const lines = [4, 64, 512].map((d) => sharpnessLine(at(d)));
    expect(lines).toEqual(recordedCheck().lines.slice(-3));
  });

  test('at d = 512 the gradient is 0.06 unscaled, 0.37 by √d, 0.33 by d', () => {
    const { gradient_raw, gradient_scaled, gradient_over_d } = at(512);
    expect([gradient_raw, gradient_scaled, gradient_over_d].map((g) => g.toFixed(2))).toEqual([
      '0.06',
      '0.37',
      '0.33',
    ]);
  });
});

test('the variance of q·k is d, and that of q·k/√d is 1, within four standard errors', () => {
  for (const { d, variance, variance_scaled } of statistics.values()) {
    // Of a product's fourth moment 9 at d = 1; the variance of a variance is (9 − 1) / n there.
    const error = 4 * Math.sqrt(8 / 10_000);
    expect(Math.abs(variance / d - 1)).toBeLessThan(error);
    expect(variance_scaled).toBeCloseTo(variance / d, 5);
  }
});

test('unscaled, softmax goes one-hot and its gradient vanishes; by √d neither moves', () => {
  const [first, ...others] = [4, 8, 16, 32, 64, 128, 256, 512, 1024].map(at);
  let before = first;
  for (const next of others) {
    expect(next.max_raw).toBeGreaterThan(before.max_raw);
    expect(next.gradient_raw).toBeLessThan(before.gradient_raw);
    expect(Math.abs(next.max_scaled - 0.36)).toBeLessThan(0.015);
    expect(Math.abs(next.gradient_scaled - 0.365)).toBeLessThan(0.005);
    before = next;
  }
  expect(before.max_raw).toBeGreaterThan(0.96);
  expect(before.gradient_raw).toBeLessThan(0.05);
});

test('by d the weights become equal, and keep the gradient of equal weights', () => {
  const { max_over_d, gradient_over_d, sample_over_d } = at(1024);
  expect(max_over_d - 1 / 8).toBeGreaterThan(0);
  expect(max_over_d - 1 / 8).toBeLessThan(0.01);
  expect(gradient_over_d).toBeCloseTo(Math.sqrt(7) / 8, 2);
  for (const weight of sample_over_d) expect(Math.abs(weight - 1 / 8)).toBeLessThan(0.02);
});

test('every row is in each histogram once, and the sample sums to 1', () => {
  for (const result of statistics.values()) {
    for (const scaling of /** @type {const} */ (['raw', 'scaled', 'over_d'])) {
      const rows = result[`histogram_${scaling}`].reduce((sum, n) => sum + n, 0);
      expect(rows).toBe(N_ROWS);
      const weights = result[`sample_${scaling}`].reduce((sum, weight) => sum + weight, 0);
      expect(Math.abs(weights - 1)).toBeLessThan(3e-7);
    }
  }
});
