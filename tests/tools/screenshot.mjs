/**
 * Takes the picture of README.md from the built page, the lesson's run finished:
 *
 *     make screenshot
 */
import { TestBrowser } from '../browser/support/browser.js';

const [file] = process.argv.slice(2);
const browser = await TestBrowser.launch();
const { page } = await browser.newPage({
  viewport: { width: 1280, height: 880 },
  deviceScaleFactor: 1,
  locale: 'zh-TW',
});
await page.goto(browser.origin);
const figure = page.locator('attn-reverse');
await figure.scrollIntoViewIfNeeded();
await figure.evaluate((element) =>
  element.closest('section')?.scrollIntoView({ behavior: 'instant' }),
);
const done = figure.evaluate(
  (element) =>
    new Promise((resolve) => {
      element.addEventListener('attn-done', () => resolve(null), { once: true });
    }),
);
await figure.getByRole('button', { name: '訓練' }).click();
await done;
await page.mouse.move(0, 0);
// Two frames: one to draw the last step, one to show it.
await page.evaluate(
  () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
);
await page.screenshot({ path: file });
await browser.close();
