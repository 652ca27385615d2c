/** The words of every stage and picture. */

/** @import { Config } from '../../engine/protocol.js' */
/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { MapId, StageId } from './model.js' */

/** @typedef {[formula: MessageKey, why: MessageKey]} StageTexts */

/** Formula and one sentence of the stages that no setting changes. @type {Record<Exclude<StageId, 'input' | 'weights' | 'ff1'>, StageTexts>} */
const TEXTS = {
  emb: ['block.formula.emb', 'block.why.emb'],
  norm1: ['block.formula.norm', 'block.why.norm'],
  qkv: ['block.formula.qkv', 'block.why.qkv'],
  heads: ['block.formula.heads', 'block.why.heads'],
  att: ['block.formula.att', 'block.why.att'],
  residual1: ['block.formula.residual', 'block.why.residual1'],
  norm2: ['block.formula.norm', 'block.why.norm'],
  ff0: ['block.formula.ff0', 'block.why.ff0'],
  ff2: ['block.formula.ff2', 'block.why.ff2'],
  residual2: ['block.formula.residual', 'block.why.residual2'],
  norm: ['block.formula.norm', 'block.why.norm'],
  logits: ['block.formula.logits', 'block.why.logits'],
  probs: ['block.formula.probs', 'block.why.probs'],
};

/** @type {Record<string, StageTexts>} */
const SCALE_TEXTS = {
  sqrt_d_k: ['block.formula.weights', 'block.why.weights'],
  none: ['block.formula.weights.none', 'block.why.weights.none'],
  d_k: ['block.formula.weights.d_k', 'block.why.weights.d_k'],
};

/** @type {Record<string, StageTexts>} */
const ACTIVATION_TEXTS = {
  relu: ['block.formula.relu', 'block.why.relu'],
  gelu: ['block.formula.gelu', 'block.why.gelu'],
};

/**
 * @param {StageId} stage
 * @param {Config} config of the network, which decides what some stages do
 * @returns {StageTexts}
 */
export function stageTexts(stage, { activation, scale, positions }) {
  if (stage === 'ff1') return ACTIVATION_TEXTS[String(activation)];
  if (stage === 'weights') return SCALE_TEXTS[String(scale)];
  if (stage === 'input') {
    return ['block.formula.input', positions ? 'block.why.input' : 'block.why.input.none'];
  }
  return TEXTS[stage];
}

/** @type {Record<StageId, MessageKey>} */
export const STAGE_NAMES = {
  emb: 'block.emb',
  input: 'block.input',
  norm1: 'block.norm1',
  qkv: 'block.qkv',
  weights: 'block.weights',
  heads: 'block.heads',
  att: 'block.att',
  residual1: 'block.residual1',
  norm2: 'block.norm2',
  ff0: 'block.ff0',
  ff1: 'block.ff1',
  ff2: 'block.ff2',
  residual2: 'block.residual2',
  norm: 'block.norm',
  logits: 'block.logits',
  probs: 'block.probs',
};

/** Pictures that are not named as their stage is. @type {Partial<Record<MapId, MessageKey>>} */
const MAP_NAMES = {
  pe: 'block.map.pe',
  input: 'block.map.input',
  query: 'block.map.query',
  key: 'block.map.key',
  value: 'block.map.value',
  scores: 'block.map.scores',
  weights: 'block.map.weights',
};

/** @param {MapId} id @returns {MessageKey} */
export function mapName(id) {
  return MAP_NAMES[id] ?? STAGE_NAMES[/** @type {StageId} */ (id)];
}

/** What the columns of a picture are. @param {MapId} id @returns {MessageKey} */
export function columnTitle(id) {
  if (id === 'scores' || id === 'weights') return 'block.column.position';
  return id === 'logits' || id === 'probs' ? 'block.column.digit' : 'block.column.dimension';
}
