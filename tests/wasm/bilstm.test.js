import { beforeAll, expect, test } from '@jest/globals';
import { expectGradients, expectLosses, expectParameters, sequence } from './expectations.js';
import {
  floats,
  lossTolerance,
  readGolden,
  relativeDifference,
  TOLERANCE,
  tensorError,
} from './golden.js';
import { copyTensors, loadEngine, withSession } from './load.js';

const INIT = readGolden('lstm_init');
const STEP = readGolden('lstm_step');

/** Its batches follow the 1500 of the Transformer. */
const CONFIG = { model: 'bilstm', skip_batches: 1500 };

/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

test('starts from the parameters of PyTorch, bit for bit, under its names', () => {
  withSession(engine, CONFIG, (session, { n_parameters }) => {
    expect(n_parameters).toBe(INIT.n_params);
    expect(n_parameters).toBe(32_778);
    const ours = copyTensors(engine, session, 'parameter');
    expect(Object.keys(ours)).toEqual(Object.keys(INIT.params));
    for (const [name, golden] of Object.entries(INIT.params)) {
      expect({ name, data: ours[name] }).toEqual({ name, data: floats(golden) });
    }
  });
});

test('has the logits, loss, gradients and next parameters of PyTorch', () => {
  withSession(engine, CONFIG, (session) => {
    const logits = [0, 1].flatMap((i) => [
      ...engine.predict({ session, tokens: sequence(STEP.x, i) }).logits.data,
    ]);
    expect(tensorError(logits, STEP.logits_first2)).toBeLessThanOrEqual(1);
    const [{ loss }] = engine.step({ session, n_steps: 1 }).metrics;
    const [reference] = STEP.loss.data;
    expect(relativeDifference(loss, reference)).toBeLessThanOrEqual(TOLERANCE.first_loss);
    expectGradients(copyTensors(engine, session, 'gradient'), STEP.grads);
    expectParameters(copyTensors(engine, session, 'parameter'), STEP.params_after_1_step);
  });
});

test('follows the losses of PyTorch through 1500 steps and ends near the lesson', () => {
  withSession(engine, CONFIG, (session) => {
    const { metrics } = engine.step({ session, n_steps: 1500 });
    expectLosses(metrics, STEP.losses, (step) => lossTolerance(step, 'bilstm'));
    const last = engine.evaluate({ session, seed: 99, n_sequences: 2000 }).metrics;
    // Percentage points around the printed 95.0% and 61.1%, whose last digits are rounding noise.
    expect(Math.abs((100 * last.digits) / last.n_digits - 95.0)).toBeLessThanOrEqual(0.2);
    expect(Math.abs((100 * last.sequences) / last.n_sequences - 61.1)).toBeLessThanOrEqual(1.0);
  });
});
