import { describe, expect, test } from '@jest/globals';
import { Dispatcher } from '../../web/engine/dispatch.js';
import { EngineError } from '../../web/engine/engine-error.js';

/** @typedef {import('../../web/engine/protocol.js').Response} Response */

const CHUNK = 4;
const BATCH_SIZE = 16;
const LIMIT_MS = 25;
const URLS = { simd: 'attention.wasm', scalar: 'attention-scalar.wasm' };

/** Time that passes only when something computes. */
class Clock {
  ms = 0;
  /** How coarse the hands are. */
  tick = 0;

  /** What passes between two looks at it, ms. */
  between = 0;

  now = () => {
    this.ms += this.between;
    return this.tick ? Math.floor(this.ms / this.tick) * this.tick : this.ms;
  };
}

/**
 * Stands for the engine: it notes what it is asked and lets the time pass that it would take.
 * Work on a session costs `cost[session]` milliseconds a sequence, in chunks of CHUNK.
 */
class FakeEngine {
  /** @type {[string, number | string][]} */
  log = [];
  /** @type {Record<number, number>} */
  cost = {};
  /** @type {Map<string, number>} */
  #left = new Map();
  units_left = 1000;
  run_ms = 0.25;
  interrupted_call = 0;
  /** @type {number[]} */
  cost_runs = [];
  /** Calls of a step that only skip batches, of 3 ms each. */
  skips_left = 0;

  /** @param {Clock} clock */
  constructor(clock) {
    this.clock = clock;
  }

  batchSize() {
    return BATCH_SIZE;
  }

  /** @param {{session: number, n_sequences: number}} args */
  stepAdvance({ session, n_sequences }) {
    if (this.skips_left > 0) {
      this.skips_left--;
      this.clock.ms += 3;
      return { n_left: BATCH_SIZE, metrics: null };
    }
    return this.#advance('step', session, n_sequences, BATCH_SIZE);
  }

  /** @param {{session: number, n_sequences: number}} args */
  evaluateBegin({ session, n_sequences }) {
    this.#left.set(`evaluate ${session}`, n_sequences);
  }

  /** @param {{session: number, n_sequences: number}} args */
  evaluateAdvance({ session, n_sequences }) {
    return this.#advance('evaluate', session, n_sequences, 0);
  }

  /** @param {{session: number, tokens: number[], names: string[]}} args */
  predict({ session, tokens, names }) {
    if (tokens.length !== 2) throw new EngineError('BAD_LENGTH', 'two, please', { session });
    this.log.push(['predict', session]);
    return { tensors: names.map((name) => `${name} ${tokens}`) };
  }

  usage() {
    this.log.push(['usage', '']);
    return { sessions: 2, jobs: 0, memory_bytes: 65536 };
  }

  /** @param {{session: number}} args */
  destroy({ session }) {
    this.log.push(['destroy', session]);
    return {};
  }

  positional() {
    throw new TypeError('a bug');
  }

  jobUnits() {
    return this.units_left;
  }

  /** @param {{n_units: number}} args */
  jobAdvance({ n_units }) {
    this.units_left = Math.max(0, this.units_left - n_units);
    this.clock.ms += n_units * 0.5;
    return this.units_left;
  }

  /** A run takes `run_ms`, and the call that is interrupted twice as long. @param {{n_runs: number}} args */
  costRun({ n_runs }) {
    this.cost_runs.push(n_runs);
    const factor = this.cost_runs.length === this.interrupted_call ? 2 : 1;
    this.clock.ms += n_runs * this.run_ms * factor;
  }

  sharpnessResults() {
    return this.units_left === 0 ? ['done'] : [];
  }

  /** @param {string} what @param {number} session @param {number} asked @param {number} whole */
  #advance(what, session, asked, whole) {
    const key = `${what} ${session}`;
    const left = this.#left.get(key) || whole;
    const done = Math.min(left, Math.ceil(asked / CHUNK) * CHUNK);
    this.#left.set(key, left - done);
    this.clock.ms += done * (this.cost[session] ?? 0.1);
    this.log.push([what, session]);
    const n_left = left - done;
    return { n_left, metrics: n_left === 0 ? `${what} of ${session}` : null };
  }
}

/**
 * A dispatcher over a fake engine, and how long each piece between two pauses took.
 *
 * @param {() => void} [on_pause]
 */
async function setUp(on_pause = () => {}) {
  const clock = new Clock();
  const engine = new FakeEngine(clock);
  /** @type {{ms: number, owners: Set<number | string>}[]} */
  const pieces = [];
  let [start, n_logged] = [0, 0];
  const pause = async () => {
    const owners = new Set(engine.log.slice(n_logged).map(([, owner]) => owner));
    pieces.push({ ms: clock.ms - start, owners });
    [start, n_logged] = [clock.ms, engine.log.length];
    on_pause();
    await new Promise(setImmediate);
  };
  const load = async () => ({ engine: /** @type {any} */ (engine), simd: true });
  const dispatcher = new Dispatcher(load, { now: clock.now, pause });
  let id = 0;
  /** @param {string} type @param {object} args @returns {Promise<any>} */
  const ask = (type, args = {}) => dispatcher.answer(/** @type {any} */ ({ id: ++id, type, args }));
  expect(await ask('start', { urls: URLS })).toEqual({ id: 1, result: { simd: true } });
  return { clock, engine, pieces, ask };
}

describe('pieces', () => {
  test.each([0.01, 0.1, 0.5, 1, 3])(
    'of training take at most 25 ms at %f ms a sequence',
    async (cost) => {
      const { engine, pieces, ask } = await setUp();
      engine.cost = { 1: cost };
      const { result } = await ask('step', { session: 1, n_steps: 200 });
      expect(result.metrics).toEqual(Array(200).fill('step of 1'));
      expect(result.watched).toEqual([]);
      expect(Math.max(...pieces.map(({ ms }) => ms))).toBeLessThanOrEqual(LIMIT_MS);
      // They are no smaller than need be either: all but the last do more than half of what fits.
      expect(pieces.length).toBeLessThanOrEqual(Math.ceil((200 * BATCH_SIZE * cost) / 12));
    },
  );

  test('of a session that first skips batches are filled with that, and no longer', async () => {
    const { engine, pieces, ask } = await setUp();
    engine.skips_left = 100;
    engine.cost = { 1: 0.1 };
    const { result } = await ask('step', { session: 1, n_steps: 2 });
    expect(result.metrics).toEqual(['step of 1', 'step of 1']);
    expect(pieces.length).toBeLessThanOrEqual(100 / 8 + 1);
    expect(Math.max(...pieces.map(({ ms }) => ms))).toBeLessThanOrEqual(LIMIT_MS + 3);
  });

  test('of an evaluation take at most 25 ms', async () => {
    const { engine, pieces, ask } = await setUp();
    engine.cost = { 1: 0.3 };
    const { result } = await ask('evaluate', { session: 1, seed: 99, n_sequences: 2000 });
    expect(result).toEqual({ metrics: 'evaluate of 1' });
    expect(pieces.length).toBeGreaterThan(20);
    expect(Math.max(...pieces.map(({ ms }) => ms))).toBeLessThanOrEqual(LIMIT_MS);
  });

  test('are a single chunk where that alone takes longer', async () => {
    const { engine, pieces, ask } = await setUp();
    engine.cost = { 1: 10 };
    await ask('step', { session: 1, n_steps: 2 });
    expect(new Set(pieces.map(({ ms }) => ms))).toEqual(new Set([CHUNK * 10]));
  });

  test('stay short with a clock that moves in steps of 1 ms', async () => {
    const { clock, engine, pieces, ask } = await setUp();
    clock.tick = 1;
    engine.cost = { 1: 0.02 };
    await ask('step', { session: 1, n_steps: 500 });
    expect(Math.max(...pieces.map(({ ms }) => ms))).toBeLessThanOrEqual(LIMIT_MS + 1);
  });

  test('of the statistics are one a request', async () => {
    const { clock, engine, ask } = await setUp();
    const lengths = [];
    for (let n_left = 1000; n_left > 0; ) {
      const before = clock.ms;
      const { result } = await ask('sharpness_advance', { job: 5 });
      expect(result.n_left).toBeLessThan(n_left);
      expect(result.results).toEqual(result.n_left === 0 ? ['done'] : []);
      n_left = result.n_left;
      lengths.push(clock.ms - before);
    }
    expect(engine.units_left).toBe(0);
    expect(lengths.length).toBeLessThan(30);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(LIMIT_MS);
    expect((await ask('sharpness_advance', { job: 5 })).result.n_left).toBe(0);
  });
});

describe('turns', () => {
  test('go round between sessions, so that a heavy one does not starve a light one', async () => {
    const { engine, pieces, ask } = await setUp();
    engine.cost = { 1: 2, 2: 0.2 };
    let heavy_done = false;
    const heavy = ask('step', { session: 1, n_steps: 50 }).then(() => {
      heavy_done = true;
    });
    await ask('step', { session: 2, n_steps: 50 });
    expect(heavy_done).toBe(false);
    const shared = pieces.map(({ owners }) => [...owners]);
    expect(shared.every((owners) => owners.length === 1)).toBe(true);
    // While both have work neither goes twice.
    const turns = shared.flat();
    for (let i = 1; i < turns.length; i++) expect(turns[i]).not.toBe(turns[i - 1]);
    await heavy;
  });

  test('two sessions of the same weight finish together', async () => {
    const { clock, engine, ask } = await setUp();
    engine.cost = { 1: 0.3, 2: 0.3 };
    const finished = await Promise.all(
      [1, 2].map(async (session) => {
        await ask('step', { session, n_steps: 100 });
        return clock.ms;
      }),
    );
    expect(Math.abs(finished[0] - finished[1])).toBeLessThanOrEqual(2 * LIMIT_MS);
  });

  test('requests of one session are answered in their order', async () => {
    const { engine, ask } = await setUp();
    engine.cost = { 1: 1 };
    /** @type {string[]} */
    const answered = [];
    const note = (/** @type {string} */ what) => () => answered.push(what);
    await Promise.all([
      ask('step', { session: 1, n_steps: 10 }).then(note('step')),
      ask('evaluate', { session: 1, seed: 99, n_sequences: 50 }).then(note('evaluate')),
      ask('predict', { session: 1, tokens: [1, 2], names: [] }).then(note('predict')),
    ]);
    expect(answered).toEqual(['step', 'evaluate', 'predict']);
    const order = engine.log.map(([what]) => what);
    expect([...new Set(order)]).toEqual(answered);
    expect(order.lastIndexOf('step')).toBeLessThan(order.indexOf('evaluate'));
  });

  test('a session that is given up takes no more of them, whatever it had to do', async () => {
    let n_pauses = 0;
    const { engine, ask } = await setUp(() => n_pauses++);
    engine.cost = { 1: 1, 2: 1 };
    const given_up = [
      ask('step', { session: 1, n_steps: 500 }),
      ask('evaluate', { session: 1, seed: 99, n_sequences: 50 }),
    ];
    const other = ask('step', { session: 2, n_steps: 20 });
    while (n_pauses < 6) await new Promise(setImmediate);
    const asked_at = n_pauses;
    expect(await ask('destroy', { session: 1 })).toHaveProperty('result');
    // Its own turn, and the one the other may have before it.
    expect(n_pauses - asked_at).toBeLessThanOrEqual(2);
    const n_steps = engine.log.filter(([what, owner]) => what === 'step' && owner === 1).length;
    for (const { error } of await Promise.all(given_up)) {
      expect(error).toMatchObject({ code: 'BAD_HANDLE' });
    }
    expect(await other).toHaveProperty('result');
    expect(engine.log.filter(([what]) => what === 'evaluate')).toEqual([]);
    const n_now = engine.log.filter(([what, owner]) => what === 'step' && owner === 1).length;
    expect(n_now).toBe(n_steps);
  });

  test('a question to the engine waits one piece, however much a session has to do', async () => {
    let n_pauses = 0;
    const { engine, ask } = await setUp(() => n_pauses++);
    engine.cost = { 1: 1 };
    const training = ask('step', { session: 1, n_steps: 500 });
    while (n_pauses < 5) await new Promise(setImmediate);
    const asked_at = n_pauses;
    expect(await ask('usage')).toMatchObject({ result: { sessions: 2 } });
    expect(n_pauses - asked_at).toBeLessThanOrEqual(2);
    await training;
  });

  test('messages get in between two pieces with the pause of the worker itself', async () => {
    const clock = new Clock();
    const engine = new FakeEngine(clock);
    engine.cost = { 1: 1 };
    const load = async () => ({ engine: /** @type {any} */ (engine), simd: true });
    const dispatcher = new Dispatcher(load, { now: clock.now });
    await dispatcher.answer({ id: 1, type: 'start', args: { urls: URLS } });
    let trained = false;
    const training = dispatcher
      .answer({ id: 2, type: 'step', args: { session: 1, n_steps: 2000 } })
      .then(() => {
        trained = true;
      });
    const { port1, port2 } = new MessageChannel();
    const message = new Promise((resolve) => {
      port1.onmessage = () => resolve(trained);
    });
    port2.postMessage('from the page');
    expect(await message).toBe(false);
    port1.close();
    await training;
  });
});

describe('a step that watches', () => {
  test('reads the tokens after every update and copies the tensors', async () => {
    const { engine, ask } = await setUp();
    const watch = { tokens: [3, 4], names: ['att.weights', 'emb.weight'] };
    const { result } = await ask('step', { session: 1, n_steps: 3, watch });
    expect(result.metrics).toHaveLength(3);
    expect(result.watched).toEqual(Array(3).fill(['att.weights 3,4', 'emb.weight 3,4']));
    const order = engine.log.map(([what]) => what).join(' ');
    expect(order).toMatch(/^predict( (step )+predict){3}$/);
  });

  test('is refused before anything is trained where the watch cannot be read', async () => {
    const { engine, ask } = await setUp();
    const watch = { tokens: [3, 4, 5], names: [] };
    const { error } = await ask('step', { session: 1, n_steps: 3, watch });
    expect(error).toEqual({ code: 'BAD_LENGTH', message: 'two, please', detail: { session: 1 } });
    expect(engine.log).toEqual([]);
  });
});

describe('errors are answers', () => {
  test('of the engine, with code and detail; the next request is answered as ever', async () => {
    const { ask } = await setUp();
    const refused = ask('predict', { session: 1, tokens: [1], names: [] });
    const answered = ask('predict', { session: 1, tokens: [1, 2], names: [] });
    expect(await refused).toMatchObject({ error: { code: 'BAD_LENGTH' } });
    expect(await answered).toMatchObject({ result: { tensors: [] } });
  });

  test('for a request there is not', async () => {
    const { ask } = await setUp();
    const { error } = await ask('stepp', { session: 1 });
    expect(error).toMatchObject({ code: 'BAD_ARGUMENT', detail: { type: 'stepp' } });
    expect((await ask('toString')).error).toMatchObject({ code: 'BAD_ARGUMENT' });
  });

  test('for a fault of our own', async () => {
    const { ask } = await setUp();
    const { error } = await ask('positional', { seq_len: 4, d_model: 4 });
    expect(error).toEqual({ code: 'WORKER_FAILED', message: 'TypeError: a bug', detail: {} });
  });

  test('for what comes before start', async () => {
    const dispatcher = new Dispatcher(() => Promise.reject(new Error('not asked for')));
    const answer = await dispatcher.answer({ id: 7, type: 'usage', args: {} });
    expect(answer).toMatchObject({ id: 7, error: { code: 'WORKER_FAILED' } });
  });

  test('for everything where the engine could not be loaded', async () => {
    const failure = new EngineError('LOAD_FAILED', 'no bytes', { build: 'simd' });
    const dispatcher = new Dispatcher(() => Promise.reject(failure));
    const answers = await Promise.all([
      dispatcher.answer({ id: 1, type: 'start', args: { urls: URLS } }),
      dispatcher.answer({ id: 2, type: 'usage', args: {} }),
    ]);
    expect(answers).toEqual([1, 2].map((id) => ({ id, error: failure.toData() })));
  });
});

test('what comes while the engine still loads is answered once it has, a ping at once', async () => {
  const clock = new Clock();
  const engine = new FakeEngine(clock);
  /** @type {(loaded: any) => void} */
  let finish = () => {};
  const loading = new Promise((resolve) => {
    finish = resolve;
  });
  const dispatcher = new Dispatcher(() => /** @type {Promise<any>} */ (loading), {
    now: clock.now,
  });
  const answers = Promise.all([
    dispatcher.answer({ id: 1, type: 'start', args: { urls: URLS } }),
    dispatcher.answer({ id: 2, type: 'usage', args: {} }),
  ]);
  await new Promise(setImmediate);
  expect(engine.log).toEqual([]);
  const ping = await dispatcher.answer({ id: 0, type: 'ping', args: {} });
  expect(ping).toEqual({ id: 0, result: {} });
  finish({ engine, simd: false });
  expect(await answers).toMatchObject([{ result: { simd: false } }, { result: { sessions: 2 } }]);
});

describe('timing a layer', () => {
  test('takes one piece of time, in batches that a coarse clock can tell apart', async () => {
    const { engine, clock, ask } = await setUp();
    clock.tick = 1;
    const before = clock.ms;
    const { result } = await ask('cost_advance', { job: 1 });
    expect(result.n_runs).toBe(engine.cost_runs.reduce((sum, n) => sum + n, 0));
    expect(clock.ms - before).toBeLessThanOrEqual(LIMIT_MS + clock.tick);
    expect(Math.abs(result.ms - (clock.ms - before))).toBeLessThanOrEqual(clock.tick);
    expect(Math.abs(result.fastest_ms / engine.run_ms - 1)).toBeLessThanOrEqual(0.25);
  });

  test('an interruption does not make the layer slower', async () => {
    const { engine, ask } = await setUp();
    engine.interrupted_call = 5;
    const { result } = await ask('cost_advance', { job: 1 });
    expect(engine.cost_runs.length).toBeGreaterThanOrEqual(5);
    expect(result.ms / result.n_runs).toBeGreaterThan(1.1 * engine.run_ms);
    expect(result.fastest_ms).toBeCloseTo(engine.run_ms, 12);
  });

  test('a layer slower than a piece runs once', async () => {
    const { engine, ask } = await setUp();
    engine.run_ms = 60;
    const { result } = await ask('cost_advance', { job: 1 });
    expect(result).toEqual({ n_runs: 1, ms: 60, fastest_ms: 60 });
  });

  test.each([0, 0.25, 0.5, 0.75])(
    'a layer faster than the clock runs a whole number of times to the end of the piece (%d)',
    async (phase) => {
      const { engine, clock, ask } = await setUp();
      engine.run_ms = 0;
      clock.tick = 1;
      clock.ms = phase;
      // Between some two looks at the clock the time is up.
      clock.between = 0.25;
      expect(await ask('cost_advance', { job: 1 })).toHaveProperty('result');
      expect(engine.cost_runs.filter((n) => !(Number.isInteger(n) && n > 0))).toEqual([]);
    },
  );
});
