/**
 * The engine as the page sees it: one worker, one client, shared by every figure. The only file
 * that names Worker.
 */

import { EngineClient } from './client.js';
import { EngineError } from './engine-error.js';
import { hasWebAssembly } from './wasm.js';

export { EngineError } from './engine-error.js';
export {
  allClose,
  attentionCheckLines,
  percentOfMean,
  pythonFixed,
  reverseJson,
  reverseLine,
  sharpnessLine,
} from './lesson-output.js';
export {
  onSessionsChange,
  publishedSessions,
  publishSession,
  withdrawSession,
} from './registry.js';

/** @type {EngineClient | null} */
let shared = null;

/**
 * The page's client. Where the last one has failed this starts another, so ask for it anew
 * instead of keeping it over a failure. Never throws: if no worker can be had, every request
 * rejects with the reason (`NO_WASM`, `LOAD_FAILED`, `WORKER_FAILED`).
 */
export function getEngine() {
  if (!shared || shared.failure) {
    shared = startEngine();
  }
  return shared;
}

function startEngine() {
  if (!hasWebAssembly()) {
    return failedClient('NO_WASM', 'this browser does not offer WebAssembly');
  }
  /** @type {Worker} */
  let worker;
  try {
    worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  } catch (error) {
    return failedClient('WORKER_FAILED', String(error));
  }
  const client = new EngineClient(worker);
  const urls = {
    simd: new URL('../../wasm_build/attention.wasm', import.meta.url).href,
    scalar: new URL('../../wasm_build/attention-scalar.wasm', import.meta.url).href,
  };
  client.request('start', { urls }).catch((error) => client.fail(error));
  return client;
}

/** A client that rejects every request with this reason. @param {string} code @param {string} message */
function failedClient(code, message) {
  const client = new EngineClient({ postMessage() {}, addEventListener() {} });
  client.fail(new EngineError(code, message));
  return client;
}
