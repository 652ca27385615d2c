import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { floats, largestDifference, readGolden, TOLERANCE, tensorError } from './golden.js';

/** @typedef {import('./golden.js').GoldenTensor} GoldenTensor */

const ATTENTION = readGolden('layers_attention');
const MHA = readGolden('layers_mha');
const BASIC = readGolden('layers_basic');
const ENCODER = readGolden('layers_encoder');
const LSTM = readGolden('layers_lstm');
const ADAM = readGolden('adam');

const ACTIVATIONS = ['relu', 'gelu', 'gelu_tanh'];

/** @type {any} */
let layers;

beforeAll(async () => {
  const bytes = await readFile(new URL('../../build/layers.wasm', import.meta.url));
  const { instance } = await WebAssembly.instantiate(bytes, {});
  layers = instance.exports;
  layers._initialize();
});

/**
 * Calls a function of layers_exports.c: outputs first (by name and length), then inputs, then numbers.
 *
 * @param {string} name
 * @param {Record<string, number>} outputs
 * @param {(Float32Array | Int32Array)[]} inputs
 * @param {...number} numbers
 * @returns {Record<string, Float32Array> & {returned: any}}
 */
function run(name, outputs, inputs, ...numbers) {
  const places = Object.values(outputs).map((length) => layers.test_alloc(4 * length));
  const input_places = inputs.map((input) => layers.test_alloc(input.byteLength));
  inputs.forEach((input, i) => {
    const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    new Uint8Array(layers.memory.buffer).set(bytes, input_places[i]);
  });
  const returned = layers[name](...places, ...input_places, ...numbers);
  const results = Object.entries(outputs).map(([output, length], i) => [
    output,
    new Float32Array(layers.memory.buffer, places[i], length).slice(),
  ]);
  return { ...Object.fromEntries(results), returned };
}

/** @param {Record<string, GoldenTensor>} params in the order of the state_dict */
function oneBlock(params) {
  return Float32Array.from(Object.values(params).flatMap(({ data }) => data));
}

/**
 * Expects the block of gradients to hold each parameter's, in order.
 *
 * @param {Float32Array} block
 * @param {Record<string, GoldenTensor>} params
 * @param {Record<string, any>} golden holds `d_` + name
 */
function expectGradients(block, params, golden) {
  let start = 0;
  for (const [name, { data }] of Object.entries(params)) {
    const gradient = block.subarray(start, start + data.length);
    expect([name, tensorError(gradient, golden[`d_${name}`])]).toEqual([name, withinLimit]);
    start += data.length;
  }
  expect(start).toBe(block.length);
}

/** Matches an error of at most 1, the limit. */
const withinLimit = {
  /** @param {unknown} error */
  asymmetricMatch: (error) => typeof error === 'number' && error <= 1,
  toString: () => 'withinLimit',
  toAsymmetricMatcher: () => 'at most 1',
};

/** @param {GoldenTensor} tensor @param {number} b the sample */
function sample({ shape, data }, b) {
  const length = data.length / shape[0];
  return Float32Array.from(data.slice(b * length, (b + 1) * length));
}

describe('scaled dot-product attention', () => {
  test.each(['plain', 'causal', 'one_query'])('%s, forward and backward', (name) => {
    const golden = ATTENTION[name];
    const [B, Q, D] = golden.Q.shape;
    const [, T, E] = golden.V.shape;
    const sizes = { out: Q * E, A: Q * T, d_Q: Q * D, d_K: T * D, d_V: T * E };
    for (let b = 0; b < B; b++) {
      const inputs = [golden.dout, golden.Q, golden.K, golden.V].map((tensor) => sample(tensor, b));
      const ours = run('test_attention', sizes, inputs, Q, T, D, E, Number(golden.causal));
      for (const output of Object.keys(sizes)) {
        const reference = { ...golden[output], data: sample(golden[output], b) };
        expect([output, tensorError(ours[output], reference)]).toEqual([output, withinLimit]);
      }
    }
  });
});

describe('multi-head attention', () => {
  test.each(['h1', 'h2', 'h4', 'h8', 'h4_causal'])('%s, forward and backward', (name) => {
    const golden = MHA[name];
    const [B, T, D] = MHA.x.shape;
    const H = golden.heads;
    const params = oneBlock(MHA.params);
    const sizes = { out: B * T * D, A: B * H * T * T, d_x: B * T * D, d_params: params.length };
    const inputs = [floats(MHA.dout), floats(MHA.x), params];
    const ours = run('test_multihead_attention', sizes, inputs, B, T, D, H, Number(golden.causal));
    expect(tensorError(ours.out, golden.out)).toBeLessThanOrEqual(1);
    expect(tensorError(ours.A, golden.A)).toBeLessThanOrEqual(1);
    expect(tensorError(ours.d_x, golden.d_x)).toBeLessThanOrEqual(1);
    expectGradients(ours.d_params, MHA.params, golden);
  });
});

describe('the basic layers', () => {
  test.each(['layer_norm', 'layer_norm_hard'])('%s, forward and backward', (name) => {
    const golden = BASIC[name];
    const D = golden.x.shape.at(-1);
    const N = golden.x.data.length / D;
    const sizes = { out: N * D, d_x: N * D, d_weight: D, d_bias: D };
    const { weight, bias } = golden.params;
    const inputs = [golden.dout, golden.x, weight, bias].map(floats);
    const ours = run('test_layernorm', sizes, inputs, N, D);
    for (const output of Object.keys(sizes)) {
      expect([output, tensorError(ours[output], golden[output])]).toEqual([output, withinLimit]);
    }
  });

  test.each(['relu', 'gelu'])('feed forward with %s, forward and backward', (name) => {
    const { x, dout, params, [name]: golden } = BASIC.feed_forward;
    const [F, D] = params['0.weight'].shape;
    const N = x.data.length / D;
    const block = oneBlock(params);
    const sizes = { out: N * D, d_x: N * D, d_params: block.length };
    const activation = ACTIVATIONS.indexOf(name);
    const inputs = [floats(dout), floats(x), block];
    const ours = run('test_feed_forward', sizes, inputs, N, D, F, activation);
    expect(tensorError(ours.out, golden.out)).toBeLessThanOrEqual(1);
    expect(tensorError(ours.d_x, golden.d_x)).toBeLessThanOrEqual(1);
    expectGradients(ours.d_params, params, golden);
  });

  test.each(['gelu', 'gelu_tanh'])('the curve of %s and its derivative', (name) => {
    const golden = BASIC[name];
    const n = golden.x.data.length;
    const inputs = [floats(golden.x)];
    const ours = run('test_activation', { out: n, d_x: n }, inputs, ACTIVATIONS.indexOf(name), n);
    expect(tensorError(ours.out, golden.out)).toBeLessThanOrEqual(1);
    expect(tensorError(ours.d_x, golden.d_x)).toBeLessThanOrEqual(1);
  });

  test.each(['cross_entropy', 'cross_entropy_large'])('%s and its gradient', (name) => {
    const golden = BASIC[name];
    const [N, V] = golden.logits.shape;
    const inputs = [floats(golden.logits), Int32Array.from(golden.target.data)];
    const ours = run('test_cross_entropy', { probs: N * V, d_logits: N * V }, inputs, N, V);
    const probs = golden.log_softmax.data.map(Math.exp);
    expect(tensorError([ours.returned], golden.loss)).toBeLessThanOrEqual(1);
    expect(tensorError(ours.d_logits, golden.d_logits)).toBeLessThanOrEqual(1);
    expect(largestDifference(ours.probs, probs)).toBeLessThanOrEqual(TOLERANCE.tensor);
  });

  test('embedding, forward and backward', () => {
    const golden = BASIC.embedding;
    const [V, D] = golden.params.weight.shape;
    const N = golden.x.data.length;
    const tokens = Int32Array.from(golden.x.data);
    const inputs = [floats(golden.dout), tokens, floats(golden.params.weight)];
    const ours = run('test_embedding', { out: N * D, d_weight: V * D }, inputs, N, V, D);
    expect(ours.out).toEqual(floats(golden.out));
    expect(tensorError(ours.d_weight, golden.d_weight)).toBeLessThanOrEqual(1);
  });
});

describe('encoder layers', () => {
  /**
   * @param {Record<string, any>} golden
   * @param {Record<string, GoldenTensor>} params
   * @param {{heads: number, norm_first: boolean, activation: string, causal: boolean}} kind
   * @param {number} n_layers
   * @param {boolean} final_norm
   */
  function check(golden, params, kind, n_layers, final_norm) {
    const [B, T, D] = ENCODER.x.shape;
    const F = Object.entries(params).find(([name]) => name.endsWith('linear1.bias'))?.[1].shape[0];
    const block = oneBlock(params);
    const ours = run(
      'test_encoder',
      { out: B * T * D, d_x: B * T * D, d_params: block.length },
      [floats(ENCODER.dout), floats(ENCODER.x), block],
      ...[B, T, D, Number(F), kind.heads],
      Number(kind.norm_first),
      ACTIVATIONS.indexOf(kind.activation),
      Number(kind.causal),
      n_layers,
      Number(final_norm),
    );
    expect(tensorError(ours.out, golden.out)).toBeLessThanOrEqual(1);
    expect(tensorError(ours.d_x, golden.d_x)).toBeLessThanOrEqual(1);
    expectGradients(ours.d_params, params, golden);
  }

  test.each(['post_norm_h4_relu', 'pre_norm_h2_gelu', 'pre_norm_h4_relu_causal'])('%s', (name) => {
    check(ENCODER[name], ENCODER.params, ENCODER[name], 1, false);
  });

  test('two pre-norm causal layers with a final layer norm', () => {
    const golden = ENCODER.two_layers_causal;
    const kind = { heads: 2, norm_first: true, activation: 'gelu', causal: true };
    check(golden, golden.params, kind, 2, true);
  });
});

describe('the LSTM', () => {
  test.each(['one_direction', 'bidirectional'])('%s, forward and backward', (name) => {
    const golden = LSTM[name];
    const [B, T, D] = LSTM.x.shape;
    const [n_directions, , H] = golden.h_n.shape;
    // The scalar of the goldens weighs h_n too, which is the output at each direction's last place.
    const grad_out = floats(golden.dout);
    for (const [i, weight] of golden.dh.data.entries()) {
      const [d, b, h] = [Math.floor(i / (B * H)), Math.floor(i / H) % B, i % H];
      const last = d === 0 ? T - 1 : 0;
      grad_out[((b * T + last) * n_directions + d) * H + h] += weight;
    }
    const params = oneBlock(golden.params);
    const n_states = n_directions * B * H;
    const ours = run(
      'test_lstm',
      { out: T * n_states, h_n: n_states, c_n: n_states, d_x: B * T * D, d_params: params.length },
      [grad_out, floats(golden.dc), floats(LSTM.x), params],
      ...[B, T, D, H, n_directions],
    );
    for (const output of ['out', 'h_n', 'c_n', 'd_x']) {
      expect([output, tensorError(ours[output], golden[output])]).toEqual([output, withinLimit]);
    }
    expectGradients(ours.d_params, golden.params, golden);
  });
});

describe('Adam', () => {
  test.each([0.003, 0.001])('three steps with learning rate %f', (learning_rate) => {
    const golden = ADAM[`lr_${learning_rate}`];
    const [n_steps, n] = ADAM.grads.shape;
    const row = (/** @type {GoldenTensor} */ tensor, /** @type {number} */ step) => ({
      ...tensor,
      data: tensor.data.slice(step * n, (step + 1) * n),
    });
    for (let step = 0; step < n_steps; step++) {
      const values = layers.test_alloc(4 * n);
      new Float32Array(layers.memory.buffer, values, n).set(floats(ADAM.p0));
      const moments = [layers.test_alloc(4 * n), layers.test_alloc(4 * n)];
      const grads = layers.test_alloc(4 * n * n_steps);
      new Float32Array(layers.memory.buffer, grads, n * n_steps).set(floats(ADAM.grads));
      layers.test_adam(values, ...moments, grads, n, step + 1, learning_rate);
      const [p, m, v] = [values, ...moments].map((address) =>
        new Float32Array(layers.memory.buffer, address, n).slice(),
      );
      const reference = floats(row(golden.p, step));
      expect(largestDifference(p, reference)).toBeLessThanOrEqual(TOLERANCE.adam);
      expect(tensorError(m, row(golden.m, step))).toBeLessThanOrEqual(1);
      expect(tensorError(v, row(golden.v, step))).toBeLessThanOrEqual(1);
    }
  });
});
