/** The engine of the project's own build, for tests. */

import { readFile } from 'node:fs/promises';
import { Engine } from '../../web/engine/engine.js';
import { loadWasm } from '../../web/engine/wasm.js';

const FILES = { simd: 'attention.wasm', scalar: 'attention-scalar.wasm' };

/** @param {'simd' | 'scalar'} build */
export function readBuild(build) {
  return readFile(new URL(`../../wasm_build/${FILES[build]}`, import.meta.url));
}

/**
 * @param {{scalar?: boolean}} [options]
 * @returns {Promise<{engine: Engine, exports: any, simd: boolean}>} exports: the C functions themselves
 */
export async function loadEngine(options) {
  const module = await loadWasm(readBuild, options);
  return { engine: new Engine(module), ...module };
}

/**
 * A copy of every parameter, or of every gradient, under its name.
 *
 * @param {Engine} engine
 * @param {number} session
 * @param {'parameter' | 'gradient'} kind
 * @returns {Record<string, Float32Array>}
 */
export function copyTensors(engine, session, kind) {
  const { tensors } = engine.tensors({ session });
  return Object.fromEntries(
    tensors
      .filter((tensor) => tensor.kind === kind)
      .map(({ name }) => [name, engine.tensor({ session, name }).data]),
  );
}

/**
 * Runs `use` with a session that is destroyed after it.
 *
 * @param {Engine} engine
 * @param {import('../../web/engine/protocol.js').Config} config
 * @param {(session: number, created: ReturnType<Engine['create']>) => void} use
 */
export function withSession(engine, config, use) {
  const created = engine.create({ config });
  use(created.session, created);
  engine.destroy({ session: created.session });
}
