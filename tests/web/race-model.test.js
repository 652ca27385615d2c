import { describe, expect, test } from '@jest/globals';
import {
  axisEnd,
  clockOf,
  isDone,
  lineOf,
  nextTurn,
  placeOn,
  pointsOn,
  positionShares,
  readLane,
  recordSteps,
  stepAt,
  testRows,
  timeOf,
  verdictOf,
  wantsTest,
  writeShares,
} from '../../web/widgets/attn-race/model.js';
import { TrainingHistory } from '../../web/widgets/training-history.js';

/** @import { Metrics } from '../../web/engine/protocol.js' */
/** @import { Lane, NetworkName } from '../../web/widgets/attn-race/model.js' */

/** @param {Partial<Metrics>} given @returns {Metrics} */
const metrics = (given) => ({
  step: 0,
  n_sequences: 2000,
  n_digits: 20_000,
  digits: 0,
  sequences: 0,
  loss: 0,
  grad_norm: 0,
  position_digits: [],
  position_loss: [],
  ...given,
});

/** @param {NetworkName} name @param {number} n_steps @param {number} ms_per_step @returns {Lane} */
function laneOf(name, n_steps, ms_per_step) {
  /** @type {Lane} */
  const lane = {
    name,
    session: 1,
    config: {},
    n_parameters: name === 'bilstm' ? 32_778 : 9194,
    history: new TrainingHistory(),
    times: [0],
    ms_per_step: 0,
  };
  lane.history.addEvaluation(0, metrics({ digits: 2000 }));
  for (let step = 1; step <= n_steps; step++) {
    recordSteps(lane, [metrics({ step, loss: 1 / step })], ms_per_step);
  }
  return lane;
}

describe('whose turn it is', () => {
  /** Runs a race of given speeds to its end; the steps and ms after every turn. @param {'steps' | 'time'} clock */
  function run(clock) {
    const lanes = [laneOf('transformer', 0, 0), laneOf('bilstm', 0, 0)];
    const speeds = { transformer: 2, bilstm: 8 };
    const marks = [];
    for (let turn = nextTurn(lanes, { clock, n_steps: 200 }); turn; ) {
      const { lane, n_steps } = turn;
      const done = Array.from({ length: n_steps }, (_, i) =>
        metrics({ step: lane.history.step + i + 1 }),
      );
      recordSteps(lane, done, n_steps * speeds[lane.name]);
      marks.push({ steps: lanes.map(({ history }) => history.step), ms: lanes.map(timeOf) });
      turn = nextTurn(lanes, { clock, n_steps: 200 });
    }
    return marks;
  }

  test('on the clock of steps both stand at the same step after every second turn', () => {
    const marks = run('steps');
    for (const { steps } of marks.filter((_, i) => i % 2 === 1)) expect(steps[0]).toBe(steps[1]);
    expect(marks.at(-1)?.steps).toEqual([200, 200]);
    // No turn is longer than the slower network needs for a drawing.
    const jumps = marks.map(({ steps }, i) => steps[0] - (marks[i - 1]?.steps[0] ?? 0));
    expect(Math.max(...jumps)).toBeLessThanOrEqual(7);
  });

  test('on the clock of time neither is further ahead than one piece, until one has finished', () => {
    const marks = run('time');
    const both = marks.filter(({ steps }) => steps.every((step) => step < 200));
    expect(both.length).toBeGreaterThan(5);
    for (const { ms } of both) expect(Math.abs(ms[0] - ms[1])).toBeLessThanOrEqual(100);
    const [transformer, bilstm] = both[both.length - 1].steps;
    expect(transformer / bilstm).toBeGreaterThan(3);
    expect(marks.at(-1)?.steps).toEqual([200, 200]);
  });

  test('after a change from time to steps the one behind catches up first', () => {
    const lanes = [laneOf('transformer', 30, 1), laneOf('bilstm', 10, 8)];
    const turn = nextTurn(lanes, { clock: 'steps', n_steps: 200 });
    expect(turn?.lane.name).toBe('bilstm');
    expect(turn?.n_steps).toBe(7);
  });

  test('nobody goes beyond a test or the end', () => {
    const lanes = [laneOf('transformer', 48, 1), laneOf('bilstm', 48, 1)];
    expect(nextTurn(lanes, { clock: 'time', n_steps: 200 })?.n_steps).toBe(2);
    expect(nextTurn(lanes, { clock: 'steps', n_steps: 49 })?.n_steps).toBe(1);
    expect(nextTurn(lanes, { clock: 'steps', n_steps: 48 })).toBeNull();
  });
});

describe('the end of a run', () => {
  test('is tested, also where it was passed before it was set', () => {
    const lane = laneOf('bilstm', 137, 8);
    expect([100, 136, 137, 138, 1500].map((n_steps) => wantsTest(lane, n_steps))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test('is not there before the step that is reached has been tested', () => {
    const lane = laneOf('bilstm', 137, 8);
    lane.history.addEvaluation(100, metrics({}));
    expect(isDone(lane, 120)).toBe(false);
    lane.history.addEvaluation(137, metrics({}));
    expect(isDone(lane, 120)).toBe(true);
    expect(isDone(lane, 137)).toBe(true);
    expect(isDone(lane, 138)).toBe(false);
  });
});

describe('looking back', () => {
  test('a time finds the last step that had ended by then', () => {
    const lane = laneOf('bilstm', 10, 100);
    const at = (/** @type {number} */ seconds) => stepAt(lane, { clock: 'time', at: seconds });
    expect([0, 0.05, 0.1, 0.55, 0.999, 1, 9].map(at)).toEqual([0, 0, 1, 5, 9, 10, 10]);
  });

  test('a step is itself, or the last there is', () => {
    const lane = laneOf('bilstm', 10, 100);
    expect(stepAt(lane, { clock: 'steps', at: 4 })).toBe(4);
    expect(stepAt(lane, { clock: 'steps', at: 40 })).toBe(10);
    expect(stepAt(lane, null)).toBe(10);
  });

  test('a place between two steps is the nearer of them', () => {
    const lane = laneOf('bilstm', 10, 100);
    expect(stepAt(lane, { clock: 'steps', at: 7.3 })).toBe(7);
    expect(stepAt(lane, { clock: 'steps', at: 9.9 })).toBe(10);
  });

  test('a place on the other clock, or beyond the end, is none', () => {
    const place = /** @type {const} */ ({ clock: 'time', at: 7.3 });
    expect(placeOn(place, 'time', 9)).toBe(place);
    expect(placeOn(place, 'time', 7)).toBeNull();
    expect(placeOn(place, 'steps', 1500)).toBeNull();
    expect(placeOn({ clock: 'steps', at: 5 }, 'time', 9)).toBeNull();
    expect(placeOn(null, 'time', 9)).toBeNull();
  });

  test('the clock stands where the one that is further stands', () => {
    const lanes = [laneOf('transformer', 20, 10), laneOf('bilstm', 10, 100)];
    expect(clockOf(lanes, 'steps')).toBe(20);
    expect(clockOf(lanes, 'time')).toBe(1);
  });

  test('points over steps become points over the seconds they took', () => {
    const lane = laneOf('bilstm', 2, 250);
    const points = [
      { x: 0, y: 0.1 },
      { x: 2, y: 0.5 },
    ];
    expect(pointsOn(points, lane, 'steps')).toBe(points);
    expect(pointsOn(points, lane, 'time')).toEqual([
      { x: 0, y: 0.1 },
      { x: 0.5, y: 0.5 },
    ]);
  });

  test('a number that is not known is a dash', () => {
    expect(readLane(laneOf('bilstm', 0, 0), 0)).toEqual({
      parameters: '32778',
      step: '0',
      seconds: '0.0',
      pace: '–',
      loss: '–',
      digits: '10.0%',
      sequences: '0.0%',
    });
  });
});

test('an axis of time ends at a round number', () => {
  expect([0, 0.4, 1, 1.2, 3, 9, 17.1, 21, 100, 101].map(axisEnd)).toEqual([
    1, 1, 1, 2, 5, 10, 20, 50, 100, 200,
  ]);
});

describe('beside the lesson’s lines', () => {
  const transformer = laneOf('transformer', 0, 0);
  const bilstm = laneOf('bilstm', 0, 0);
  const all = metrics({ step: 1500, digits: 20_000, sequences: 2000 });
  /** The LSTM's test at 1500. @param {number} digits @param {number} sequences */
  const lstm = (digits, sequences) =>
    verdictOf(bilstm, metrics({ step: 1500, digits, sequences }), true);

  test('the same line is the same', () => {
    expect(verdictOf(transformer, all, true)).toBe('same');
    expect(lineOf(bilstm, metrics({ digits: 19_000, sequences: 1222 }))).toBe(
      '雙向 LSTM    ：參數 32778，每個數字的正確率 95.0%，整串全對 61.1%',
    );
    expect(lstm(19_000, 1222)).toBe('same');
  });

  test('what PyTorch itself prints in other orders of summation is noise, more is not', () => {
    expect(lstm(19_024, 1227)).toBe('noise');
    expect(lstm(18_999, 1216)).toBe('noise');
    expect(lstm(19_041, 1222)).toBe('different');
    expect(lstm(19_000, 1243)).toBe('different');
    expect(lstm(18_959, 1222)).toBe('different');
  });

  test('only the LSTM has noise', () => {
    expect(verdictOf(transformer, { ...all, digits: 19_000, sequences: 1222 }, true)).toBe(
      'different',
    );
  });

  test('other steps and other settings are named first', () => {
    expect(verdictOf(transformer, { ...all, step: 50 }, true)).toBe('steps');
    expect(verdictOf(transformer, all, false)).toBe('settings');
  });
});

test('shares by position leave out positions the task does not have', () => {
  const position_digits = [2000, 1000, 500, 0, 0, 0];
  expect(positionShares(metrics({ position_digits }), 3)).toEqual([1, 0.5, 0.25]);
});

test('a row of the table stands for a step, empty where a network was not tested', () => {
  const lanes = [laneOf('transformer', 50, 2), laneOf('bilstm', 10, 8)];
  lanes[0].history.addEvaluation(50, metrics({ digits: 10_000, sequences: 100 }));
  expect(testRows(lanes)).toEqual([
    ['0', '0.000', '', '0.1000', '0.0000', '0.000', '', '0.1000', '0.0000'],
    ['50', '0.100', '0.020000', '0.5000', '0.0500', '', '', '', ''],
  ]);
});

test('shares of positions are rounded as Python rounds the means of the test', () => {
  // As 32-bit floats both lie below the tie.
  const test = metrics({ position_digits: [1221, 1227] });
  expect(writeShares(positionShares(test, 2))).toBe('61.0% 61.3%');
});
