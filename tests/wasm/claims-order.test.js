/** 「注意力本身不管順序」: without positions a network of attention is equivariant. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  arrange,
  parseOrder,
  rowDifferences,
  SAME,
  scoreDifference,
} from '../../web/widgets/attn-order/model.js';
import { loadEngine, withSession } from './load.js';

const NAMES = ['att.scores', 'att.weights', 'att', 'logits'];

/** One exchange, a rotation, a reversal, and one without any rule. */
const ORDERS = ['0823456719', '1234567890', '9876543210', '3907185264'];

/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/**
 * What the network makes of the lesson's first test sequence, before and after.
 *
 * @param {import('../../web/engine/protocol.js').Config} config
 * @param {string} text
 */
function readBoth(config, text) {
  const order = parseOrder(text);
  /** @type {{order: number[], tokens: number[], before: any, after: any}} */
  const reading = { order, tokens: [], before: {}, after: {} };
  withSession(engine, config, (session) => {
    const { tokens } = engine.batch({ session, seed: 99, n_sequences: 1 });
    reading.tokens = tokens[0];
    const [before, after] = [tokens[0], arrange(tokens[0], order)].map((sequence) => {
      const { tensors } = engine.predict({ session, tokens: sequence, names: NAMES });
      return Object.fromEntries(NAMES.map((name, i) => [name, tensors[i]]));
    });
    Object.assign(reading, { before, after });
  });
  return reading;
}

describe.each(ORDERS)('the tokens in the order %s', (text) => {
  test.each([0, 1, 2])('without positions every output goes with its token, seed %i', (seed) => {
    const { order, before, after } = readBoth({ positions: false, init_seed: seed }, text);
    // A score is one sum over the dimensions, which have not changed places.
    expect(scoreDifference(before['att.scores'], after['att.scores'], order)).toBe(0);
    expect(scoreDifference(before['att.weights'], after['att.weights'], order)).toBeLessThan(1e-7);
    for (const name of ['att', 'logits']) {
      const differences = rowDifferences(before[name], after[name], order);
      expect(Math.max(...differences)).toBeLessThanOrEqual(SAME);
    }
  });

  test('with several heads too', () => {
    const { order, before, after } = readBoth({ positions: false, n_heads: 4 }, text);
    expect(Math.max(...rowDifferences(before.att, after.att, order))).toBeLessThanOrEqual(SAME);
  });

  test('with positions no output does', () => {
    const { order, before, after } = readBoth({ positions: true }, text);
    expect(scoreDifference(before['att.scores'], after['att.scores'], order)).toBeGreaterThan(0.1);
    for (const name of ['att', 'logits']) {
      const differences = rowDifferences(before[name], after[name], order);
      expect(Math.min(...differences)).toBeGreaterThan(1e-3);
    }
  });

  test('with a causal mask it matters who comes first, even without positions', () => {
    const { order, before, after } = readBoth({ positions: false, causal: true }, text);
    expect(Math.max(...rowDifferences(before.att, after.att, order))).toBeGreaterThan(1e-2);
  });
});

test('without positions equal digits have equal outputs, bit for bit', () => {
  const { tokens, before } = readBoth({ positions: false }, ORDERS[0]);
  const rows = tokens.map((_, p) => before.att.data.slice(32 * p, 32 * (p + 1)));
  const ones = rows.filter((_, p) => tokens[p] === 1);
  expect(ones).toHaveLength(3);
  for (const row of ones) expect(row).toEqual(ones[0]);
});
