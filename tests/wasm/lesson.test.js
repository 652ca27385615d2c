import { beforeAll, describe, expect, test } from '@jest/globals';
import { floats, largestDifference, readGolden, relativeDifference, TOLERANCE } from './golden.js';
import { loadEngine } from './load.js';

const CHECK = readGolden('attention_check');
const POSENC = readGolden('posenc');
const ATTENTION = readGolden('layers_attention');

/** @typedef {import('../../web/engine/engine.js').Engine} Engine */

/** @type {Engine} */
let engine;
/** @type {any} */
let attn;

beforeAll(async () => {
  ({ engine, exports: attn } = await loadEngine());
});

describe('attention_check', () => {
  test('query, key and value are the random numbers of PyTorch, bit for bit', () => {
    const { query, key, value } = engine.attentionCheck({ seed: 0, n: 5, d: 16 });
    expect(query).toEqual({ shape: [5, 16], data: floats(CHECK.Q) });
    expect(key.data).toEqual(floats(CHECK.K));
    expect(value.data).toEqual(floats(CHECK.V));
  });

  test('weights and outputs, with and without the causal mask', () => {
    const ours = engine.attentionCheck({ seed: 0, n: 5, d: 16 });
    for (const [tensor, name] of /** @type {const} */ ([
      [ours.weights, 'A'],
      [ours.output, 'out'],
      [ours.causal_weights, 'A_c'],
      [ours.causal_output, 'out_c'],
    ])) {
      expect(tensor.shape).toEqual(CHECK[name].shape);
      const difference = largestDifference(tensor.data, floats(CHECK[name]));
      expect(difference).toBeLessThanOrEqual(TOLERANCE.attention_check);
    }
  });

  test('the causal mask hides later keys: minus infinity before softmax, exactly 0 after it', () => {
    const { causal_scores, causal_weights, scores } = engine.attentionCheck({
      seed: 0,
      n: 5,
      d: 16,
    });
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 5; j++) {
        const visible = j <= i;
        expect(causal_scores.data[5 * i + j]).toBe(visible ? scores.data[5 * i + j] : -Infinity);
        expect(causal_weights.data[5 * i + j] > 0).toBe(visible);
      }
    }
  });

  test('the statistics of d = 4, 64, 512', () => {
    const { job, n_units } = engine.sharpnessBegin({ seed: 0, n_skip: 240, dims: [4, 64, 512] });
    expect(engine.sharpnessResults({ job })).toEqual([]);
    engine.jobAdvance({ job, n_units });
    const results = engine.sharpnessResults({ job });
    engine.sharpnessFree({ job });
    expect(results.map(({ d }) => d)).toEqual([4, 64, 512]);
    for (const { d, variance, max_raw, max_scaled } of results) {
      const golden = CHECK.stats[`d_${d}`];
      for (const [ours, reference] of [
        [variance, golden.var],
        [max_raw, golden.max_raw],
        [max_scaled, golden.max_scaled],
      ]) {
        expect(relativeDifference(ours, reference)).toBeLessThanOrEqual(TOLERANCE.statistics);
      }
    }
  });

  test('the scalar build has the same bits of everything', async () => {
    const { engine: scalar } = await loadEngine({ scalar: true });
    const [ours, theirs] = [engine, scalar].map((one) => {
      const { job, n_units } = one.sharpnessBegin({ seed: 5, n_skip: 16, dims: [4, 30] });
      one.jobAdvance({ job, n_units });
      const results = one.sharpnessResults({ job });
      one.sharpnessFree({ job });
      return { results, check: one.attentionCheck({ seed: 5, n: 7, d: 30 }) };
    });
    expect(ours.results).toHaveLength(2);
    expect(theirs).toEqual(ours);
  });

  test('statistics in many pieces are those in one, bit for bit', () => {
    const results = [1_000_000, 7].map((n_units) => {
      const { job } = engine.sharpnessBegin({ seed: 3, n_skip: 0, dims: [8] });
      while (engine.jobAdvance({ job, n_units }) > 0);
      const result = engine.sharpnessResults({ job });
      engine.sharpnessFree({ job });
      return result;
    });
    expect(results[0]).toHaveLength(1);
    expect(results[1]).toEqual(results[0]);
  });
});

test.each([
  ['pe_48x32', 48, 32],
  ['pe_10x32', 10, 32],
  ['pe_7x6', 7, 6],
])('sinusoidal positions %s', (name, seq_len, d_model) => {
  const { shape, data } = engine.positional({ seq_len, d_model });
  expect(shape).toEqual([seq_len, d_model]);
  expect(largestDifference(data, floats(POSENC[name]))).toBeLessThanOrEqual(TOLERANCE.positions);
});

test.each(['plain', 'causal', 'one_query'])('attn_attention, case %s', (name) => {
  const golden = ATTENTION[name];
  const [B, n_query, d] = golden.Q.shape;
  const [, n_key, d_value] = golden.V.shape;
  const place = (/** @type {number} */ n) => attn.attn_alloc(4 * n);
  const [output, weights] = [place(n_query * d_value), place(n_query * n_key)];
  for (let b = 0; b < B; b++) {
    const inputs = [golden.Q, golden.K, golden.V].map((tensor) => {
      const n = tensor.data.length / B;
      const address = place(n);
      const values = floats(tensor).subarray(b * n, (b + 1) * n);
      new Float32Array(attn.memory.buffer, address, n).set(values);
      return address;
    });
    const sizes = [n_query, n_key, d, d_value, 1 / Math.sqrt(d), Number(golden.causal)];
    expect(attn.attn_attention(output, weights, 0, ...inputs, ...sizes)).toBe(0);
    for (const [address, reference] of [
      [output, golden.out],
      [weights, golden.A],
    ]) {
      const n = reference.data.length / B;
      const ours = new Float32Array(attn.memory.buffer, address, n);
      const theirs = floats(reference).subarray(b * n, (b + 1) * n);
      const limit = TOLERANCE.tensor * reference.max;
      expect(largestDifference(ours, theirs)).toBeLessThanOrEqual(limit);
    }
  }
});
