/** 「多頭注意力」: h smaller attentions, side by side, times W_O; a relation each. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  D_MODEL,
  N_PAIRS,
  OFFSETS,
  peakOf,
  SEQ_LEN,
  sharpnessOf,
  singleHead,
  targets,
  WIDTH,
} from '../../web/widgets/attn-heads/model.js';
import { largestDifference, TOLERANCE } from './golden.js';
import { copyTensors, loadEngine, withSession } from './load.js';

/** @import { Config, Metrics, Tensor } from '../../web/engine/protocol.js' */

const TOKENS = [1, 9, 1, 0, 1, 8, 2, 8, 5, 0];

/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/** @param {number} session @param {number} n_steps */
function train(session, n_steps) {
  const batch_size = engine.batchSize(session);
  for (let i = 0; i < n_steps; i++) engine.stepAdvance({ session, n_sequences: batch_size });
}

/** @param {number} session @returns {Metrics} */
function evaluate(session) {
  engine.evaluateBegin({ session, seed: 99, n_sequences: 500 });
  const { metrics } = engine.evaluateAdvance({ session, n_sequences: 500 });
  if (!metrics) throw new Error('the evaluation has not ended');
  return metrics;
}

/** @param {number} session @param {number} head @param {boolean} muted */
function mute(session, head, muted) {
  engine.muteHead({ session, layer: 0, head, muted });
}

/** @param {number} session */
function activations(session) {
  const names = ['att.qkv', 'att.weights', 'att.heads', 'att'];
  const { tensors } = engine.predict({ session, tokens: TOKENS, names });
  const [qkv, weights, heads, att] = tensors.map(({ data }) => data);
  return { qkv, weights, heads, att };
}

/**
 * heads W_O + b, of the heads that are asked for.
 *
 * @param {number} session
 * @param {Float32Array} heads (T, D)
 * @param {(d: number) => boolean} [isHeard] whether a column counts
 */
function project(session, heads, isHeard = () => true) {
  const weight = engine.tensor({ session, name: 'att.out_proj.weight' }).data;
  const bias = engine.tensor({ session, name: 'att.out_proj.bias' }).data;
  return Float32Array.from({ length: SEQ_LEN * D_MODEL }, (_, n) => {
    const [t, out] = [Math.floor(n / D_MODEL), n % D_MODEL];
    let sum = bias[out];
    for (let d = 0; d < D_MODEL; d++) {
      if (isHeard(d)) sum += heads[t * D_MODEL + d] * weight[out * D_MODEL + d];
    }
    return sum;
  });
}

describe('four heads that are made', () => {
  const margin = 4;
  /** @type {Tensor[]} */
  let maps;
  /** @type {Tensor} */
  let single;

  beforeAll(() => {
    maps = OFFSETS.map((k, h) =>
      engine.rotationMap({
        seq_len: SEQ_LEN,
        d_model: D_MODEL,
        first_pair: N_PAIRS * h,
        n_pairs: N_PAIRS,
        k,
        sharpness: sharpnessOf(N_PAIRS * h, N_PAIRS, margin),
      }),
    );
    const positions = engine.positional({ seq_len: SEQ_LEN, d_model: D_MODEL });
    const rotations = OFFSETS.map((k) => engine.rotationMatrix({ d_model: D_MODEL, k }));
    const { query, key } = singleHead(positions, rotations, margin);
    const scale = 1 / Math.sqrt(WIDTH);
    single = engine.attention({ query, key, value: key, scale, causal: false }).weights;
  });

  test.each(OFFSETS.map((k, h) => [k, h]))(
    'R_%i looks there from every row that has it',
    (k, h) => {
      for (let i = 0; i < SEQ_LEN; i++) {
        const place = i + k;
        if (place < 0 || place >= SEQ_LEN) continue;
        expect(peakOf(maps[h].data, i)).toBe(place);
        expect(maps[h].data[i * SEQ_LEN + place]).toBeGreaterThan(0.95);
      }
    },
  );

  test('have the weight of four rows on four places; one row has the weight of one', () => {
    for (let i = 3; i < SEQ_LEN - 1; i++) {
      const { together, alone } = targets(maps, single, i);
      expect(together).toBeGreaterThan(3.8);
      expect(alone).toBeLessThanOrEqual(1 + 1e-6);
    }
  });

  test('one head with the sum of the rotations loses two of the four', () => {
    for (let i = 3; i < SEQ_LEN - 1; i++) {
      const weights = OFFSETS.map((k) => single.data[i * SEQ_LEN + i + k]);
      expect(weights.filter((weight) => weight < 0.01)).toHaveLength(2);
    }
  });
});

describe.each([1, 2, 4, 8])('%i heads', (n_heads) => {
  const d_k = D_MODEL / n_heads;

  test('are as many smaller attentions, side by side, times W_O', () => {
    withSession(engine, { n_heads }, (session) => {
      const { qkv, weights, heads, att } = activations(session);
      const expected = Float32Array.from({ length: SEQ_LEN * D_MODEL }, (_, n) => {
        const [i, d] = [Math.floor(n / D_MODEL), n % D_MODEL];
        const h = Math.floor(d / d_k);
        let sum = 0;
        for (let j = 0; j < SEQ_LEN; j++) {
          const weight = weights[(h * SEQ_LEN + i) * SEQ_LEN + j];
          sum += weight * qkv[j * 3 * D_MODEL + 2 * D_MODEL + d];
        }
        return sum;
      });
      expect(largestDifference(heads, expected)).toBeLessThanOrEqual(TOLERANCE.parameter);
      expect(largestDifference(att, project(session, heads))).toBeLessThanOrEqual(
        TOLERANCE.parameter,
      );
    });
  });

  test('have as many parameters as one', () => {
    withSession(engine, { n_heads }, (_, { n_parameters }) => expect(n_parameters).toBe(9194));
  });

  test('one that is switched off leaves the others’ sum', () => {
    withSession(engine, { n_heads }, (session) => {
      const before = activations(session);
      for (let head = 0; head < n_heads; head++) {
        const isHeard = (/** @type {number} */ d) => Math.floor(d / d_k) !== head;
        mute(session, head, true);
        const { att, heads, weights } = activations(session);
        mute(session, head, false);
        expect(weights).toEqual(before.weights);
        expect(heads.every((value, n) => isHeard(n % D_MODEL) || value === 0)).toBe(true);
        const expected = project(session, before.heads, isHeard);
        expect(largestDifference(att, expected)).toBeLessThanOrEqual(TOLERANCE.parameter);
      }
      expect(activations(session)).toEqual(before);
    });
  });
});

test('what a head is worth shows when it is switched off, and comes back with it', () => {
  withSession(engine, { n_heads: 2 }, (session) => {
    train(session, 250);
    const before = evaluate(session);
    expect(before.digits / before.n_digits).toBeGreaterThan(0.97);
    mute(session, 0, true);
    mute(session, 1, true);
    const deaf = evaluate(session);
    // Without attention a place knows nothing of any other.
    expect(deaf.digits / deaf.n_digits).toBeLessThan(0.2);
    mute(session, 1, false);
    const half = evaluate(session);
    expect(half.digits).toBeGreaterThan(deaf.digits);
    expect(half.digits).toBeLessThan(before.digits);
    mute(session, 0, false);
    expect(evaluate(session)).toEqual(before);
  });
});

test('a head that is switched off learns nothing', () => {
  withSession(engine, { n_heads: 4 }, (session) => {
    const before = copyTensors(engine, session, 'parameter')['att.in_proj_weight'];
    mute(session, 2, true);
    train(session, 3);
    const after = copyTensors(engine, session, 'parameter')['att.in_proj_weight'];
    const changed = (/** @type {number} */ head, /** @type {number} */ block) => {
      const start = (block * D_MODEL + head * 8) * D_MODEL;
      const rows = (/** @type {Float32Array} */ data) => data.subarray(start, start + 8 * D_MODEL);
      return largestDifference(rows(after), rows(before)) > 0;
    };
    for (const block of [0, 1, 2]) {
      expect([0, 1, 2, 3].map((head) => changed(head, block))).toEqual([true, true, false, true]);
    }
  });
});

test.each(
  /** @type {[Config, number, number][]} */ ([
    [{ n_heads: 2 }, 0, 2],
    [{ n_heads: 2 }, 0, -1],
    [{ n_heads: 2 }, 1, 0],
    [{ model: 'bilstm' }, 0, 0],
  ]),
)('there is no such head: %j, layer %i, head %i', (config, layer, head) => {
  withSession(engine, config, (session) => {
    expect(() => engine.muteHead({ session, layer, head, muted: true })).toThrow(
      expect.objectContaining({ code: 'BAD_ARGUMENT' }),
    );
  });
});
