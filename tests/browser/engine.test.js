/** The engine's modules as they stand, in a worker of a real browser; no page around them. */

import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { loadEngine } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';

/** @typedef {import('playwright-core').Page} Page */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOKENS = [1, 9, 1, 0, 1, 8, 2, 8, 5, 0];
const SIMD_BUILD = '**/attention.wasm';
const EITHER_BUILD = '**/attention*.wasm';
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

/** @type {TestBrowser} */
let browser;
/** @type {Page} */
let page;

beforeAll(async () => {
  browser = await TestBrowser.launch(ROOT);
});

afterAll(() => browser.close());

beforeEach(async () => {
  ({ page } = await browser.newPage());
});

afterEach(() => page.context().close());

/** An empty page under a content security policy. @param {string} policy */
async function open(policy) {
  await page.route('**/empty.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policy },
      body: '<!doctype html><title>empty</title>',
    }),
  );
  await page.goto(`${browser.origin}/empty.html`);
}

/** Asks the page's engine; an error comes back as data. @param {string} type @param {object} args */
function ask(type, args) {
  return page.evaluate(
    async ({ type, args }) => {
      const path = '/web/engine/index.js';
      const { getEngine } = await import(path);
      return getEngine()
        .request(type, args)
        .catch((/** @type {any} */ error) => ({ error: error.toData?.() ?? String(error) }));
    },
    { type, args },
  );
}

/** Twenty steps and what the network then says. */
async function train() {
  const { session, simd } = await ask('create', { config: {} });
  const { metrics } = await ask('step', { session, n_steps: 20 });
  const { predicted } = await ask('predict', { session, tokens: TOKENS });
  return { simd, metrics, predicted };
}

/** The same in Node. */
async function trainHere() {
  const { engine } = await loadEngine();
  const { session } = engine.create({ config: {} });
  const { metrics } = engine.step({ session, n_steps: 20 });
  const { predicted } = engine.predict({ session, tokens: TOKENS });
  return { metrics, predicted };
}

test('the worker trains to the bits of Node', async () => {
  await open(`${POLICY}; worker-src 'self'`);
  expect(await train()).toEqual({ simd: true, ...(await trainHere()) });
});

test('a watch shows the map after every update', async () => {
  await open(`${POLICY}; worker-src 'self'`);
  const { session } = await ask('create', { config: {} });
  const sums = await page.evaluate(
    async ({ session, tokens }) => {
      const path = '/web/engine/index.js';
      const { getEngine } = await import(path);
      const watch = { tokens, names: ['att.weights', 'out.bias'] };
      const { watched } = await getEngine().request('step', { session, n_steps: 5, watch });
      return watched.map((/** @type {any[]} */ [map, bias]) => ({
        shape: map.shape,
        sum: map.data.reduce((/** @type {number} */ sum, /** @type {number} */ w) => sum + w, 0),
        bias: bias.data[0],
      }));
    },
    { session, tokens: TOKENS },
  );
  expect(sums).toHaveLength(5);
  for (const { shape, sum } of sums) {
    expect(shape).toEqual([1, 1, 10, 10]);
    expect(sum).toBeCloseTo(10, 4);
  }
  expect(new Set(sums.map((/** @type {any} */ row) => row.bias)).size).toBe(5);
});

test('where the SIMD build does not validate the scalar one computes the same', async () => {
  await page.route(SIMD_BUILD, (route) =>
    route.fulfill({ contentType: 'application/wasm', body: 'no module' }),
  );
  await open(`${POLICY}; worker-src 'self'`);
  expect(await train()).toEqual({ simd: false, ...(await trainHere()) });
});

test('builds that cannot be had are LOAD_FAILED, and the next try may succeed', async () => {
  await page.route(EITHER_BUILD, (route) => route.fulfill({ status: 404 }));
  await open(`${POLICY}; worker-src 'self'`);
  const { error } = await ask('usage', {});
  expect(error).toMatchObject({ code: 'LOAD_FAILED', message: expect.stringContaining('404') });
  await page.unroute(EITHER_BUILD);
  expect(await ask('usage', {})).toMatchObject({ sessions: 0 });
});

test('a worker script that cannot be had is WORKER_FAILED, and the next try may succeed', async () => {
  await page.route('**/worker.js', (route) => route.fulfill({ status: 404 }));
  await open(`${POLICY}; worker-src 'self'`);
  expect(await ask('usage', {})).toMatchObject({ error: { code: 'WORKER_FAILED' } });
  await page.unroute('**/worker.js');
  expect(await ask('usage', {})).toMatchObject({ sessions: 0 });
});

test('a policy that allows no worker is WORKER_FAILED', async () => {
  await open(`${POLICY}; worker-src 'none'`);
  expect(await ask('usage', {})).toMatchObject({ error: { code: 'WORKER_FAILED' } });
});

test('without WebAssembly every request is NO_WASM', async () => {
  await page.addInitScript('delete globalThis.WebAssembly');
  await open(`${POLICY}; worker-src 'self'`);
  expect(await ask('usage', {})).toMatchObject({ error: { code: 'NO_WASM' } });
});

test('a worker that breaks while it trains rejects, and a fresh one takes over', async () => {
  await open(`${POLICY}; worker-src 'self'`);
  const { session } = await ask('create', { config: {} });
  const training = ask('step', { session, n_steps: 100_000 });
  const [worker] = page.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('broken on purpose');
    });
  });
  expect(await training).toMatchObject({
    error: { code: 'WORKER_FAILED', message: expect.stringContaining('broken on purpose') },
  });
  expect(await ask('usage', {})).toMatchObject({ sessions: 0 });
  expect(page.workers()).toHaveLength(1);
});

test('while a session trains another is answered in between', async () => {
  await open(`${POLICY}; worker-src 'self'`);
  const [heavy, light] = await Promise.all([
    ask('create', { config: { d_model: 64, n_layers: 2 } }),
    ask('create', { config: {} }),
  ]);
  let trained = false;
  const training = ask('step', { session: heavy.session, n_steps: 300 }).then(() => {
    trained = true;
  });
  await ask('step', { session: light.session, n_steps: 10 });
  expect(trained).toBe(false);
  await training;
});
