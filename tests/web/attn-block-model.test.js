import { describe, expect, test } from '@jest/globals';
import {
  choose,
  indexOf,
  LESSON_TOKENS,
  largestSize,
  mapsOf,
  parseQuestion,
  places,
  residualPaths,
  stagesOf,
  summary,
  tensorName,
  tokensOf,
} from '../../web/widgets/attn-block/model.js';

/** @import { MapId, StageMap } from '../../web/widgets/attn-block/model.js' */

const POST = { norm_first: false, n_layers: 1 };

/**
 * @param {number[]} values
 * @param {number} columns
 * @returns {StageMap}
 */
function map(values, columns) {
  const data = Float32Array.from(values);
  return { id: /** @type {MapId} */ ('att'), rows: data.length / columns, columns, data };
}

describe('the stages', () => {
  test('normalise after the sums in the program’s order, before the parts in the picture’s', () => {
    const post = stagesOf(false).layer;
    const pre = stagesOf(true).layer;
    expect(post.indexOf('norm1')).toBe(post.indexOf('residual1') + 1);
    expect(post.at(-1)).toBe('norm2');
    expect(pre[0]).toBe('norm1');
    expect(pre.indexOf('norm2')).toBe(pre.indexOf('residual1') + 1);
    expect(pre.at(-1)).toBe('residual2');
    expect([...pre].sort()).toEqual([...post].sort());
    expect(stagesOf(true).after).toEqual(['norm', 'logits', 'probs']);
  });

  test('of every layer come one after the other', () => {
    const all = places({ norm_first: false, n_layers: 3 });
    expect(all).toHaveLength(2 + 3 * 11 + 2);
    expect(all[1 + 11]).toEqual({ stage: 'norm2', layer: 1 });
    expect(all[2 + 11]).toEqual({ stage: 'qkv', layer: 2 });
  });

  test('are found, or the nearest thing to them', () => {
    const all = places(POST);
    expect(indexOf(all, { stage: 'qkv', layer: 1 })).toBe(2);
    expect(indexOf(all, { stage: 'qkv', layer: 4 })).toBe(2);
    expect(indexOf(all, { stage: 'norm', layer: 1 })).toBe(0);
  });

  test('of more layers and heads than there are, are those of the last', () => {
    const sizes = { norm_first: false, n_layers: 2, n_heads: 4 };
    const place = { stage: /** @type {const} */ ('ff1'), layer: 2 };
    const { all, index, ...chosen } = choose({ ...place, layer: 4, head: 8 }, sizes);
    expect(chosen).toEqual({ place, head: 4 });
    expect(all[index]).toEqual(place);
    const inside = { stage: /** @type {const} */ ('weights'), layer: 1 };
    expect(choose({ ...inside, head: 3 }, sizes)).toMatchObject({ place: inside, head: 3 });
    expect(choose({ stage: 'emb', layer: 4, head: 1 }, sizes).index).toBe(0);
    expect(choose({ stage: 'logits', layer: 1, head: 1 }, sizes).place.layer).toBe(2);
  });

  test('have straight paths that begin where the sums’ other terms do', () => {
    expect(residualPaths(false)[1]).toEqual({ from: 'norm1', to: 'residual2' });
    expect(residualPaths(true)[1]).toEqual({ from: 'residual1', to: 'residual2' });
  });
});

describe('the tensors', () => {
  test('bear the lesson’s names in its network only', () => {
    expect(tensorName('ff1', 1, POST)).toBe('ff.1');
    expect(tensorName('ff1', 1, { ...POST, norm_first: true })).toBe('layers.0.activation');
    expect(tensorName('att', 2, { ...POST, n_layers: 2 })).toBe('layers.1.self_attn');
  });

  test('of one head, and of queries, keys and values, are cut out', () => {
    const tensors = {
      'att.qkv': {
        shape: [1, 2, 6],
        data: Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
      },
      'att.scores': { shape: [1, 2, 2, 2], data: Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8]) },
      'att.weights': { shape: [1, 2, 2, 2], data: Float32Array.from([8, 7, 6, 5, 4, 3, 2, 1]) },
    };
    const qkv = mapsOf({ stage: 'qkv', layer: 1 }, tensors, { ...POST, head: 1 });
    expect(qkv.map(({ id, data }) => [id, [...data]])).toEqual([
      ['query', [1, 2, 7, 8]],
      ['key', [3, 4, 9, 10]],
      ['value', [5, 6, 11, 12]],
    ]);
    const weights = mapsOf({ stage: 'weights', layer: 1 }, tensors, { ...POST, head: 2 });
    expect(weights.map(({ id, data }) => [id, [...data]])).toEqual([
      ['scores', [5, 6, 7, 8]],
      ['weights', [4, 3, 2, 1]],
    ]);
  });

  test('are summed up: least and greatest, zeros, deviation of a position', () => {
    const { deviation, ...rest } = summary(map([0, 2, 0, 0, 1, -3], 2));
    expect(rest).toEqual({ min: -3, max: 2, zeros: 3, n: 6 });
    expect(deviation).toEqual({ min: 0, max: 2 });
    expect(summary(map([Number.NEGATIVE_INFINITY, 1], 2))).toMatchObject({ min: 1, max: 1 });
  });

  test('have a range of colours rounded up, for the finite values', () => {
    expect(largestSize([map([0.1, -2.51], 2), map([1, Number.NEGATIVE_INFINITY], 2)])).toBe(2.6);
    expect(largestSize([map([0.0123], 1)])).toBe(0.013);
    expect(largestSize([map([0.5], 1)])).toBe(0.5);
    expect(largestSize([map([0], 1)])).toBe(1);
  });
});

describe('the question', () => {
  test('is read from ten digits, full-width ones too', () => {
    expect(parseQuestion('0123456789')).toBe(123456789);
    expect(parseQuestion(' １２３４５ 67890 ')).toBe(1234567890);
    for (const text of ['', '123', '12345678901', '12345a7890']) {
      expect(parseQuestion(text)).toBeUndefined();
    }
  });

  test('fits every network', () => {
    const lesson = tokensOf(LESSON_TOKENS, { seq_len: 10, vocab_size: 10 });
    expect(lesson).toEqual([1, 9, 1, 0, 1, 8, 2, 8, 5, 0]);
    expect(tokensOf(7, { seq_len: 12, vocab_size: 5 })).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0,
    ]);
  });
});
