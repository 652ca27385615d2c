import { EngineError } from './engine-error.js';

/**
 * @typedef {import('./protocol.js').Requests} Requests
 * @typedef {import('./protocol.js').RequestType} RequestType
 * @typedef {import('./protocol.js').Response} Response
 */

/** @typedef {{resolve: (result: any) => void, reject: (error: EngineError) => void}} Waiting */

/**
 * What a Worker and a MessagePort have in common.
 *
 * @typedef {object} Port
 * @property {(message: unknown) => void} postMessage
 * @property {(type: string, listener: (event: any) => void) => void} addEventListener
 * @property {() => void} [start] a MessagePort's
 * @property {() => void} [close] a MessagePort's
 * @property {() => void} [terminate] a Worker's
 */

const PING_MS = 10_000;

/** Pings without an answer; more than one, because a machine that slept wakes to old timers. */
const SILENT_PINGS = 2;

/**
 * Asks the engine at the other end of a port: one promise a request, matched by id.
 *
 * Once the other end has failed the client stays failed: everything outstanding and everything
 * asked later rejects with that failure. A worker the browser has ended says nothing at all, so
 * while something is outstanding the client pings, and takes long silence for death.
 */
export class EngineClient {
  /** @type {Port} */
  #port;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last_id = 0;
  /** @type {ReturnType<typeof setInterval> | null} */
  #pinging = null;
  #unanswered_pings = 0;
  /** @type {EngineError | null} */
  #failure = null;

  /** @param {Port} port */
  constructor(port) {
    this.#port = port;
    port.addEventListener('message', (event) => this.#receive(event.data));
    port.addEventListener('messageerror', () =>
      this.fail(new EngineError('WORKER_FAILED', 'an answer of the engine could not be read')),
    );
    port.addEventListener('error', (event) =>
      this.fail(new EngineError('WORKER_FAILED', event.message || 'the worker did not start')),
    );
    port.addEventListener('close', () =>
      this.fail(new EngineError('WORKER_FAILED', 'the worker is gone')),
    );
    port.start?.();
  }

  /** Why nothing can be asked any more, or null. */
  get failure() {
    return this.#failure;
  }

  /**
   * @template {RequestType} T
   * @param {T} type
   * @param {Requests[T]['args']} args
   * @returns {Promise<Requests[T]['result']>}
   */
  request(type, args) {
    return new Promise((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      const id = ++this.#last_id;
      // What cannot be sent throws here and rejects this promise alone.
      this.#port.postMessage({ id, type, args });
      this.#waiting.set(id, { resolve, reject });
      this.#pinging ??= setInterval(() => this.#ping(), PING_MS);
    });
  }

  /**
   * Gives up the other end: rejects everything outstanding.
   *
   * @param {EngineError} failure
   */
  fail(failure) {
    if (this.#failure) {
      return;
    }
    this.#failure = failure;
    this.#stopPinging();
    this.#port.terminate?.();
    this.#port.close?.();
    for (const { reject } of this.#waiting.values()) {
      reject(failure);
    }
    this.#waiting.clear();
  }

  /** Its answer, under an id no request has, only shows that somebody is there. */
  #ping() {
    if (this.#unanswered_pings === SILENT_PINGS) {
      this.fail(new EngineError('WORKER_FAILED', 'the worker does not answer any more'));
      return;
    }
    this.#unanswered_pings++;
    this.#port.postMessage({ id: 0, type: 'ping', args: {} });
  }

  #stopPinging() {
    clearInterval(this.#pinging ?? undefined);
    this.#pinging = null;
    this.#unanswered_pings = 0;
  }

  /** @param {Response} response */
  #receive(response) {
    this.#unanswered_pings = 0;
    const waiting = this.#waiting.get(response.id);
    if (!waiting) {
      return;
    }
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) {
      this.#stopPinging();
    }
    if ('result' in response) {
      waiting.resolve(response.result);
      return;
    }
    const error = EngineError.fromData(response.error);
    waiting.reject(error);
    if (error.code === 'PANIC') {
      this.fail(error);
    }
  }
}
