import { beforeEach, describe, expect, test } from '@jest/globals';
import { EngineScope, ScopeEnded } from '../../web/widgets/engine-scope.js';

/** Answers when told to. */
class FakeEngine {
  /** @type {{type: string, args: any, resolve: (result: any) => void}[]} */
  asked = [];

  /** @param {string} type @param {any} args */
  request = (type, args) =>
    /** @type {Promise<any>} */ (
      new Promise((resolve) => {
        this.asked.push({ type, args, resolve });
      })
    );

  /** What was asked, in words. */
  get log() {
    return this.asked.map(({ type, args }) => `${type} ${JSON.stringify(args)}`);
  }
}

/** @type {FakeEngine} */
let engine;
/** @type {EngineScope} */
let scope;

beforeEach(() => {
  engine = new FakeEngine();
  scope = new EngineScope(engine);
});

test('an answer in time is passed on', async () => {
  const answer = scope.request('usage', {});
  engine.asked[0].resolve({ sessions: 2 });
  expect(await answer).toEqual({ sessions: 2 });
});

test('an answer that comes after the end throws where it is awaited', async () => {
  const answer = scope.request('usage', {});
  scope.end();
  engine.asked[0].resolve({ sessions: 2 });
  await expect(answer).rejects.toBeInstanceOf(ScopeEnded);
});

test('nothing is asked after the end', async () => {
  scope.end();
  await expect(scope.request('usage', {})).rejects.toBeInstanceOf(ScopeEnded);
  expect(engine.log).toEqual([]);
  expect(() => scope.check()).toThrow(ScopeEnded);
});

describe('what is begun in a scope', () => {
  /** @param {'create' | 'sharpness_begin' | 'cost_begin'} type @param {object} result */
  const begin = async (type, result) => {
    const answer = scope.request(type, /** @type {any} */ ({}));
    engine.asked[engine.asked.length - 1].resolve(result);
    await answer;
  };

  test('is freed at its end, once', async () => {
    await begin('create', { session: 7 });
    await begin('sharpness_begin', { job: 7 });
    await begin('cost_begin', { job: 8 });
    scope.end();
    scope.end();
    expect(engine.log.slice(3)).toEqual([
      'destroy {"session":7}',
      'sharpness_free {"job":7}',
      'cost_free {"job":8}',
    ]);
  });

  test('is not freed again where the figure has freed it', async () => {
    await begin('create', { session: 7 });
    const answer = scope.request('destroy', { session: 7 });
    engine.asked[1].resolve({});
    await answer;
    scope.end();
    expect(engine.log).toHaveLength(2);
  });

  test('is freed at once where it comes after the end', async () => {
    const answer = scope.request('create', { config: {} });
    scope.end();
    engine.asked[0].resolve({ session: 3 });
    await expect(answer).rejects.toBeInstanceOf(ScopeEnded);
    expect(engine.log[1]).toBe('destroy {"session":3}');
  });
});
