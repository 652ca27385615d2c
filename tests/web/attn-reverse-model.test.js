import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  ATTRIBUTES,
  allowedValues,
  answeredTokens,
  antiDiagonalMean,
  attentionNames,
  attributeOf,
  changedSettings,
  compareWithLesson,
  defaultOf,
  headMap,
  knobToBlame,
  LESSON_ANTI_DIAGONAL,
  LESSON_LINE,
  meanLargestWeight,
  meanMap,
  parseSetting,
  parseTokens,
  settableFields,
  shortNumber,
  stepsPerSecond,
  strongestKey,
  stuckReason,
  testRows,
} from '../../web/widgets/attn-reverse/model.js';
import { TrainingHistory } from '../../web/widgets/training-history.js';
import { isTestStep, nextPiece } from '../../web/widgets/training-pace.js';
import { loadEngine } from '../wasm/load.js';

/** @import { Config, ConfigField, Metrics } from '../../web/engine/protocol.js' */

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');

const golden = JSON.parse(read('../golden/final.json')).transformer;

/** A list like the engine's, short. @type {ConfigField[]} */
const FIELDS = [
  field('model', 'enum', 0, 0, 0, { values: ['transformer', 'bilstm'], available: [true, false] }),
  field('task', 'enum', 0, 0, 0, {
    values: ['reverse', 'copy', 'next_token'],
    available: [true, true, false],
  }),
  field('seq_len', 'int', 10, 2, 64),
  field('vocab_size', 'int', 10, 2, 64),
  field('d_model', 'int', 32, 4, 256),
  field('causal', 'bool', 0, 0, 1),
  field('scale', 'enum', 0, 0, 0, { values: ['sqrt_d_k', 'none'], available: [true, true] }),
  field('learning_rate', 'float', 0.003, 1e-6, 10),
  field('init_seed', 'uint', 0, 0, 4294967295),
];

/**
 * @param {string} name
 * @param {ConfigField['type']} type
 * @param {number} initial
 * @param {number} min
 * @param {number} max
 * @param {Partial<ConfigField>} [more]
 * @returns {ConfigField}
 */
function field(name, type, initial, min, max, more = {}) {
  return { name, type, offset: 0, default: initial, min, max, ...more };
}

/** @param {string} name */
const fieldOf = (name) =>
  /** @type {ConfigField} */ (FIELDS.find((candidate) => candidate.name === name));

/**
 * @param {Config} [changes]
 * @returns {Config}
 */
const lessonConfig = (changes = {}) => ({
  ...Object.fromEntries(FIELDS.map((candidate) => [candidate.name, defaultOf(candidate)])),
  ...changes,
});

describe('the reader’s digits', () => {
  const sizes = { seq_len: 10, vocab_size: 10 };

  test.each([
    ['1234567890', [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]],
    ['１２３４５６７８９０', [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]],
    [' 1 2,3、4，5　6 7 8 9 0 ', [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]],
    ['123 ４５６ 789 0', [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]],
    ['\ufeff12345\u200b67890\u2060', [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]],
  ])('%j is read', (text, tokens) => {
    expect(parseTokens(text, sizes)).toEqual({ tokens });
  });

  test.each([
    ['', { problem: 'none' }],
    ['　 , ', { problem: 'none' }],
    ['123', { problem: 'few', n: 3, seq_len: 10 }],
    ['12345678901', { problem: 'many', n: 11, seq_len: 10 }],
    ['12345abc-a', { problem: 'characters', characters: 'abc-' }],
    ['一二三四五六七八九十', { problem: 'characters', characters: '一二三四五六七八九十' }],
    ['1234567😀', { problem: 'characters', characters: '😀' }],
    ['甲乙丙丁戊己庚辛壬癸子丑寅', { problem: 'characters', characters: '甲乙丙丁戊己庚辛壬癸…' }],
  ])('%j is refused with the reason', (text, problem) => {
    expect(parseTokens(text, sizes)).toEqual(problem);
  });

  test('a digit beyond the vocabulary is named', () => {
    expect(parseTokens('0193', { seq_len: 4, vocab_size: 4 })).toEqual({
      problem: 'range',
      token: 9,
      last: 3,
    });
  });

  test('more than ten tokens are numbers set apart', () => {
    expect(parseTokens('12 0 19', { seq_len: 3, vocab_size: 20 })).toEqual({ tokens: [12, 0, 19] });
  });
});

describe('attention maps', () => {
  const weights = Float32Array.from(golden.att.data);

  test('the mean of PyTorch’s anti-diagonal is the lesson’s 0.62', () => {
    const mean = antiDiagonalMean(weights, 10);
    expect(Math.abs(mean - 0.62096)).toBeLessThan(1e-5);
    expect(mean.toFixed(2)).toBe(LESSON_ANTI_DIAGONAL);
  });

  test('the mean goes over all heads', () => {
    const heads = Float32Array.from([0, 1, 1, 0, 0.5, 0.5, 0.5, 0.5]);
    expect(antiDiagonalMean(heads, 2)).toBe(0.75);
    expect([...headMap(heads, 1, 2)]).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  test('output 0 looks most at input 9', () => {
    const { column, weight } = strongestKey(weights, 0, 10);
    expect(column).toBe(9);
    expect(weight.toFixed(2)).toBe('0.63');
  });

  test('an output looks at none most where several have the largest weight', () => {
    const map = Float32Array.from([0.25, 0.25, 0.25, 0.25, 0.4, 0.4, 0.1, 0.1]);
    expect(strongestKey(map, 0, 4)).toEqual({ column: null, weight: 0.25 });
    expect(strongestKey(map, 1, 4).column).toBeNull();
  });

  test('a one-hot map has a mean largest weight of 1, a uniform one of 1/T', () => {
    expect(meanLargestWeight(Float32Array.from([0, 1, 1, 0]), 2)).toBe(1);
    expect(meanLargestWeight(Float32Array.from([0.5, 0.5, 0.5, 0.5]), 2)).toBe(0.5);
  });

  test('the maps of every layer are found by PyTorch’s names', () => {
    const tensors = [
      { name: 'layers.0.self_attn.scores', kind: 'activation' },
      { name: 'layers.0.self_attn.weights', kind: 'activation' },
      { name: 'layers.1.self_attn.weights', kind: 'activation' },
      { name: 'out.weight', kind: 'parameter' },
    ];
    expect(attentionNames(tensors)).toEqual([
      'layers.0.self_attn.weights',
      'layers.1.self_attn.weights',
    ]);
    expect(attentionNames([{ name: 'att.weights', kind: 'activation' }])).toEqual(['att.weights']);
  });

  test('the answer is the largest logit of each position', () => {
    expect(answeredTokens(Float32Array.from([0, 2, 1, -1, -3, -2]), 3)).toEqual([1, 0]);
  });
});

describe('settings', () => {
  test('a field is an attribute with hyphens', () => {
    expect(attributeOf('init_seed')).toBe('init-seed');
  });

  test('this figure fixes the model', () => {
    expect(settableFields(FIELDS).map(({ name }) => name)).not.toContain('model');
  });

  test.each([
    ['seq_len', '12', 12],
    ['seq_len', '1', undefined],
    ['seq_len', '65', undefined],
    ['seq_len', '2.5', undefined],
    ['seq_len', '', undefined],
    ['seq_len', 'ten', undefined],
    ['init_seed', '4294967295', 4294967295],
    ['init_seed', '4294967296', undefined],
    ['init_seed', '-1', undefined],
    ['learning_rate', '3e-3', 0.003],
    ['learning_rate', '0', undefined],
    ['learning_rate', 'Infinity', undefined],
    ['task', 'copy', 'copy'],
    ['task', 'next_token', undefined],
    ['task', 'dance', undefined],
    ['causal', '', true],
    ['causal', 'true', true],
    ['causal', 'false', false],
    ['causal', 'maybe', undefined],
  ])('%s=%j gives %j', (name, text, value) => {
    expect(parseSetting(fieldOf(name), text)).toBe(value);
  });

  test('a message can list what is allowed', () => {
    expect(allowedValues(fieldOf('seq_len'))).toBe('2 – 64');
    expect(allowedValues(fieldOf('task'))).toBe('reverse, copy');
    expect(allowedValues(fieldOf('learning_rate'))).toBe('0.000001 – 10');
  });

  test('single precision does not show in a number', () => {
    expect(shortNumber(Math.fround(0.003))).toBe('0.003');
    expect(shortNumber(4294967295)).toBe('4294967295');
  });

  test('the lesson’s configuration is no change, in single precision too', () => {
    expect(changedSettings(FIELDS, lessonConfig())).toEqual([]);
    expect(changedSettings(FIELDS, lessonConfig({ learning_rate: Math.fround(0.003) }))).toEqual(
      [],
    );
    const [changed] = changedSettings(FIELDS, lessonConfig({ causal: true }));
    expect(changed).toMatchObject({ value: true, lesson: false });
  });
});

describe('beside the lesson’s line', () => {
  test('the line is the one the lesson prints', () => {
    const lesson = read('../../web/lesson/source/lesson.zh-Hant.txt').split('\n');
    expect(lesson).toContain(LESSON_LINE);
  });

  const run = { line: LESSON_LINE, step: 1500, fields: FIELDS, config: lessonConfig() };

  test('the same run is the same', () => {
    expect(compareWithLesson(run)).toEqual({ equal: true, reasons: [] });
  });

  test('the same numbers after fewer steps are not the lesson’s run', () => {
    expect(compareWithLesson({ ...run, step: 300 })).toEqual({
      equal: true,
      reasons: [{ kind: 'steps', step: 300 }],
    });
  });

  test('an untrained network and another seed are named as reasons', () => {
    const config = lessonConfig({ init_seed: 7 });
    const { equal, reasons } = compareWithLesson({ ...run, line: 'other', step: 0, config });
    expect(equal).toBe(false);
    expect(reasons).toEqual([
      { kind: 'setting', name: 'init_seed', value: 7, lesson: 0 },
      { kind: 'untrained' },
    ]);
  });

  test('another line without a reason stays unexplained', () => {
    expect(compareWithLesson({ ...run, line: 'other' })).toEqual({ equal: false, reasons: [] });
  });
});

describe('the pace of training', () => {
  test('a piece fills its time, never passes a test and never the end', () => {
    expect(nextPiece({ step: 0, n_steps: 1500, ms_per_step: 0 })).toBe(1);
    expect(nextPiece({ step: 0, n_steps: 1500, ms_per_step: 4 })).toBe(15);
    expect(nextPiece({ step: 45, n_steps: 1500, ms_per_step: 1 })).toBe(5);
    expect(nextPiece({ step: 50, n_steps: 1500, ms_per_step: 1 })).toBe(50);
    expect(nextPiece({ step: 1480, n_steps: 1490, ms_per_step: 1 })).toBe(10);
    expect(nextPiece({ step: 3, n_steps: 1500, ms_per_step: 900 })).toBe(1);
  });

  test('tests are every 50 steps and at the end', () => {
    const tested = [1, 50, 51, 100, 123].filter((step) => isTestStep({ step, n_steps: 123 }));
    expect(tested).toEqual([50, 100, 123]);
  });

  test('the speed is that of the last second or so', () => {
    expect(stepsPerSecond([])).toBe(0);
    expect(stepsPerSecond([{ time: 0, step: 0 }])).toBe(0);
    const marks = [
      { time: 0, step: 0 },
      { time: 5000, step: 10 },
      { time: 6000, step: 210 },
    ];
    expect(stepsPerSecond(marks)).toBe(200);
  });
});

describe('a run that is stuck', () => {
  const oneHot = Float32Array.from({ length: 100 }, (_, i) => (i % 10 === 3 ? 1 : 0));
  const uniform = new Float32Array(100).fill(0.1);
  const points = (/** @type {number} */ y, n = 100) => Array.from({ length: n }, () => ({ y }));
  const config = lessonConfig({ learning_rate: 3 });

  test('a loss that is no number is seen at once', () => {
    const run = { loss: [{ y: Number.NaN }], digits: points(0.1, 1), weights: uniform, config };
    expect(stuckReason(run)).toBe('no-number');
  });

  test('chance with one-hot attention is stuck, but not before it has lasted', () => {
    const run = { loss: points(2.3), digits: points(0.11), weights: oneHot, config };
    expect(stuckReason(run)).toBe('one-hot');
    expect(stuckReason({ ...run, digits: points(0.11, 10) })).toBeNull();
  });

  test('chance with attention spread out, and success with one-hot attention, are not', () => {
    const run = { loss: points(2.3), digits: points(0.11), weights: uniform, config };
    expect(stuckReason(run)).toBeNull();
    expect(stuckReason({ ...run, digits: points(1), weights: oneHot })).toBeNull();
  });

  test('a learning rate above the lesson’s is blamed first, one below never', () => {
    const blamed = (/** @type {Config} */ changes) =>
      knobToBlame(FIELDS, lessonConfig(changes))?.field.name;
    expect(blamed({ learning_rate: 3, scale: 'none' })).toBe('learning_rate');
    expect(blamed({ learning_rate: 1e-4, scale: 'none', d_model: 128 })).toBe('scale');
    expect(blamed({ learning_rate: 1e-4 })).toBeUndefined();
    expect(blamed({})).toBeUndefined();
  });
});

describe('the history of a run', () => {
  /**
   * @param {number} step
   * @returns {Metrics}
   */
  const metrics = (step) => ({
    step,
    n_sequences: 64,
    n_digits: 640,
    digits: 320,
    sequences: 16,
    loss: 1 / step,
    grad_norm: 1,
    position_digits: [],
    position_loss: [],
  });
  const reading = (/** @type {number} */ step) => ({
    weights: [new Float32Array(100).fill(step)],
    predicted: [step],
  });

  test('every step can be looked back at', () => {
    const history = new TrainingHistory();
    history.addReading(0, reading(0));
    history.addEvaluation(0, metrics(1));
    for (let step = 1; step <= 60; step++) {
      history.addStep(metrics(step));
      history.addReading(step, reading(step));
    }
    history.addEvaluation(50, metrics(50));
    expect(history.step).toBe(60);
    expect(history.lossAt(0)).toBeUndefined();
    expect(history.lossAt(7)).toBe(1 / 7);
    expect(history.digits[6]).toEqual({ x: 7, y: 0.5 });
    expect(history.readingAt(0)?.reading.predicted).toEqual([0]);
    expect(history.readingAt(37)).toEqual({ step: 37, reading: reading(37) });
    expect(history.evaluationAt(49)?.step).toBe(0);
    expect(history.evaluationAt(60)?.step).toBe(50);
    expect(history.testSequences).toEqual([
      { x: 0, y: 0.25 },
      { x: 50, y: 0.25 },
    ]);
  });

  test('memory is bounded: old readings are thinned out, the newest is kept', () => {
    const history = new TrainingHistory(10 * 400);
    for (let step = 0; step <= 99; step++) history.addReading(step, reading(step));
    expect(history.readingAt(99)?.step).toBe(99);
    expect(history.readingAt(50)?.step).toBe(48);
    expect(history.readingAt(3)?.step).toBe(0);
  });
});

test('the attributes are the engine’s settable fields, the number of steps and the speed', async () => {
  const { config } = (await loadEngine()).engine.constants();
  const names = settableFields(config.fields).map(({ name }) => attributeOf(name));
  expect(ATTRIBUTES).toEqual([...names, 'n-steps', 'speed']);
});

test('the mean map of one head is its map, of several their mean', () => {
  const one = Float32Array.of(0.25, 0.75, 0.5, 0.5);
  expect(meanMap(one, 2)).toEqual({ shape: [2, 2], data: one });
  const two = Float32Array.of(...one, 0.75, 0.25, 0, 1);
  expect(meanMap(two, 2).data).toEqual(Float32Array.of(0.5, 0.5, 0.25, 0.75));
});

test('every test is a row with what was true at its step', () => {
  const history = new TrainingHistory();
  const weights = [Float32Array.of(0, 1, 1, 0)];
  const evaluation = /** @type {Metrics} */ ({
    digits: 3,
    n_digits: 4,
    sequences: 1,
    n_sequences: 2,
  });
  history.addReading(0, { weights: [new Float32Array(4).fill(0.5)], predicted: [] });
  history.addEvaluation(0, evaluation);
  history.addStep(/** @type {Metrics} */ ({ ...evaluation, step: 1, loss: 1.5 }));
  history.addReading(1, { weights, predicted: [] });
  history.addEvaluation(1, evaluation);
  expect(testRows(history, 2)).toEqual([
    ['0', '', '0.7500', '0.5000', '0.5000'],
    ['1', '1.500000', '0.7500', '0.5000', '1.0000'],
  ]);
});
