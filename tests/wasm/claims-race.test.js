/**
 * What the lesson says of its two networks' sizes. Their accuracies after 1500 steps are checked in
 * lesson.test.js and bilstm.test.js.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { loadEngine, withSession } from './load.js';

/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/**
 * The parameters of a network, counted tensor by tensor.
 *
 * @param {import('../../web/engine/protocol.js').Config} config
 */
function count(config) {
  let n = 0;
  withSession(engine, config, (session, { n_parameters }) => {
    for (const { kind, shape } of engine.tensors({ session }).tensors) {
      if (kind === 'parameter') n += shape.reduce((size, length) => size * length, 1);
    }
    expect(n).toBe(n_parameters);
  });
  return n;
}

test('the Transformer has fewer than a third of the LSTM’s parameters', () => {
  const [transformer, bilstm] = [count({}), count({ model: 'bilstm' })];
  expect([transformer, bilstm]).toEqual([9194, 32_778]);
  expect(3 * transformer).toBeLessThan(bilstm);
});

test('no length of the sequence changes their sizes', () => {
  for (const seq_len of [4, 32]) {
    expect(count({ seq_len })).toBe(9194);
    expect(count({ model: 'bilstm', seq_len })).toBe(32_778);
  }
});
