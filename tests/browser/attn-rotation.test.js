/** The figure of rotations shows what the engine computes, and turns only when it is told to. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loadEngine } from '../wasm/load.js';
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
  open = await openFigure(browser, { tag: 'attn-rotation' });
});

afterAll(() => browser.close());

/** The numbers of a table, row by row; NaN where there is none. @param {number} index */
async function tabled(index) {
  const rows = await open.figure.locator('.data table').nth(index).locator('tbody tr').all();
  return Promise.all(
    rows.map(async (row) =>
      (await row.locator('td').allTextContents()).map((text) => Number(text.replace('−', '-'))),
    ),
  );
}

/** The angle of a hand on the screen. @param {string} selector @param {number} pair */
async function angleOf(selector, pair) {
  const hand = open.figure.locator(`.hand >> nth=${pair}`).locator(selector);
  const [x, y] = await Promise.all(['x2', 'y2'].map((name) => hand.getAttribute(name)));
  return Math.atan2(-Number(y), Number(x));
}

/** How far apart two angles are. @param {number} a @param {number} b */
const apart = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));

test('begins with the lesson’s predecessor: every row but the first looks at i − 1', async () => {
  const { error, ...shown } = await open.until('attn-ready');
  expect(shown).toEqual({ p: 5, k: -1, sharpness: 40, hits: 9, n: 9 });
  expect(error).toBeLessThan(2e-6);
  expect(await open.figure.locator('[data-value=hits]').textContent()).toBe('9／9');
  expect(await open.figure.locator('.outside').textContent()).toMatch(/^位置 0 沒有前一個位置/);
});

test('the hand that the matrix turned ends where PE(p+k) is', async () => {
  await open.figure.locator('[data-action=table]').click();
  for (const [, , sine, cosine, target_sine, target_cosine] of await tabled(0)) {
    expect(Math.abs(sine - target_sine)).toBeLessThanOrEqual(1e-4);
    expect(Math.abs(cosine - target_cosine)).toBeLessThanOrEqual(1e-4);
  }
  for (const pair of [0, 3, 15]) {
    const w = golden.w_32.data[pair];
    expect(apart(await angleOf('.from', pair), 5 * w)).toBeLessThan(1e-3);
    expect(apart(await angleOf('.to', pair), 4 * w)).toBeLessThan(1e-3);
  }
});

test('the map is the engine’s', async () => {
  const { engine } = await loadEngine();
  const { data } = engine.rotationMap({ seq_len: 10, d_model: 32, k: -1, sharpness: 40 });
  const weights = (await tabled(1)).flat();
  expect(weights).toHaveLength(100);
  for (const [i, weight] of weights.entries()) {
    expect(Math.abs(weight - data[i])).toBeLessThanOrEqual(0.5e-4 + 1e-6);
  }
});

test('another p turns every hand and leaves matrix and map as they are', async () => {
  const before = await tabled(1);
  await open.after('attn-change', () => open.figure.locator('[name=p]').fill('40'));
  expect(apart(await angleOf('.from', 0), 40)).toBeLessThan(1e-3);
  expect(apart(await angleOf('.to', 0), 39)).toBeLessThan(1e-3);
  expect(await tabled(1)).toEqual(before);
});

test('another k is another matrix: every row looks k away', async () => {
  const change = await open.after('attn-change', () => open.figure.locator('[name=k]').fill('3'));
  expect(change).toMatchObject({ k: 3, hits: 7, n: 7 });
  expect(change.error).toBeLessThan(2e-6);
  expect(await open.figure.locator('.outside').textContent()).toMatch(/^位置 7 到 9 沒有/);
  expect(await open.figure.locator('.departure').textContent()).toBe(
    '與課文的設定不同：位置差 k 3（課文 −1）。',
  );
  const rows = await tabled(1);
  for (const [i, row] of rows.slice(0, 7).entries()) {
    expect(row.indexOf(Math.max(...row))).toBe(i + 3);
  }
});

test('without sharpness nothing is looked at more', async () => {
  await open.after('attn-change', () => open.figure.locator('[name=k]').fill('-1'));
  const change = await open.after('attn-change', () =>
    open.figure.locator('[name=sharpness]').fill('0'),
  );
  expect(change).toMatchObject({ hits: 0, n: 9 });
  expect(await open.figure.locator('[data-value=hits]').textContent()).toBe('–');
  for (const weight of (await tabled(1)).flat()) expect(weight).toBe(0.1);
  await open.after('attn-change', () => open.figure.locator('[data-action=lesson]').click());
});

test('moves only while it plays', async () => {
  const angle = await angleOf('.from', 0);
  await open.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(await angleOf('.from', 0)).toBe(angle);
  const { p } = await open.after('attn-change', () =>
    open.figure.locator('[data-action=play]').click(),
  );
  expect(p).toBe(6);
  await open.figure.locator('[data-action=play]', { hasText: '暫停' }).click();
  await open.figure.locator('[data-action=play]', { hasText: '播放' }).waitFor();
  const { p: stopped } = await open.figure.evaluate((element) => ({
    p: Number(element.getAttribute('p')),
  }));
  expect(apart(await angleOf('.from', 0), stopped)).toBeLessThan(1e-3);
});

test('with less motion hands step from position to position', async () => {
  await open.page.emulateMedia({ reducedMotion: 'reduce' });
  await open.figure.locator('[data-action=play]').click();
  const seen = await open.figure.evaluate(
    (element) =>
      new Promise((resolve) => {
        const hand = element.shadowRoot?.querySelector('.hand .from');
        /** @type {number[]} */
        const angles = [];
        const observer = new MutationObserver(() => {
          angles.push(
            Math.atan2(-Number(hand?.getAttribute('y2')), Number(hand?.getAttribute('x2'))),
          );
          if (angles.length < 6) return;
          observer.disconnect();
          resolve(angles);
        });
        if (hand) observer.observe(hand, { attributes: true, attributeFilter: ['y2'] });
      }),
  );
  await open.figure.locator('[data-action=play]').click();
  // The first pair turns one radian a position.
  const steps = /** @type {number[]} */ (seen).slice(1).map((angle, i) => apart(angle, seen[i]));
  for (const step of steps) expect(Math.abs(step - Math.round(step))).toBeLessThan(1e-3);
  expect(Math.max(...steps)).toBeGreaterThan(0.9);
});

test('the cell that is read stays marked in another language, and can be left', async () => {
  const { figure, page } = open;
  const reads = (/** @type {string} */ hasText) => figure.locator('.cell', { hasText }).waitFor();
  await figure.locator('.map').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await reads('位置 0 看位置 1，權重');
  await page.locator('#language').selectOption('en');
  await reads('Position 0 looks at position 1, weight');
  await figure.locator('.map').focus();
  await page.keyboard.press('ArrowRight');
  await reads('Position 0 looks at position 2, weight');
  await page.locator('#language').selectOption('zh-Hant');
  await reads('位置 0 看位置 2，權重');
  await page.keyboard.press('Escape');
  await reads('指著一格');
});

test('a worker that has died ends the playing, and is complained of once', async () => {
  const broken = await openFigure(browser, { tag: 'attn-rotation', alone: true });
  const { figure, page } = broken;
  await broken.until('attn-ready');
  const [worker] = page.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error('provoked');
    });
  });
  await broken.after('attn-change', () => figure.locator('[data-action=play]').click());
  await broken.after('attn-error', () => figure.locator('[name=k]').fill('3'));
  await figure.locator('[data-action=play]', { hasText: '播放' }).waitFor();
  await broken.after('attn-change', () => figure.locator('[data-action=restart]').click());
  const errors = await page.evaluate(
    () =>
      /** @type {any} */ (globalThis).figureEvents.filter(
        (/** @type {{type: string}} */ { type }) => type === 'attn-error',
      ).length,
  );
  expect(errors).toBe(1);
});
