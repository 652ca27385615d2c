/** Messages that no setting brings about: the engine’s answers are changed on their way to the figure. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure | undefined} */
let current;

beforeAll(async () => {
  browser = await TestBrowser.launch();
});

afterEach(async () => {
  await current?.page.context().close();
  current = undefined;
});

afterAll(() => browser.close());

/**
 * A figure whose steps have a loss that is no number.
 *
 * @param {Record<string, string>} attributes
 */
async function openDiverging(attributes) {
  current = await openFigure(browser, { attributes, scroll: false });
  const { figure, until } = current;
  await figure.evaluate((element) => {
    const target = /** @type {any} */ (element);
    const { engine } = target;
    target.engine = {
      request: async (/** @type {string} */ type, /** @type {object} */ args) => {
        const answer = await engine.request(type, args);
        for (const measured of Array.isArray(answer.metrics) ? answer.metrics : []) {
          measured.loss = Number.NaN;
        }
        return answer;
      },
    };
    element.scrollIntoView();
  });
  await until('attn-ready');
  return current;
}

test('a loss that is no number stops the training and names the knob, which turns back', async () => {
  const { figure, until } = await openDiverging({ 'learning-rate': '5', 'd-model': '64' });
  await figure.locator('button.primary').click();
  await until('attn-step');
  const message = figure.locator('.stuck .message');
  await message.waitFor();
  expect(await message.locator('p').textContent()).toBe(
    '訓練發散了：損失已不是數字。請把學習率從 5 調回 0.003。',
  );
  await figure.locator('button.primary', { hasText: '繼續訓練' }).waitFor();
  expect(await figure.locator('[data-value=loss]').textContent()).toBe('NaN');
  await message.locator('button').click();
  await message.waitFor({ state: 'detached' });
  expect(await figure.getAttribute('learning-rate')).toBeNull();
  expect(await figure.getAttribute('d-model')).toBe('64');
});

test('with the settings of the lesson it says that there is no knob to turn', async () => {
  const { page, figure, until } = await openDiverging({});
  await figure.locator('button.primary').click();
  await until('attn-step');
  const message = figure.locator('.stuck .message');
  await message.waitFor();
  expect(await message.textContent()).toBe(
    '訓練發散了：損失已不是數字。沒有可以調回的設定；按「重設」再試。',
  );
  expect(await message.locator('button').count()).toBe(0);
  await page.locator('#language').selectOption('en');
  expect(await message.textContent()).toBe(
    'Training has diverged: the loss is no longer a number. No setting to turn back was found; reset and try again.',
  );
});

test('a value that only the engine refuses is named with its range', async () => {
  current = await openFigure(browser, { attributes: { 'seq-len': '12' }, scroll: false });
  const { figure, until } = current;
  await figure.evaluate((element) => {
    const target = /** @type {any} */ (element);
    const { engine } = target;
    const detail = { field: 'seq_len', min: 2, max: 9 };
    target.engine = {
      request: (/** @type {string} */ type, /** @type {object} */ args) =>
        type === 'create'
          ? Promise.reject(Object.assign(new Error('provoked'), { code: 'CONFIG_RANGE', detail }))
          : engine.request(type, args),
    };
    element.scrollIntoView();
  });
  expect(await until('attn-error')).toMatchObject({ code: 'CONFIG_RANGE' });
  const message = figure.locator('.alert .message');
  expect(await message.locator('p').textContent()).toBe('序列長的值 12 不能用（可用 2 – 9）。');
  expect(await message.locator('[data-action=lesson]').isVisible()).toBe(true);
});
