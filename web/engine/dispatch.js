/**
 * Answers requests with the engine, a piece at a time, so that no request keeps another waiting.
 *
 * Every piece takes at most about PIECE_MS. After each one the turn passes to the next session or
 * job that has something to do, and the event loop runs; requests of one session are answered in
 * the order they came. A session that is given up goes at once: what it still had to do is answered
 * with an error. C has no clock: how much fits into a piece is measured here.
 */

import { EngineError } from './engine-error.js';

/**
 * @typedef {import('./engine.js').Engine} Engine
 * @typedef {import('./protocol.js').Request} Request
 * @typedef {import('./protocol.js').RequestType} RequestType
 * @typedef {import('./protocol.js').Requests} Requests
 * @typedef {import('./protocol.js').Response} Response
 * @typedef {import('./protocol.js').ErrorData} ErrorData
 */

/** @typedef {Generator<void, unknown, void>} Work yields after each piece, returns the result */

/**
 * @typedef {object} Task
 * @property {() => Work} begin
 * @property {Work | null} work
 * @property {(result: unknown) => void} resolve
 * @property {(error: unknown) => void} reject
 */

const PIECE_MS = 25;

/** How long a layer runs between two looks at the clock, which may be as coarse as a millisecond. */
const TIMED_MS = 8;

/**
 * Requests that take one short call.
 *
 * @type {Partial<{[T in RequestType]: (engine: Engine, args: Requests[T]['args']) => Requests[T]['result']}>}
 */
const SHORT = {
  constants: (engine) => engine.constants(),
  usage: (engine) => engine.usage(),
  create: (engine, args) => engine.create(args),
  destroy: (engine, args) => engine.destroy(args),
  batch: (engine, args) => engine.batch(args),
  predict: (engine, args) => engine.predict(args),
  tensors: (engine, args) => engine.tensors(args),
  tensor: (engine, args) => engine.tensor(args),
  attention_check: (engine, args) => engine.attentionCheck(args),
  positional: (engine, args) => engine.positional(args),
  attention: (engine, args) => engine.attention(args),
  rotation_matrix: (engine, args) => engine.rotationMatrix(args),
  rotation_map: (engine, args) => engine.rotationMap(args),
  mute_head: (engine, args) => engine.muteHead(args),
  cost_begin: (engine, args) => engine.costBegin(args),
  cost_free: (engine, args) => engine.costFree(args),
  sharpness_begin: (engine, args) => engine.sharpnessBegin(args),
  sharpness_free: (engine, args) => engine.sharpnessFree(args),
};

/** Requests after which their session or job is no more. @type {Set<RequestType>} */
const ENDINGS = new Set(['destroy', 'cost_free', 'sharpness_free']);

export class Dispatcher {
  /** @type {(args: Requests['start']['args']) => Promise<{engine: Engine, simd: boolean}>} */
  #load;
  /** @type {() => number} */
  #now;
  /** @type {() => Promise<void>} */
  #pause;
  /** @type {Promise<{engine: Engine, simd: boolean}> | null} */
  #started = null;
  /** The tasks of each session or job; the first entry has the next turn. @type {Map<string, Task[]>} */
  #queues = new Map();
  #running = false;
  #piece_end = 0;

  /**
   * @param {(args: Requests['start']['args']) => Promise<{engine: Engine, simd: boolean}>} load
   * @param {{now?: () => number, pause?: () => Promise<void>}} [environment] the clock, in
   *   milliseconds, and a wait that lets other messages in
   */
  constructor(load, { now = () => performance.now(), pause = nextMessage } = {}) {
    this.#load = load;
    this.#now = now;
    this.#pause = pause;
  }

  /**
   * Never rejects: an error is an answer too.
   *
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  async answer({ id, type, args }) {
    if (type === 'ping') {
      return { id, result: {} };
    }
    try {
      const result =
        type === 'start'
          ? await this.#start(/** @type {Requests['start']['args']} */ (args))
          : await this.#enqueue(type, args);
      return { id, result };
    } catch (error) {
      return { id, error: dataOf(error) };
    }
  }

  /** @param {Requests['start']['args']} args */
  async #start(args) {
    this.#started ??= this.#load(args);
    const { simd } = await this.#started;
    return { simd };
  }

  /** @param {RequestType} type @param {any} args */
  async #enqueue(type, args) {
    if (!this.#started) {
      throw new EngineError('WORKER_FAILED', `'${type}' came before 'start'`);
    }
    const { engine } = await this.#started;
    const owner = 'session' in args ? `session ${args.session}` : `job ${args.job ?? 'none'}`;
    return new Promise((resolve, reject) => {
      const begin = () => this.#work(engine, type, args);
      const queue = this.#queues.get(owner) ?? [];
      if (ENDINGS.has(type)) abandon(queue, owner);
      queue.push({ begin, work: null, resolve, reject });
      this.#queues.set(owner, queue);
      if (!this.#running) {
        this.#run();
      }
    });
  }

  /** Gives every owner its turn until no task is left. */
  async #run() {
    this.#running = true;
    for (let next = first(this.#queues); next; next = first(this.#queues)) {
      const [owner, queue] = next;
      if (this.#finishPiece(queue[0])) {
        queue.shift();
      }
      if (queue.length === 0) {
        this.#queues.delete(owner);
      }
      if (this.#queues.size > 0) {
        await this.#pause();
      }
      if (queue.length > 0) {
        // To the back only now, behind whoever came during the pause.
        this.#queues.delete(owner);
        this.#queues.set(owner, queue);
      }
    }
    this.#running = false;
  }

  /** One piece of a task; true when it was the last. @param {Task} task */
  #finishPiece(task) {
    this.#piece_end = this.#now() + PIECE_MS;
    try {
      task.work ??= task.begin();
      const { done, value } = task.work.next();
      if (done) {
        task.resolve(value);
      }
      return done;
    } catch (error) {
      task.reject(error);
      return true;
    }
  }

  /**
   * @param {Engine} engine
   * @param {RequestType} type
   * @param {any} args
   * @returns {Work}
   */
  *#work(engine, type, args) {
    switch (type) {
      case 'step':
        return yield* this.#step(engine, args);
      case 'evaluate':
        return yield* this.#evaluate(engine, args);
      case 'sensitivity':
        return yield* this.#sensitivity(engine, args);
      case 'sharpness_advance':
        return this.#advanceSharpness(engine, args);
      case 'cost_advance':
        return this.#advanceCost(engine, args);
      default: {
        const answer = Object.hasOwn(SHORT, type) && SHORT[type];
        if (!answer) {
          throw new EngineError('BAD_ARGUMENT', `there is no request '${type}'`, { type });
        }
        return /** @type {any} */ (answer)(engine, args);
      }
    }
  }

  /**
   * @param {Engine} engine
   * @param {Requests['step']['args']} args
   * @returns {Generator<void, Requests['step']['result'], void>}
   */
  *#step(engine, { session, n_steps, watch }) {
    const batch_size = engine.batchSize(session);
    const look = () =>
      watch ? engine.predict({ session, tokens: watch.tokens, names: watch.names }).tensors : [];
    // A watch that cannot be answered is refused before anything is trained.
    look();
    const pace = new Pace();
    const metrics = [];
    const watched = [];
    for (let i = 0; i < n_steps; i++) {
      if (i > 0 && !pace.fits(this.#timeLeft())) {
        yield;
      }
      metrics.push(
        yield* this.#inPieces(pace, batch_size, (n_sequences) =>
          engine.stepAdvance({ session, n_sequences }),
        ),
      );
      if (watch) {
        watched.push(look());
      }
    }
    return { metrics, watched };
  }

  /**
   * @param {Engine} engine
   * @param {Requests['evaluate']['args']} args
   * @returns {Generator<void, Requests['evaluate']['result'], void>}
   */
  *#evaluate(engine, args) {
    engine.evaluateBegin(args);
    const metrics = yield* this.#inPieces(new Pace(), args.n_sequences, (n_sequences) =>
      engine.evaluateAdvance({ session: args.session, n_sequences }),
    );
    return { metrics };
  }

  /**
   * A row at a time: each takes a backward pass for every symbol.
   *
   * @param {Engine} engine
   * @param {Requests['sensitivity']['args']} args
   * @returns {Generator<void, Requests['sensitivity']['result'], void>}
   */
  *#sensitivity(engine, { session }) {
    const seq_len = engine.sequenceLength(session);
    const data = new Float32Array(seq_len * seq_len);
    for (let i = 0; i < seq_len; i++) {
      if (i > 0 && this.#timeLeft() <= 0) {
        yield;
      }
      data.set(engine.sensitivityRow({ session, i }), i * seq_len);
    }
    return { shape: [seq_len, seq_len], data };
  }

  /**
   * One piece of the statistics; who wants the rest asks again.
   *
   * @param {Engine} engine
   * @param {Requests['sharpness_advance']['args']} args
   * @returns {Requests['sharpness_advance']['result']}
   */
  #advanceSharpness(engine, { job }) {
    const pace = new Pace();
    let n_left = engine.jobUnits(job);
    while (n_left > 0 && pace.fits(this.#timeLeft())) {
      const before = this.#now();
      const n_before = n_left;
      n_left = engine.jobAdvance({ job, n_units: pace.amount(this.#timeLeft()) });
      pace.learn(n_before - n_left, this.#now() - before);
    }
    return { n_left, results: engine.sharpnessResults({ job }) };
  }

  /**
   * Runs the layer again and again for one piece: browser clocks are too coarse for a single run.
   * Whatever else the machine does can only make a run slower, so the fastest runs tell most.
   *
   * @param {Engine} engine
   * @param {Requests['cost_advance']['args']} args
   * @returns {Requests['cost_advance']['result']}
   */
  #advanceCost(engine, { job }) {
    const pace = new Pace();
    const start = this.#now();
    let n_runs = 0;
    let fastest_ms = Number.POSITIVE_INFINITY;
    do {
      const before = this.#now();
      const amount = pace.amount(Math.min(this.#timeLeft(), TIMED_MS));
      engine.costRun({ job, n_runs: amount });
      n_runs += amount;
      const ms = this.#now() - before;
      pace.learn(amount, ms);
      if (ms >= TIMED_MS / 2) fastest_ms = Math.min(fastest_ms, ms / amount);
    } while (pace.fits(this.#timeLeft()));
    const ms = this.#now() - start;
    return { n_runs, ms, fastest_ms: Math.min(fastest_ms, ms / n_runs) };
  }

  /**
   * Advances until nothing of `n_left` is left and returns the metrics, yielding whenever the next
   * call would not fit into the piece.
   *
   * @template M
   * @param {Pace} pace
   * @param {number} n_left
   * @param {(amount: number) => {n_left: number, metrics: M | null}} advance
   * @returns {Generator<void, M, void>}
   */
  *#inPieces(pace, n_left, advance) {
    for (;;) {
      const before = this.#now();
      const result = advance(pace.amount(this.#timeLeft()));
      pace.learn(n_left - result.n_left, this.#now() - before);
      if (result.metrics) {
        return result.metrics;
      }
      n_left = result.n_left;
      if (!pace.fits(this.#timeLeft())) {
        yield;
      }
    }
  }

  #timeLeft() {
    return this.#piece_end - this.#now();
  }
}

/**
 * How much work one call may take on. It starts with the least there is, which also shows the
 * grain C works in, and grows at most fourfold from call to call, because a coarse clock may see
 * no time pass at all.
 */
class Pace {
  #grain = 0;
  #last = 0;
  #ms_per_unit = 0;

  /** Whether another call ends in time. @param {number} ms_left */
  fits(ms_left) {
    return ms_left > this.#grain * this.#ms_per_unit;
  }

  /** The amount for the next call, at least 1. @param {number} ms_left */
  amount(ms_left) {
    if (this.#grain === 0) {
      return 1;
    }
    // Both may be 0 by a coarse clock, whose time can run out after `fits` has looked at it.
    if (ms_left <= 0) return this.#grain;
    const affordable = Math.min(ms_left / this.#ms_per_unit, 4 * this.#last);
    return this.#grain * Math.max(1, Math.floor(affordable / this.#grain));
  }

  /** @param {number} done @param {number} ms */
  learn(done, ms) {
    // A session that still skips batches has trained nothing.
    if (done === 0) return;
    this.#grain ||= done;
    this.#last = done;
    this.#ms_per_unit = ms / done;
  }
}

/**
 * Answers with an error what is under way or waits for a session or job that ends now.
 *
 * @param {Task[]} queue emptied
 * @param {string} owner
 */
function abandon(queue, owner) {
  for (const { work, reject } of queue.splice(0)) {
    work?.return(undefined);
    reject(new EngineError('BAD_HANDLE', `${owner} was ended`));
  }
}

/** @template K, V @param {Map<K, V>} map @returns {[K, V] | undefined} */
function first(map) {
  return map.entries().next().value;
}

/**
 * Lets the event loop run. A message to oneself, unlike a timer, is not slowed down in a hidden
 * tab: training goes on at full speed there.
 *
 * @returns {Promise<void>}
 */
function nextMessage() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** @param {unknown} error @returns {ErrorData} */
function dataOf(error) {
  return error instanceof EngineError
    ? error.toData()
    : new EngineError('WORKER_FAILED', String(error)).toData();
}
