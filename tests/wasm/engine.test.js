import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Engine } from '../../web/engine/engine.js';
import { loadWasm } from '../../web/engine/wasm.js';
import { copyTensors, loadEngine, readBuild } from './load.js';

/** @type {Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
});

/** @param {() => unknown} call @returns {any} what it threw */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}

/** @param {any} config */
const refusal = (config) => errorOf(() => engine.create({ config }));

describe('the loader', () => {
  test('takes the SIMD build, which validates here, and asks for no other', async () => {
    const asked = jest.fn(readBuild);
    expect((await loadWasm(asked)).simd).toBe(true);
    expect(asked.mock.calls).toEqual([['simd']]);
  });

  test('takes the scalar build where told to', async () => {
    const asked = jest.fn(readBuild);
    expect((await loadWasm(asked, { scalar: true })).simd).toBe(false);
    expect(asked.mock.calls).toEqual([['scalar']]);
  });

  test('takes the scalar build where no SIMD validates, without loading the other', async () => {
    const validate = jest.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    const asked = jest.fn(readBuild);
    expect((await loadWasm(asked)).simd).toBe(false);
    expect(asked.mock.calls).toEqual([['scalar']]);
    validate.mockRestore();
  });

  test('takes the scalar build where the bytes of the SIMD build do not validate', async () => {
    const module = await loadWasm((build) =>
      build === 'simd' ? new Uint8Array([0, 97, 115, 109]) : readBuild(build),
    );
    expect(module.simd).toBe(false);
  });

  test('says NO_WASM where there is no WebAssembly', async () => {
    const wasm = globalThis.WebAssembly;
    // @ts-expect-error: some browsers take it away
    delete globalThis.WebAssembly;
    try {
      await expect(loadWasm(readBuild)).rejects.toMatchObject({ code: 'NO_WASM' });
    } finally {
      globalThis.WebAssembly = wasm;
    }
  });

  test.each([
    ['cannot be fetched', () => Promise.reject(new Error('404 Not Found')), '404 Not Found'],
    ['are no module', async () => new Uint8Array(8), 'magic'],
  ])('says LOAD_FAILED, and why, where the bytes %s', async (_, load_bytes, reason) => {
    const failure = loadWasm(load_bytes);
    await expect(failure).rejects.toMatchObject({
      name: 'EngineError',
      code: 'LOAD_FAILED',
      message: expect.stringContaining(reason),
    });
  });
});

describe('the configuration', () => {
  test("defaults to the lesson's, every field named", () => {
    const { config, session, simd } = engine.create({ config: {} });
    const { fields } = engine.constants().config;
    expect(Object.keys(config)).toEqual(fields.map(({ name }) => name));
    expect(config).toMatchObject({
      model: 'transformer',
      task: 'reverse',
      seq_len: 10,
      vocab_size: 10,
      d_model: 32,
      n_heads: 1,
      d_ff: 64,
      n_layers: 1,
      d_hidden: 48,
      norm_first: false,
      activation: 'relu',
      causal: false,
      positions: true,
      scale: 'sqrt_d_k',
      batch_size: 64,
      learning_rate: 3e-3,
      init_seed: 0,
      data_seed: 0,
      test_seed: 99,
      skip_batches: 0,
    });
    expect(simd).toBe(true);
    engine.destroy({ session });
  });

  test('reaches C: every field changes what the session does', () => {
    const changes = {
      task: 'copy',
      seq_len: 9,
      vocab_size: 9,
      d_model: 16,
      n_heads: 2,
      d_ff: 32,
      n_layers: 2,
      norm_first: true,
      activation: 'gelu',
      causal: true,
      positions: false,
      scale: 'none',
      batch_size: 32,
      learning_rate: 1e-3,
      init_seed: 2 ** 32 - 1,
      data_seed: 2 ** 31,
      skip_batches: 3,
    };
    const losses = [{}, ...Object.entries(changes).map(([name, value]) => ({ [name]: value }))].map(
      (config) => {
        const { session } = engine.create({ config });
        const { metrics } = engine.step({ session, n_steps: 3 });
        engine.destroy({ session });
        return metrics[2].loss;
      },
    );
    expect(new Set(losses).size).toBe(losses.length);
  });

  test.each([
    ['a field there is not', { d_modell: 32 }, { field: 'd_modell', rule: 'unknown' }],
    [
      'a fraction for an integer',
      { seq_len: 10.5 },
      { field: 'seq_len', value: '10.5', min: 2, max: 64 },
    ],
    ['a text for an integer', { seq_len: '10' }, { field: 'seq_len', min: 2, max: 64 }],
    ['an integer beyond 32 bits', { seq_len: 2 ** 32 + 10 }, { field: 'seq_len', min: 2, max: 64 }],
    ['a negative seed', { init_seed: -1 }, { field: 'init_seed', min: 0, max: 2 ** 32 - 1 }],
    ['a text for a number', { learning_rate: '0.1' }, { field: 'learning_rate' }],
    ['a number for a switch', { causal: 1 }, { field: 'causal' }],
    ['null', { n_heads: null }, { field: 'n_heads' }],
    [
      'an unknown name',
      { task: 'revers' },
      { field: 'task', rule: 'reverse copy sort shift next_token' },
    ],
    ['a number for a name', { task: 0 }, { field: 'task' }],
    ['too small', { seq_len: 1 }, { field: 'seq_len', min: 2, max: 64 }],
    ['too large', { d_model: 258 }, { field: 'd_model', min: 4, max: 256 }],
    ['an odd width', { d_model: 33 }, { field: 'd_model' }],
    ['heads that do not divide the width', { n_heads: 5 }, { field: 'n_heads' }],
    ['no learning rate', { learning_rate: 0 }, { field: 'learning_rate' }],
    ['a learning rate that is no number', { learning_rate: NaN }, { field: 'learning_rate' }],
    ['an infinite learning rate', { learning_rate: Infinity }, { field: 'learning_rate' }],
  ])('is refused with its field named: %s', (_, config, detail) => {
    const error = refusal(config);
    expect(error).toMatchObject({ name: 'EngineError', code: 'CONFIG_RANGE', detail });
    expect(error.message).not.toBe('');
    expect(engine.usage().sessions).toBe(0);
  });

  test('names what this build does not compute', () => {
    const { fields } = engine.constants().config;
    let n_refused = 0;
    for (const { name, values = [], available = [] } of fields) {
      for (const [i, value] of values.entries()) {
        const error = refusal({ [name]: value });
        if (available[i]) {
          expect([name, value, error]).toEqual([name, value, null]);
        } else {
          n_refused++;
          expect(error).toMatchObject({ code: 'CONFIG_UNSUPPORTED', detail: { field: name } });
        }
      }
    }
    expect(n_refused).toBe(
      fields.flatMap(({ available = [] }) => available).filter((yes) => !yes).length,
    );
  });

  test('a session above the memory limit is refused with its size', async () => {
    const { engine: own } = await loadEngine();
    const { memory_bytes } = own.usage();
    const largest = { seq_len: 64, vocab_size: 64, d_model: 256, d_ff: 1024, n_layers: 6 };
    const error = errorOf(() => own.create({ config: { ...largest, batch_size: 512 } }));
    const limit = own.constants().session_max_bytes;
    expect(error).toMatchObject({ code: 'MEMORY_LIMIT', detail: { limit } });
    expect(error.detail.bytes).toBeGreaterThan(limit);
    expect(own.usage()).toEqual({ sessions: 0, jobs: 0, memory_bytes });
  });

  test('a session that there is no memory to describe is not left behind', async () => {
    const { exports, simd } = await loadWasm(readBuild);
    let described = false;
    const own = new Engine({
      simd,
      exports: {
        ...exports,
        attn_session_tensors_json: (/** @type {number} */ session) =>
          described ? exports.attn_session_tensors_json(session) : 0,
      },
    });
    expect(errorOf(() => own.create({ config: {} }))).toMatchObject({ name: 'EngineError' });
    expect(own.usage().sessions).toBe(0);
    described = true;
    expect(own.create({ config: {} }).session).toBeGreaterThan(0);
  });

  test('sessions beyond the whole memory are refused, and the engine goes on', async () => {
    const { engine: own } = await loadEngine();
    const large = { d_model: 256, d_ff: 1024, n_layers: 3, seq_len: 16, batch_size: 1 };
    /** @type {number[]} */
    const sessions = [];
    let error = null;
    while (!error && sessions.length < 64) {
      error = errorOf(() => sessions.push(own.create({ config: large }).session));
    }
    expect(error).toMatchObject({ name: 'EngineError', code: 'OUT_OF_MEMORY' });
    expect(sessions.length).toBeGreaterThan(1);
    for (const session of sessions) own.destroy({ session });
    const { session } = own.create({ config: {} });
    expect(own.step({ session, n_steps: 1 }).metrics).toHaveLength(1);
  });
});

describe('arguments', () => {
  /** @type {number} */
  let session;
  beforeEach(() => {
    ({ session } = engine.create({ config: {} }));
  });
  afterEach(() => {
    engine.destroy({ session });
  });

  test.each([
    ['too few tokens', [1, 2, 3], 'BAD_LENGTH'],
    ['too many tokens', Array(11).fill(0), 'BAD_LENGTH'],
    ['no tokens', [], 'BAD_LENGTH'],
    ['a token beyond the vocabulary', [0, 1, 2, 3, 4, 5, 6, 7, 8, 10], 'BAD_TOKEN'],
    ['a negative token', [-1, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'BAD_TOKEN'],
    ['half a token', [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'BAD_TOKEN'],
    ['a token beyond 32 bits', [2 ** 32, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'BAD_TOKEN'],
  ])('predict refuses %s', (_, tokens, code) => {
    expect(errorOf(() => engine.predict({ session, tokens }))).toMatchObject({ code });
  });

  test.each([0, -1, 1.5, NaN, 2 ** 31])('%p steps, sequences or units are refused', (n) => {
    const calls = [
      () => engine.step({ session, n_steps: n }),
      () => engine.evaluate({ session, seed: 0, n_sequences: n }),
      () => engine.batch({ session, seed: 0, n_sequences: n }),
    ];
    for (const call of calls) {
      expect(errorOf(call)).toMatchObject({ code: 'BAD_ARGUMENT', detail: { value: String(n) } });
    }
  });

  test('more results than an address can reach are refused, and the engine goes on', () => {
    const { size } = engine.constants().metrics;
    const n_steps = Math.ceil(2 ** 32 / size);
    const n_sequences = Math.ceil(2 ** 32 / 80);
    const calls = [
      () => engine.step({ session, n_steps }),
      () => engine.batch({ session, seed: 0, n_sequences }),
    ];
    for (const call of calls) {
      expect(errorOf(call)).toMatchObject({ code: 'OUT_OF_MEMORY' });
    }
    expect(engine.step({ session, n_steps: 1 }).metrics).toHaveLength(1);
  });

  test('more sequences than their digits can be counted are refused', () => {
    const seed = 0;
    const most = Math.floor((2 ** 31 - 1) / 10);
    for (const evaluate of [
      () => engine.evaluate({ session, seed, n_sequences: most + 1 }),
      () => engine.evaluateBegin({ session, seed, n_sequences: most + 1 }),
    ]) {
      expect(errorOf(evaluate)).toMatchObject({ code: 'BAD_ARGUMENT' });
    }
    engine.evaluateBegin({ session, seed, n_sequences: most });
    expect(engine.evaluateAdvance({ session, n_sequences: 1 }).n_left).toBeGreaterThan(0);
  });

  test('an evaluation that was not begun cannot be advanced', () => {
    const error = errorOf(() => engine.evaluateAdvance({ session, n_sequences: 1 }));
    expect(error).toMatchObject({ code: 'BAD_ARGUMENT' });
  });

  test('a tensor the session does not hold is refused by name', () => {
    const error = errorOf(() => engine.tensor({ session, name: 'att.weigths' }));
    expect(error).toMatchObject({ code: 'BAD_ARGUMENT', detail: { name: 'att.weigths' } });
  });

  test.each([
    [{ seed: 0, n: 0, d: 16 }],
    [{ seed: 0, n: 65, d: 16 }],
    [{ seed: 0, n: 5, d: 1025 }],
    [{ seed: 0, n: 5.5, d: 16 }],
    [{ seed: -1, n: 5, d: 16 }],
  ])('attention_check refuses %j', (args) => {
    expect(errorOf(() => engine.attentionCheck(args))).toMatchObject({ code: 'BAD_ARGUMENT' });
  });

  test.each([
    [{ seed: 0, n_skip: 0, dims: [] }],
    [{ seed: 0, n_skip: 8, dims: [4] }],
    [{ seed: 0, n_skip: 0, dims: [0] }],
    [{ seed: 0.5, n_skip: 0, dims: [4] }],
  ])('the sharpness statistics refuse %j', (args) => {
    expect(errorOf(() => engine.sharpnessBegin(args))).toMatchObject({ code: 'BAD_ARGUMENT' });
  });

  test('an odd width has no sinusoidal positions', () => {
    const error = errorOf(() => engine.positional({ seq_len: 4, d_model: 5 }));
    expect(error).toMatchObject({ code: 'BAD_ARGUMENT' });
  });
});

test('a step in pieces has the bits of a step in one', () => {
  const [whole, cut] = [0, 1].map(() => engine.create({ config: {} }).session);
  for (let i = 0; i < 3; i++) {
    const { metrics } = engine.step({ session: whole, n_steps: 1 });
    let piece;
    do piece = engine.stepAdvance({ session: cut, n_sequences: 5 });
    while (piece.n_left > 0);
    expect(piece.metrics).toEqual(metrics[0]);
  }
  expect(copyTensors(engine, cut, 'parameter')).toEqual(copyTensors(engine, whole, 'parameter'));
  for (const session of [whole, cut]) engine.destroy({ session });
});

test('an evaluation in pieces measures what one in one does, and training goes on untouched', () => {
  const [whole, cut] = [0, 1].map(() => engine.create({ config: {} }).session);
  const { metrics } = engine.evaluate({ session: whole, seed: 99, n_sequences: 100 });
  engine.evaluateBegin({ session: cut, seed: 99, n_sequences: 100 });
  let piece;
  do piece = engine.evaluateAdvance({ session: cut, n_sequences: 7 });
  while (piece.n_left > 0);
  expect(piece.metrics).toEqual(metrics);
  expect(metrics).toMatchObject({ n_sequences: 100, n_digits: 1000, grad_norm: 0, step: 0 });
  expect(metrics.position_digits.reduce((sum, n) => sum + n, 0)).toBe(metrics.digits);

  const steps = [whole, cut].map((session) => engine.step({ session, n_steps: 2 }));
  const { session: fresh } = engine.create({ config: {} });
  expect(steps[0]).toEqual(engine.step({ session: fresh, n_steps: 2 }));
  expect(steps[1]).toEqual(steps[0]);
  for (const session of [whole, cut, fresh]) engine.destroy({ session });
});

test('a causal output hangs on itself and earlier inputs only, any other on all', () => {
  for (const causal of [true, false]) {
    const { session } = engine.create({ config: { causal, n_layers: 2 } });
    engine.predict({ session, tokens: [1, 9, 1, 0, 1, 8, 2, 8, 5, 0] });
    const { shape, data } = engine.sensitivity({ session });
    engine.destroy({ session });
    expect(shape).toEqual([10, 10]);
    for (let i = 0; i < 10; i++) {
      for (let j = 0; j < 10; j++) {
        expect([i, j, data[10 * i + j] > 0]).toEqual([i, j, j <= i || !causal]);
      }
    }
  }
});

test('the sensitivity of a session in the middle of a step is refused', () => {
  const { session } = engine.create({ config: {} });
  engine.predict({ session, tokens: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
  expect(engine.stepAdvance({ session, n_sequences: 1 }).n_left).toBeGreaterThan(0);
  expect(errorOf(() => engine.sensitivity({ session }))).toMatchObject({ code: 'BUSY' });
  engine.destroy({ session });
});

test('results are copies that outlive the session and the growth of the memory', async () => {
  const { engine: own } = await loadEngine();
  const { session } = own.create({ config: {} });
  const before = own.tensor({ session, name: 'emb.weight' });
  const values = [...before.data];
  const { memory_bytes } = own.usage();
  const large = own.create({ config: { d_model: 256, d_ff: 1024, n_layers: 3, batch_size: 1 } });
  expect(own.usage().memory_bytes).toBeGreaterThan(memory_bytes);
  expect(own.tensor({ session, name: 'emb.weight' })).toEqual(before);
  own.step({ session, n_steps: 1 });
  own.destroy({ session });
  own.destroy({ session: large.session });
  expect([...before.data]).toEqual(values);
});

test('the scalar build computes the same bits', async () => {
  const { engine: scalar, simd } = await loadEngine({ scalar: true });
  expect(simd).toBe(false);
  const [ours, theirs] = [engine, scalar].map((one) => {
    const { session } = one.create({ config: { n_layers: 2, n_heads: 4, activation: 'gelu' } });
    const { metrics } = one.step({ session, n_steps: 5 });
    const read = one.predict({ session, tokens: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
    one.destroy({ session });
    return { metrics, read };
  });
  expect(theirs).toEqual(ours);
});

describe('after a trap', () => {
  test('the engine says PANIC with the condition, and refuses every later call', async () => {
    const { exports, simd } = await loadWasm(readBuild);
    const text = new TextEncoder().encode('n_heads > 0\0');
    const message = exports.attn_alloc(text.length);
    new Uint8Array(exports.memory.buffer).set(text, message);
    const broken = new Engine({
      simd,
      exports: {
        ...exports,
        // An address outside the memory: the trap is a real one.
        attn_positional: () => exports.attn_positional(2 ** 31 - 64, 10, 32, 10000),
        attn_panic_message: () => message,
      },
    });
    const { session } = broken.create({ config: {} });
    const panic = { name: 'EngineError', code: 'PANIC', message: 'n_heads > 0' };
    expect(errorOf(() => broken.positional({ seq_len: 10, d_model: 32 }))).toMatchObject(panic);
    expect(errorOf(() => broken.step({ session, n_steps: 1 }))).toMatchObject(panic);
    expect(errorOf(() => broken.create({ config: {} }))).toMatchObject(panic);
    expect(errorOf(() => broken.usage())).toMatchObject(panic);
  });

  test('without a condition the message is the trap itself', async () => {
    const { exports, simd } = await loadWasm(readBuild);
    const broken = new Engine({
      simd,
      exports: {
        ...exports,
        attn_positional: () => exports.attn_positional(2 ** 31 - 64, 10, 32, 10000),
      },
    });
    expect(errorOf(() => broken.positional({ seq_len: 10, d_model: 32 }))).toMatchObject({
      code: 'PANIC',
      message: expect.stringContaining('out of bounds'),
      detail: { call: 'attn_positional' },
    });
  });
});
