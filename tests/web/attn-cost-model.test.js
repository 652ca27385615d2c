import { describe, expect, test } from '@jest/globals';
import {
  areSteady,
  crossingOf,
  crossings,
  curve,
  doubling,
  KINDS,
  LENGTHS,
  noCosts,
  SCHEDULED,
  schedule,
  schedulePicture,
  writeTime,
} from '../../web/widgets/attn-cost/model.js';

/** Costs at every length by a formula. @param {(n: number) => number} formula */
const costsOf = (formula) => new Map(LENGTHS.map((n) => [n, formula(n)]));

describe('curves', () => {
  test('are ascending, whatever was measured first', () => {
    const costs = new Map([
      [16, 3],
      [4, 1],
    ]);
    expect(curve(costs)).toEqual([
      { x: 4, y: 1 },
      { x: 16, y: 3 },
    ]);
  });

  test('the lengths hold the lesson’s and the whole range that is asked for', () => {
    expect(LENGTHS).toContain(10);
    expect([LENGTHS[0], LENGTHS.at(-1)]).toEqual([4, 512]);
  });

  test('doubling the length doubles what is linear and quadruples what is square', () => {
    expect(doubling(costsOf((n) => 7 * n))).toBe(2);
    expect(doubling(costsOf((n) => n * n))).toBe(4);
    expect(doubling(new Map([[512, 1]]))).toBe(undefined);
  });
});

describe('crossings', () => {
  test.each([16, 32, 64, 128])('of the formulas at d = %i', (d) => {
    const lstm = costsOf((n) => 8 * n * d * d);
    const attention = costsOf((n) => 2 * n * n * d);
    const self_attention = costsOf((n) => 2 * n * n * d + 4 * n * d * d);
    expect(crossings(d)).toEqual({ attention: 4 * d, self_attention: 2 * d });
    // At its crossing itself attention does not yet cost more.
    if (4 * d < 512) expect(crossingOf(attention, lstm)).toBeCloseTo(4 * d, 6);
    expect(crossingOf(self_attention, lstm)).toBeCloseTo(2 * d, 6);
  });

  test('lie between two lengths where they must', () => {
    const lstm = costsOf((n) => 90 * n);
    expect(
      crossingOf(
        costsOf((n) => n * n),
        lstm,
      ),
    ).toBeCloseTo(90, 6);
  });

  test('that lie before the first length or beyond the last are not made up', () => {
    const lstm = costsOf((n) => 1000 * n);
    const square = costsOf((n) => n * n);
    expect(crossingOf(square, lstm)).toBe(Number.POSITIVE_INFINITY);
    expect(crossingOf(lstm, square)).toBe(0);
    expect(crossingOf(new Map(), lstm)).toBe(Number.POSITIVE_INFINITY);
  });
});

test('times are steady where they grow, and where they shrink by less than a tenth', () => {
  const times = noCosts();
  expect(areSteady(times)).toBe(true);
  for (const kind of KINDS) times[kind] = costsOf((n) => n);
  times.lstm.set(10, 7.5);
  expect(areSteady(times)).toBe(true);
  times.lstm.set(256, 100);
  expect(areSteady(times)).toBe(false);
});

test('times are written for the reader', () => {
  const times = [1234.5, 12.34, 1, 0.99999, 0.0427].map(writeTime);
  expect(times).toEqual(['1235 ms', '12.3 ms', '1.00 ms', '1.00 ms', '42.7 µs']);
});

describe('the schedule', () => {
  test('of a recurrent network has as many steps as positions, that of attention one', () => {
    expect(schedule('recurrent', 5)).toEqual([0, 1, 2, 3, 4]);
    expect(schedule('attention', 5)).toEqual([0, 0, 0, 0, 0]);
  });

  test('is drawn as a chain, or as positions that wait for nothing', () => {
    const count = (/** @type {string} */ svg, /** @type {string} */ tag) =>
      svg.split(`<${tag} `).length - 1;
    const chain = schedulePicture(schedule('recurrent', SCHEDULED));
    expect([count(chain, 'rect'), count(chain, 'line')]).toEqual([SCHEDULED, SCHEDULED - 1]);
    const column = schedulePicture(schedule('attention', SCHEDULED));
    expect([count(column, 'rect'), count(column, 'line')]).toEqual([SCHEDULED, 0]);
  });
});
