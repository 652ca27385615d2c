import { beforeAll, describe, expect, test } from '@jest/globals';
import { pythonFixed } from '../../web/engine/lesson-output.js';
import {
  floats,
  largestDifference,
  lossTolerance,
  readGolden,
  relativeDifference,
  TOLERANCE,
  tensorError,
} from './golden.js';
import { copyTensors, loadEngine } from './load.js';

const INIT = readGolden('transformer_init');
const STEP = readGolden('transformer_step');
const FINAL = readGolden('final').transformer;
const SEED_7 = readGolden('seed_7').reverse_seq.transformer;
const SESSIONS = readGolden('sessions');

const LEARNING_RATE = 0.003;

/** @typedef {import('../../web/engine/engine.js').Engine} Engine */
/** @typedef {import('./golden.js').GoldenTensor} GoldenTensor */

/** @type {Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/**
 * Runs `use` with a session that is destroyed after it.
 *
 * @param {import('../../web/engine/protocol.js').Config} config
 * @param {(session: number, created: ReturnType<Engine['create']>) => void} use
 */
function withSession(config, use) {
  const created = engine.create({ config });
  use(created.session, created);
  engine.destroy({ session: created.session });
}

/** Row i of a tensor whose rows are sequences. @param {GoldenTensor} tensor @param {number} i */
function sequence({ shape, data }, i) {
  return data.slice(i * shape[1], (i + 1) * shape[1]);
}

/** Where the key bias lies in a query-key-value bias. @param {Float32Array} bias */
const keyBias = (bias) => bias.subarray(bias.length / 3, (2 * bias.length) / 3);

/** @param {number[]} values @param {number} n_keys_from the middle third becomes 0 */
function withoutKeyBias(values, n_keys_from) {
  return values.map((value, i) => (i >= n_keys_from && i < 2 * n_keys_from ? 0 : value));
}

/**
 * Every gradient by name. The key bias has a true gradient of 0: only its smallness is checked.
 *
 * @param {Record<string, Float32Array>} ours
 * @param {Record<string, GoldenTensor>} golden
 */
function expectGradients(ours, golden) {
  expect(Object.keys(ours)).toEqual(Object.keys(golden).map((name) => `${name}.grad`));
  for (const [name, reference] of Object.entries(golden)) {
    let [mine, theirs] = [ours[`${name}.grad`], reference];
    if (name.endsWith('in_proj_bias')) {
      const n = mine.length / 3;
      expect(largestDifference(keyBias(mine), new Float32Array(n))).toBeLessThanOrEqual(
        TOLERANCE.key_bias_gradient,
      );
      mine = Float32Array.from(withoutKeyBias([...mine], n));
      theirs = { ...reference, data: withoutKeyBias(reference.data, n) };
    }
    expect({ name, close: tensorError(mine, theirs) <= 1 }).toEqual({ name, close: true });
  }
}

/**
 * Every parameter by name after one step from the given start.
 *
 * @param {Record<string, Float32Array>} ours
 * @param {Record<string, GoldenTensor>} golden
 */
function expectParameters(ours, golden) {
  expect(Object.keys(ours)).toEqual(Object.keys(golden));
  for (const [name, reference] of Object.entries(golden)) {
    let [mine, theirs] = [ours[name], floats(reference)];
    if (name.endsWith('in_proj_bias')) {
      const n = mine.length / 3;
      // Adam turns the rounding noise there into steps of up to the learning rate, from 0.
      const moved = largestDifference(keyBias(mine), new Float32Array(n));
      expect(moved).toBeLessThanOrEqual(Math.fround(LEARNING_RATE));
      mine = Float32Array.from(withoutKeyBias([...mine], n));
      theirs = Float32Array.from(withoutKeyBias([...theirs], n));
    }
    const difference = largestDifference(mine, theirs);
    expect({ name, close: difference <= TOLERANCE.parameter }).toEqual({ name, close: true });
  }
}

/**
 * @param {import('../../web/engine/protocol.js').Metrics[]} metrics
 * @param {Record<string, number>} golden by step
 */
function expectLosses(metrics, golden) {
  for (const [step, loss] of Object.entries(golden)) {
    const difference = relativeDifference(metrics[Number(step) - 1].loss, loss);
    const close = difference <= lossTolerance(Number(step));
    expect({ step, difference, close }).toEqual({ step, difference, close: true });
  }
}

describe("the lesson's Transformer", () => {
  test('starts from the parameters of PyTorch, bit for bit, under its names', () => {
    withSession({}, (session, { n_parameters }) => {
      expect(n_parameters).toBe(INIT.n_params);
      const ours = copyTensors(engine, session, 'parameter');
      expect(Object.keys(ours)).toEqual(Object.keys(INIT.params));
      for (const [name, golden] of Object.entries(INIT.params)) {
        expect({ name, data: ours[name] }).toEqual({ name, data: floats(golden) });
        expect(engine.tensor({ session, name }).shape).toEqual(golden.shape);
      }
    });
  });

  test('trains on the batches of PyTorch', () => {
    withSession({}, (session) => {
      const { tokens, targets } = engine.batch({ session, seed: 0, n_sequences: 64 * 1500 });
      expect(tokens.slice(0, 64).flat()).toEqual(STEP.x.data);
      expect(targets[0]).toEqual([...tokens[0]].reverse());
      expect(tokens.slice(64, 66).flat()).toEqual(STEP.next_batch_x_first2.data);
      const last = 64 * 1499;
      expect(tokens.slice(last, last + 2).flat()).toEqual(STEP.last_batch_x_first2.data);
      const test_data = engine.batch({ session, seed: 99, n_sequences: 1 });
      expect(test_data.tokens[0]).toEqual(FINAL.x.data);
    });
  });

  test('gives the logits of PyTorch before any training', () => {
    withSession({}, (session) => {
      const logits = [0, 1].flatMap((i) => [
        ...engine.predict({ session, tokens: sequence(STEP.x, i) }).logits.data,
      ]);
      expect(tensorError(logits, STEP.logits_first2)).toBeLessThanOrEqual(1);
    });
  });

  test('has the loss, every gradient and every parameter of PyTorch after one step', () => {
    withSession({}, (session) => {
      const [{ loss, step, n_sequences, n_digits }] = engine.step({ session, n_steps: 1 }).metrics;
      expect({ step, n_sequences, n_digits }).toEqual({ step: 1, n_sequences: 64, n_digits: 640 });
      const [reference] = STEP.loss.data;
      expect(relativeDifference(loss, reference)).toBeLessThanOrEqual(TOLERANCE.first_loss);
      expectGradients(copyTensors(engine, session, 'gradient'), STEP.grads);
      expectParameters(copyTensors(engine, session, 'parameter'), STEP.params_after_1_step);
    });
  });

  test('reports the norm of all gradients', () => {
    withSession({}, (session) => {
      const [{ grad_norm }] = engine.step({ session, n_steps: 1 }).metrics;
      const squares = Object.values(copyTensors(engine, session, 'gradient'))
        .flatMap((gradient) => [...gradient])
        .map((value) => value * value);
      const norm = Math.sqrt(squares.reduce((sum, square) => sum + square, 0));
      expect(relativeDifference(grad_norm, norm)).toBeLessThanOrEqual(1e-6);
    });
  });

  test.each([
    ['0', STEP.losses, FINAL],
    ['7', SEED_7.losses, SEED_7],
  ])(
    'follows the losses of PyTorch through 1500 steps and ends where it does, seed %s',
    (seed, losses, golden) => {
      const config = { init_seed: Number(seed), data_seed: Number(seed) };
      withSession(config, (session) => {
        expectLosses(engine.step({ session, n_steps: 1500 }).metrics, losses);

        const { metrics } = engine.evaluate({ session, seed: 99, n_sequences: 2000 });
        expect(metrics.digits).toBe(golden.tokens_correct_of_20000);
        expect(metrics.sequences).toBe(golden.sequences_correct_of_2000);
        expect(metrics.position_digits).toEqual(Array(10).fill(2000));
        expect(relativeDifference(metrics.loss, golden.test_loss)).toBeLessThanOrEqual(
          lossTolerance(1500),
        );

        const read = engine.predict({ session, tokens: golden.x.data, names: ['att.weights'] });
        expect(read.predicted).toEqual([...golden.x.data].reverse());
        expect(read.predicted).toEqual(read.targets);
        const [{ shape, data: map }] = read.tensors;
        expect(shape).toEqual([1, 1, 10, 10]);
        expect(largestDifference(map, floats(golden.att))).toBeLessThanOrEqual(TOLERANCE.map);
        const anti_diagonal = Array.from({ length: 10 }, (_, i) => map[10 * i + 9 - i]);
        const mean = anti_diagonal.reduce((sum, weight) => sum + weight, 0) / 10;
        const reference = golden.anti_diagonal_mean_first_test_sample;
        expect(Math.abs(mean - reference)).toBeLessThanOrEqual(TOLERANCE.map);
        if (seed === '0') {
          expect(Math.abs(mean - 0.62096)).toBeLessThanOrEqual(TOLERANCE.map);
          expect(pythonFixed(mean, 2)).toBe('0.62');
        }
      });
    },
  );
});

describe.each(['pre_norm_causal_gelu', 'post_norm_relu'])('two layers, %s', (name) => {
  const golden = SESSIONS[name];
  const { config } = golden;

  test('starts from the parameters of PyTorch, bit for bit, under its names', () => {
    withSession(config, (session, { n_parameters }) => {
      expect(n_parameters).toBe(golden.n_params);
      const ours = copyTensors(engine, session, 'parameter');
      expect(Object.keys(ours)).toEqual(Object.keys(golden.params));
      for (const [parameter, reference] of Object.entries(golden.params)) {
        expect([parameter, ours[parameter]]).toEqual([parameter, floats(reference)]);
      }
    });
  });

  test('has the logits, loss, gradients and next parameters of PyTorch', () => {
    withSession(config, (session) => {
      const seed = config.data_seed;
      const { tokens } = engine.batch({ session, seed, n_sequences: config.batch_size });
      expect(tokens.flat()).toEqual(golden.x.data);
      const logits = [0, 1].flatMap((i) => [
        ...engine.predict({ session, tokens: tokens[i] }).logits.data,
      ]);
      expect(tensorError(logits, golden.logits_first2)).toBeLessThanOrEqual(1);

      const [{ loss }] = engine.step({ session, n_steps: 1 }).metrics;
      const [reference] = golden.loss.data;
      expect(relativeDifference(loss, reference)).toBeLessThanOrEqual(TOLERANCE.first_loss);
      expectGradients(copyTensors(engine, session, 'gradient'), golden.grads);
      expectParameters(copyTensors(engine, session, 'parameter'), golden.params_after_1_step);
    });
  });

  test('follows 30 losses of PyTorch', () => {
    withSession(config, (session) => {
      const { metrics } = engine.step({ session, n_steps: golden.losses.length });
      const by_step = Object.fromEntries(
        golden.losses.map((/** @type {number} */ loss, /** @type {number} */ i) => [i + 1, loss]),
      );
      expect(metrics).toHaveLength(30);
      expectLosses(metrics, by_step);
    });
  });
});
