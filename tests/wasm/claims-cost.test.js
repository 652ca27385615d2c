/**
 * The lesson's table: O(n d²) of a recurrent layer against O(n² d) of attention. That the formula
 * is the number of products computed is proved natively, by tests/c/test_cost.c.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  crossingOf,
  crossings,
  doubling,
  KINDS,
  LENGTHS,
  noCosts,
  schedule,
} from '../../web/widgets/attn-cost/model.js';
import { loadEngine } from './load.js';

/** @typedef {import('../../web/engine/protocol.js').CostKind} CostKind */

/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/** @param {CostKind} kind @param {number} n @param {number} d */
function count(kind, n, d) {
  const { job, multiply_adds } = engine.costBegin({ kind, n, d });
  engine.costFree({ job });
  return multiply_adds;
}

/** Multiply-adds of claim 15. @type {Record<CostKind, (n: number, d: number) => number>} */
const FORMULAS = {
  lstm: (n, d) => 8 * n * d ** 2,
  attention: (n, d) => 2 * n ** 2 * d,
  self_attention: (n, d) => 2 * n ** 2 * d + 4 * n * d ** 2,
};

describe('counted operations', () => {
  test.each(KINDS)('of %s are the formula, for every length and width shown', (kind) => {
    for (const d of [16, 32, 64, 128]) {
      for (const n of LENGTHS) expect(count(kind, n, d)).toBe(FORMULAS[kind](n, d));
    }
  });

  test('at the lesson’s sizes', () => {
    expect(KINDS.map((kind) => count(kind, 10, 32))).toEqual([81_920, 6_400, 47_360]);
  });

  test('cross at n = 4d, with the projections at n = 2d', () => {
    for (const d of [16, 32, 64, 128]) {
      const { attention, self_attention } = crossings(d);
      expect(count('attention', attention, d)).toBe(count('lstm', attention, d));
      expect(count('self_attention', self_attention, d)).toBe(count('lstm', self_attention, d));
    }
  });
});

test('n steps of a recurrent network wait for each other, and none of attention', () => {
  for (const n of LENGTHS) {
    expect(new Set(schedule('recurrent', n)).size).toBe(n);
    expect(new Set(schedule('attention', n)).size).toBe(1);
  }
});

/**
 * Milliseconds of one run of every layer. Runs of all lengths take turns, and of each the fastest
 * counts: a busy machine slows some of them down, not all.
 *
 * @param {readonly CostKind[]} kinds
 * @param {number[]} lengths
 * @param {number} d
 */
function measure(kinds, lengths, d) {
  const times = noCosts();
  const layers = kinds.flatMap((kind) =>
    lengths.map((n) => ({ kind, n, job: engine.costBegin({ kind, n, d }).job })),
  );
  for (let round = 0; round < 40; round++) {
    for (const { kind, n, job } of layers) {
      const start = performance.now();
      engine.costRun({ job, n_runs: 1 });
      const ms = performance.now() - start;
      times[kind].set(n, Math.min(ms, times[kind].get(n) ?? ms));
    }
  }
  for (const { job } of layers) engine.costFree({ job });
  return times;
}

test('measured times grow with n for the LSTM and with its square for attention', () => {
  const { lstm, attention } = measure(['lstm', 'attention'], [256, 512], 32);
  // 2 and 4 on a quiet machine; the bounds part the two even on a busy one.
  expect(doubling(lstm)).toBeGreaterThan(1.4);
  expect(doubling(lstm)).toBeLessThan(2.9);
  expect(doubling(attention)).toBeGreaterThan(2.9);
  expect(doubling(attention)).toBeLessThan(6);
});

test('so the LSTM is slower for short sequences and faster for long ones', () => {
  const times = measure(KINDS, [8, 32, 128, 512], 16);
  for (const kind of /** @type {const} */ (['attention', 'self_attention'])) {
    const n = crossingOf(times[kind], times.lstm);
    expect(n).toBeGreaterThan(8);
    expect(n).toBeLessThan(512);
  }
});

test('jobs that are run and freed leave nothing behind', () => {
  const before = engine.usage().jobs;
  for (const kind of KINDS) {
    const { job } = engine.costBegin({ kind, n: 12, d: 24 });
    engine.costRun({ job, n_runs: 3 });
    expect(engine.usage().jobs).toBe(before + 1);
    engine.costFree({ job });
  }
  expect(engine.usage().jobs).toBe(before);
});
