/** Both networks train side by side in the page; what is shown is what the engine computes. */
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { percentOfMean } from '../../web/engine/lesson-output.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const N_STEPS = 60;

/** @type {TestBrowser} */
let browser;

beforeAll(async () => {
  browser = await TestBrowser.launch();
});

afterAll(() => browser.close());

/** @param {OpenFigure} open @param {string} name */
const value = ({ figure }, name) => figure.locator(`[data-value=${name}]`).textContent();

/** @param {OpenFigure} open @param {string | RegExp} text */
const primary = ({ figure }, text) => figure.locator('button.primary', { hasText: text });

/** @param {OpenFigure} open */
const usage = ({ figure }) =>
  figure.evaluate((element) => /** @type {any} */ (element).engine.request('usage', {}));

/**
 * What the engine measures of a network trained anew, apart from the figure's.
 *
 * @param {OpenFigure} open
 * @param {Record<string, string | number>} config
 * @param {number} steps
 */
function trainAnew({ figure }, config, steps) {
  return figure.evaluate(
    async (element, [given, n_steps]) => {
      const { engine } = /** @type {any} */ (element);
      const { session, n_parameters } = await engine.request('create', { config: given });
      const { metrics } = await engine.request('step', { session, n_steps });
      const test = await engine.request('evaluate', { session, seed: 99, n_sequences: 2000 });
      const { tokens } = await engine.request('batch', { session, seed: 99, n_sequences: 1 });
      const answer = await engine.request('predict', {
        session,
        tokens: tokens[0],
        names: given.model ? [] : ['att.weights'],
      });
      await engine.request('destroy', { session });
      return {
        n_parameters,
        loss: metrics.at(-1).loss,
        test: test.metrics,
        tokens: tokens[0],
        weights: [...(answer.tensors[0]?.data ?? [])],
      };
    },
    /** @type {const} */ ([config, steps]),
  );
}

describe('a short race', () => {
  /** @type {OpenFigure} */
  let open;
  /** @type {Record<string, any>} */
  let done;
  /** @type {Record<'transformer' | 'bilstm', Awaited<ReturnType<typeof trainAnew>>>} */
  let anew;

  beforeAll(async () => {
    open = await openFigure(browser, {
      tag: 'attn-race',
      alone: true,
      attributes: { 'n-steps': String(N_STEPS) },
    });
    await open.until('attn-ready');
    await primary(open, /^訓練$/).click();
    done = await open.until('attn-done');
    anew = {
      transformer: await trainAnew(open, {}, N_STEPS),
      bilstm: await trainAnew(open, { model: 'bilstm', skip_batches: 1500 }, N_STEPS),
    };
  }, 180_000);

  afterAll(() => open.page.context().close());

  test.each(/** @type {const} */ (['transformer', 'bilstm']))(
    'trains the %s as the engine does alone, and says so in its table',
    async (name) => {
      const { test: reference, loss, n_parameters } = anew[name];
      expect(done[name]).toMatchObject({
        step: N_STEPS,
        n_parameters,
        loss,
        digits: reference.digits / reference.n_digits,
        sequences: reference.sequences / reference.n_sequences,
      });
      expect(done[name].ms).toBeGreaterThan(0);
      expect(await value(open, `${name}-parameters`)).toBe(String(n_parameters));
      expect(await value(open, `${name}-step`)).toBe(String(N_STEPS));
      expect(await value(open, `${name}-loss`)).toBe(loss.toFixed(4));
      const shown = Number.parseFloat((await value(open, `${name}-digits`)) ?? '');
      expect(Math.abs(shown - (100 * reference.digits) / reference.n_digits)).toBeLessThan(0.051);
    },
  );

  test('counts fewer than a third of the parameters', async () => {
    expect(9194 * 3).toBeLessThan(32_778);
    expect(await open.figure.locator('.ratio').textContent()).toBe(
      '參數 9194 ÷ 32778 = 28.0%，不到三分之一',
    );
  });

  test('sets its lines beside the lesson’s and says that the steps differ', async () => {
    const lines = await open.figure.locator('.lines code').allTextContents();
    expect(lines[0]).toBe('Transformer：參數  9194，每個數字的正確率 100.0%，整串全對 100.0%');
    expect(lines[2]).toBe('雙向 LSTM    ：參數 32778，每個數字的正確率 95.0%，整串全對 61.1%');
    const digits = await value(open, 'bilstm-digits');
    expect(lines[3]).toMatch(/^雙向 LSTM {4}：參數 32778，/);
    expect(lines[3]).toContain(`每個數字的正確率 ${digits}，`);
    expect(await open.figure.locator('.verdict.bilstm').textContent()).toBe(
      `測試在第 ${N_STEPS} 步（課文 1500 步）。`,
    );
  });

  test('the table holds the accuracy at each position', async () => {
    await open.figure.locator('[data-action=table]').click();
    const rows = await open.figure.locator('.data tbody tr').allTextContents();
    expect(rows).toHaveLength(10);
    for (const [i, row] of rows.entries()) {
      const shares = [anew.transformer, anew.bilstm].map(({ test: { position_digits } }) =>
        percentOfMean(position_digits[i], 2000),
      );
      expect(row).toBe(`${i}${shares.join('')}`);
    }
    await open.figure.locator('[data-action=table]').click();
  });

  test('looks back to an earlier step, and to the untrained networks', async () => {
    const scrub = open.figure.locator('.scrub');
    await scrub.fill('50');
    await open.figure.locator('.progress output', { hasText: '回看第 50 ／ 60 步' }).waitFor();
    expect(await value(open, 'transformer-step')).toBe('50');
    expect(await value(open, 'bilstm-step')).toBe('50');
    await scrub.fill('0');
    await open.figure.locator('.progress output', { hasText: '回看第 0 ／ 60 步' }).waitFor();
    expect(await value(open, 'transformer-loss')).toBe('–');
    expect(Number.parseFloat((await value(open, 'bilstm-digits')) ?? '')).toBeLessThan(15);
    await scrub.fill(String(N_STEPS));
    await open.figure.locator('.progress output', { hasText: /^第 60 ／ 60 步/ }).waitFor();
  });

  test('a place on one clock is none on the other', async () => {
    const { figure, after } = open;
    const scrub = figure.locator('.scrub');
    const place = figure.locator('.progress output');
    await scrub.fill('0');
    await place.filter({ hasText: '回看第 0 ／ 60 步' }).waitFor();
    await after('attn-change', () => figure.locator('[name=clock]').selectOption('time'));
    expect(await place.textContent()).toMatch(/^計時 \d+\.\d 秒$/);
    expect(await value(open, 'bilstm-step')).toBe(String(N_STEPS));
    const end = await scrub.evaluate((input) =>
      Number(/** @type {HTMLInputElement} */ (input).max),
    );
    await scrub.fill(String(end / 3));
    await place.filter({ hasText: '回看計時' }).waitFor();
    await after('attn-change', () => figure.locator('[name=clock]').selectOption('steps'));
    expect(await place.textContent()).toBe('第 60 ／ 60 步');
    expect(await value(open, 'transformer-step')).toBe(String(N_STEPS));
    expect(await figure.locator('.numbers').textContent()).not.toContain('NaN');
  });

  test('hands out the Transformer’s map as the lesson’s file, and every step as CSV', async () => {
    await open.figure.locator('[data-action=download]').click();
    const download = async (/** @type {RegExp} */ label) => {
      const [file] = await Promise.all([
        open.page.waitForEvent('download'),
        open.figure.locator('.downloads button', { hasText: label }).click(),
      ]);
      return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
    };
    const json = await download(/JSON/);
    expect(json.name).toBe('reverse_seq.json');
    const { att, x } = JSON.parse(json.content.toString());
    expect(x).toEqual(anew.transformer.tokens);
    expect(att.flat().map(Math.fround)).toEqual(anew.transformer.weights);
    const csv = await download(/CSV/);
    expect(csv.name).toBe('race.csv');
    const rows = csv.content.toString().trimEnd().split('\r\n');
    expect(rows).toHaveLength(N_STEPS + 2);
    const column = rows[0].split(',').indexOf('bilstm_loss');
    expect(Number(rows[N_STEPS + 1].split(',')[column])).toBe(anew.bilstm.loss);
    const png = await download(/各輸出位置/);
    expect(png.name).toBe('positions.png');
    expect(png.content.subarray(1, 4).toString()).toBe('PNG');
    const tests = await open.figure.locator('.downloads tbody tr').count();
    expect(tests).toBe(3);
    await open.figure.locator('[data-action=download]').click();
  });

  test('trains on beyond the end, and pauses', async () => {
    await primary(open, '再訓練到 1560 步').click();
    await open.until('attn-step', N_STEPS + 2);
    await primary(open, '暫停').waitFor();
    // The piece that is under way is the last.
    const paused = await open.figure.evaluate(
      (element) =>
        /** @type {Promise<any>} */ (
          new Promise((resolve) => {
            const settle = (/** @type {Event} */ event) =>
              resolve(/** @type {CustomEvent} */ (event).detail);
            element.addEventListener('attn-step', settle, { once: true });
            /** @type {any} */ (element).find('[data-action=train]').click();
          })
        ),
    );
    await primary(open, '繼續訓練').waitFor();
    expect(await open.figure.getAttribute('n-steps')).toBe('1560');
    await open.figure
      .locator('[data-value=bilstm-step]', { hasText: String(paused.bilstm.step) })
      .waitFor();
    expect(paused.bilstm.step).toBeGreaterThan(N_STEPS);
    const { step } = await open.figure.evaluate((element) => {
      const { result, detail } = /** @type {any} */ (element);
      return detail(result);
    });
    expect(step).toBe(paused.step);
  });

  test('on the same time the smaller network makes more steps', async () => {
    await open.after('attn-change', () => open.figure.locator('[name=clock]').selectOption('time'));
    await open.after('attn-change', () => open.figure.locator('[data-action=reset]').click());
    // Steps of the race before are not these.
    await open.page.evaluate(() => {
      /** @type {any} */ (globalThis).figureEvents.length = 0;
    });
    await primary(open, /^訓練$/).click();
    await open.page.waitForFunction(() => {
      const events = /** @type {any} */ (globalThis).figureEvents;
      const last = events.findLast((/** @type {any} */ event) => event.type === 'attn-step');
      return last?.detail.bilstm.step >= 20 && last.detail.bilstm.step < 1500;
    });
    await primary(open, '暫停').click();
    await primary(open, '繼續訓練').waitFor();
    const steps = await Promise.all(
      ['transformer-step', 'bilstm-step'].map((name) => value(open, name)),
    );
    expect(Number(steps[0])).toBeGreaterThan(Number(steps[1]));
    expect(await open.figure.locator('.progress output').textContent()).toMatch(
      /^計時 \d+\.\d 秒$/,
    );
  });

  test('logs no error and asks no other origin', () => {
    expect(open.complaints).toEqual({ errors: [], foreign: [] });
  });
});

describe('presses and settings in the middle of a run', () => {
  /** @type {OpenFigure} */
  let open;

  /** Gives the figure an engine that `change` makes of its own, and a pair of networks there. @param {(element: any) => void} change */
  async function begin(change) {
    open = await openFigure(browser, {
      tag: 'attn-race',
      alone: true,
      attributes: { 'n-steps': '60', 'seq-len': '4' },
    });
    await open.until('attn-ready');
    await open.figure.evaluate(change);
    await open.after('attn-change', () => open.figure.locator('[data-action=reset]').click());
  }

  afterEach(async () => {
    expect(open.complaints).toEqual({ errors: [], foreign: [] });
    await open.page.context().close();
  });

  /** The step that each network has reached, and that of its last test. */
  const reached = () =>
    open.figure.evaluate((element) =>
      /** @type {any} */ (element).result.lanes.map((/** @type {any} */ { history }) => ({
        step: history.step,
        tested: history.evaluations.at(-1).step,
      })),
    );

  test('“train again” pressed twice begins one run, and does not pause it', async () => {
    await begin((element) => {
      const { engine } = element;
      const steps = new Map();
      const metrics = (/** @type {number} */ step) => ({
        step,
        loss: 1,
        digits: 1,
        n_digits: 2,
        sequences: 1,
        n_sequences: 2,
        position_digits: [1, 1, 1, 1],
      });
      // Training and tests take no time, so that the longest run is short.
      element.engine = {
        request: async (/** @type {string} */ type, /** @type {any} */ args) => {
          if (type === 'evaluate') return { metrics: metrics(0) };
          if (type !== 'step') return engine.request(type, args);
          const before = steps.get(args.session) ?? 0;
          steps.set(args.session, before + args.n_steps);
          const trained = Array.from({ length: args.n_steps }, (_, i) => metrics(before + i + 1));
          return { metrics: trained, watched: [] };
        },
      };
      element.setAttribute('n-steps', '6000');
    });
    await primary(open, /^訓練$/).click();
    await open.until('attn-done');
    await primary(open, '再訓練一次').waitFor();
    const done = await open.after('attn-done', () =>
      open.figure.locator('button.primary').evaluate((button) => {
        /** @type {HTMLButtonElement} */ (button).click();
        /** @type {HTMLButtonElement} */ (button).click();
      }),
    );
    expect(done).toMatchObject({ transformer: { step: 6000 }, bilstm: { step: 6000 } });
  }, 120_000);

  test('paused and continued within one piece, a run goes on', async () => {
    await begin((element) => {
      const { engine } = element;
      const released = new Promise((resolve) => Object.assign(globalThis, { release: resolve }));
      element.engine = {
        request: async (/** @type {string} */ type, /** @type {any} */ args) => {
          if (type === 'step') await released;
          return engine.request(type, args);
        },
      };
    });
    await primary(open, /^訓練$/).click();
    await primary(open, '暫停').click();
    await primary(open, /^訓練$/).click();
    await primary(open, '暫停').waitFor();
    await open.page.evaluate(() => /** @type {any} */ (globalThis).release());
    expect(await open.until('attn-done')).toMatchObject({ step: 60 });
  });

  test('an end set behind the step that is reached is reached with a test of that step', async () => {
    await begin((element) => {
      const { engine } = element;
      element.engine = {
        request: (/** @type {string} */ type, /** @type {any} */ args) => {
          const [{ session, history }] = element.result.lanes;
          // In the middle of the third step the reader asks for two.
          const isThird = type === 'step' && args.session === session && history.step === 2;
          if (isThird) element.setAttribute('n-steps', '2');
          return engine.request(type, args);
        },
      };
    });
    const single = open.figure.locator('[data-action=single]');
    for (let i = 0; i < 3; i++) await open.after('attn-step', () => single.click());
    const [transformer] = await reached();
    expect(transformer).toEqual({ step: 3, tested: 3 });
  });

  test('an end set behind the step of a pause is not reached before that is tested', async () => {
    await begin(() => {});
    const single = open.figure.locator('[data-action=single]');
    for (let i = 0; i < 3; i++) await open.after('attn-step', () => single.click());
    await open.after('attn-change', () =>
      open.figure.evaluate((element) => element.setAttribute('n-steps', '2')),
    );
    await open.after('attn-done', () => primary(open, '繼續訓練').click());
    expect(await reached()).toEqual([
      { step: 3, tested: 3 },
      { step: 3, tested: 3 },
    ]);
    await primary(open, '再訓練到 1502 步').waitFor();
  });
});

describe('3000 further steps', () => {
  /** @type {OpenFigure} */
  let open;

  /** Histories of training in the page's memory; asking collects what nobody holds. */
  async function countHistories() {
    const session = await open.page.context().newCDPSession(open.page);
    const { result } = await session.send('Runtime.evaluate', {
      expression:
        'Object.getPrototypeOf(document.querySelector("attn-race").result.lanes[0].history)',
    });
    const { objects } = await session.send('Runtime.queryObjects', {
      prototypeObjectId: result.objectId ?? '',
    });
    const length = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { return this.length; }',
      objectId: objects.objectId,
      returnByValue: true,
    });
    await session.detach();
    return length.result.value;
  }

  afterAll(() => open.page.context().close());

  test('are paused, looked back at and reset without a leak', async () => {
    // The shortest sequences take the least time.
    open = await openFigure(browser, {
      tag: 'attn-race',
      alone: true,
      attributes: { 'n-steps': '50', 'seq-len': '4' },
    });
    const { figure, until, after } = open;
    await until('attn-ready');
    await primary(open, /^訓練$/).click();
    await until('attn-done');
    const memory = await usage(open);
    expect(memory).toMatchObject({ sessions: 2, jobs: 0 });

    await after('attn-change', () =>
      figure.evaluate((element) => element.setAttribute('n-steps', '3050')),
    );
    for (const step of [800, 1600, 2400]) {
      await primary(open, '繼續訓練').click();
      await until('attn-step', step);
      await primary(open, '暫停').click();
      await primary(open, '繼續訓練').waitFor();
      await figure.locator('.scrub').fill(String(step / 2));
      await figure.locator('.progress output', { hasText: `回看第 ${step / 2} ／` }).waitFor();
      expect(await value(open, 'bilstm-step')).toBe(String(step / 2));
    }
    await primary(open, '繼續訓練').click();
    expect(await until('attn-done', 3050)).toMatchObject({
      transformer: { step: 3050 },
      bilstm: { step: 3050 },
    });
    expect(await usage(open)).toEqual(memory);

    for (let i = 0; i < 3; i++) {
      await after('attn-change', () => figure.locator('[data-action=reset]').click());
      expect(await value(open, 'transformer-step')).toBe('0');
      expect(await usage(open)).toEqual(memory);
    }
    // Those of the two networks, and at most of the two before.
    expect(await countHistories()).toBeLessThanOrEqual(4);
  }, 400_000);

  test('another length is another pair of networks, and removal leaves none', async () => {
    await open.after('attn-change', () =>
      open.figure.evaluate((element) => element.setAttribute('seq-len', '6')),
    );
    expect(await usage(open)).toMatchObject({ sessions: 2, jobs: 0 });
    await primary(open, /^訓練$/).click();
    await open.page.waitForFunction(
      () => /** @type {any} */ (globalThis).figureEvents.at(-1)?.type === 'attn-step',
    );
    const { sessions, jobs } = await open.page.evaluate(async () => {
      const element = /** @type {any} */ (document.querySelector('attn-race'));
      element.remove();
      // A network is freed behind the piece that it has under way.
      const deadline = performance.now() + 5000;
      for (;;) {
        const left = await element.engine.request('usage', {});
        if (left.sessions === 0 || performance.now() > deadline) return left;
      }
    });
    expect({ sessions, jobs }).toEqual({ sessions: 0, jobs: 0 });
    expect(open.complaints).toEqual({ errors: [], foreign: [] });
  });
});
