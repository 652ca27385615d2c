/**
 * Takes the picture of README.md from the built page, the lesson's run finished:
 *
 *     make screenshot
 */
import { TestBrowser } from '../browser/support/browser.js';
import { openFigure } from '../browser/support/figure.js';

const [file] = process.argv.slice(2);
const browser = await TestBrowser.launch();
const { page, figure, until } = await openFigure(browser, {
  context: { viewport: { width: 1280, height: 1000 }, locale: 'zh-TW' },
});
await until('attn-ready');
await figure.locator('button.primary').click();
await until('attn-done');
await page.mouse.move(0, 0);
await figure.evaluate((element) =>
  element.closest('.passage')?.scrollIntoView({ behavior: 'instant' }),
);
// Two frames: one to draw the last step, one to show it.
await page.evaluate(
  () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
);
await page.screenshot({ path: file });
await browser.close();
