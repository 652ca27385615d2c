/** The figure of distances walks its paths, and shows the gradients the engine computes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadEngine } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, {
    tag: 'attn-distance',
    context: { reducedMotion: 'reduce' },
  });
});

afterAll(() => browser.close());

/**
 * The gradients of both networks, computed here.
 *
 * @param {{seq_len: number, n_steps: number}} sizes
 */
async function computeHere({ seq_len, n_steps }) {
  const { engine } = await loadEngine();
  return ['transformer', 'bilstm'].map((model) => {
    const { session } = engine.create({
      config: { model, seq_len, skip_batches: model === 'bilstm' ? 1500 : 0 },
    });
    if (n_steps > 0) engine.step({ session, n_steps });
    const [tokens] = engine.batch({ session, seed: 99, n_sequences: 1 }).tokens;
    engine.predict({ session, tokens });
    return engine.sensitivity({ session }).data;
  });
}

/** @param {string} name */
const shown = (name) => open.figure.locator(`[data-value=${name}]`).textContent();

/** @param {string} selector */
const count = (selector) => open.figure.locator(selector).count();

test('begins with the two ends of the lesson’s sequence and the engine’s own numbers', async () => {
  const detail = await open.until('attn-ready');
  const [attention, bilstm] = await computeHere({ seq_len: 10, n_steps: 0 });
  expect(detail).toMatchObject({
    input: 0,
    output: 9,
    recurrent_steps: 9,
    attention_steps: 1,
    attention_gradient: attention[90],
    bilstm_gradient: bilstm[90],
  });
  expect([await shown('bilstm-steps'), await shown('attention-steps')]).toEqual(['9', '1']);
  expect(await shown('attention-gradient')).toBe(attention[90].toPrecision(2));
  expect(await count('.state.passed')).toBe(10);
});

test('the table holds the gradient of every input', async () => {
  await open.figure.locator('[data-action=table]').click();
  const rows = await open.figure.locator('.data table').nth(1).locator('tbody tr').all();
  const texts = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
  const [attention, bilstm] = await computeHere({ seq_len: 10, n_steps: 0 });
  const read = (/** @type {string} */ text) => {
    const [mantissa, exponent = ''] = text.split(' × 10');
    const digits = [...exponent].map((sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign) - 1);
    const power = digits[0] === -1 ? -Number(digits.slice(1).join('')) : Number(digits.join(''));
    return Number(mantissa) * 10 ** power;
  };
  expect(texts.map(([j]) => Number(j))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const [j, [, a, b]] of texts.entries()) {
    expect(read(a) / attention[90 + j]).toBeCloseTo(1, 3);
    expect(read(b) / bilstm[90 + j]).toBeCloseTo(1, 3);
  }
  await open.figure.locator('[data-action=table]').click();
});

test('single steps: attention is there after one, the recurrent network needs them all', async () => {
  await open.figure.locator('[data-action=reset]').click();
  expect(await count('.output.wanted')).toBe(2);
  await open.figure.locator('[data-action=single]').click();
  expect(await count('.attention-path .output.chosen')).toBe(1);
  expect(await count('.recurrent-path .state.passed')).toBe(2);
  expect(await open.figure.locator('.step').textContent()).toBe(
    '第 1 步：注意力已經到了，遞迴網路還差 8 步。',
  );
  for (let i = 0; i < 8; i++) await open.figure.locator('[data-action=single]').click();
  expect(await count('.output.chosen')).toBe(2);
  expect(await open.figure.locator('[data-live]').textContent()).toBe(
    '遞迴網路走了 9 步，注意力 1 步。',
  );
});

test('a click on an input and the keys of a slider choose the pair; later inputs come backward', async () => {
  const chosen = await open.after('attn-change', () =>
    open.figure.locator('.recurrent-path .input[data-position="7"] circle').click(),
  );
  expect(chosen).toMatchObject({ input: 7, recurrent_steps: 2, attention_steps: 1 });
  await open.figure.locator('[name=output]').focus();
  const moved = await open.after('attn-change', () => open.page.keyboard.press('Home'));
  const [attention, bilstm] = await computeHere({ seq_len: 10, n_steps: 0 });
  expect(moved).toMatchObject({
    output: 0,
    recurrent_steps: 7,
    attention_gradient: attention[7],
    bilstm_gradient: bilstm[7],
  });
  expect(await open.figure.locator('.recurrent-caption').textContent()).toContain('反方向');
});

test('trained a little, with a longer sequence, both networks are those trained here', async () => {
  await open.figure.locator('summary').click();
  await open.after('attn-change', () => open.figure.locator('[name=seq_len]').fill('4'));
  const detail = await open.after('attn-change', () =>
    open.figure.locator('[name=n_steps]').fill('1'),
  );
  expect(detail).toMatchObject({ seq_len: 12, n_steps: 50 });
  const [attention, bilstm] = await computeHere({ seq_len: 12, n_steps: 50 });
  expect(detail.attention_gradient).toBe(attention[7]);
  expect(detail.bilstm_gradient).toBe(bilstm[7]);
  expect(await open.figure.locator('.finding').textContent()).toMatch(/^訓練 50 步以後/);
  const usage = await open.figure.evaluate((element) =>
    /** @type {any} */ (element).engine.request('usage', {}),
  );
  expect(usage).toMatchObject({ sessions: 0, jobs: 0 });
});

test('plays by itself once it is seen, unless the reader wants less motion', async () => {
  expect(await open.figure.locator('[data-action=play]').textContent()).toBe('播放');
  const moving = await openFigure(browser, { tag: 'attn-distance' });
  await moving.figure.locator('[data-action=play]', { hasText: '暫停' }).waitFor();
  await moving.figure.locator('.recurrent-path .dot').waitFor();
  await moving.figure.locator('[data-action=play]', { hasText: '播放' }).waitFor();
  expect(await moving.figure.locator('.output.chosen').count()).toBe(2);
  await moving.figure.locator('[data-action=play]').click();
  await moving.figure.locator('[data-action=play]', { hasText: '暫停' }).waitFor();
  await moving.figure.locator('[data-action=play]').click();
  await moving.figure.locator('[data-action=play]', { hasText: '播放' }).waitFor();
  expect(await moving.figure.locator('.output.wanted').count()).toBeGreaterThan(0);
  expect(moving.complaints).toEqual({ errors: [], foreign: [] });
});

describe('while it trains', () => {
  const training = /^(訓練中|Training)/;

  /** @param {OpenFigure} figure */
  async function killWorker({ page }) {
    const [worker] = page.workers();
    await worker.evaluate(() => {
      setTimeout(() => {
        throw new Error('provoked');
      });
    });
  }

  /** @param {Record<string, string>} [attributes] */
  const openAlone = (attributes) =>
    openFigure(browser, { tag: 'attn-distance', attributes, alone: true });

  test('the finding says so until its numbers are there, in the page’s language', async () => {
    const { page, figure, until, after } = await openAlone();
    await until('attn-ready');
    await figure.evaluate((element) => {
      /** @type {string[]} */
      const said = [];
      Object.assign(globalThis, { said });
      const finding = /** @type {Element} */ (element.shadowRoot?.querySelector('.finding'));
      new MutationObserver(() => said.push(finding.textContent ?? '')).observe(finding, {
        childList: true,
      });
    });
    await after('attn-change', async () => {
      await figure.evaluate((element) => element.setAttribute('n-steps', '200'));
      await figure.locator('.finding', { hasText: training }).waitFor();
      await page.locator('#language').selectOption('en');
    });
    const said = await page.evaluate(() => /** @type {any} */ (globalThis).said);
    const first = said.findIndex((/** @type {string} */ text) => training.test(text));
    for (const text of said.slice(first, -1)) expect(text).toMatch(training);
    expect(said.at(-1)).toMatch(/^After 200 training steps/);
  });

  test('a worker that dies leaves the finding of the numbers that are shown', async () => {
    const open = await openAlone();
    const { figure, until } = open;
    await until('attn-ready');
    const before = (await figure.locator('.finding').textContent()) ?? '';
    await figure.evaluate((element) => element.setAttribute('n-steps', '1500'));
    await figure.locator('.finding', { hasText: training }).waitFor();
    await killWorker(open);
    expect(await until('attn-error')).toMatchObject({ code: 'WORKER_FAILED' });
    await figure.locator('.finding', { hasText: before }).waitFor();
  });

  test('a worker that dies before there are numbers leaves none', async () => {
    const open = await openAlone({ 'n-steps': '1500' });
    await open.figure.locator('.finding', { hasText: training }).waitFor();
    await killWorker(open);
    expect(await open.until('attn-error')).toMatchObject({ code: 'WORKER_FAILED' });
    expect(await open.figure.locator('.finding').textContent()).toBe('');
  });
});
