/** What a figure hands to other programs is what it computed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { fitsWindow, openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const N_STEPS = 60;

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;
/** @type {Record<string, any>} */
let done;

/**
 * Presses a button of the panel and reads the file that comes of it.
 *
 * @param {RegExp} label
 */
async function download(label) {
  const [file] = await Promise.all([
    open.page.waitForEvent('download'),
    open.figure.locator('.downloads button', { hasText: label }).click(),
  ]);
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}

/** The pixels of an image file, decoded by the browser. @param {Buffer} content */
function decode(content) {
  return open.page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set(new Uint32Array(data.buffer));
    return {
      width: image.width,
      height: image.height,
      corner: [...data.subarray(0, 4)],
      n_colours: colours.size,
    };
  }, content.toString('base64'));
}

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, {
    attributes: { 'n-steps': String(N_STEPS) },
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  await open.until('attn-ready');
  await open.figure.locator('button.primary').click();
  done = await open.until('attn-done');
  await open.figure.locator('button.primary', { hasText: '再訓練一次' }).waitFor();
  await open.figure.locator('[data-action=download]').click();
}, 120_000);

afterAll(() => browser.close());

test('the table holds a row for every test, and is copied as such', async () => {
  const rows = await open.figure.locator('.downloads tbody tr').allTextContents();
  expect(rows).toHaveLength(3);
  await open.figure.locator('.downloads button', { hasText: '複製表格' }).click();
  await open.figure.locator('.copied', { hasText: '已複製' }).waitFor();
  const text = await open.page.evaluate(() => navigator.clipboard.readText());
  const lines = text.split(/\r?\n/).map((line) => line.split('\t'));
  expect(lines[0]).toEqual(['步數', '損失', '每個數字', '整串全對', '反對角線平均']);
  expect(lines.slice(1).map(([step]) => step)).toEqual(['0', '50', '60']);
  const [, loss, digits, sequences, anti_diagonal] = lines[3].map(Number);
  expect(loss).toBeCloseTo(done.loss, 5);
  expect(digits).toBeCloseTo(done.digits, 4);
  expect(sequences).toBeCloseTo(done.sequences, 4);
  expect(anti_diagonal).toBeCloseTo(done.anti_diagonal, 4);
});

test('JSON has the format of the lesson’s file and the engine’s own weights', async () => {
  const { name, content } = await download(/JSON/);
  expect(name).toBe('reverse_seq.json');
  const text = content.toString('utf8');
  expect(text).toMatch(/^\{"att": \[\[0\.\d+(e-\d+)?, .*\]\], "x": \[\d(, \d){9}\]\}$/);
  const { att, x } = JSON.parse(text);
  // A network trained anew, apart from the figure's.
  const { tokens, weights } = await open.figure.evaluate(async (element, n_steps) => {
    const { engine } = /** @type {any} */ (element);
    const { session } = await engine.request('create', { config: {} });
    await engine.request('step', { session, n_steps });
    const batch = await engine.request('batch', { session, seed: 99, n_sequences: 1 });
    const answer = await engine.request('predict', {
      session,
      tokens: batch.tokens[0],
      names: ['att.weights'],
    });
    await engine.request('destroy', { session });
    return { tokens: batch.tokens[0], weights: [...answer.tensors[0].data] };
  }, N_STEPS);
  expect(x).toEqual(tokens);
  expect(att.flat().map(Math.fround)).toEqual(weights);
});

test('CSV has every step of the curves and the tests at theirs', async () => {
  const { name, content } = await download(/CSV/);
  expect(name).toBe('training.csv');
  const lines = content.toString('utf8').split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines[0]).toBe('step,loss,digits,sequences,test_digits,test_sequences');
  const rows = lines.slice(1).map((line) => line.split(','));
  expect(rows.map(([step]) => Number(step))).toEqual(
    Array.from({ length: N_STEPS + 1 }, (_, step) => step),
  );
  const last = rows[N_STEPS];
  expect(Number(last[1])).toBe(done.loss);
  expect(Number(last[4])).toBe(done.digits);
  expect(rows.filter((row) => row[4] !== '').map(([step]) => step)).toEqual(['0', '50', '60']);
});

describe('pictures', () => {
  test.each([
    [/注意力權重圖/, 'attention.png', '.map canvas'],
    [/圖：曲線/, 'curves.png', '.curves canvas'],
    [/各輸出位置/, 'positions.png', '.strip canvas'],
  ])('%s: three pixels for one, on the theme’s ground', async (label, expected, selector) => {
    const canvas = open.figure.locator(selector);
    const size = () =>
      canvas.evaluate((element) => {
        const { width, height } = /** @type {HTMLCanvasElement} */ (element);
        return [width, height];
      });
    const before = await size();
    const { name, content } = await download(label);
    expect(name).toBe(expected);
    const picture = await decode(content);
    // On the page the size is rounded down to whole pixels.
    for (const [i, n] of [picture.width, picture.height].entries()) {
      expect(n).toBeGreaterThanOrEqual(3 * before[i]);
      expect(n).toBeLessThan(3 * (before[i] + 1));
    }
    expect(picture.corner).toEqual([243, 244, 241, 255]);
    expect(picture.n_colours).toBeGreaterThan(10);
    // The chart on the page is as it was.
    expect(await size()).toEqual(before);
  });

  test('in the dark theme the ground is dark', async () => {
    await open.page.emulateMedia({ colorScheme: 'dark' });
    await open.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    const { corner } = await decode((await download(/圖：曲線/)).content);
    expect(corner).toEqual([29, 33, 38, 255]);
    await open.page.emulateMedia({ colorScheme: 'light' });
  });
});

test('the panel is named in both languages, fits 360 px, and axe finds nothing', async () => {
  expect(await open.violations()).toEqual([]);
  await open.page.setViewportSize({ width: 360, height: 800 });
  await open.page.locator('#language').selectOption('en');
  const labels = await open.figure.locator('.downloads button').allTextContents();
  expect(labels.filter((label) => /[\u4e00-\u9fff]/.test(label))).toEqual([]);
  expect(await fitsWindow(open.page)).toBe(true);
});

test('nothing was asked of another origin and no error was logged', () => {
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});
