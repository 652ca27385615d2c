import { describe, expect, test } from '@jest/globals';
import { setLanguage } from '../../web/i18n/index.js';
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
import { verdictText } from '../../web/widgets/attn-heads/words.js';

/** A map with all weight of row i at `place(i)`. @param {(i: number) => number} place */
function sharpMap(place) {
  const map = new Float32Array(SEQ_LEN * SEQ_LEN);
  for (let i = 0; i < SEQ_LEN; i++) map[i * SEQ_LEN + place(i)] = 1;
  return map;
}

const UNIFORM = new Float32Array(SEQ_LEN * SEQ_LEN).fill(1 / SEQ_LEN);
const REVERSE = sharpMap((i) => 9 - i);
const SELF = sharpMap((i) => i);

/** A test of a thousand digits. @param {number} digits right */
function metrics(digits) {
  return /** @type {import('../../web/engine/protocol.js').Metrics} */ (
    /** @type {unknown} */ ({ digits, n_digits: 1000 })
  );
}

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
    const found = missedHeads(metrics(999), [metrics(470), metrics(995), metrics(980)]);
    expect(found).toEqual({ most: 0, least: 1, n_unmissed: 1 });
  });
});

describe('what is said of a test', () => {
  /** @param {number[]} digits right without each head @param {{distance: number | null, n_reversing: number}} habits @param {number} [all] right with all */
  const said = (digits, habits, all = 999) =>
    verdictText({ all: metrics(all), without: digits.map(metrics), habits }, 0.6249)
      // Formulas do not break.
      .replaceAll('\u00a0', ' ');

  test('while most digits are wrong: that, and nothing of what is missed', () => {
    expect(said([100, 120], { distance: 0.2, n_reversing: 0 }, 499)).toBe(
      '說不上分工：兩個頭平均只有 20.0% 的權重放在不同的位置，不到一半；2 個頭裡有 0 個最常看的是 9 − i。還沒有學會倒過來：再訓練看看。',
    );
  });

  test('where no head reverses alone and yet all do it together: what is missed', () => {
    expect(said([470, 995], { distance: 0.2, n_reversing: 0 })).toBe(
      '說不上分工：兩個頭平均只有 20.0% 的權重放在不同的位置，不到一半；2 個頭裡有 0 個最常看的是 9 − i。少了頭 1，正確率剩 47.0%；少了頭 2，剩 99.5%。只少一個而掉不到 1 個百分點的頭，有 1 個。',
    );
  });

  test('where every head is missed as much as the next: that, and no head by its number', () => {
    expect(said([999, 999, 999, 999], { distance: 0.1, n_reversing: 4 })).toBe(
      '說不上分工：兩個頭平均只有 10.0% 的權重放在不同的位置，不到一半；4 個頭裡有 4 個最常看的是 9 − i。倒過來只要一個頭就夠，多的頭不必學別的。不論少了哪一個頭，正確率都是 99.9%。',
    );
  });

  test('else which head is missed most and which least', () => {
    expect(said([470, 995, 980], { distance: 0.7, n_reversing: 1 })).toBe(
      '看的地方不同：兩個頭平均有 70.0% 的權重放在不同的位置；3 個頭裡有 1 個最常看的是 9 − i。少了頭 1，正確率剩 47.0%；少了頭 2，剩 99.5%。只少一個而掉不到 1 個百分點的頭，有 1 個。',
    );
  });

  test('of one head whether it reverses, and of none that is missed', () => {
    expect(said([100], { distance: null, n_reversing: 1 })).toMatch(/一個頭就夠/);
    expect(said([100], { distance: null, n_reversing: 0 })).toMatch(/還不是 9 − i.*0\.62/);
  });

  test('in English with a space between its sentences', () => {
    setLanguage('en');
    const texts = [
      said([100, 120], { distance: 0.2, n_reversing: 0 }, 200),
      said([999, 999], { distance: 0.1, n_reversing: 2 }),
      said([470, 995], { distance: 0.7, n_reversing: 1 }),
    ];
    setLanguage('zh-Hant');
    for (const text of texts) {
      expect(text).toMatch(/\.$/);
      expect(text).not.toMatch(/[.:][A-Z]|\{/);
    }
  });
});
