/** From two training runs to what the figure says and draws; pure functions. */
import { percentOfMean, reverseLine } from '../../engine/index.js';
import { isTestStep, nextPiece } from '../training-pace.js';

/** @import { Point } from '../../charts/line-chart.js' */
/** @import { Config, Metrics } from '../../engine/protocol.js' */
/** @import { TrainingHistory } from '../training-history.js' */

/** The run the lesson prints. */
export const LESSON_STEPS = 1500;

/** The longest run the figure offers. */
export const MOST_STEPS = 6000;

/** @typedef {'transformer' | 'bilstm'} NetworkName */
/** @typedef {'steps' | 'time'} Clock */

/**
 * The two networks as the lesson names, sets and prints them: the second goes on in the data where
 * the first one's training ended.
 *
 * @type {Record<NetworkName, {printed: string, config: Config, line: string}>}
 */
export const NETWORKS = {
  transformer: {
    printed: 'Transformer',
    config: {},
    line: 'Transformer：參數  9194，每個數字的正確率 100.0%，整串全對 100.0%',
  },
  bilstm: {
    printed: '雙向 LSTM',
    config: { model: 'bilstm', skip_batches: LESSON_STEPS },
    line: '雙向 LSTM    ：參數 32778，每個數字的正確率 95.0%，整串全對 61.1%',
  },
};

/** What rounding leaves open in the LSTM's line: percentage points around the printed ones. */
const NOISE = { digits: { printed: 95.0, within: 0.2 }, sequences: { printed: 61.1, within: 1.0 } };

/**
 * One network and its run.
 *
 * @typedef {object} Lane
 * @property {NetworkName} name
 * @property {number} session
 * @property {Config} config
 * @property {number} n_parameters
 * @property {TrainingHistory} history
 * @property {number[]} times ms of training up to the end of each step, step 0 included
 * @property {number} ms_per_step of the last request; 0: not yet known
 */

/** What is looked back at: so many steps, or seconds. @typedef {{clock: Clock, at: number}} Place */

/** Measured time of training so far, ms. @param {Pick<Lane, 'times'>} lane */
export function timeOf({ times }) {
  return times[times.length - 1];
}

/**
 * Whose turn it is, and for how many steps; null at the end. On the clock of steps whoever is
 * behind catches up, and the first goes as far as the slower one can follow in one piece; on the
 * clock of time whoever has computed less goes on.
 *
 * @template {{history: {step: number}, times: number[], ms_per_step: number}} L
 * @param {readonly L[]} lanes
 * @param {{clock: Clock, n_steps: number}} race
 * @returns {{lane: L, n_steps: number} | null}
 */
export function nextTurn(lanes, { clock, n_steps }) {
  const going = lanes.filter(({ history }) => history.step < n_steps);
  if (going.length === 0) return null;
  const pieceOf = (/** @type {L} */ { history: { step }, ms_per_step }) =>
    nextPiece({ step, n_steps, ms_per_step });
  const done = (/** @type {L} */ lane) => (clock === 'steps' ? lane.history.step : timeOf(lane));
  const lane = going.reduce((behind, other) => (done(other) < done(behind) ? other : behind));
  if (clock === 'time') return { lane, n_steps: pieceOf(lane) };
  const most = Math.max(...lanes.map(({ history }) => history.step));
  const gap = most - lane.history.step;
  const piece = gap > 0 ? Math.min(gap, pieceOf(lane)) : Math.min(...going.map(pieceOf));
  return { lane, n_steps: piece };
}

/**
 * Enters the measurements of a request.
 *
 * @param {Lane} lane
 * @param {Metrics[]} metrics
 * @param {number} ms how long they took
 */
export function recordSteps(lane, metrics, ms) {
  const before = timeOf(lane);
  for (const [i, measured] of metrics.entries()) {
    lane.history.addStep(measured);
    lane.times.push(before + (ms * (i + 1)) / metrics.length);
  }
  lane.ms_per_step = ms / metrics.length;
}

/**
 * Whether a lane is to be tested where it is: also beyond an end that came to lie behind it.
 *
 * @param {Pick<Lane, 'history'>} lane
 * @param {number} n_steps
 */
export function wantsTest({ history: { step } }, n_steps) {
  return step > n_steps || isTestStep({ step, n_steps });
}

/** Whether the last test is of the step that is reached. @param {Pick<Lane, 'history'>} lane */
export function isTested({ history }) {
  return history.evaluations.at(-1)?.step === history.step;
}

/** At the end, and tested there. @param {Pick<Lane, 'history'>} lane @param {number} n_steps */
export function isDone(lane, n_steps) {
  return lane.history.step >= n_steps && isTested(lane);
}

/**
 * The place where it still is one: not on the other clock, nor in a run that was cut short.
 *
 * @param {Place | null} place
 * @param {Clock} clock
 * @param {number} end where that clock stands
 */
export function placeOn(place, clock, end) {
  return place?.clock === clock && place.at <= end ? place : null;
}

/**
 * The step of a lane at a place on the clock.
 *
 * @param {Pick<Lane, 'history' | 'times'>} lane
 * @param {Place | null} place null: the newest
 */
export function stepAt({ history, times }, place) {
  if (place === null) return history.step;
  const { clock, at } = place;
  if (clock === 'steps') return Math.min(Math.round(at), history.step);
  let low = 0;
  for (let high = times.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (times[middle] <= at * 1000) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Points over steps, or the same over the seconds of training that they took.
 *
 * @param {Point[]} points
 * @param {Pick<Lane, 'times'>} lane
 * @param {Clock} clock
 */
export function pointsOn(points, { times }, clock) {
  if (clock === 'steps') return points;
  return points.map(({ x, y }) => ({ x: times[x] / 1000, y }));
}

/**
 * Where the clock stands: the greatest step, or the longest time, s.
 *
 * @param {readonly Lane[]} lanes
 * @param {Clock} clock
 */
export function clockOf(lanes, clock) {
  return Math.max(
    ...lanes.map((lane) => (clock === 'steps' ? lane.history.step : timeOf(lane) / 1000)),
  );
}

/**
 * The end of an axis that grows by leaps, so that its curves can be seen to move: 1, 2 or 5 times a
 * power of ten.
 *
 * @param {number} end of what it must hold
 */
export function axisEnd(end) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, end)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((place) => place >= end) ?? 10 * power;
}

/**
 * The line the lesson would print of a lane at a test.
 *
 * @param {Pick<Lane, 'name' | 'n_parameters'>} lane
 * @param {Metrics} test
 */
export function lineOf({ name, n_parameters }, test) {
  return reverseLine(NETWORKS[name].printed, n_parameters, test);
}

/**
 * How the page's line stands beside the lesson's. `noise`: it differs by no more than PyTorch's own
 * does with another order of summation.
 *
 * @param {Pick<Lane, 'name' | 'n_parameters'>} lane
 * @param {Metrics} test
 * @param {boolean} isLesson the settings are the lesson's
 * @returns {'same' | 'noise' | 'steps' | 'settings' | 'different'}
 */
export function verdictOf(lane, test, isLesson) {
  if (!isLesson) return 'settings';
  if (test.step !== LESSON_STEPS) return 'steps';
  if (lineOf(lane, test) === NETWORKS[lane.name].line) return 'same';
  const { digits, sequences } = NOISE;
  const isNear =
    Math.abs((100 * test.digits) / test.n_digits - digits.printed) <= digits.within &&
    Math.abs((100 * test.sequences) / test.n_sequences - sequences.printed) <= sequences.within;
  return lane.name === 'bilstm' && isNear ? 'noise' : 'different';
}

/**
 * The share of right answers at each position.
 *
 * @param {Metrics} test
 * @param {number} seq_len
 */
export function positionShares({ position_digits, n_sequences }, seq_len) {
  return position_digits.slice(0, seq_len).map((right) => right / n_sequences);
}

/**
 * The shares of the positions as the table writes them too.
 *
 * @param {readonly number[]} shares
 */
export function writeShares(shares) {
  return shares.map((share) => percentOfMean(share, 1)).join(' ');
}

/**
 * The numbers of a lane at a step, as the figure writes them; '–' where there is none.
 *
 * @param {Lane} lane
 * @param {number} step
 */
export function readLane({ history, times, n_parameters }, step) {
  const test = history.evaluationAt(step);
  const ms = times[step];
  return {
    parameters: String(n_parameters),
    step: String(step),
    seconds: (ms / 1000).toFixed(1),
    pace: step > 0 ? (ms / step).toFixed(1) : '–',
    loss: history.lossAt(step)?.toFixed(4) ?? '–',
    digits: test ? percentOfMean(test.digits, test.n_digits) : '–',
    sequences: test ? percentOfMean(test.sequences, test.n_sequences) : '–',
  };
}

/**
 * Every test of both, a row a step, in figures that other programs read.
 *
 * @param {readonly Lane[]} lanes
 * @returns {[string, ...string[]][]}
 */
export function testRows(lanes) {
  const steps = new Set(
    lanes.flatMap(({ history }) => history.evaluations.map(({ step }) => step)),
  );
  return [...steps]
    .sort((a, b) => a - b)
    .map((step) => [
      String(step),
      ...lanes.flatMap(({ history, times }) => {
        const test = history.evaluationAt(step);
        if (test?.step !== step) return ['', '', '', ''];
        return [
          (times[step] / 1000).toFixed(3),
          history.lossAt(step)?.toFixed(6) ?? '',
          (test.digits / test.n_digits).toFixed(4),
          (test.sequences / test.n_sequences).toFixed(4),
        ];
      }),
    ]);
}
