/** How a figure that trains cuts its run into requests, and when it tests. */

/** The lesson's test: so many sequences; here every so many steps. */
export const TEST_SEQUENCES = 2000;
export const TEST_INTERVAL = 50;

/** Multiply-adds of a test, about one for each parameter and token: a few seconds at the most. */
const TEST_MULTIPLY_ADDS = 4e9;
const FEWEST_TEST_SEQUENCES = 100;

/**
 * How many sequences to test: the lesson's 2000, and fewer of a network so large that the reader
 * would wait minutes for its first picture.
 *
 * @param {{seq_len: number, n_parameters: number}} network
 * @returns {number}
 */
export function testSequences({ seq_len, n_parameters }) {
  const affordable = Math.floor(TEST_MULTIPLY_ADDS / (seq_len * n_parameters));
  return Math.min(TEST_SEQUENCES, Math.max(FEWEST_TEST_SEQUENCES, affordable));
}

/** What one request of a run at full speed should take, ms: short enough to draw each reply. */
const PIECE_MS = 60;

/**
 * How many steps to ask for next: none beyond the next test, as many as fill PIECE_MS at full speed.
 *
 * @param {{step: number, n_steps: number, ms_per_step: number}} run ms_per_step 0: not yet known
 * @returns {number}
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
