import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EngineError, getEngine } from '../../web/engine/index.js';

/** Another client than the one before, whose worker is given up. */
function restartEngine() {
  getEngine().fail(new EngineError('WORKER_FAILED', 'the engine was restarted'));
  return getEngine();
}

const page = /** @type {any} */ (globalThis);
const { Worker: worker_before, WebAssembly: wasm } = page;

/** The workers that were started. @type {FakeWorker[]} */
let workers;

class FakeWorker extends EventTarget {
  /** @type {any[]} */
  sent = [];
  terminated = false;

  /** @param {URL} url @param {object} options */
  constructor(url, options) {
    super();
    this.url = url;
    this.options = options;
    workers.push(this);
  }

  /** @param {any} message */
  postMessage(message) {
    this.sent.push(message);
  }

  terminate() {
    this.terminated = true;
  }

  /** @param {string} type @param {object} fields */
  emit(type, fields) {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}

beforeEach(() => {
  workers = [];
  page.Worker = FakeWorker;
  restartEngine();
  workers = workers.slice(-1);
});

afterEach(() => {
  getEngine().fail(new EngineError('WORKER_FAILED', 'the test is over'));
  page.Worker = worker_before;
  page.WebAssembly = wasm;
});

test('all figures share one client and one worker, started with the places of both builds', () => {
  expect(getEngine()).toBe(getEngine());
  expect(workers).toHaveLength(1);
  const [{ url, options, sent }] = workers;
  expect(url.pathname.endsWith('/web/engine/worker.js')).toBe(true);
  expect(options).toEqual({ type: 'module' });
  expect(sent).toHaveLength(1);
  expect(sent[0].type).toBe('start');
  expect(sent[0].args.urls.simd).toMatch(/\/wasm_build\/attention\.wasm$/);
  expect(sent[0].args.urls.scalar).toMatch(/\/wasm_build\/attention-scalar\.wasm$/);
});

test('a worker whose script cannot be had rejects what waits; the next to ask gets a fresh one', async () => {
  const client = getEngine();
  const waiting = client.request('usage', {});
  workers[0].emit('error', {});
  await expect(waiting).rejects.toMatchObject({ code: 'WORKER_FAILED' });
  expect(workers[0].terminated).toBe(true);
  expect(getEngine()).not.toBe(client);
  expect(workers).toHaveLength(2);
});

test('an engine that cannot be loaded rejects what waits with that reason', async () => {
  const client = getEngine();
  const waiting = client.request('usage', {});
  const error = { code: 'LOAD_FAILED', message: 'attention.wasm: 404 Not Found', detail: {} };
  workers[0].emit('message', { data: { id: 1, error } });
  await expect(waiting).rejects.toMatchObject(error);
  expect(getEngine()).not.toBe(client);
});

test('a worker that may not be constructed is an error of the request, never a throw', async () => {
  page.Worker = class {
    constructor() {
      throw new Error('refused by the content security policy');
    }
  };
  const client = restartEngine();
  await expect(client.request('usage', {})).rejects.toMatchObject({
    name: 'EngineError',
    code: 'WORKER_FAILED',
    message: expect.stringContaining('content security policy'),
  });
  page.Worker = FakeWorker;
  getEngine();
  expect(workers).toHaveLength(2);
});

test('without WebAssembly every request says NO_WASM and no worker is started', async () => {
  delete page.WebAssembly;
  const client = restartEngine();
  await expect(client.request('usage', {})).rejects.toMatchObject({ code: 'NO_WASM' });
  expect(workers).toHaveLength(1);
});

test('restarting ends the worker at once and rejects what waits', async () => {
  const waiting = getEngine().request('step', { session: 1, n_steps: 1_000_000 });
  const fresh = restartEngine();
  await expect(waiting).rejects.toMatchObject({ code: 'WORKER_FAILED' });
  expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
  expect(getEngine()).toBe(fresh);
});
