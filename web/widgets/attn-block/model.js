/** The stages of the network, the tensors they show and what is read from those; pure functions. */

/** @import { Config, Tensor } from '../../engine/protocol.js' */

/** The lesson's first test sequence, as a number whose digits it is. */
export const LESSON_TOKENS = 1_910_182_850;

/** Digits of a question. */
export const N_TOKENS = 10;

/** @typedef {'emb' | 'input' | 'norm1' | 'qkv' | 'weights' | 'heads' | 'att' | 'residual1' | 'norm2' | 'ff0' | 'ff1' | 'ff2' | 'residual2' | 'norm' | 'logits' | 'probs'} StageId */

/** @typedef {'qkv' | 'scores' | 'weights' | 'heads' | 'att' | 'residual1' | 'norm1' | 'ff0' | 'ff1' | 'ff2' | 'residual2' | 'norm2'} LayerTensor */

/**
 * In the order the numbers flow: what comes before the layers, what every layer does, what follows.
 * The lesson's program normalises after each sum; its picture, before each part.
 *
 * @param {boolean} norm_first
 * @returns {{before: StageId[], layer: StageId[], after: StageId[]}}
 */
export function stagesOf(norm_first) {
  /** @type {StageId[]} */
  const attention = ['qkv', 'weights', 'heads', 'att', 'residual1'];
  /** @type {StageId[]} */
  const feedForward = ['ff0', 'ff1', 'ff2', 'residual2'];
  return norm_first
    ? {
        before: ['emb', 'input'],
        layer: ['norm1', ...attention, 'norm2', ...feedForward],
        after: ['norm', 'logits', 'probs'],
      }
    : {
        before: ['emb', 'input'],
        layer: [...attention, 'norm1', ...feedForward, 'norm2'],
        after: ['logits', 'probs'],
      };
}

/**
 * The straight paths past attention and past the feed-forward network: from which stage to which
 * sum.
 *
 * @param {boolean} norm_first
 * @returns {{from: StageId, to: StageId}[]}
 */
export function residualPaths(norm_first) {
  return [
    { from: 'input', to: 'residual1' },
    { from: norm_first ? 'residual1' : 'norm1', to: 'residual2' },
  ];
}

/** @typedef {{stage: StageId, layer: number}} Place layer from 1; of a stage in no layer, whichever */

/**
 * Every place in the order the numbers reach it.
 *
 * @param {{norm_first: boolean, n_layers: number}} sizes
 * @returns {Place[]}
 */
export function places({ norm_first, n_layers }) {
  const { before, layer, after } = stagesOf(norm_first);
  const layers = Array.from({ length: n_layers }, (_, i) =>
    layer.map((stage) => ({ stage, layer: i + 1 })),
  );
  return [
    ...before.map((stage) => ({ stage, layer: 1 })),
    ...layers.flat(),
    ...after.map((stage) => ({ stage, layer: n_layers })),
  ];
}

/**
 * Where a place stands among all; of a layer that this network does not have the last it has, of a
 * stage that it does not have the first place.
 *
 * @param {Place[]} all
 * @param {Place} place
 */
export function indexOf(all, { stage, layer }) {
  const n_layers = all[all.length - 1].layer;
  const there = all.findIndex(
    (place) => place.stage === stage && place.layer === Math.min(layer, n_layers),
  );
  if (there >= 0) return there;
  return Math.max(
    0,
    all.findIndex((place) => place.stage === stage),
  );
}

/**
 * What a network shows of the place and head that are asked for: where there are fewer layers or
 * heads, the last.
 *
 * @param {Place & {head: number}} asked
 * @param {{norm_first: boolean, n_layers: number, n_heads: number}} sizes
 * @returns {{all: Place[], index: number, place: Place, head: number}} `index` of the place among all
 */
export function choose(asked, sizes) {
  const all = places(sizes);
  const index = indexOf(all, asked);
  return { all, index, place: all[index], head: Math.min(asked.head, sizes.n_heads) };
}

/** The names that the lesson's program and PyTorch's layers give. @type {Record<LayerTensor, [lesson: string, pytorch: string]>} */
const NAMES = {
  qkv: ['att.qkv', 'self_attn.qkv'],
  scores: ['att.scores', 'self_attn.scores'],
  weights: ['att.weights', 'self_attn.weights'],
  heads: ['att.heads', 'self_attn.heads'],
  att: ['att', 'self_attn'],
  residual1: ['residual1', 'residual1'],
  norm1: ['n1', 'norm1'],
  ff0: ['ff.0', 'linear1'],
  ff1: ['ff.1', 'activation'],
  ff2: ['ff.2', 'linear2'],
  residual2: ['residual2', 'residual2'],
  norm2: ['n2', 'norm2'],
};

/**
 * The engine's name of a layer's tensor. One layer that normalises last bears the lesson's names.
 *
 * @param {LayerTensor} tensor
 * @param {number} layer from 1
 * @param {{norm_first: boolean, n_layers: number}} sizes
 */
export function tensorName(tensor, layer, { norm_first, n_layers }) {
  const [lesson, pytorch] = NAMES[tensor];
  return !norm_first && n_layers === 1 ? lesson : `layers.${layer - 1}.${pytorch}`;
}

/** @typedef {'emb' | 'pe' | 'input' | 'query' | 'key' | 'value' | 'logits' | 'probs' | 'norm' | Exclude<LayerTensor, 'qkv'>} MapId */

/**
 * A picture of a stage: values (rows, columns).
 *
 * @typedef {{id: MapId, rows: number, columns: number, data: Float32Array}} StageMap
 */

/**
 * What a stage shows: the tensor it makes, with those it is made from where they help.
 *
 * @param {Place} place
 * @param {Record<string, Tensor>} tensors by the engine's names
 * @param {{norm_first: boolean, n_layers: number, head: number}} options head from 1
 * @returns {StageMap[]}
 */
export function mapsOf({ stage, layer }, tensors, { head, ...sizes }) {
  const whole = (/** @type {MapId} */ id, /** @type {string} */ name) => matrix(id, tensors[name]);
  const own = (/** @type {LayerTensor} */ id) => tensors[tensorName(id, layer, sizes)];
  switch (stage) {
    case 'emb':
    case 'norm':
    case 'logits':
    case 'probs':
      return [whole(stage, stage)];
    case 'input':
      return [whole('emb', 'emb'), whole('pe', 'pe'), whole('input', 'input')];
    case 'qkv': {
      const qkv = matrix('query', own('qkv'));
      const parts = /** @type {const} */ (['query', 'key', 'value']);
      return parts.map((id, part) => columnsOf(id, qkv, part, parts.length));
    }
    case 'weights':
      return [headOf('scores', own('scores'), head), headOf('weights', own('weights'), head)];
    default:
      return [matrix(stage, own(stage))];
  }
}

/**
 * The last two axes of a tensor whose others are 1.
 *
 * @param {MapId} id
 * @param {Tensor} tensor
 * @returns {StageMap}
 */
function matrix(id, { shape, data }) {
  const [rows, columns] = shape.slice(-2);
  return { id, rows, columns, data };
}

/**
 * One of several equal parts side by side.
 *
 * @param {MapId} id
 * @param {StageMap} map
 * @param {number} part
 * @param {number} n_parts
 * @returns {StageMap}
 */
function columnsOf(id, { rows, columns, data }, part, n_parts) {
  const width = columns / n_parts;
  const cut = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const start = row * columns + part * width;
    cut.set(data.subarray(start, start + width), row * width);
  }
  return { id, rows, columns: width, data: cut };
}

/**
 * The matrix of one head of (…, heads, rows, columns).
 *
 * @param {MapId} id
 * @param {Tensor} tensor
 * @param {number} head from 1
 * @returns {StageMap}
 */
function headOf(id, { shape, data }, head) {
  const [rows, columns] = shape.slice(-2);
  const size = rows * columns;
  return { id, rows, columns, data: data.slice((head - 1) * size, head * size) };
}

/**
 * The range that colours need for these values of both signs: the largest size, rounded up to two
 * digits. Masked scores are −∞ and have no colour.
 *
 * @param {StageMap[]} maps
 */
export function largestSize(maps) {
  let largest = 0;
  for (const { data } of maps) {
    for (const value of data)
      if (Number.isFinite(value)) largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return 1;
  const unit = 10 ** (Math.floor(Math.log10(largest)) - 1);
  return Number((Math.ceil(largest / unit - 1e-9) * unit).toPrecision(2));
}

/**
 * What is told of a tensor besides its picture. Deviations are those of layer normalisation, over a
 * position's own vector.
 *
 * @param {StageMap} map
 */
export function summary({ rows, columns, data }) {
  const finite = data.filter(Number.isFinite);
  const deviations = Array.from({ length: rows }, (_, row) => {
    const values = data.subarray(row * columns, (row + 1) * columns);
    const mean = values.reduce((sum, value) => sum + value, 0) / columns;
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / columns);
  });
  return {
    min: finite.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    max: finite.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    zeros: data.reduce((n, value) => n + Number(value === 0), 0),
    n: data.length,
    deviation: { min: Math.min(...deviations), max: Math.max(...deviations) },
  };
}

/**
 * The tokens of a question for a network of this length and vocabulary: its digits, again from the
 * start where the network reads more of them, and within the vocabulary.
 *
 * @param {number} question
 * @param {Pick<Config, string>} config
 */
export function tokensOf(question, { seq_len, vocab_size }) {
  const digits = [...String(question).padStart(N_TOKENS, '0')].map(Number);
  return Array.from(
    { length: Number(seq_len) },
    (_, i) => digits[i % N_TOKENS] % Number(vocab_size),
  );
}

/**
 * The question in a reader's line of digits, full-width ones included, or undefined.
 *
 * @param {string} text
 */
export function parseQuestion(text) {
  const plain = text.normalize('NFKC').replace(/[\s,、，]/g, '');
  return new RegExp(`^\\d{${N_TOKENS}}$`).test(plain) ? Number(plain) : undefined;
}
