/**
 * Any two positions are one step apart in attention and n steps in a recurrent network, and the
 * gradients that reach a distant input, as the page shows them, are those of the functions.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { factorPerStep } from '../../web/widgets/attn-distance/model.js';
import { meanByDistance } from '../../web/widgets/distance-gradient.js';
import { attentionPath, recurrentPath, stepsOf } from '../../web/widgets/paths.js';
import { loadEngine, withSession } from './load.js';

/** @type {import('../../web/engine/engine.js').Engine} */
let engine;
/** @type {any} */
let attn;

beforeAll(async () => {
  ({ engine, exports: attn } = await loadEngine());
});

/** The lesson's networks before training. */
const NETWORKS = /** @type {const} */ (['transformer', 'bilstm']);

/** Every symbol once: the vector of a symbol is then the input of one position alone. */
const TOKENS = [3, 1, 4, 0, 5, 9, 2, 6, 8, 7];
const T = TOKENS.length;
const D = 32;

/**
 * Steps of the shortest way through a graph of what each value is computed from, found without
 * knowing the way.
 *
 * @param {(node: string) => string[]} readers of a node
 * @param {string} from
 * @param {string} to
 */
function shortest(readers, from, to) {
  let reached = new Set([from]);
  for (let n_links = 0; n_links <= 100; n_links++) {
    if (reached.has(to)) return n_links;
    reached = new Set([...reached].flatMap(readers));
  }
  throw new Error(`${to} cannot be reached from ${from}`);
}

describe('path lengths', () => {
  const n = 12;
  const inside = (/** @type {number} */ t) => t >= 0 && t < n;

  /** x_t → state t of both directions → the next state of each, and y_t. @param {string} node */
  const recurrent = (node) => {
    const [kind, t] = [node[0], Number(node.slice(1))];
    if (kind === 'x') return [`>${t}`, `<${t}`];
    const next = kind === '>' ? t + 1 : t - 1;
    return kind === 'y' ? [] : [`y${t}`, ...(inside(next) ? [`${kind}${next}`] : [])];
  };

  /** @param {string} node */
  const attention = (node) => (node[0] === 'x' ? Array.from({ length: n }, (_, i) => `y${i}`) : []);

  test('n steps between positions n apart in a recurrent network, 1 in attention', () => {
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        // The links into the first state and out of the last are no step in time.
        const recurrent_steps = shortest(recurrent, `x${j}`, `y${i}`) - 2;
        expect(stepsOf(recurrentPath(j, i))).toBe(recurrent_steps);
        expect(recurrent_steps).toBe(Math.abs(i - j));
        expect(stepsOf(attentionPath(j, i))).toBe(shortest(attention, `x${j}`, `y${i}`));
        expect(stepsOf(attentionPath(j, i))).toBe(1);
      }
    }
  });
});

/**
 * The vectors of the symbols, in the engine's memory.
 *
 * @param {number} session
 * @returns {Float32Array}
 */
function embedding(session) {
  const address = attn.attn_session_tensors_json(session);
  const bytes = new Uint8Array(attn.memory.buffer);
  const text = new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
  const { offset, shape } = JSON.parse(text).tensors.find(
    (/** @type {{name: string}} */ { name }) => name === 'emb.weight',
  );
  return new Float32Array(attn.memory.buffer, offset, shape[0] * shape[1]);
}

/**
 * The norms of d logits_i / d input_j by central differences: the logits are read again with every
 * component of every input moved to both sides.
 *
 * @param {number} session
 * @param {number} step
 * @returns {Float64Array} (T, T)
 */
function differences(session, step) {
  const squares = new Float64Array(T * T);
  const V = 10;
  const logits = () => engine.predict({ session, tokens: TOKENS }).logits.data;
  for (const [j, token] of TOKENS.entries()) {
    for (let c = 0; c < D; c++) {
      const at = token * D + c;
      const before = embedding(session)[at];
      embedding(session)[at] = before + step;
      const plus = logits();
      const above = embedding(session)[at];
      embedding(session)[at] = before - step;
      const minus = logits();
      const width = above - embedding(session)[at];
      embedding(session)[at] = before;
      for (let k = 0; k < T * V; k++) {
        squares[Math.floor(k / V) * T + j] += ((plus[k] - minus[k]) / width) ** 2;
      }
    }
  }
  return squares.map(Math.sqrt);
}

describe.each(NETWORKS)('the gradient of the %s', (model) => {
  test('is that of finite differences, for every output and input', () => {
    withSession(engine, { model }, (session) => {
      engine.predict({ session, tokens: TOKENS });
      const { data } = engine.sensitivity({ session });
      const measured = differences(session, 2 ** -7);
      const worst = Math.max(...data.map((norm, k) => Math.abs(norm - measured[k]) / measured[k]));
      expect(worst).toBeLessThan(0.01);
    });
  });
});

test('before training it fades with distance in the BiLSTM and not in attention', () => {
  const [attention, bilstm] = NETWORKS.map((model) => {
    /** @type {number[]} */
    const factors = [];
    for (const init_seed of [0, 1, 2]) {
      withSession(engine, { model, init_seed, seq_len: 16 }, (session) => {
        const [tokens] = engine.batch({ session, seed: 99, n_sequences: 1 }).tokens;
        engine.predict({ session, tokens });
        factors.push(factorPerStep(meanByDistance(engine.sensitivity({ session }))));
      });
    }
    return factors;
  });
  for (const factor of bilstm) {
    expect(factor).toBeGreaterThan(0.5);
    expect(factor).toBeLessThan(0.7);
  }
  for (const factor of attention) {
    expect(factor).toBeGreaterThan(0.9);
    expect(factor).toBeLessThan(1.15);
  }
});

test('the BiLSTM learns to keep what is far away', () => {
  withSession(engine, { model: 'bilstm', skip_batches: 1500 }, (session) => {
    engine.step({ session, n_steps: 100 });
    const [tokens] = engine.batch({ session, seed: 99, n_sequences: 1 }).tokens;
    engine.predict({ session, tokens });
    expect(factorPerStep(meanByDistance(engine.sensitivity({ session })))).toBeGreaterThan(1);
  });
});
