/**
 * Brings the engine's module to life: chooses the build, compiles it, starts it. Where the bytes
 * come from is the caller's business, so the page, Node and the tests share this file.
 */

import { EngineError } from './engine-error.js';

/** A module whose one function uses SIMD (i8x16.splat, i8x16.popcnt), 31 bytes. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

/**
 * @typedef {object} WasmModule
 * @property {any} exports the functions of `c_src/exports.h`, and `memory`
 * @property {boolean} simd
 */

/** @typedef {(build: 'simd' | 'scalar') => BufferSource | Promise<BufferSource>} LoadBytes */

/** Whether WebAssembly exists here at all; some browsers switch it off for safety. */
export function hasWebAssembly() {
  return typeof WebAssembly === 'object' && typeof WebAssembly.validate === 'function';
}

/**
 * Starts the SIMD build where its bytes validate, otherwise the scalar one, which computes the
 * same bits. Errors: `NO_WASM`, `LOAD_FAILED`.
 *
 * @param {LoadBytes} load_bytes
 * @param {{scalar?: boolean}} [options] `scalar`: leave SIMD alone
 * @returns {Promise<WasmModule>}
 */
export async function loadWasm(load_bytes, { scalar = false } = {}) {
  if (!hasWebAssembly()) {
    throw new EngineError('NO_WASM', 'this browser does not offer WebAssembly');
  }
  try {
    if (!scalar && WebAssembly.validate(SIMD_PROBE)) {
      const bytes = await load_bytes('simd');
      if (WebAssembly.validate(bytes)) {
        return { exports: await start(bytes), simd: true };
      }
    }
    return { exports: await start(await load_bytes('scalar')), simd: false };
  } catch (error) {
    throw new EngineError('LOAD_FAILED', `the engine could not be loaded: ${reasonOf(error)}`);
  }
}

/** @param {BufferSource} bytes */
async function start(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const exports = /** @type {any} */ (instance.exports);
  exports._initialize();
  return exports;
}

/** @param {unknown} error */
function reasonOf(error) {
  return error && typeof error === 'object' && 'message' in error ? error.message : error;
}
