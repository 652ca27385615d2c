/** The built page trains the lesson's Transformer and comes to the lesson's numbers. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { CDPSession } from 'playwright-core' */
/** @import { OpenFigure } from './support/figure.js' */

const golden = JSON.parse(
  readFileSync(new URL('../golden/final.json', import.meta.url), 'utf8'),
).transformer;

/** No task of the page's thread may work longer than this, ms. */
const LONGEST_TASK = 50;

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;
/** What the figure showed before training. @type {Record<string, string>} */
let untrained;
/** @type {Record<string, any>} */
let done;
/** Of every task on the page's thread while training, ms. @type {number[]} */
let tasks;
/** What the figure said of its speed while training. @type {string[]} */
let rates;

/** The readout, by name. */
async function readout() {
  /** @type {Record<string, string>} */
  const shown = {};
  for (const value of await open.figure.locator('[data-value]').all()) {
    shown[(await value.getAttribute('data-value')) ?? ''] = (await value.textContent()) ?? '';
  }
  return shown;
}

/**
 * Records the tasks of the page's thread: their own work, without what the machine did for other
 * programs in between, which the wall clock would count.
 *
 * @param {CDPSession} session
 * @param {() => Promise<unknown>} work
 * @returns {Promise<number[]>}
 */
async function recordTasks(session, work) {
  /** @type {any[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ ph, name }) => ph === 'X' && name.endsWith('RunTask'))
    .filter(({ pid, tid }) => threads.has(`${pid} ${tid}`))
    .map(({ tdur }) => tdur / 1000);
}

/** The weights in the table for screen readers, row by row. */
async function tabledWeights() {
  return (await open.figure.locator('.data tbody td').allTextContents()).map(Number);
}

/** @param {number[]} weights @param {number[]} expected */
function largestDifference(weights, expected) {
  return Math.max(...expected.map((weight, i) => Math.abs(weights[i] - weight)));
}

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser);
  await open.until('attn-ready');
  await open.figure.locator('.data td').first().waitFor({ state: 'attached' });
  untrained = await readout();
  await open.figure.evaluate((element) => {
    /** @type {unknown[]} */
    const said = [];
    /** @type {any} */ (globalThis).rates = said;
    const rate = /** @type {Node} */ (element.shadowRoot?.querySelector('.rate'));
    new MutationObserver(() => said.push(rate.textContent)).observe(rate, { childList: true });
  });
  const session = await open.page.context().newCDPSession(open.page);
  tasks = await recordTasks(session, async () => {
    await open.figure.locator('button.primary').click();
    done = await open.until('attn-done');
  });
  await open.figure.locator('button.primary', { hasText: '再訓練一次' }).waitFor();
  rates = await open.page.evaluate(() => /** @type {any} */ (globalThis).rates);
}, 120_000);

afterAll(() => browser.close());

test('before training an untrained network is shown, measured like any other', () => {
  expect(untrained.loss).toBe('–');
  expect(untrained.digits).toMatch(/^1?\d\.\d%$/);
  expect(untrained.anti_diagonal).toBe('0.08');
});

test('training ends with the lesson’s numbers', () => {
  expect(done).toMatchObject({ step: 1500, digits: 1, sequences: 1, n_parameters: 9194 });
  expect(Math.abs(done.anti_diagonal - 0.62096)).toBeLessThan(1e-4);
  expect(Math.abs(done.anti_diagonal - golden.anti_diagonal_mean_first_test_sample)).toBeLessThan(
    1e-4,
  );
});

test('the page says that its line is the lesson’s', async () => {
  const lines = await open.figure.locator('.lines code').allTextContents();
  expect(lines[0]).toBe('Transformer：參數  9194，每個數字的正確率 100.0%，整串全對 100.0%');
  expect(lines[1]).toBe(lines[0]);
  expect(await open.figure.locator('.verdict').textContent()).toBe('✓ 與課文相同');
  expect(await readout()).toMatchObject({
    digits: '100.0%',
    sequences: '100.0%',
    anti_diagonal: '0.62',
  });
});

test('the speed is said while training, and the bar is full at the end', async () => {
  expect(rates.length).toBeGreaterThan(2);
  expect(rates.at(-1)).toBe('');
  const speeds = rates.filter(Boolean).map((text) => Number(/^每秒 ([\d.]+) 步$/.exec(text)?.[1]));
  expect(Math.min(...speeds)).toBeGreaterThan(0);
  const bar = await open.figure.locator('progress').evaluate((element) => {
    const { value, max } = /** @type {HTMLProgressElement} */ (element);
    return { value, max };
  });
  expect(bar).toEqual({ value: 1500, max: 1500 });
});

test('the curves and the accuracy of each position are told to screen readers', async () => {
  const alternative = (/** @type {string} */ part) =>
    open.figure.locator(`${part} canvas`).getAttribute('aria-label');
  expect(await alternative('.curves')).toBe(
    '損失與正確率隨步數的曲線。第 1500 步：損失 0.0001，每個數字 100.0%，整串 100.0%。',
  );
  expect(await alternative('.strip')).toBe(
    `各輸出位置的測試正確率：${Array(10).fill('100.0%').join(' ')}`,
  );
});

test('the table for screen readers holds PyTorch’s map, to its three decimals', async () => {
  const weights = await tabledWeights();
  expect(weights).toHaveLength(100);
  expect(largestDifference(weights, golden.att.data)).toBeLessThan(0.0005 + 1e-4);
  const columns = await open.figure.locator('.data thead th').allTextContents();
  expect(columns[0]).toBe('j0：1');
  expect(columns[9]).toBe('j9：0');
});

test('training keeps the page’s thread free: no task works above 50 ms', () => {
  expect(tasks.length).toBeGreaterThan(100);
  expect(Math.max(...tasks)).toBeLessThan(LONGEST_TASK);
});

describe('looking back', () => {
  /** @param {number} step */
  const scrub = (step) => open.figure.locator('.scrub input').fill(String(step));

  test('an earlier step shows its own map, loss and test', async () => {
    await scrub(60);
    await open.figure.locator('.progress output', { hasText: '回看第 60 步' }).waitFor();
    const shown = await readout();
    expect(Number(shown.loss)).toBeGreaterThan(0.5);
    expect(Number.parseFloat(shown.digits)).toBeLessThan(50);
    expect(await open.figure.locator('.tested').textContent()).toContain('第 50 步');
    expect(largestDifference(await tabledWeights(), golden.att.data)).toBeGreaterThan(0.1);
    expect(await open.figure.locator('.verdict').textContent()).toContain('第 50 步');
  });

  test('step 0 is the untrained network again', async () => {
    await scrub(0);
    await open.figure.locator('.progress output', { hasText: '回看第 0 步' }).waitFor();
    expect(await readout()).toEqual(untrained);
  });

  test('the end of the slider is the newest step', async () => {
    await scrub(1500);
    await open.figure.locator('.progress output', { hasText: '第 1500 ／ 1500 步' }).waitFor();
    expect((await readout()).anti_diagonal).toBe('0.62');
  });
});

describe('the reader’s own digits', () => {
  test('are answered, marked and mapped, full-width or not', async () => {
    await open.figure.locator('#tokens').fill('３１４１５ 92653');
    await open.figure.locator('#tokens').press('Enter');
    const rows = open.figure.locator('.answer tr');
    await rows.first().waitFor();
    const texts = (await rows.allTextContents()).map((text) => text.replace(/[^0-9✓✗]/g, ''));
    expect(texts[0]).toBe('3141592653');
    expect(texts[1]).toBe('3562951413');
    expect(texts[2]).toBe([...'3562951413'].map((digit) => `${digit}✓`).join(''));
    const columns = await open.figure.locator('.data thead th').allTextContents();
    expect(columns[0]).toBe('j0：3');
  });

  test('give way to the first test sequence again', async () => {
    await open.figure.locator('[data-action=sample]').click();
    await open.figure.locator('.answer').waitFor({ state: 'hidden' });
    await open.figure
      .locator('.data thead th', { hasText: 'j0：1' })
      .waitFor({ state: 'attached' });
    expect(largestDifference(await tabledWeights(), golden.att.data)).toBeLessThan(0.001);
  });
});

test.each(/** @type {const} */ (['light', 'dark']))(
  'axe finds nothing in %s',
  async (colorScheme) => {
    await open.page.emulateMedia({ colorScheme });
    await open.figure.locator('summary').click();
    const { violations } = await new AxeBuilder({ page: open.page }).analyze();
    expect(
      violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) })),
    ).toEqual([]);
    await open.figure.locator('summary').click();
  },
);

test('removed, it leaves no session behind', async () => {
  const freed = await open.page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('attn-reverse'));
    // Other figures of the page keep theirs.
    const before = await element.engine.request('usage', {});
    element.remove();
    const after = await element.engine.request('usage', {});
    return before.sessions - after.sessions;
  });
  expect(freed).toBe(1);
});

test('nothing was asked of another origin and no error was logged', () => {
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});
