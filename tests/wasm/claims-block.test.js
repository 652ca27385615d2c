/**
 * The block as the lesson describes it, on the tensors that its figure shows. That they are
 * PyTorch's is the subject of layers.test.js.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  LESSON_TOKENS,
  mapsOf,
  places,
  summary,
  tensorName,
  tokensOf,
} from '../../web/widgets/attn-block/model.js';
import { readGolden } from './golden.js';
import { loadEngine, withSession } from './load.js';

/** @typedef {import('../../web/engine/engine.js').Engine} Engine */
/** @typedef {import('../../web/engine/protocol.js').Tensor} Tensor */

/** @type {Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

const TOKENS = tokensOf(LESSON_TOKENS, { seq_len: 10, vocab_size: 10 });

/**
 * Every tensor on the way of the lesson's first test sequence.
 *
 * @param {Record<string, number | string | boolean>} config
 * @returns {Record<string, Tensor>}
 */
function flow(config) {
  /** @type {Record<string, Tensor>} */
  let tensors = {};
  withSession(engine, config, (session) => {
    const names = engine
      .tensors({ session })
      .tensors.filter(({ kind }) => kind === 'activation' || kind === 'buffer')
      .map(({ name }) => name);
    const answer = engine.predict({ session, tokens: TOKENS, names });
    tensors = Object.fromEntries(names.map((name, i) => [name, answer.tensors[i]]));
  });
  return tensors;
}

test('the question is the lesson’s first test sequence', () => {
  expect(readGolden('final').transformer.x.data).toEqual(TOKENS);
});

describe.each([
  { norm_first: false, n_layers: 1, n_heads: 1, activation: 'relu', causal: false },
  { norm_first: true, n_layers: 1, n_heads: 2, activation: 'relu', causal: true },
  { norm_first: false, n_layers: 2, n_heads: 4, activation: 'gelu', causal: true },
  { norm_first: true, n_layers: 4, n_heads: 8, activation: 'gelu', causal: false },
])('%j', (config) => {
  test('every stage shows finite numbers of the shape it should have', () => {
    const tensors = flow(config);
    for (const place of places(config)) {
      for (const { id, rows, columns, data } of mapsOf(place, tensors, { ...config, head: 1 })) {
        const width = { ff0: 64, ff1: 64, scores: 10, weights: 10, logits: 10, probs: 10 };
        expect([id, rows, columns]).toEqual([
          id,
          10,
          /** @type {Record<string, number>} */ (width)[id] ?? 32,
        ]);
        expect(data).toHaveLength(rows * columns);
        const visible = id === 'scores' && config.causal ? 55 : rows * columns;
        expect(data.filter(Number.isFinite)).toHaveLength(visible);
      }
    }
  });

  test('sums are those of their two terms, bit for bit, in every layer', () => {
    const tensors = flow(config);
    const data = (/** @type {string} */ name) => tensors[name].data;
    let x = data('input');
    for (let layer = 1; layer <= config.n_layers; layer++) {
      const name = (/** @type {Parameters<typeof tensorName>[0]} */ id) =>
        data(tensorName(id, layer, config));
      const sum = (/** @type {Float32Array} */ a, /** @type {Float32Array} */ b) =>
        a.map((value, i) => value + b[i]);
      expect(name('residual1')).toEqual(sum(x, name('att')));
      const before = name(config.norm_first ? 'residual1' : 'norm1');
      expect(name('residual2')).toEqual(sum(before, name('ff2')));
      x = name(config.norm_first ? 'residual2' : 'norm2');
    }
  });

  test('normalised positions have deviation 1, weights and probabilities sum to 1', () => {
    const tensors = flow(config);
    for (const place of places(config)) {
      for (const map of mapsOf(place, tensors, { ...config, head: config.n_heads })) {
        if (map.id.startsWith('norm')) {
          const { deviation } = summary(map);
          expect(Math.abs(deviation.min - 1)).toBeLessThan(1e-3);
          expect(Math.abs(deviation.max - 1)).toBeLessThan(1e-3);
        }
        if (map.id !== 'weights' && map.id !== 'probs') continue;
        for (let row = 0; row < 10; row++) {
          const total = map.data.slice(10 * row, 10 * row + 10).reduce((a, b) => a + b);
          expect(Math.abs(total - 1)).toBeLessThan(1e-6);
        }
      }
    }
  });

  test('the non-linearity acts on each value: ReLU leaves zeros, GELU hardly any', () => {
    const tensors = flow(config);
    const [before, after] = /** @type {const} */ (['ff0', 'ff1']).map(
      (id) => tensors[tensorName(id, 1, config)].data,
    );
    const zeros = after.reduce((n, value) => n + Number(value === 0), 0);
    if (config.activation === 'relu') {
      expect(after).toEqual(before.map((value) => Math.max(0, value)));
      expect(zeros).toBe(before.reduce((n, value) => n + Number(value <= 0), 0));
      expect(zeros).toBeGreaterThan(100);
    } else {
      expect(zeros).toBe(0);
    }
  });
});
