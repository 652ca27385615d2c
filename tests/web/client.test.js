import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EngineClient } from '../../web/engine/client.js';
import { EngineError } from '../../web/engine/engine-error.js';

/** @type {MessagePort} */
let far;
/** @type {EngineClient} */
let client;
/** What has arrived at the far end. @type {any[]} */
let requests;

beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  client = new EngineClient(port1);
  requests = [];
  far = port2;
  far.addEventListener('message', ({ data }) => requests.push(data));
  far.start();
});

afterEach(() => far.close());

/** @param {number} n */
async function arrived(n) {
  while (requests.length < n) await new Promise(setImmediate);
  return requests;
}

/** A port whose events the test makes, as a Worker's would come. */
class FakeWorker extends EventTarget {
  /** @type {any[]} */
  sent = [];
  terminated = false;

  /** @param {unknown} message */
  postMessage(message) {
    this.sent.push(message);
  }

  terminate() {
    this.terminated = true;
  }

  /** @param {string} type @param {object} [fields] */
  emit(type, fields = {}) {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}

test('a request carries an id, its type and its arguments', async () => {
  const unanswered = [client.request('destroy', { session: 3 }), client.request('usage', {})];
  // They reject when the test closes the far end.
  for (const request of unanswered) request.catch(() => {});
  expect(await arrived(2)).toEqual([
    { id: 1, type: 'destroy', args: { session: 3 } },
    { id: 2, type: 'usage', args: {} },
  ]);
});

test('answers find their request by id, in whatever order they come', async () => {
  const answers = Promise.all([client.request('usage', {}), client.request('constants', {})]);
  await arrived(2);
  far.postMessage({ id: 2, result: 'constants' });
  far.postMessage({ id: 99, result: 'nobody asked' });
  far.postMessage({ id: 1, result: 'usage' });
  far.postMessage({ id: 1, result: 'again' });
  expect(await answers).toEqual(['usage', 'constants']);
});

test('an error comes back as an EngineError; other requests go on', async () => {
  const refused = client.request('destroy', { session: 3 });
  await arrived(1);
  const error = { code: 'BAD_HANDLE', message: 'gone', detail: { session: 3 } };
  far.postMessage({ id: 1, error });
  const caught = await refused.catch((reason) => reason);
  expect(caught).toBeInstanceOf(EngineError);
  expect(caught).toMatchObject({ name: 'EngineError', ...error });
  expect(caught.toData()).toEqual(error);
  expect(client.failure).toBe(null);

  const usage = client.request('usage', {});
  await arrived(2);
  far.postMessage({ id: 2, result: 'usage' });
  expect(await usage).toBe('usage');
});

test('what cannot be sent rejects alone', async () => {
  const unsendable = client.request('create', { config: /** @type {any} */ ({ f: () => 0 }) });
  await expect(unsendable).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(client.failure).toBe(null);
  const usage = client.request('usage', {});
  await arrived(1);
  far.postMessage({ id: requests[0].id, result: 'usage' });
  expect(await usage).toBe('usage');
});

describe('a failure rejects everything outstanding and everything later', () => {
  /** @param {EngineClient} failing @param {() => unknown} fail @param {object} error */
  async function expectFailure(failing, fail, error) {
    const outstanding = ['step', 'evaluate'].map((type) =>
      failing.request(/** @type {any} */ (type), /** @type {any} */ ({ session: 1 })),
    );
    const settled = Promise.allSettled(outstanding);
    await fail();
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: error });
    }
    expect(failing.failure).toMatchObject(error);
    await expect(failing.request('usage', {})).rejects.toBe(failing.failure);
  }

  test.each([
    ['error', { message: 'SyntaxError: no' }, 'SyntaxError: no'],
    ['error', {}, 'the worker did not start'],
    ['messageerror', {}, 'an answer of the engine could not be read'],
  ])("the worker's event '%s' %j", async (type, fields, message) => {
    const worker = new FakeWorker();
    const failing = new EngineClient(worker);
    const error = { name: 'EngineError', code: 'WORKER_FAILED', message };
    await expectFailure(failing, () => worker.emit(type, fields), error);
    expect(worker.terminated).toBe(true);
    expect(worker.sent).toHaveLength(2);
  });

  test('the other end closes', async () => {
    const error = { code: 'WORKER_FAILED', message: 'the worker is gone' };
    await expectFailure(client, () => far.close(), error);
  });

  test('the engine panics', async () => {
    const panic = { code: 'PANIC', message: 'n > 0', detail: { call: 'attn_session_step' } };
    const fail = async () => {
      await arrived(2);
      far.postMessage({ id: 1, error: panic });
    };
    await expectFailure(client, fail, panic);
  });

  test('the page gives it up, and the first reason stays', async () => {
    const fail = () => {
      client.fail(new EngineError('LOAD_FAILED', 'first'));
      client.fail(new EngineError('WORKER_FAILED', 'second'));
    };
    await expectFailure(client, fail, { code: 'LOAD_FAILED', message: 'first' });
  });
});

describe('while something is outstanding the client pings', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const ping = { id: 0, type: 'ping', args: {} };

  test('and takes a worker that never answers for dead', async () => {
    const worker = new FakeWorker();
    const waiting = new EngineClient(worker).request('step', { session: 1, n_steps: 1 });
    const caught = waiting.catch((error) => error);
    jest.advanceTimersByTime(29_000);
    expect(worker.sent.slice(1)).toEqual([ping, ping]);
    expect(worker.terminated).toBe(false);
    jest.advanceTimersByTime(2_000);
    expect(worker.terminated).toBe(true);
    expect(await caught).toMatchObject({
      code: 'WORKER_FAILED',
      message: 'the worker does not answer any more',
    });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('and waits as long as it takes for one that answers pings', async () => {
    const worker = new FakeWorker();
    const answer = (/** @type {any} */ data) => worker.emit('message', { data });
    const client = new EngineClient(worker);
    const waiting = client.request('step', { session: 1, n_steps: 1 });
    for (let i = 0; i < 100; i++) {
      jest.advanceTimersByTime(19_000);
      answer({ id: 0, result: {} });
    }
    expect(client.failure).toBe(null);
    answer({ id: 1, result: 'trained' });
    expect(await waiting).toBe('trained');
    expect(jest.getTimerCount()).toBe(0);
  });

  test('and is quiet otherwise', async () => {
    const worker = new FakeWorker();
    const client = new EngineClient(worker);
    jest.advanceTimersByTime(100_000);
    const usage = client.request('usage', {});
    worker.emit('message', { data: { id: 1, result: 'usage' } });
    await usage;
    jest.advanceTimersByTime(100_000);
    expect(worker.sent.map(({ type }) => type)).toEqual(['usage']);
    expect(client.failure).toBe(null);
  });
});
