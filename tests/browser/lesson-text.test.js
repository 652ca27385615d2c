import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LESSON, lessonLines, missingLines } from '../web/lesson-text.js';
import { TestBrowser } from './support/browser.js';
import { DIST } from './support/server.js';

/** @type {TestBrowser} */
let browser;

beforeAll(async () => {
  browser = await TestBrowser.launch();
});

afterAll(() => browser.close());

/**
 * What a reader without scripts sees, line by line, formulas given back as the LaTeX in them.
 *
 * @param {(html: string) => string} [damage] changes the page on its way
 * @returns {Promise<string[]>}
 */
async function linesWithoutScripts(damage = (html) => html) {
  const { page } = await browser.newPage({ javaScriptEnabled: false });
  const html = readFileSync(join(DIST, 'index.html'), 'utf8');
  await page.route(`${browser.origin}/`, (route) =>
    route.fulfill({ body: damage(html), contentType: 'text/html; charset=utf-8' }),
  );
  await page.goto(`${browser.origin}/`);
  const text = await page.evaluate(() => {
    for (const math of document.querySelectorAll('math')) {
      const latex = math.querySelector('annotation')?.textContent;
      const displayed = math.getAttribute('display') === 'block';
      math.replaceWith(displayed ? `$$${latex}$$` : `\\(${latex}\\)`);
    }
    // biome-ignore lint/performance/useDomNodeTextContent: the lines are those of the layout
    return document.body.innerText;
  });
  await page.context().close();
  // Tabs stand between the cells of a table.
  return text.replaceAll('\t', '').split('\n');
}

test('without scripts the page shows the whole lesson, character for character and in order', async () => {
  expect(lessonLines().length).toBeGreaterThan(140);
  expect(missingLines(await linesWithoutScripts())).toEqual([]);
});

test.each([
  ['a lost sentence', '否則訓練時就偷看到答案了', ''],
  ['a changed character', '有兩個根本的限制', '有二個根本的限制'],
  ['a changed digit of an output', '[0.1200, 0.8800', '[0.1300, 0.8800'],
  ['a lost space of a line of code', '    x = torch', '   x = torch'],
  ['a changed formula', '\\alpha_{ij}', '\\alpha_{ji}'],
  ['a changed cell of the table', '相隔 n 步', '相隔 m 步'],
])('the comparison sees %s', async (_, original, damaged) => {
  const missing = missingLines(
    await linesWithoutScripts((html) => {
      expect(html).toContain(original);
      return html.replace(original, damaged);
    }),
  );
  expect(missing).toEqual([lessonLines().find((line) => line.includes(original))]);
});

test('the comparison sees two sections in the wrong order', async () => {
  const lines = await linesWithoutScripts((html) => {
    const [first, second] = ['multi-head-attention', 'positional-encoding'].map((id) => {
      const start = html.indexOf(`<section class="section" id="${id}"`);
      return html.slice(start, html.indexOf('<section class="section"', start + 1));
    });
    return html.replace(first + second, () => second + first);
  });
  expect(missingLines(lines)).not.toEqual([]);
});

test('without scripts a note takes the place of the figure and no control is shown', async () => {
  const { page } = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${browser.origin}/`);
  expect(await page.locator('#reverse noscript p').isVisible()).toBe(true);
  expect(await page.locator('select').first().isVisible()).toBe(false);
  expect((await page.locator('attn-reverse').boundingBox())?.height).toBe(0);
  await page.context().close();
});

test('both scripts can be downloaded, byte for byte as the lesson prints them', async () => {
  const { page } = await browser.newPage();
  await page.goto(`${browser.origin}/`);
  for (const name of ['attention_check.py', 'reverse_seq.py']) {
    const link = page.getByRole('link', { name });
    const response = await page.request.get(
      new URL(/** @type {string} */ (await link.getAttribute('href')), browser.origin).href,
    );
    expect(response.ok()).toBe(true);
    const code = await response.text();
    expect(LESSON).toContain(`\n\n${code.trimEnd()}\n\n⬇ 下載 ${name}`);
    expect(code).toBe(
      readFileSync(new URL(`../../web/lesson/source/${name}`, import.meta.url), 'utf8'),
    );
  }
  await page.context().close();
});
