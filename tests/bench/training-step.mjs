/**
 * `make bench`: milliseconds of one training step of the lesson's two networks (batch 64), one
 * thread: native gcc, both WebAssembly builds in this Node, and PyTorch where the system's Python
 * has it. The runners take turns, so that a busy machine slows them all; medians are compared.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Engine } from '../../web/engine/engine.js';
import { loadWasm } from '../../web/engine/wasm.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PYTHON = process.env.PYTHON ?? '/usr/bin/python3';
const N_ROUNDS = 7;
const N_WARM_UP = 20;

/** A round trains a network anew and returns the ms of a step. @typedef {{name: string, round: (network: NetworkName) => number, about?: string}} Runner */

/** @typedef {'transformer' | 'bilstm'} NetworkName */

/** @type {[name: NetworkName, title: string, n_steps: number][]} */
const NETWORKS = [
  ['transformer', 'Transformer', 200],
  ['bilstm', 'bidirectional LSTM', 60],
];

/**
 * @param {string} name
 * @param {boolean} scalar
 * @returns {Promise<Runner>}
 */
async function wasmRunner(name, scalar) {
  const module = await loadWasm(
    (build) =>
      readFileSync(`${ROOT}wasm_build/attention${build === 'scalar' ? '-scalar' : ''}.wasm`),
    { scalar },
  );
  const engine = new Engine(module);
  const round = (/** @type {NetworkName} */ network) => {
    const n_steps = stepsOf(network);
    const { session } = engine.create({ config: { model: network } });
    engine.step({ session, n_steps: N_WARM_UP });
    const begin = performance.now();
    engine.step({ session, n_steps });
    const ms = (performance.now() - begin) / n_steps;
    engine.destroy({ session });
    return ms;
  };
  return { name, round, about: `Node ${process.version}` };
}

/** @returns {Runner} */
function nativeRunner() {
  const program = `${ROOT}build/gcc/tests/bench/native_step`;
  const [about] = execFileSync('gcc', ['--version'], { encoding: 'utf8' }).split('\n');
  return {
    name: 'native, gcc -O3',
    round: (network) => {
      const args = [network, String(N_WARM_UP), String(stepsOf(network))];
      return Number(execFileSync(program, args, { encoding: 'utf8' }));
    },
    about,
  };
}

/** @returns {Runner | undefined} */
function pytorchRunner() {
  if (spawnSync(PYTHON, ['-c', 'import torch']).status !== 0) return undefined;
  /** @param {NetworkName} network @param {number} n_steps */
  const run = (network, n_steps) => {
    const args = [network, String(N_WARM_UP), String(n_steps)];
    return JSON.parse(
      execFileSync(PYTHON, [`${ROOT}tests/bench/pytorch_step.py`, ...args], { encoding: 'utf8' }),
    );
  };
  const { torch, blas } = run('transformer', 1);
  return {
    name: 'PyTorch',
    round: (network) => run(network, stepsOf(network)).ms,
    about: `torch ${torch}, BLAS: ${blas}`,
  };
}

/** @param {NetworkName} network */
function stepsOf(network) {
  return NETWORKS.find(([name]) => name === network)?.[2] ?? 1;
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

const runners = [
  nativeRunner(),
  await wasmRunner('WebAssembly, SIMD', false),
  await wasmRunner('WebAssembly, scalar', true),
];
const pytorch = pytorchRunner();
if (pytorch !== undefined) runners.push(pytorch);
const reference = pytorch ?? runners[0];

console.log(`${cpus()[0].model}, one thread, ${N_ROUNDS} rounds in turn`);
for (const [network, title, n_steps] of NETWORKS) {
  /** @type {Map<Runner, number[]>} */
  const times = new Map(runners.map((runner) => [runner, []]));
  for (let i = 0; i < N_ROUNDS; i++) {
    for (const [runner, values] of times) values.push(runner.round(network));
  }
  const reference_ms = median(times.get(reference) ?? []);
  console.log(`\n${title}, ${n_steps} steps a round`);
  console.log(`  ms a step (median, range)          ${reference.name} = 1`);
  for (const [{ name, about }, values] of times) {
    const ms = median(values);
    const range = `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`;
    console.log(
      [
        `  ${name.padEnd(20)}`,
        ms.toFixed(2).padStart(6),
        range.padStart(12),
        (ms / reference_ms).toFixed(2).padStart(8),
        `   ${about}`,
      ].join(''),
    );
  }
}
if (pytorch === undefined)
  console.log(`\n  PyTorch is not measured: ${PYTHON} cannot import torch.`);
