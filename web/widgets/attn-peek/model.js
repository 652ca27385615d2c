/** From the engine's measurements to what the figure says and draws; pure functions. */

/** @import { Metrics } from '../../engine/protocol.js' */

/** The lesson's test: so many sequences; here every so many steps. */
export const TEST_SEQUENCES = 2000;
export const TEST_INTERVAL = 50;

/** Size of the lesson's vocabulary: the digits. */
export const VOCAB_SIZE = 10;

/** What one request of training should take, ms: short enough to draw each reply. */
const PIECE_MS = 60;

/** How near a floor a loss counts as having reached it, nats. */
export const NEAR = 0.05;

/** @typedef {{seq_len: number, period: number}} Sequences period 0: every digit is random */

/** The longest pattern that begins anew within its sequence. @param {number} seq_len */
export function longestPeriod(seq_len) {
  return seq_len - 1;
}

/**
 * The least mean loss at each position that any network can reach, nats: 0 where it can know the
 * next digit, ln 10 where it must guess. The digit after position t stands in the input at t + 1,
 * and, if the sequence repeats, wherever the pattern came before.
 *
 * @param {Sequences} sequences
 * @param {boolean} causal whether position t sees only positions 0 … t
 * @returns {number[]}
 */
export function positionFloors({ seq_len, period }, causal) {
  return Array.from({ length: seq_len }, (_, t) => {
    const isBefore = period > 0 && t + 1 - period >= 0;
    const isAhead = !causal && t + 1 < seq_len;
    return isBefore || isAhead ? 0 : Math.log(VOCAB_SIZE);
  });
}

/**
 * The mean over positions 0 … L − 2, whose next digits stand in the input.
 *
 * @param {ArrayLike<number>} values one a position
 * @param {number} seq_len L
 */
export function innerMean(values, seq_len) {
  let sum = 0;
  for (let t = 0; t < seq_len - 1; t++) sum += values[t];
  return sum / (seq_len - 1);
}

/**
 * The floor of the masked loss over positions 0 … L − 2: (P − 1) ln 10 / (L − 1) for a pattern of
 * P digits, whose first is never asked for and whose other P − 1 must be guessed; ln 10 for random
 * digits.
 *
 * @param {Sequences} sequences
 */
export function maskedFloor(sequences) {
  return innerMean(positionFloors(sequences, true), sequences.seq_len);
}

/**
 * What the two losses over positions 0 … L − 2 show.
 *
 * @param {{free: number, masked: number, floor: number}} losses of a test
 * @returns {'untrained' | 'under way' | 'peeked' | 'same'} `same`: with the mask too every digit can be known
 */
export function verdict({ free, masked, floor }) {
  if (free < NEAR && Math.abs(masked - floor) < NEAR) return floor === 0 ? 'same' : 'peeked';
  return free > 2 ? 'untrained' : 'under way';
}

/**
 * How many steps to ask for next: none beyond the next test, as many as fill PIECE_MS.
 *
 * @param {{step: number, n_steps: number, ms_per_step: number}} run ms_per_step 0: not yet known
 */
export function nextPiece({ step, n_steps, ms_per_step }) {
  const untilTest = TEST_INTERVAL - (step % TEST_INTERVAL);
  const fitting = ms_per_step > 0 ? Math.max(1, Math.floor(PIECE_MS / ms_per_step)) : 1;
  return Math.min(fitting, untilTest, n_steps - step);
}

/** @param {{step: number, n_steps: number}} run */
export function isTestStep({ step, n_steps }) {
  return step % TEST_INTERVAL === 0 || step === n_steps;
}

/**
 * The bars of a test: a loss a position, the last position set apart by an empty place.
 *
 * @param {Pick<Metrics, 'position_loss'>} test
 * @param {number} seq_len
 */
export function barsOf({ position_loss }, seq_len) {
  return [...position_loss.slice(0, seq_len - 1), Number.NaN, position_loss[seq_len - 1]];
}
