/** Without the causal mask a language model sees the answer; with it, it stops at a computed floor. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { innerMean, maskedFloor } from '../../web/widgets/attn-peek/model.js';
import { loadEngine, withSession } from './load.js';

/** @typedef {import('../../web/engine/engine.js').Engine} Engine */

const SEQ_LEN = 10;
const LAST = SEQ_LEN - 1;
const LN_10 = Math.log(10);

/** @type {Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/**
 * The losses at each position in the lesson's test of 2000 sequences, after training.
 *
 * @param {{causal: boolean, period: number, n_steps: number}} options
 */
function trainedLosses({ n_steps, ...options }) {
  /** @type {number[]} */
  let losses = [];
  withSession(engine, { task: 'next_token', ...options }, (session) => {
    engine.step({ session, n_steps });
    const { metrics } = engine.evaluate({ session, seed: 99, n_sequences: 2000 });
    losses = metrics.position_loss.slice(0, SEQ_LEN);
  });
  return losses;
}

/** Where the answers come from. */
test('the answers are the next tokens, and the last one stands outside the input', () => {
  withSession(engine, { task: 'next_token', period: 3 }, (session) => {
    const { tokens, targets } = engine.batch({ session, seed: 99, n_sequences: 50 });
    for (const [b, row] of tokens.entries()) {
      expect(targets[b].slice(0, LAST)).toEqual(row.slice(1));
      expect(targets[b][LAST]).toBe(row[SEQ_LEN - 3]);
      for (let i = 3; i < SEQ_LEN; i++) expect(row[i]).toBe(row[i - 3]);
    }
  });
});

describe('random digits, 400 steps of the lesson’s training', () => {
  const options = { period: 0, n_steps: 400 };

  test('without the mask the loss goes to 0 where the answer is in the input', () => {
    const losses = trainedLosses({ ...options, causal: false });
    expect(innerMean(losses, SEQ_LEN)).toBeLessThan(0.01);
    // No network can know a digit that is not there: guessing costs at least ln 10.
    expect(losses[LAST]).toBeGreaterThan(LN_10 - 0.05);
  });

  test('with the mask it stays at ln 10 at every position', () => {
    const losses = trainedLosses({ ...options, causal: true });
    expect(maskedFloor({ seq_len: SEQ_LEN, period: 0 })).toBeCloseTo(LN_10, 12);
    expect(Math.abs(innerMean(losses, SEQ_LEN) - LN_10)).toBeLessThan(0.02);
    for (const loss of losses) expect(Math.abs(loss - LN_10)).toBeLessThan(0.05);
  });
});

describe('patterns of three digits, 800 steps', () => {
  const options = { period: 3, n_steps: 800 };

  test('without the mask the loss goes to 0', () => {
    expect(innerMean(trainedLosses({ ...options, causal: false }), SEQ_LEN)).toBeLessThan(0.01);
  });

  test('with the mask it comes down to 2 ln 10 / 9 and no lower', () => {
    const losses = trainedLosses({ ...options, causal: true });
    const floor = maskedFloor({ seq_len: SEQ_LEN, period: 3 });
    expect(floor).toBeCloseTo((2 * LN_10) / 9, 12);
    expect(Math.abs(innerMean(losses, SEQ_LEN) - floor)).toBeLessThan(0.01);
    // The first two answers are new digits, the others have come before.
    for (const loss of losses.slice(0, 2)) expect(Math.abs(loss - LN_10)).toBeLessThan(0.05);
    for (const loss of losses.slice(2)) expect(loss).toBeLessThan(0.05);
  });
});
