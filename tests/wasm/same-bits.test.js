import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { CONFIGURATIONS, N_STEPS, parametersHash, programArguments } from './parameters-hash.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMPILERS = ['gcc', 'clang'];
const BUILDS = ['attention', 'attention-scalar'];

/** @param {string} compiler */
const program = (compiler) => `build/${compiler}/tests/c/parameters_hash`;

/** @param {string} build @param {Record<string, number | string | boolean>} settings @param {number} n_steps */
function wasmHash(build, settings, n_steps) {
  const base64 = readFileSync(`${ROOT}wasm_build/${build}.wasm`, 'base64');
  return parametersHash({ base64, settings, n_steps });
}

/** @param {string} compiler @param {Record<string, number | string | boolean>} settings @param {number} n_steps */
function nativeHash(compiler, settings, n_steps) {
  const args = programArguments(settings, n_steps);
  return execFileSync(program(compiler), args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

beforeAll(() => {
  execFileSync('make', ['wasm', ...COMPILERS.map(program)], { cwd: ROOT });
}, 300_000);

describe.each(CONFIGURATIONS)(`after ${N_STEPS} steps of %s`, (_, settings) => {
  test('gcc, clang, SIMD and scalar WebAssembly hold the same bits', async () => {
    const hashes = [
      ...COMPILERS.map((compiler) => nativeHash(compiler, settings, N_STEPS)),
      ...(await Promise.all(BUILDS.map((build) => wasmHash(build, settings, N_STEPS)))),
    ];
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(hashes).toEqual(Array(4).fill(hashes[0]));
  }, 180_000);
});

test('one step more, or another seed, is another hash', async () => {
  const hashes = await Promise.all([
    wasmHash('attention', {}, 2),
    wasmHash('attention', {}, 3),
    wasmHash('attention', { init_seed: 1 }, 2),
    wasmHash('attention', { data_seed: 1 }, 2),
  ]);
  expect(new Set(hashes).size).toBe(4);
});
