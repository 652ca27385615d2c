/** What every figure does with presses, settings and words that come at a bad moment. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
});

afterEach(() => open.page.context().close());

afterAll(() => browser.close());

/**
 * Presses buttons of the figure in one task, as a reader does who is faster than the engine.
 *
 * @param {...string} actions
 */
function press(...actions) {
  return open.figure.evaluate((element, names) => {
    for (const name of names) {
      const button = element.shadowRoot?.querySelector(`[data-action=${name}]`);
      /** @type {HTMLButtonElement} */ (button).click();
    }
  }, actions);
}

/** Networks asked for from now on come when `release` is called. */
function holdNetworks() {
  return open.figure.evaluate((element) => {
    const figure = /** @type {any} */ (element);
    const { engine } = figure;
    const released = new Promise((resolve) => Object.assign(globalThis, { release: resolve }));
    figure.engine = {
      request: async (/** @type {string} */ type, /** @type {object} */ args) => {
        const result = await engine.request(type, args);
        if (type === 'create') await released;
        return result;
      },
    };
  });
}

/** Nothing is under way any more. */
async function releaseNetworks() {
  await open.page.evaluate(() => /** @type {any} */ (globalThis).release());
  await open.figure.locator('.figure:not([aria-busy])').waitFor();
}

test('what is pressed while numbers are on their way is done with those', async () => {
  open = await openFigure(browser, { tag: 'attn-peek', alone: true });
  await open.until('attn-ready');
  const step = await open.after('attn-step', () => press('reset', 'train'));
  expect(step.step).toBeGreaterThan(0);
  await press('train');
  await open.figure.getByRole('button', { name: '繼續訓練' }).waitFor();
  expect(await open.figure.locator('[role=alert]').textContent()).toBe('');
});

test('a run that other settings have ended is not shown as going on', async () => {
  open = await openFigure(browser, { tag: 'attn-peek', alone: true });
  await open.until('attn-ready');
  await open.after('attn-step', () => press('train'));
  await holdNetworks();
  await open.figure.evaluate((element) => element.setAttribute('seq-len', '8'));
  await open.figure.getByRole('button', { name: '繼續訓練' }).waitFor();
  await releaseNetworks();
  expect(await open.figure.locator('[data-action=train]').textContent()).toBe('訓練');
});

test('numbers on their way are not drawn with settings that are not theirs', async () => {
  open = await openFigure(browser, { tag: 'attn-distance', alone: true });
  await open.until('attn-ready');
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => {
      element.setAttribute('seq-len', '32');
      // In a task of its own the far position comes to a figure that shows ten.
      setTimeout(() => {
        element.setAttribute('input', '31');
        document.documentElement.dataset.theme = 'dark';
      });
    }),
  );
  expect(await open.figure.locator('[role=alert]').textContent()).toBe('');
  expect(open.complaints.errors).toEqual([]);
});

test('an attribute refused while numbers are on their way stays refused', async () => {
  open = await openFigure(browser, { tag: 'attn-peek', alone: true });
  await open.until('attn-ready');
  await holdNetworks();
  await open.figure.evaluate((element) => element.setAttribute('seq-len', '8'));
  await open.figure.locator('.figure[aria-busy]').waitFor();
  const error = await open.after('attn-error', () =>
    open.figure.evaluate((element) => element.setAttribute('seq-len', '999')),
  );
  expect(error).toMatchObject({ code: 'ATTRIBUTE' });
  await releaseNetworks();
  expect(await open.figure.locator('[role=alert]').textContent()).toContain('999');
  // What went wrong with the attribute goes with it.
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.removeAttribute('seq-len')),
  );
  expect(await open.figure.locator('[role=alert]').textContent()).toBe('');
});

test('a message on an attribute speaks the language that is set', async () => {
  open = await openFigure(browser, { tag: 'attn-peek', attributes: { 'seq-len': '999' } });
  await open.until('attn-error');
  await open.page.locator('#language').selectOption('en');
  const text = await open.figure.locator('[role=alert]').textContent();
  expect(text).toContain('Sequence length');
  expect(text).not.toMatch(/[\u4e00-\u9fff]/);
});

test.each([
  ['attn-order', { order: '0011' }, '0 到 9 各一次'],
  ['attn-block', { tokens: '12a' }, '10 個 0 到 9 的數字'],
  ['attn-heads', { 'n-heads': '3' }, '1, 2, 4, 8'],
])('%s with a bad link says what can be', async (tag, attributes, allowed) => {
  open = await openFigure(browser, { tag, attributes: /** @type {any} */ (attributes) });
  await open.until('attn-error');
  expect(await open.figure.locator('[role=alert]').textContent()).toContain(allowed);
});

test.each([
  ['attn-rotation', { k: '99' }, ['play']],
  ['attn-positions', { base: '0' }, ['play']],
  ['attn-order', { sample: '99' }, ['shuffle', 'restore']],
  ['attn-block', { 'n-layers': '9' }, ['play', 'back', 'on']],
])('%s with a bad link has nothing that fails or plays', async (tag, attributes, actions) => {
  open = await openFigure(browser, { tag, attributes: /** @type {any} */ (attributes) });
  await open.until('attn-error');
  await press(...actions);
  const map = open.figure.locator('.map').first();
  if ((await map.count()) > 0) {
    await map.focus();
    await open.page.keyboard.press('ArrowRight');
    await map.hover();
  }
  await open.after('attn-ready', () => press('lesson'));
  for (const button of await open.figure.locator('[data-action=play]').all()) {
    expect(await button.textContent()).toBe('播放');
  }
  expect(open.complaints.errors).toEqual([]);
});

test('the foot speaks the language that is set, whatever stood there', async () => {
  open = await openFigure(browser, { tag: 'attn-positions', alone: true });
  await open.until('attn-ready');
  await press('source', 'link');
  await open.figure.locator('.source pre').first().waitFor();
  await open.figure.locator('.copied:not(:empty)').waitFor();
  await open.page.locator('#language').selectOption('en');
  await open.figure.locator('.source .caption').getByText('line').first().waitFor();
  expect(await open.figure.locator('.copied').textContent()).toBe('');
});

test('a field keeps what is typed, says what is wrong with it, and shows the truth when left', async () => {
  open = await openFigure(browser, { tag: 'attn-check', alone: true });
  await open.until('attn-ready');
  await open.figure.locator('summary').click();
  const field = open.figure.locator('[name=seed]');
  const problem = open.figure.locator('#setting-seed-problem');
  for (const typed of ['1.5', '-5', '99999999999', '']) {
    await field.fill(typed);
    expect(await field.inputValue()).toBe(typed);
    expect(await problem.textContent()).toBe('隨機種子可用的值：0 – 4294967295。');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.blur();
    expect(await field.inputValue()).toBe('0');
    expect(await problem.textContent()).toBe('');
  }
  await field.focus();
  await open.page.keyboard.press('Control+a');
  await open.after('attn-change', () => open.page.keyboard.type('12'));
  expect(await field.inputValue()).toBe('12');
  await open.figure.locator('.departure', { hasText: '12' }).waitFor();
  expect(await open.violations()).toEqual([]);
});

test('what was said of numbers that are gone is said no more', async () => {
  open = await openFigure(browser, { tag: 'attn-order', alone: true });
  await open.until('attn-ready');
  await open.after('attn-change', () => press('shuffle'));
  const said = open.figure.locator('[data-live]');
  expect(await said.textContent()).toContain('沒有位置編碼');
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('sample', '2')),
  );
  expect(await said.textContent()).toBe('');
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => element.setAttribute('causal', '')),
  );
  expect(await said.textContent()).toContain('沒有位置編碼');
});
