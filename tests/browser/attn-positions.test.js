/** The figure of the sinusoidal positions shows what the engine and PyTorch compute. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const golden = JSON.parse(readFileSync(new URL('../golden/posenc.json', import.meta.url), 'utf8'));

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-positions' });
});

afterAll(() => browser.close());

/** The table's columns: k, the products of p, the mean over all p. */
async function products() {
  const rows = await open.figure.locator('.data tbody tr').all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator('th, td').allTextContents()).map((text) => Number(text.replace('−', '-'))),
    ),
  );
}

test('begins as the lesson’s picture, and every p has the same curve', async () => {
  const { spread, ...settings } = await open.until('attn-ready');
  expect(settings).toEqual({ p: 24, dimension: 4, d_model: 32, base: 10_000 });
  expect(spread).toBeLessThan(2e-6);
  expect(await open.figure.locator('[data-value=spread]').textContent()).toMatch(/× 10⁻⁷$/);
});

test('the table of p = 24 holds PyTorch’s products, and no offset but 0 reaches 1', async () => {
  await open.figure.locator('[data-action=table]').click();
  const rows = await products();
  expect(rows).toHaveLength(49);
  for (const [k, own, mean] of rows.filter((row) => row[0] < 24)) {
    expect(Math.abs(own - golden.dot_p24.data[24 + k])).toBeLessThan(2e-6);
    expect(Math.abs(mean - golden.curve64.data[Math.abs(k)])).toBeLessThan(2e-6);
    if (k !== 0) expect(own).toBeLessThan(0.96);
    else expect(own).toBeCloseTo(1, 6);
  }
});

test('another p has the same products', async () => {
  const before = await products();
  await open.after('attn-change', () => open.figure.locator('[name=p]').fill('10'));
  const after = await products();
  expect(after[24][1]).toBeCloseTo(1, 6);
  for (const [k, own] of after.filter((row) => !Number.isNaN(row[1]))) {
    expect(Math.abs(own - golden.dot_p10.data[10 + k])).toBeLessThan(2e-6);
    expect(Math.abs(own - before[k + 24][2])).toBeLessThan(2e-6);
  }
  // The lesson names no p, so nothing departs from it.
  expect(await open.figure.locator('.departure').textContent()).toBe('');
});

test('arrow keys read the map cell by cell', async () => {
  await open.figure.locator('.map').focus();
  await open.page.keyboard.press('ArrowRight');
  await open.figure.locator('.cell', { hasText: /^PE\(10, 5\)/ }).waitFor();
  const text = (await open.figure.locator('.cell').textContent()) ?? '';
  const shown = Number(text.split('= ')[1].replace('−', '-'));
  expect(Math.abs(shown - golden.pe_48x32.data[10 * 32 + 5])).toBeLessThan(5e-5 + 2e-6);
});

test('the cell that is marked and read follows p and the dimension, once they move', async () => {
  const cell = (/** @type {number} */ p, /** @type {number} */ dimension) =>
    open.figure.locator('.cell', { hasText: `PE(${p}, ${dimension}) = ` }).waitFor();
  const wave = () => open.figure.locator('.wave-caption').textContent();
  await open.figure.locator('.map').focus();
  await open.page.keyboard.press('Home');
  await open.page.keyboard.press('PageUp');
  await cell(0, 0);
  await open.after('attn-change', () => open.figure.locator('[name=p]').fill('30'));
  await cell(30, 4);
  expect(await wave()).toContain('第 4 維');
  await open.page.keyboard.press('Escape');
  await open.figure.locator('.map').focus();
  await open.page.keyboard.press('Home');
  await cell(30, 0);
  await open.after('attn-change', () => open.figure.locator('[name=dimension]').fill('9'));
  await cell(30, 9);
  expect(await wave()).toContain('第 9 維');
  // Keys go on from the cell that is marked.
  await open.figure.locator('.map').focus();
  await open.page.keyboard.press('ArrowDown');
  await cell(31, 9);
});

test('another base departs from the lesson, says so, and comes back', async () => {
  await open.figure.locator('summary').click();
  const { base } = await open.after('attn-change', () =>
    open.figure.locator('[name=base]').fill('1'),
  );
  expect(base).toBe(100);
  expect(await open.figure.locator('.departure').textContent()).toBe(
    '與課文的設定不同：底數 100（課文 10000）。',
  );
  await open.after('attn-change', () => open.figure.locator('[data-action=lesson]').click());
  expect(await open.figure.locator('.departure').textContent()).toBe('');
});

test('playing moves p on', async () => {
  const { p } = await open.after('attn-change', () =>
    open.figure.locator('[data-action=play]').click(),
  );
  expect(p).toBe(25);
  await open.figure.locator('[data-action=play]', { hasText: '暫停' }).click();
  await open.figure.locator('[data-action=play]', { hasText: '播放' }).waitFor();
});
