/** The figure of several heads: made by design, trained here, switched off one by one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  D_MODEL,
  N_PAIRS,
  OFFSETS,
  SEQ_LEN,
  sharpnessOf,
} from '../../web/widgets/attn-heads/model.js';
import { loadEngine, withSession } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const N_STEPS = 60;

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;
/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
  browser = await TestBrowser.launch();
  open = await openFigure(browser, {
    tag: 'attn-heads',
    attributes: { 'n-steps': String(N_STEPS), 'n-heads': '2' },
  });
});

afterAll(() => browser.close());

/** @param {string} selector */
const text = async (selector) => (await open.figure.locator(selector).textContent()) ?? '';

/**
 * The digits right after the training, with all heads and without each, computed in Node.
 *
 * @param {number} n_heads
 */
function expected(n_heads) {
  /** @type {number[]} */
  const rates = [];
  withSession(engine, { n_heads }, (session) => {
    const n_sequences = engine.batchSize(session);
    for (let i = 0; i < N_STEPS; i++) engine.stepAdvance({ session, n_sequences });
    for (let head = -1; head < n_heads; head++) {
      if (head >= 0) engine.muteHead({ session, layer: 0, head, muted: true });
      engine.evaluateBegin({ session, seed: 99, n_sequences: 2000 });
      const { metrics } = engine.evaluateAdvance({ session, n_sequences: 2000 });
      if (!metrics) throw new Error('the evaluation has not ended');
      rates.push(metrics.digits / metrics.n_digits);
      if (head >= 0) engine.muteHead({ session, layer: 0, head, muted: false });
    }
  });
  return rates;
}

/** @param {number} rate */
const percent = (rate) => `${(100 * rate).toFixed(1)}%`;

test('begins with four heads that look at four places at once', async () => {
  await open.until('attn-ready');
  const weights = OFFSETS.map((k, h) => {
    const { data } = engine.rotationMap({
      seq_len: SEQ_LEN,
      d_model: D_MODEL,
      first_pair: N_PAIRS * h,
      n_pairs: N_PAIRS,
      k,
      sharpness: sharpnessOf(N_PAIRS * h, N_PAIRS, 4),
    });
    return data[5 * SEQ_LEN + 5 + k];
  });
  const places = await open.figure.locator('.place').allTextContents();
  for (const [h, place] of places.entries()) {
    expect(place).toContain(`位置 ${5 + OFFSETS[h]}：${weights[h].toFixed(3)}`);
  }
  const together = weights.reduce((sum, weight) => sum + weight, 0);
  expect(await text('[data-value=together]')).toBe(together.toFixed(2));
  expect(Number(await text('[data-value=alone]'))).toBeLessThanOrEqual(1);
});

test('a row without such a place says so', async () => {
  await open.after('attn-change', () => open.figure.locator('[name=row]').fill('0'));
  expect(await open.figure.locator('.place').allTextContents()).toEqual([
    '沒有這個位置',
    expect.stringContaining('位置 1：'),
    expect.stringContaining('位置 0：'),
    '沒有這個位置',
  ]);
});

test('pointing at a row of a map asks about that query', async () => {
  await open.figure.locator('.made-map').first().focus();
  const { row } = await open.after('attn-change', () => open.page.keyboard.press('ArrowDown'));
  expect(row).toBe(1);
});

test('without a lead all weights of a row are equal, and none is marked', async () => {
  const map = open.figure.locator('.single-map');
  const pixels = async () => {
    // What is left to later frames is drawn at once for paper.
    await open.page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    return map
      .locator('canvas')
      .evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
  };
  await open.after('attn-change', () => open.figure.locator('[name=margin]').fill('0'));
  const plain = await pixels();
  await open.after('attn-change', () => open.figure.locator('[name=row]').fill('7'));
  expect((await pixels()) === plain).toBe(true);
  // The cell that is pointed at is, and the keys go on from there.
  await map.focus();
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await open.page.keyboard.press(key);
  await open.page.locator('attn-heads[row="2"]').waitFor();
  expect((await pixels()) === plain).toBe(false);
  await open.page.keyboard.press('Escape');
  expect((await pixels()) === plain).toBe(true);
  await open.after('attn-change', () => open.figure.locator('[name=margin]').fill('5'));
  expect((await pixels()) === plain).toBe(false);
});

test('a network trained here has the accuracy it has in Node, and without each head', async () => {
  await open.after('attn-change', () => open.figure.locator('[data-action=trained]').click());
  expect(await text('.verdict')).toContain('還沒訓練');
  const done = await open.after('attn-done', () =>
    open.figure.locator('[data-action=train]').click(),
  );
  const [all, ...without] = expected(2);
  expect(done).toMatchObject({ n_heads: 2, step: N_STEPS, accuracy: all, without });
  await open.figure.locator('[data-value=accuracy]', { hasText: percent(all) }).waitFor();
  expect(await open.figure.locator('.tile:visible .without').allTextContents()).toEqual(
    without.map((rate) => `少了它 ${percent(rate)}`),
  );
  const alike = done.distance < 0.5;
  expect((await text('.verdict')).startsWith('說不上分工')).toBe(alike);
  expect(await text('[data-value=distance]')).toBe(done.distance.toFixed(2));
});

test('switching a head off shows the accuracy without it, and on brings it back', async () => {
  const [all, first] = expected(2);
  const button = open.figure.locator('[data-action="mute 0"]');
  const muted = await open.after('attn-done', () => button.click());
  expect(muted).toMatchObject({ muted: [0], accuracy: first });
  await open.figure.locator('[data-value=accuracy]', { hasText: percent(first) }).waitFor();
  expect(await button.getAttribute('aria-label')).toBe('打開 頭 1');
  expect(await text('.verdict')).toContain('關掉的頭：1');
  await open.figure.locator('[data-action="mute 0"]:enabled').waitFor();
  const heard = await open.after('attn-done', () => button.click());
  expect(heard).toMatchObject({ muted: [], accuracy: all });
});

test('the table shows what each head does', async () => {
  await open.figure.locator('[data-action=table]').click();
  const rows = open.figure.locator('.data tbody tr');
  expect(await rows.count()).toBe(2);
  const [, first] = expected(2);
  expect(await rows.first().textContent()).toContain(percent(first));
});

test('training, pressed twice while its network is on its way, goes on to its end', async () => {
  const trained = await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('n-heads', '4')),
  );
  expect(trained.step).toBe(0);
  await open.figure.locator('[data-action=train]:enabled').waitFor();
  const done = await open.after('attn-done', () =>
    open.figure.evaluate(async (element) => {
      const button = element.shadowRoot?.querySelector('[data-action=train]');
      element.setAttribute('init-seed', '1');
      await Promise.resolve();
      for (let i = 0; i < 2; i++) /** @type {HTMLButtonElement} */ (button).click();
    }),
  );
  expect(done).toMatchObject({ n_heads: 4, step: N_STEPS });
});

test('training again begins from the untrained network and ends where it did', async () => {
  const again = open.figure.locator('[data-action=train]:enabled', { hasText: '再訓練一次' });
  await again.waitFor();
  const before = await text('.verdict');
  const done = await open.after('attn-done', () => again.click());
  expect(done).toMatchObject({ n_heads: 4, step: N_STEPS });
  await again.waitFor();
  expect(await text('.verdict')).toBe(before);
});

test('the steps made are never more than those to make', async () => {
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('n-steps', '20')),
  );
  await open.figure
    .locator('[data-value=step]', { hasText: `${N_STEPS} / ${N_STEPS} 步` })
    .waitFor();
});

test('training stops when asked, goes on, and is undone', async () => {
  await open.page.evaluate(() => {
    const figure = /** @type {Element} */ (document.querySelector('attn-heads'));
    figure.setAttribute('n-heads', '4');
    figure.setAttribute('n-steps', '5000');
  });
  const train = open.figure.locator('[data-action=train]');
  await open.after('attn-step', () => train.click());
  const stopped = await open.after('attn-done', () => train.click());
  expect(stopped.n_heads).toBe(4);
  expect(stopped.step).toBeLessThan(5000);
  await open.figure.locator('[data-action=train]:enabled', { hasText: '繼續訓練' }).waitFor();
  await open.figure.locator('[data-action=reset]').click();
  await open.figure.locator('[data-value=step]', { hasText: /^0 \// }).waitFor();
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});

test('removed while training, it leaves no session', async () => {
  const train = open.figure.locator('[data-action=train]');
  await open.after('attn-step', () => train.click());
  await open.page.evaluate(() => {
    const figure = /** @type {any} */ (document.querySelector('attn-heads'));
    /** @type {any} */ (globalThis).engine = figure.engine;
    figure.remove();
  });
  // The piece of training that is under way ends before its session can.
  await open.page.waitForFunction(async () => {
    const usage = await /** @type {any} */ (globalThis).engine.request('usage', {});
    return usage.sessions === 0 && usage.jobs === 0;
  });
});
