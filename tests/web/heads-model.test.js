import { describe, expect, test } from '@jest/globals';
import {
  D_MODEL,
  DIVIDED,
  habitsOf,
  mapDistance,
  mapsOf,
  missedHeads,
  N_PAIRS,
  OFFSETS,
  peakOf,
  reversingWeight,
  SEQ_LEN,
  sharpnessOf,
  singleHead,
  targets,
  WIDTH,
} from '../../web/widgets/attn-heads/model.js';

/** A map with all weight of row i at `place(i)`. @param {(i: number) => number} place */
function sharpMap(place) {
  const map = new Float32Array(SEQ_LEN * SEQ_LEN);
  for (let i = 0; i < SEQ_LEN; i++) map[i * SEQ_LEN + place(i)] = 1;
  return map;
}

const UNIFORM = new Float32Array(SEQ_LEN * SEQ_LEN).fill(1 / SEQ_LEN);
const REVERSE = sharpMap((i) => 9 - i);
const SELF = sharpMap((i) => i);

/** @param {Float32Array[]} maps */
function weightsOf(...maps) {
  const data = new Float32Array(maps.length * SEQ_LEN * SEQ_LEN);
  for (const [h, map] of maps.entries()) data.set(map, h * SEQ_LEN * SEQ_LEN);
  return { shape: [1, maps.length, SEQ_LEN, SEQ_LEN], data };
}

describe('heads that are made', () => {
  test('have dimensions of their own, all within the vector', () => {
    expect(WIDTH).toBe(OFFSETS.length * N_PAIRS * 2);
    expect(WIDTH).toBeLessThanOrEqual(D_MODEL);
  });

  test('get the factor that puts the neighbour’s score lower by the margin', () => {
    for (const first of [0, 2, 4, 6]) {
      const factor = sharpnessOf(first, 2, 4);
      const score = (/** @type {number} */ shift) =>
        [first, first + 1].reduce(
          (sum, i) => sum + (factor * Math.cos(shift * 10_000 ** (-i / 16))) / Math.sqrt(4),
          0,
        );
      expect(score(0) - score(1)).toBeCloseTo(4, 6);
    }
    expect(sharpnessOf(6, 2, 4)).toBeGreaterThan(50 * sharpnessOf(0, 2, 4));
  });

  test('the single head’s query is the sum of the turned positions', () => {
    const positions = { shape: [2, D_MODEL], data: new Float32Array(2 * D_MODEL).fill(1) };
    const identity = new Float32Array(D_MODEL * D_MODEL);
    for (let i = 0; i < D_MODEL; i++) identity[i * D_MODEL + i] = 1;
    const rotation = { shape: [D_MODEL, D_MODEL], data: identity };
    const { query, key } = singleHead(positions, [rotation, rotation], 2);
    expect(query.shape).toEqual([2, WIDTH]);
    expect(key.data).toEqual(new Float32Array(2 * WIDTH).fill(1));
    expect(query.data[WIDTH + 3]).toBeCloseTo(2 * sharpnessOf(0, WIDTH / 2, 2), 3);
  });

  test('have targets where there are such places, and one head cannot have all of them', () => {
    const maps = OFFSETS.map((k) => ({
      shape: [SEQ_LEN, SEQ_LEN],
      data: sharpMap((i) => Math.min(SEQ_LEN - 1, Math.max(0, i + k))),
    }));
    const middle = targets(maps, maps[2], 5);
    expect(middle.places.map(({ place }) => place)).toEqual([4, 6, 5, 2]);
    expect(middle).toMatchObject({ together: 4, alone: 1 });
    const first = targets(maps, maps[2], 0);
    expect(first.places.map(({ place }) => place)).toEqual([null, 1, 0, null]);
    expect(first).toMatchObject({ together: 2, alone: 1 });
  });
});

describe('what trained heads do', () => {
  test('each head has its map', () => {
    expect(mapsOf(weightsOf(REVERSE, SELF))).toEqual([REVERSE, SELF]);
  });

  test('maps are 0 apart when they are the same, and 1 when nothing is common', () => {
    expect(mapDistance(REVERSE, REVERSE)).toBe(0);
    expect(mapDistance(REVERSE, SELF)).toBe(1);
    expect(mapDistance(REVERSE, UNIFORM)).toBeCloseTo(0.9, 6);
  });

  test('a row’s peak is its largest weight', () => {
    expect(peakOf(REVERSE, 2)).toBe(7);
    expect(peakOf([0, 3, 1, 5, 4, 9], 1, 3)).toBe(2);
  });

  test('a row without a single largest weight has no peak', () => {
    expect(peakOf(UNIFORM, 9)).toBeNull();
    expect(peakOf([0, 3, 3], 0, 3)).toBeNull();
    expect(habitsOf([weightsOf(UNIFORM)]).n_reversing).toBe(0);
  });

  test.each([
    [REVERSE, 1],
    [SELF, 0],
    [UNIFORM, 0.1],
  ])('the weight at 9 − i is a mean over the rows', (map, weight) => {
    expect(reversingWeight(map)).toBeCloseTo(weight, 6);
  });

  test('one head has no distance', () => {
    const habits = habitsOf([weightsOf(REVERSE)]);
    expect(habits).toEqual({ distance: null, n_reversing: 1 });
  });

  test('heads that all reverse do not divide the work', () => {
    const { distance, n_reversing } = habitsOf([weightsOf(REVERSE, REVERSE, REVERSE)]);
    expect(distance).toBeLessThan(DIVIDED);
    expect(n_reversing).toBe(3);
  });

  test('heads that look at different places do; the mean runs over pairs and sequences', () => {
    const { distance, n_reversing } = habitsOf([
      weightsOf(REVERSE, SELF, UNIFORM),
      weightsOf(REVERSE, REVERSE, UNIFORM),
    ]);
    expect(distance).toBeCloseTo((1 + 0.9 + 0.9 + 0 + 0.9 + 0.9) / 6, 6);
    expect(distance).toBeGreaterThan(DIVIDED);
    expect(n_reversing).toBe(1);
  });

  test('silent heads are missed by what they cost', () => {
    const metrics = (/** @type {number} */ digits) =>
      /** @type {import('../../web/engine/protocol.js').Metrics} */ (
        /** @type {unknown} */ ({ digits, n_digits: 1000 })
      );
    const found = missedHeads(metrics(999), [metrics(470), metrics(995), metrics(980)]);
    expect(found).toEqual({ most: 0, least: 1, n_unmissed: 1 });
  });
});
