import { describe, expect, test } from '@jest/globals';
import {
  distanceTicks,
  factorPerStep,
  LARGEST_SEQ_LEN,
  pairOf,
} from '../../web/widgets/attn-distance/model.js';
import {
  attentionDot,
  attentionPicture,
  ROWS,
  recurrentDot,
  recurrentPicture,
} from '../../web/widgets/attn-distance/picture.js';
import { meanByDistance } from '../../web/widgets/distance-gradient.js';
import { attentionPath, recurrentPath, stepsOf } from '../../web/widgets/paths.js';

describe('paths', () => {
  test('a recurrent network passes every state in between, in either direction', () => {
    expect(recurrentPath(2, 5)).toEqual([2, 3, 4, 5]);
    expect(recurrentPath(5, 2)).toEqual([5, 4, 3, 2]);
    expect(recurrentPath(4, 4)).toEqual([4]);
  });

  test('attention goes straight, also to the position itself', () => {
    expect(attentionPath(0, 31)).toEqual([0, 31]);
    expect(stepsOf(attentionPath(3, 3))).toBe(1);
  });

  test('a shorter sequence moves the pair inside', () => {
    expect(pairOf({ seq_len: 10, input: 3, output: 31 })).toEqual({ input: 3, output: 9 });
    expect(pairOf({ seq_len: 4, input: 9, output: 0 })).toEqual({ input: 3, output: 0 });
  });
});

describe('gradients over distance', () => {
  test('are means over every pair of the distance, on both sides', () => {
    const sensitivity = { shape: [3, 3], data: Float32Array.from([1, 2, 7, 4, 3, 6, 9, 8, 5]) };
    expect(meanByDistance(sensitivity)).toEqual([
      { x: 0, y: 3 },
      { x: 1, y: 5 },
      { x: 2, y: 8 },
    ]);
  });

  test('a geometric sequence has its own factor, whatever stands at distance 0', () => {
    const means = [100, 8, 4, 2, 1].map((y, x) => ({ x, y }));
    expect(factorPerStep(means)).toBeCloseTo(0.5, 12);
  });

  test('a level line has the factor 1', () => {
    expect(factorPerStep([5, 3, 3, 3].map((y, x) => ({ x, y })))).toBeCloseTo(1, 12);
  });

  test.each([4, 10, 12, 16, 24, LARGEST_SEQ_LEN])(
    'the axis of %i positions has at most 12 labels, none beyond the last distance',
    (seq_len) => {
      const ticks = distanceTicks(seq_len);
      expect(ticks.length).toBeLessThanOrEqual(12);
      expect(ticks[0]).toBe(0);
      expect(ticks.at(-1)).toBeLessThan(seq_len);
    },
  );
});

/** @param {string} svg @param {string} name */
const count = (svg, name) => svg.match(new RegExp(`class="${name}"`, 'g'))?.length ?? 0;

describe('the pictures', () => {
  const pair = { n: 10, input: 1, output: 8 };

  test('at rest the whole way is drawn, and both ends are chosen', () => {
    const picture = recurrentPicture(pair, Number.POSITIVE_INFINITY);
    expect(count(picture, 'state passed')).toBe(8);
    expect(count(picture, 'path')).toBe(2 + 7);
    expect(count(picture, 'way')).toBe(0);
    expect(count(picture, 'output chosen')).toBe(1);
    expect(count(picture, 'dot')).toBe(0);
  });

  test('after three steps three links are behind, four and the reading ahead', () => {
    const picture = recurrentPicture(pair, 3.4);
    expect(count(picture, 'state passed')).toBe(4);
    expect(count(picture, 'path')).toBe(1 + 3);
    expect(count(picture, 'way')).toBe(4 + 1);
    expect(count(picture, 'output wanted')).toBe(1);
  });

  test('the signal is where its step is', () => {
    expect(recurrentDot(pair, 3.5)).toEqual(['50.000%', ROWS.recurrent.state]);
    expect(recurrentDot({ n: 10, input: 8, output: 1 }, 1)[0]).toBe('75.000%');
    expect(recurrentDot(pair, 99)[0]).toBe('85.000%');
    expect(attentionDot(pair, 0)).toEqual(['15.000%', ROWS.attention.input]);
    expect(attentionDot(pair, 1)).toEqual(['85.000%', ROWS.attention.output]);
  });

  test('attention has arrived after one step, and the output sees every input', () => {
    expect(count(attentionPicture(pair, 0.5), 'output wanted')).toBe(1);
    const picture = attentionPicture(pair, 1);
    expect(count(picture, 'output chosen')).toBe(1);
    expect(count(picture, 'link')).toBe(10);
  });

  test('numbers are left out where they have no room', () => {
    expect(attentionPicture({ n: 32, input: 0, output: 31 }, 1)).not.toContain('<text');
  });
});

test('the pictures measure in units that every browser knows in attributes', () => {
  const pair = { n: 10, input: 0, output: 9 };
  for (const picture of [recurrentPicture(pair, 4.5), attentionPicture(pair, 0.5)]) {
    // Browsers may read `rem` in an attribute as nothing, and draw all rows in one place.
    expect(picture).toContain('em"');
    expect(picture).not.toContain('rem"');
  }
});
