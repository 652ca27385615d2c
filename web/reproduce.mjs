/**
 * Prints what the lesson's two scripts print, computed here by the WebAssembly build:
 *
 *     node web/reproduce.mjs [--seed N] [--recorded DIR] [--out FILE]
 *
 * `--seed` takes the place of every seed 0 of the two scripts; the test data keep 99. `--recorded`
 * names a folder with what PyTorch's own attention returned (attention_check.json for seed 0,
 * seed_N.json for others), to compare with. `--out` receives the file reverse_seq.py writes.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Engine } from './engine/engine.js';
import { allClose, attentionCheckLines, reverseJson, reverseLine } from './engine/lesson-output.js';
import { loadWasm } from './engine/wasm.js';

const WASM = new URL('../wasm_build/', import.meta.url);
const BUILDS = { simd: 'attention.wasm', scalar: 'attention-scalar.wasm' };

/** What the scripts fix besides their seed. */
const CHECK = { n: 5, d: 16, dims: [4, 64, 512] };
const TEST = { seed: 99, n_sequences: 2000 };
const N_STEPS = 1500;

/**
 * Goes to the error stream: the lines themselves stay what the scripts print. What other orders of
 * summation come to was measured for the lesson's seed.
 *
 * @param {number} seed
 */
export function remark(seed) {
  const [measured_zh, measured] =
    seed === 0
      ? ['（量過 95.0%–95.1%、60.8%–61.4%）', '\n  (95.0%–95.1% and 60.8%–61.4% were measured)']
      : ['', ''];
  return (
    `（雙向 LSTM 的最後一位數字是捨入雜訊，換一種加總順序就會不同${measured_zh}。見 MODEL.md。\n` +
    "  The BiLSTM's last digit is rounding noise, another with another order of summation" +
    `${measured}. See MODEL.md.）`
  );
}

/**
 * What PyTorch's scaled_dot_product_attention returned for the query, key and value of a seed.
 *
 * @typedef {{output: Float32Array, causal_output: Float32Array}} Recorded
 */

/** The engine of the project's own build. */
export async function loadEngine() {
  return new Engine(await loadWasm((build) => readFile(new URL(BUILDS[build], WASM))));
}

/**
 * The lines of attention_check.py.
 *
 * @param {Engine} engine
 * @param {number} seed
 * @param {Recorded | null} recorded
 */
export function attentionCheck(engine, seed, recorded) {
  const { n, d, dims } = CHECK;
  const ours = engine.attentionCheck({ seed, n, d });
  // The statistics go on where the query, key and value of the first half end.
  const { job, n_units } = engine.sharpnessBegin({ seed, n_skip: 3 * n * d, dims });
  engine.jobAdvance({ job, n_units });
  const sharpness = engine.sharpnessResults({ job });
  engine.sharpnessFree({ job });
  return attentionCheckLines({
    same: recorded && allClose(ours.output.data, recorded.output),
    same_causal: recorded && allClose(ours.causal_output.data, recorded.causal_output),
    causal_weights: ours.causal_weights,
    sharpness,
  });
}

/** What the two networks of reverse_seq.py differ in: the second goes on in the first one's data. */
const NETWORKS = {
  transformer: { name: 'Transformer', config: {} },
  bilstm: { name: '雙向 LSTM', config: { model: 'bilstm', skip_batches: N_STEPS } },
};

/**
 * Trains and tests a network as reverse_seq.py does; `look` sees it trained.
 *
 * @template R
 * @param {Engine} engine
 * @param {keyof typeof NETWORKS} network
 * @param {number} seed
 * @param {(session: number) => R} look
 */
function trainNetwork(engine, network, seed, look) {
  const { name, config } = NETWORKS[network];
  const { session, n_parameters } = engine.create({
    config: { ...config, init_seed: seed, data_seed: seed, test_seed: TEST.seed },
  });
  engine.step({ session, n_steps: N_STEPS });
  const { metrics } = engine.evaluate({ session, ...TEST });
  const seen = look(session);
  engine.destroy({ session });
  return { line: reverseLine(name, n_parameters, metrics), metrics, seen };
}

/**
 * The Transformer's line of reverse_seq.py, and the file it writes.
 *
 * @param {Engine} engine
 * @param {number} seed
 */
export function reverseSequence(engine, seed) {
  const { line, seen } = trainNetwork(engine, 'transformer', seed, (session) => {
    const [tokens] = engine.batch({ session, seed: TEST.seed, n_sequences: 1 }).tokens;
    const [{ shape, data }] = engine.predict({ session, tokens, names: ['att.weights'] }).tensors;
    return reverseJson({ shape: shape.slice(-2), data }, tokens);
  });
  return { line, json: seen };
}

/**
 * The BiLSTM's line of reverse_seq.py, and its measurements.
 *
 * @param {Engine} engine
 * @param {number} seed
 */
export function reverseSequenceLstm(engine, seed) {
  const { line, metrics } = trainNetwork(engine, 'bilstm', seed, () => null);
  return { line, metrics };
}

/**
 * @param {string} folder
 * @param {number} seed
 * @returns {Recorded | null}
 */
export function readRecorded(folder, seed) {
  const file = join(folder, seed === 0 ? 'attention_check.json' : `seed_${seed}.json`);
  if (!existsSync(file)) {
    return null;
  }
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const check = content.attention_check ?? content;
  return {
    output: Float32Array.from(check.builtin_out.data),
    causal_output: Float32Array.from(check.builtin_out_c.data),
  };
}

/** As torch.manual_seed, of whose seed the generator keeps the low 32 bits. @param {string} text */
export function parseSeed(text) {
  if (!/^-?\d+$/.test(text)) {
    throw new Error(`--seed needs an integer, not '${text}'`);
  }
  return Number(BigInt.asUintN(32, BigInt(text)));
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '0' },
      recorded: { type: 'string' },
      out: { type: 'string' },
    },
  });
  return { ...values, seed: parseSeed(values.seed) };
}

/** @param {ReturnType<typeof readOptions>} options */
async function main({ seed, ...values }) {
  const engine = await loadEngine();
  const recorded = values.recorded === undefined ? null : readRecorded(values.recorded, seed);
  for (const line of attentionCheck(engine, seed, recorded)) {
    console.log(line);
  }
  const { line, json } = reverseSequence(engine, seed);
  console.log(line);
  console.log(reverseSequenceLstm(engine, seed).line);
  console.error(remark(seed));
  if (values.out !== undefined) {
    await mkdir(dirname(values.out), { recursive: true });
    await writeFile(values.out, json);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let options;
  try {
    options = readOptions();
  } catch (error) {
    // What was typed is at fault: its message is enough.
    console.error(`reproduce: ${/** @type {Error} */ (error).message}`);
    process.exitCode = 2;
  }
  if (options) await main(options);
}
