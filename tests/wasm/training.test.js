import { beforeAll, describe, expect, test } from '@jest/globals';
import { pythonFixed } from '../../web/engine/lesson-output.js';
import { expectGradients, expectLosses, expectParameters, sequence } from './expectations.js';
import {
  floats,
  largestDifference,
  lossTolerance,
  readGolden,
  relativeDifference,
  TOLERANCE,
  tensorError,
} from './golden.js';
import { copyTensors, loadEngine, withSession } from './load.js';

const INIT = readGolden('transformer_init');
const STEP = readGolden('transformer_step');
const FINAL = readGolden('final').transformer;
const SEED_7 = readGolden('seed_7').reverse_seq.transformer;
const SESSIONS = readGolden('sessions');

/** @typedef {import('../../web/engine/engine.js').Engine} Engine */

/** @type {Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

describe("the lesson's Transformer", () => {
  test('starts from the parameters of PyTorch, bit for bit, under its names', () => {
    withSession(engine, {}, (session, { n_parameters }) => {
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
    withSession(engine, {}, (session) => {
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
    withSession(engine, {}, (session) => {
      const logits = [0, 1].flatMap((i) => [
        ...engine.predict({ session, tokens: sequence(STEP.x, i) }).logits.data,
      ]);
      expect(tensorError(logits, STEP.logits_first2)).toBeLessThanOrEqual(1);
    });
  });

  test('has the loss, every gradient and every parameter of PyTorch after one step', () => {
    withSession(engine, {}, (session) => {
      const [{ loss, step, n_sequences, n_digits }] = engine.step({ session, n_steps: 1 }).metrics;
      expect({ step, n_sequences, n_digits }).toEqual({ step: 1, n_sequences: 64, n_digits: 640 });
      const [reference] = STEP.loss.data;
      expect(relativeDifference(loss, reference)).toBeLessThanOrEqual(TOLERANCE.first_loss);
      expectGradients(copyTensors(engine, session, 'gradient'), STEP.grads);
      expectParameters(copyTensors(engine, session, 'parameter'), STEP.params_after_1_step);
    });
  });

  test('reports the norm of all gradients', () => {
    withSession(engine, {}, (session) => {
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
      withSession(engine, config, (session) => {
        expectLosses(engine.step({ session, n_steps: 1500 }).metrics, losses, lossTolerance);

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
    withSession(engine, config, (session, { n_parameters }) => {
      expect(n_parameters).toBe(golden.n_params);
      const ours = copyTensors(engine, session, 'parameter');
      expect(Object.keys(ours)).toEqual(Object.keys(golden.params));
      for (const [parameter, reference] of Object.entries(golden.params)) {
        expect([parameter, ours[parameter]]).toEqual([parameter, floats(reference)]);
      }
    });
  });

  test('has the logits, loss, gradients and next parameters of PyTorch', () => {
    withSession(engine, config, (session) => {
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
    withSession(engine, config, (session) => {
      const { metrics } = engine.step({ session, n_steps: golden.losses.length });
      const by_step = Object.fromEntries(
        golden.losses.map((/** @type {number} */ loss, /** @type {number} */ i) => [i + 1, loss]),
      );
      expect(metrics).toHaveLength(30);
      expectLosses(metrics, by_step, lossTolerance);
    });
  });
});
