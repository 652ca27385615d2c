/** @import { getEngine } from '../engine/index.js' */
/** @import { Requests, RequestType } from '../engine/protocol.js' */

/** @typedef {Pick<ReturnType<typeof getEngine>, 'request'>} Engine */

/** Thrown inside work whose scope has ended; nobody is told. */
export class ScopeEnded extends Error {}

/**
 * What must be freed, by the request that makes it: where its handle stands in the answer, and how
 * it is freed.
 *
 * @type {Partial<Record<RequestType, {handle: 'session' | 'job', free: RequestType}>>}
 */
const FREED_BY = {
  create: { handle: 'session', free: 'destroy' },
  sharpness_begin: { handle: 'job', free: 'sharpness_free' },
  cost_begin: { handle: 'job', free: 'cost_free' },
};

/**
 * The engine as one piece of work sees it. Ending the scope frees every session and job begun in
 * it, and an answer that comes later throws ScopeEnded where it is awaited: so nothing after an
 * `await` runs for a figure that was removed, or for settings that have changed meanwhile.
 */
export class EngineScope {
  /** @type {Engine} */
  #engine;
  /** What is alive, by the handle's name and number, and the request that frees it. @type {Map<string, RequestType>} */
  #living = new Map();
  #ended = false;

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  get ended() {
    return this.#ended;
  }

  /**
   * @template {RequestType} T
   * @param {T} type
   * @param {Requests[T]['args']} args
   * @returns {Promise<Requests[T]['result']>}
   */
  async request(type, args) {
    this.check();
    const result = await this.#engine.request(type, args);
    const made = FREED_BY[type];
    if (made) {
      const handle = /** @type {Record<string, number>} */ (/** @type {unknown} */ (result));
      this.#living.set(`${made.handle} ${handle[made.handle]}`, made.free);
    }
    for (const [name, number] of Object.entries(args)) {
      if (this.#living.get(`${name} ${number}`) === type) this.#living.delete(`${name} ${number}`);
    }
    if (this.#ended) this.#free();
    this.check();
    return result;
  }

  /** Throws ScopeEnded where the scope has ended; for an `await` of anything else. */
  check() {
    if (this.#ended) throw new ScopeEnded();
  }

  end() {
    this.#ended = true;
    this.#free();
  }

  #free() {
    for (const [handle, type] of this.#living) {
      const [name, number] = handle.split(' ');
      const args = /** @type {any} */ ({ [name]: Number(number) });
      // A worker that has failed has freed it already.
      this.#engine.request(type, args).catch(() => {});
    }
    this.#living.clear();
  }
}
