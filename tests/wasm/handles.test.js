import { beforeEach, describe, expect, test } from '@jest/globals';
import { loadEngine } from './load.js';

/** @typedef {import('../../web/engine/engine.js').Engine} Engine */

const SMALL = { d_model: 8, d_ff: 8, batch_size: 4 };
const TOKENS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** @type {Engine} */
let engine;
/** @type {any} */
let attn;
/** @type {Record<string, number>} */
let status;

beforeEach(async () => {
  ({ engine, exports: attn } = await loadEngine());
  status = engine.constants().status;
});

/** Every request about a session, by name. @type {Record<string, (session: any) => unknown>} */
const SESSION_REQUESTS = {
  destroy: (session) => engine.destroy({ session }),
  step: (session) => engine.step({ session, n_steps: 1 }),
  stepAdvance: (session) => engine.stepAdvance({ session, n_sequences: 1 }),
  evaluate: (session) => engine.evaluate({ session, seed: 0, n_sequences: 1 }),
  evaluateBegin: (session) => engine.evaluateBegin({ session, seed: 0, n_sequences: 1 }),
  evaluateAdvance: (session) => engine.evaluateAdvance({ session, n_sequences: 1 }),
  batch: (session) => engine.batch({ session, seed: 0, n_sequences: 1 }),
  predict: (session) => engine.predict({ session, tokens: TOKENS }),
  sensitivity: (session) => engine.sensitivity({ session }),
  tensors: (session) => engine.tensors({ session }),
  tensor: (session) => engine.tensor({ session, name: 'emb.weight' }),
};

/** @type {Record<string, (job: any) => unknown>} */
const JOB_REQUESTS = {
  jobUnits: (job) => engine.jobUnits(job),
  jobAdvance: (job) => engine.jobAdvance({ job, n_units: 1 }),
  sharpnessResults: (job) => engine.sharpnessResults({ job }),
  sharpnessFree: (job) => engine.sharpnessFree({ job }),
};

const beginJob = () => engine.sharpnessBegin({ seed: 0, n_skip: 0, dims: [4] }).job;

/** The same functions straight through C. @param {number} handle */
function callEveryExport(handle) {
  const room = attn.attn_alloc(65536);
  const results = {
    destroy: attn.attn_session_destroy(handle),
    step: attn.attn_session_step(handle, 1, room),
    step_advance: attn.attn_session_step_advance(handle, 1, room),
    evaluate: attn.attn_session_evaluate(handle, 0, 1, room),
    evaluate_begin: attn.attn_session_evaluate_begin(handle, 0, 1),
    evaluate_advance: attn.attn_session_evaluate_advance(handle, 1, room),
    batch: attn.attn_session_batch(handle, 0, 1, room, room + 1024),
    targets: attn.attn_session_targets(handle, room, 10, room + 1024),
    predict: attn.attn_session_predict(handle, room, 10, room + 1024),
    sensitivity: attn.attn_session_sensitivity(handle, room),
  };
  expect(attn.attn_session_tensors_json(handle)).toBe(0);
  attn.attn_free(room);
  return results;
}

describe('a handle that names no live object', () => {
  test.each([
    ['zero', () => 0],
    ['negative', () => -1],
    ['invented', () => 123456],
    ['largest', () => 2 ** 31 - 1],
    ['no integer', () => 1.5],
    ['no number', () => 'session'],
    ['missing', () => undefined],
    ["a job's", beginJob],
    ['destroyed', destroyedSession],
    ['destroyed, its slot in use again', reusedSlot],
  ])('is refused by every request about a session: %s', (_, makeHandle) => {
    const handle = makeHandle();
    for (const [name, request] of Object.entries(SESSION_REQUESTS)) {
      expect([name, errorOf(() => request(handle))?.code]).toEqual([name, 'BAD_HANDLE']);
    }
  });

  test.each([
    ['zero', () => 0],
    ['invented', () => 654321],
    ["a session's", () => engine.create({ config: SMALL }).session],
    ['freed', freedJob],
  ])('is refused by every request about a job: %s', (_, makeHandle) => {
    const handle = makeHandle();
    for (const [name, request] of Object.entries(JOB_REQUESTS)) {
      expect([name, errorOf(() => request(handle))?.code]).toEqual([name, 'BAD_HANDLE']);
    }
  });

  test('is refused by C itself, whatever JavaScript knows', () => {
    const live = engine.create({ config: SMALL }).session;
    for (const handle of [0, -1, 123456, live + 1, live ^ 0x40000000, beginJob(), reusedSlot()]) {
      for (const [name, result] of Object.entries(callEveryExport(handle))) {
        expect([handle, name, result]).toEqual([handle, name, status.BAD_HANDLE]);
      }
    }
    expect(engine.step({ session: live, n_steps: 1 }).metrics).toHaveLength(1);
  });
});

function destroyedSession() {
  const { session } = engine.create({ config: SMALL });
  engine.destroy({ session });
  return session;
}

function reusedSlot() {
  const stale = destroyedSession();
  const { session } = engine.create({ config: SMALL });
  expect(session).not.toBe(stale);
  return stale;
}

function freedJob() {
  const job = beginJob();
  engine.sharpnessFree({ job });
  beginJob();
  return job;
}

/** @param {() => unknown} call @returns {any} what it threw */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}

test('the engine counts what is alive', () => {
  expect(engine.usage()).toMatchObject({ sessions: 0, jobs: 0 });
  const { session } = engine.create({ config: SMALL });
  const job = beginJob();
  expect(engine.usage()).toMatchObject({ sessions: 1, jobs: 1 });
  engine.destroy({ session });
  engine.sharpnessFree({ job });
  expect(engine.usage()).toMatchObject({ sessions: 0, jobs: 0 });
});

test('more sessions than there are handles are refused, and room is made by destroying one', () => {
  /** @type {number[]} */
  const sessions = [];
  let error = null;
  while (!error && sessions.length < 10_000) {
    error = errorOf(() => sessions.push(engine.create({ config: SMALL }).session));
  }
  expect(error).toMatchObject({ name: 'EngineError', code: 'TOO_MANY' });
  expect(engine.usage().sessions).toBe(sessions.length);
  engine.destroy({ session: sessions[0] });
  expect(engine.create({ config: SMALL }).session).toBeGreaterThan(0);
});

test('500 times creating, training 5 steps and destroying leaves the memory as it is', () => {
  const cycle = () => {
    const { session } = engine.create({ config: {} });
    engine.step({ session, n_steps: 5 });
    engine.destroy({ session });
  };
  cycle();
  const { memory_bytes } = engine.usage();
  for (let i = 0; i < 499; i++) cycle();
  expect(engine.usage()).toEqual({ sessions: 0, jobs: 0, memory_bytes });
});

test('sessions of many sizes in turn do not wear the memory out', () => {
  const cycle = () => {
    const configs = [8, 32, 64, 16].map((d_model) => ({ d_model, d_ff: 2 * d_model }));
    const sessions = configs.map((config) => engine.create({ config }).session);
    for (const session of sessions) engine.step({ session, n_steps: 1 });
    for (const session of sessions) engine.destroy({ session });
  };
  cycle();
  const { memory_bytes } = engine.usage();
  for (let i = 0; i < 50; i++) cycle();
  expect(engine.usage().memory_bytes).toBe(memory_bytes);
});
