/** From the engine's results to what the figure says and draws; pure functions. */
import { indexOfPeak } from '../peak.js';

/** @import { Config, ConfigField, Tensor } from '../../engine/protocol.js' */
/** @import { Table } from '../figure-table.js' */
/** @import { TrainingHistory } from '../training-history.js' */

/** The run the lesson prints, and what it prints. */
export const LESSON_STEPS = 1500;
export const LESSON_LINE = 'Transformer：參數  9194，每個數字的正確率 100.0%，整串全對 100.0%';
export const LESSON_ANTI_DIAGONAL = '0.62';

/** Speeds to choose from, steps per second; `full` does not wait. */
export const SPEEDS = /** @type {const} */ (['full', '20', '4', '1']);

/** Fields of the configuration that this figure fixes: it trains a Transformer. */
const FIXED_FIELDS = ['model', 'd_hidden'];

/**
 * The fields of the configuration a reader can change here.
 *
 * @param {ConfigField[]} fields
 * @returns {ConfigField[]}
 */
export function settableFields(fields) {
  return fields.filter(({ name }) => !FIXED_FIELDS.includes(name));
}

/** The attributes of the figure: the settable fields of the engine's list, and two of its own. */
export const ATTRIBUTES = [
  'task',
  'seq-len',
  'vocab-size',
  'd-model',
  'n-heads',
  'd-ff',
  'n-layers',
  'norm-first',
  'activation',
  'causal',
  'positions',
  'scale',
  'batch-size',
  'learning-rate',
  'init-seed',
  'data-seed',
  'test-seed',
  'skip-batches',
  'period',
  'n-steps',
  'speed',
];

/** `init_seed` is the attribute `init-seed`. @param {string} name */
export function attributeOf(name) {
  return name.replaceAll('_', '-');
}

/**
 * The default of a field as the protocol writes it: names for enumerations, booleans for switches.
 *
 * @param {ConfigField} field
 * @returns {number | string | boolean}
 */
export function defaultOf({ type, default: value, values }) {
  if (type === 'enum') return values?.[value] ?? '';
  return type === 'bool' ? value !== 0 : value;
}

/**
 * The value an attribute gives a field, or undefined where it gives none that the field allows.
 * A switch is on by its name alone, as in HTML, and off by `false`.
 *
 * @param {ConfigField} field
 * @param {string} text
 * @returns {number | string | boolean | undefined}
 */
export function parseSetting(field, text) {
  const trimmed = text.trim();
  if (field.type === 'enum') {
    const index = field.values?.indexOf(trimmed) ?? -1;
    return index >= 0 && field.available?.[index] !== false ? trimmed : undefined;
  }
  if (field.type === 'bool') {
    if (['', 'true', '1'].includes(trimmed)) return true;
    return ['false', '0'].includes(trimmed) ? false : undefined;
  }
  const value = Number(trimmed);
  if (trimmed === '' || !Number.isFinite(value)) return undefined;
  if (field.type !== 'float' && !Number.isInteger(value)) return undefined;
  return value >= Math.fround(field.min) && value <= field.max ? value : undefined;
}

/**
 * The values of a field that a reader may choose, as the messages list them.
 *
 * @param {ConfigField} field
 * @returns {string}
 */
export function allowedValues(field) {
  if (field.type === 'bool') return 'true, false';
  if (field.type !== 'enum') return `${shortNumber(field.min)} – ${shortNumber(field.max)}`;
  const values = field.values ?? [];
  return values.filter((_, index) => field.available?.[index] !== false).join(', ');
}

/**
 * A number of single precision without the digits that doubles add to it: 0.003, not 0.003000000026….
 *
 * @param {number} value
 * @returns {string}
 */
export function shortNumber(value) {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(7)));
}

/**
 * The fields in which a configuration departs from the lesson's.
 *
 * @param {ConfigField[]} fields
 * @param {Config} config
 * @returns {{field: ConfigField, value: number | string | boolean, lesson: number | string | boolean}[]}
 */
export function changedSettings(fields, config) {
  return fields
    .map((field) => ({ field, value: config[field.name], lesson: defaultOf(field) }))
    .filter(({ field, value, lesson }) =>
      field.type === 'float'
        ? Math.fround(Number(value)) !== Math.fround(Number(lesson))
        : value !== lesson,
    );
}

/**
 * How the reader's line of digits failed, with what the message needs.
 *
 * @typedef {{problem: 'none'}
 *   | {problem: 'characters', characters: string}
 *   | {problem: 'range', token: number, last: number}
 *   | {problem: 'few' | 'many', n: number, seq_len: number}} TokenProblem
 */

/** A message names no more different characters than these that are no digits. */
const MOST_STRANGE = 10;

/**
 * The tokens in a reader's line. Full-width digits count, and what cannot be seen sets apart as a space does;
 * up to ten different tokens are single digits, written together or apart; more are numbers set apart by
 * spaces or commas.
 *
 * @param {string} text
 * @param {{seq_len: number, vocab_size: number}} sizes
 * @returns {{tokens: number[]} | TokenProblem}
 */
export function parseTokens(text, { seq_len, vocab_size }) {
  const plain = text
    .normalize('NFKC')
    .replace(/[\s,、，\p{Cf}]+/gu, ' ')
    .trim();
  if (plain === '') return { problem: 'none' };
  const strange = [...new Set(plain.replace(/[0-9 ]/g, ''))];
  if (strange.length > 0) {
    const more = strange.length > MOST_STRANGE ? '…' : '';
    return { problem: 'characters', characters: strange.slice(0, MOST_STRANGE).join('') + more };
  }
  const words = vocab_size <= 10 ? [...plain.replaceAll(' ', '')] : plain.split(' ');
  const tokens = words.map(Number);
  if (tokens.length < seq_len) return { problem: 'few', n: tokens.length, seq_len };
  if (tokens.length > seq_len) return { problem: 'many', n: tokens.length, seq_len };
  const outside = tokens.find((token) => token >= vocab_size);
  if (outside !== undefined) return { problem: 'range', token: outside, last: vocab_size - 1 };
  return { tokens };
}

/**
 * The map of one head.
 *
 * @param {Float32Array} weights (heads, T, T)
 * @param {number} head
 * @param {number} seq_len
 * @returns {Float32Array} (T, T)
 */
export function headMap(weights, head, seq_len) {
  const size = seq_len * seq_len;
  return weights.subarray(head * size, (head + 1) * size);
}

/**
 * The mean weight with which output i looks at input T − 1 − i, over all heads.
 *
 * @param {Float32Array} weights (heads, T, T)
 * @param {number} seq_len
 * @returns {number}
 */
export function antiDiagonalMean(weights, seq_len) {
  const n_heads = weights.length / seq_len ** 2;
  let sum = 0;
  for (let head = 0; head < n_heads; head++) {
    const map = headMap(weights, head, seq_len);
    for (let i = 0; i < seq_len; i++) sum += map[i * seq_len + (seq_len - 1 - i)];
  }
  return sum / (n_heads * seq_len);
}

/**
 * The input position that a row of a map looks at most; null where no single one has the largest
 * weight, as when equal tokens without positions cannot be told apart.
 *
 * @param {Float32Array} map (T, T)
 * @param {number} row
 * @param {number} seq_len
 * @returns {{column: number | null, weight: number}}
 */
export function strongestKey(map, row, seq_len) {
  const weights = map.subarray(row * seq_len, (row + 1) * seq_len);
  return { column: indexOfPeak(weights), weight: Math.max(...weights) };
}

/**
 * The mean over rows and heads of the largest weight: 1 where every row is one-hot.
 *
 * @param {Float32Array} weights (heads, T, T)
 * @param {number} seq_len
 * @returns {number}
 */
export function meanLargestWeight(weights, seq_len) {
  const n_rows = weights.length / seq_len;
  let sum = 0;
  for (let row = 0; row < n_rows; row++) sum += strongestKey(weights, row, seq_len).weight;
  return sum / n_rows;
}

/**
 * The attention maps among a session's tensors, from the first layer to the last.
 *
 * @param {{name: string, kind: string}[]} tensors
 * @returns {string[]}
 */
export function attentionNames(tensors) {
  return tensors
    .filter(
      ({ kind, name }) => kind === 'activation' && /(^|\.)(att|self_attn)\.weights$/.test(name),
    )
    .map(({ name }) => name);
}

/**
 * Updates a second over the last second or so.
 *
 * @param {{time: number, step: number}[]} marks times in ms, ascending
 * @returns {number} 0 where nothing can be said
 */
export function stepsPerSecond(marks) {
  const last = marks.at(-1);
  if (!last) return 0;
  const first = marks.find(({ time }) => last.time - time <= 1500) ?? last;
  const seconds = (last.time - first.time) / 1000;
  return seconds > 0 ? (last.step - first.step) / seconds : 0;
}

/** Steps over which training must have been stuck, and how near to chance or one-hot it then is. */
const STUCK_STEPS = 60;
const CHANCE_FACTOR = 1.5;
const ONE_HOT = 0.9;

/**
 * Whether training goes nowhere: a loss that is no number, or digits no better than chance while attention
 * looks at single inputs.
 *
 * @param {{loss: {y: number}[], digits: {y: number}[], weights: Float32Array, config: Config}} run
 *   measurements of every step so far, the newest weights
 * @returns {'no-number' | 'one-hot' | null}
 */
export function stuckReason({ loss, digits, weights, config }) {
  if (loss.length > 0 && !Number.isFinite(loss[loss.length - 1].y)) return 'no-number';
  if (digits.length < STUCK_STEPS) return null;
  const recent = digits.slice(-STUCK_STEPS);
  const mean = recent.reduce((sum, { y }) => sum + y, 0) / STUCK_STEPS;
  if (mean > CHANCE_FACTOR / Number(config.vocab_size)) return null;
  return meanLargestWeight(weights, Number(config.seq_len)) >= ONE_HOT ? 'one-hot' : null;
}

/**
 * The setting most likely to blame when training is stuck: of those changed, the first in the order of the
 * harm they do.
 *
 * @param {ConfigField[]} fields
 * @param {Config} config
 * @returns {{field: ConfigField, value: number | string | boolean, lesson: number | string | boolean} | undefined}
 */
export function knobToBlame(fields, config) {
  const changed = changedSettings(fields, config);
  const harmful = changed.filter(
    ({ field, value, lesson }) => field.name !== 'learning_rate' || Number(value) > Number(lesson),
  );
  for (const name of ['learning_rate', 'scale', 'd_model', 'n_layers', 'batch_size']) {
    const found = harmful.find(({ field }) => field.name === name);
    if (found) return found;
  }
  return harmful[0];
}

/**
 * How the page's line stands beside the lesson's: the same, or why not.
 *
 * @typedef {{kind: 'untrained'} | {kind: 'steps', step: number}
 *   | {kind: 'setting', name: string, value: number | string | boolean, lesson: number | string | boolean}} Reason
 *
 * @param {{line: string, step: number, fields: ConfigField[], config: Config}} run
 *   `step`: after how many steps the line was measured
 * @returns {{equal: boolean, reasons: Reason[]}}
 */
export function compareWithLesson({ line, step, fields, config }) {
  /** @type {Reason[]} */
  const reasons = changedSettings(fields, config).map(({ field, value, lesson }) => ({
    kind: 'setting',
    name: field.name,
    value,
    lesson,
  }));
  if (step === 0) reasons.push({ kind: 'untrained' });
  else if (step !== LESSON_STEPS) reasons.push({ kind: 'steps', step });
  return { equal: line === LESSON_LINE, reasons };
}

/**
 * The tokens a network answers: at each position the one with the largest logit.
 *
 * @param {Float32Array} logits (T, V)
 * @param {number} vocab_size
 * @returns {number[]}
 */
export function answeredTokens(logits, vocab_size) {
  return Array.from({ length: logits.length / vocab_size }, (_, t) => {
    const row = logits.subarray(t * vocab_size, (t + 1) * vocab_size);
    return row.indexOf(Math.max(...row));
  });
}

/**
 * The mean map over the heads, which is what PyTorch's attention hands out.
 *
 * @param {Float32Array} weights (heads, T, T)
 * @param {number} seq_len
 * @returns {Tensor} (T, T)
 */
export function meanMap(weights, seq_len) {
  const size = seq_len * seq_len;
  const n_heads = weights.length / size;
  const data = new Float32Array(size);
  for (const [i, weight] of weights.entries()) data[i % size] += weight / n_heads;
  return { shape: [seq_len, seq_len], data };
}

/**
 * The tests of a run, a row each, in figures that other programs read.
 *
 * @param {TrainingHistory} history
 * @param {number} seq_len
 * @returns {Table['rows']}
 */
export function testRows(history, seq_len) {
  return history.evaluations.map(({ step, digits, n_digits, sequences, n_sequences }) => {
    const [weights] = history.readingAt(step)?.reading.weights ?? [];
    return [
      String(step),
      history.lossAt(step)?.toFixed(6) ?? '',
      (digits / n_digits).toFixed(4),
      (sequences / n_sequences).toFixed(4),
      weights ? antiDiagonalMean(weights, seq_len).toFixed(4) : '',
    ];
  });
}
