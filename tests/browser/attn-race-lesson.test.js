/** The lesson's race, in full: what the page ends with are the lesson's two lines. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;
/** @type {Record<string, any>} */
let done;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-race' });
  await open.until('attn-ready');
  done = await open.figure.evaluate(
    (element) =>
      new Promise((resolve) => {
        element.addEventListener('attn-done', (event) =>
          resolve(/** @type {CustomEvent} */ (event).detail),
        );
        const root = /** @type {ShadowRoot} */ (element.shadowRoot);
        /** @type {HTMLButtonElement} */ (root.querySelector('button.primary')).click();
      }),
  );
  await open.figure.locator('button.primary', { hasText: '再訓練到 3000 步' }).waitFor();
}, 600_000);

afterAll(() => browser.close());

test('the Transformer has 9194 parameters and every sequence right, as printed', async () => {
  expect(done.transformer).toMatchObject({
    step: 1500,
    n_parameters: 9194,
    digits: 1,
    sequences: 1,
  });
  const lines = await open.figure.locator('.lines code').allTextContents();
  expect(lines[1]).toBe(lines[0]);
  expect(await open.figure.locator('.verdict.transformer').textContent()).toBe('✓ 與課文相同');
});

test('the BiLSTM has 32778 parameters, 95.0 ± 0.2% of digits and 61.1 ± 1.0% of sequences', async () => {
  expect(done.bilstm).toMatchObject({ step: 1500, n_parameters: 32_778 });
  expect(Math.abs(100 * done.bilstm.digits - 95.0)).toBeLessThanOrEqual(0.2);
  expect(Math.abs(100 * done.bilstm.sequences - 61.1)).toBeLessThanOrEqual(1.0);
  const [, , lesson, here] = await open.figure.locator('.lines code').allTextContents();
  const verdict = await open.figure.locator('.verdict.bilstm').textContent();
  if (here === lesson) expect(verdict).toBe('✓ 與課文相同');
  else expect(verdict).toContain('捨入雜訊');
});
