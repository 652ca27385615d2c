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

/**
 * Asks the engine at the other end of a port: one promise a request, matched by id.
 *
 * Once the other end has failed the client stays failed: everything outstanding and everything
 * asked later rejects with that failure.
 */
export class EngineClient {
  /** @type {Port} */
  #port;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #last_id = 0;
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
    this.#port.terminate?.();
    this.#port.close?.();
    for (const { reject } of this.#waiting.values()) {
      reject(failure);
    }
    this.#waiting.clear();
  }

  /** @param {Response} response */
  #receive(response) {
    const waiting = this.#waiting.get(response.id);
    if (!waiting) {
      return;
    }
    this.#waiting.delete(response.id);
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
