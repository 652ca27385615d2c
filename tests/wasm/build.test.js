import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_BYTES = 60 * 1024;

/** The sources of the two modules and what builds them, in a folder of another name and depth. */
const copy = join(mkdtempSync(join(tmpdir(), 'attention-')), 'elsewhere', 'copy of the project');

beforeAll(() => {
  execFileSync('make', ['wasm'], { cwd: ROOT });
  mkdirSync(copy, { recursive: true });
  for (const path of ['Makefile', 'c_src', 'wasm_build/build.mk', 'tests/c', 'tests/tools']) {
    cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  mkdirSync(join(copy, 'web'));
  execFileSync('make', ['--jobs=2', 'wasm'], { cwd: copy });
}, 300_000);

afterAll(() => rmSync(join(copy, '..', '..'), { recursive: true }));

/** Every function that c_src/exports.h declares. */
function declaredExports() {
  const header = readFileSync(join(ROOT, 'c_src/exports.h'), 'utf8');
  const code = header.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(/\b(attn_\w+)\(/g)].map(([, name]) => name).sort();
}

/** @param {string} file */
function hasSimd(file) {
  // With SIMD switched off Binaryen's validator refuses a module that uses it.
  const { status, stderr } = spawnSync(
    'wasm-opt',
    ['--all-features', '--disable-simd', file, '--output=/dev/null'],
    { encoding: 'utf8' },
  );
  if (status !== 0) expect(stderr).toMatch(/SIMD/);
  return status !== 0;
}

describe.each([
  ['attention.wasm', true],
  ['attention-scalar.wasm', false],
])('%s', (name, simd) => {
  const path = join(ROOT, 'wasm_build', name);
  const load = () => new WebAssembly.Module(readFileSync(path));

  test('imports nothing', () => {
    expect(WebAssembly.Module.imports(load())).toEqual([]);
  });

  test('exports what c_src/exports.h declares, and the text of a panic', () => {
    const names = WebAssembly.Module.exports(load()).map((entry) => entry.name);
    const declared = declaredExports();
    expect(declared.length).toBeGreaterThan(20);
    expect(names.filter((entry) => entry.startsWith('attn_')).sort()).toEqual(
      [...declared, 'attn_panic_message'].sort(),
    );
    expect(names).toEqual(expect.arrayContaining(['memory', '_initialize']));
  });

  test(simd ? 'uses SIMD' : 'does without SIMD', () => {
    expect(hasSimd(path)).toBe(simd);
  });

  test('is smaller than 60 KB', () => {
    expect(statSync(path).size).toBeLessThan(MAX_BYTES);
  });

  test('is the same, byte for byte, when built in another folder', () => {
    expect(readFileSync(join(copy, 'wasm_build', name)).equals(readFileSync(path))).toBe(true);
  });
});
