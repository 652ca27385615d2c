/** The engine off the page's thread: requests of `protocol.js` in, responses out. */

import { Dispatcher } from './dispatch.js';
import { Engine } from './engine.js';
import { loadWasm } from './wasm.js';

const dispatcher = new Dispatcher(async ({ urls, scalar }) => {
  const module = await loadWasm((build) => fetchBytes(urls[build]), { scalar });
  return { engine: new Engine(module), simd: module.simd };
});

/** @param {string} url */
async function fetchBytes(url) {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url}: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

addEventListener('message', async ({ data }) => postMessage(await dispatcher.answer(data)));
