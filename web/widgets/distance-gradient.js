/** How strongly outputs hang on inputs a distance away, in the lesson's two networks. */

/** @import { Point } from '../charts/line-chart.js' */
/** @import { Tensor } from '../engine/protocol.js' */
/** @import { EngineScope } from './engine-scope.js' */

/** @typedef {'attention' | 'bilstm'} Network */

/** The lesson's BiLSTM trains on what follows the Transformer's 1500 batches. */
const CONFIGS = /** @type {const} */ ({
  attention: { model: 'transformer' },
  bilstm: { model: 'bilstm', skip_batches: 1500 },
});

/** Seed of the lesson's test data, whose first sequence both networks read. */
const TEST_SEED = 99;

/**
 * The norms of the gradients of all pairs of positions, of the network's own seed at this length.
 *
 * @param {Network} network
 * @param {number} seq_len
 * @param {EngineScope} scope
 * @param {(session: number) => Promise<void>} [train] what to do with the network before
 * @returns {Promise<Tensor>} (T, T): entry (i, j) of output i and input j
 */
export async function measureSensitivity(network, seq_len, scope, train) {
  const config = { ...CONFIGS[network], seq_len };
  const { session } = await scope.request('create', { config });
  await train?.(session);
  const batch = { session, seed: TEST_SEED, n_sequences: 1 };
  const { tokens } = await scope.request('batch', batch);
  await scope.request('predict', { session, tokens: tokens[0] });
  const sensitivity = await scope.request('sensitivity', { session });
  await scope.request('destroy', { session });
  return sensitivity;
}

/**
 * The mean of the norms over all pairs of one distance |i − j|.
 *
 * @param {Tensor} sensitivity (T, T): entry (i, j) of output i and input j
 * @returns {Point[]} by distance, 0 … T − 1
 */
export function meanByDistance({ shape: [T], data }) {
  return Array.from({ length: T }, (_, distance) => {
    let sum = 0;
    let n_pairs = 0;
    for (let i = 0; i < T; i++) {
      for (let j = 0; j < T; j++) {
        if (Math.abs(i - j) !== distance) continue;
        sum += data[i * T + j];
        n_pairs++;
      }
    }
    return { x: distance, y: sum / n_pairs };
  });
}
