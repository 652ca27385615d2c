/** What the figure says and does when something is wrong: each message provoked where a reader meets it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { Page } from 'playwright-core' */
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

/** @param {Parameters<typeof openFigure>[1]} [options] */
async function open(options) {
  current = await openFigure(browser, options);
  return current;
}

/** The message above the stage. @param {OpenFigure} open */
function alertOf({ figure }) {
  return figure.locator('.alert .message p').textContent();
}

/** Whether the lesson is still there to be read. @param {Page} page */
async function lessonStands(page) {
  const text = (await page.locator('#lesson').textContent()) ?? '';
  return text.includes('第 i 個輸出去看第 9 − i 個輸入') && text.includes('縮放點積注意力');
}

describe('a browser that cannot compute', () => {
  test('without WebAssembly says so and leaves the lesson to be read', async () => {
    const figure = await open({
      prepare: (page) =>
        page.addInitScript(() => {
          delete (/** @type {any} */ (globalThis).WebAssembly);
        }),
    });
    expect(await figure.until('attn-error')).toMatchObject({ code: 'NO_WASM' });
    expect(await alertOf(figure)).toContain('這個瀏覽器沒有 WebAssembly');
    expect(await figure.figure.locator('.stage').isVisible()).toBe(false);
    expect(await lessonStands(figure.page)).toBe(true);
  });

  test('without SIMD trains with the scalar build and says so', async () => {
    const figure = await open({
      attributes: { 'n-steps': '3' },
      // In the worker, where the build is chosen.
      prepare: (page) =>
        page.route('**/worker-*.js', async (route) => {
          const response = await route.fetch();
          const body = `WebAssembly.validate = () => false;\n${await response.text()}`;
          await route.fulfill({ response, body });
        }),
    });
    await figure.until('attn-ready');
    expect(await figure.figure.locator('.note').textContent()).toContain('沒有 SIMD');
    await figure.figure.locator('button.primary').click();
    expect(await figure.until('attn-done')).toMatchObject({ step: 3 });
  });
});

describe('a worker that fails', () => {
  test('does not load: the message offers a restart, which works once the network does', async () => {
    const figure = await open({
      prepare: (page) => page.route('**/worker-*.js', (route) => route.abort()),
    });
    expect(await figure.until('attn-error')).toMatchObject({ code: 'WORKER_FAILED' });
    expect(await alertOf(figure)).toContain('背景的計算沒有開始，或已經停止');
    await figure.page.unroute('**/worker-*.js');
    await figure.figure.locator('[data-action=restart]').click();
    await figure.until('attn-ready');
    expect(await figure.figure.locator('.alert').textContent()).toBe('');
    expect(await figure.figure.locator('.stage').isVisible()).toBe(true);
  });

  test('finds no program: the message says that it was not loaded', async () => {
    const figure = await open({
      prepare: (page) => page.route('**/*.wasm', (route) => route.abort()),
    });
    expect(await figure.until('attn-error')).toMatchObject({ code: 'LOAD_FAILED' });
    expect(await alertOf(figure)).toContain('沒有下載成功');
    expect(await figure.figure.locator('[data-action=restart]').isVisible()).toBe(true);
  });

  test('dies while training: what was drawn stays, a restart begins anew', async () => {
    const figure = await open();
    await figure.until('attn-ready');
    await figure.figure.locator('button.primary').click();
    await figure.until('attn-step', 10);
    const [worker] = figure.page.workers();
    await worker.evaluate(() => {
      setTimeout(() => {
        throw new Error('provoked');
      });
    });
    expect(await figure.until('attn-error')).toMatchObject({ code: 'WORKER_FAILED' });
    expect(await alertOf(figure)).toContain('背景的計算沒有開始，或已經停止');
    expect(await figure.figure.locator('.stage').isVisible()).toBe(true);
    expect(await figure.figure.locator('button.primary').isDisabled()).toBe(true);
    await figure.figure.locator('[data-action=restart]').click();
    await figure.figure.locator('button.primary:enabled', { hasText: '訓練' }).waitFor();
    expect(await figure.figure.locator('.progress output').textContent()).toContain('第 0 ／');
    expect(await lessonStands(figure.page)).toBe(true);
  });

  test('is ended from outside: the next request meets the failure', async () => {
    const figure = await open();
    await figure.until('attn-ready');
    await figure.page.evaluate(() => {
      const { engine } = /** @type {any} */ (document.querySelector('attn-reverse'));
      engine.fail(Object.assign(new Error('provoked'), { code: 'WORKER_FAILED', detail: {} }));
    });
    await figure.figure.locator('[data-action=step]').click();
    await figure.until('attn-error');
    await figure.figure.locator('[data-action=restart]').click();
    await figure.figure.locator('[data-action=step]:enabled').click();
    expect(await figure.until('attn-step')).toMatchObject({ step: 1 });
  });

  test('is itself asked to free its session: to the next that handle is another’s', async () => {
    const { figure, until, after } = await open({ scroll: false, alone: true });
    await figure.evaluate((element) => {
      const target = /** @type {any} */ (element);
      const { engine } = target;
      const send = engine.request.bind(engine);
      /** @type {string[]} */
      const asked = [];
      /** @param {string} name @param {string} failing */
      const answerAs = (name, failing) => (/** @type {string} */ type, /** @type {any} */ args) => {
        asked.push(`${name} ${type}`);
        const error = Object.assign(new Error('provoked'), { code: 'WORKER_FAILED', detail: {} });
        return type === failing ? Promise.reject(error) : send(type, args);
      };
      engine.request = answerAs('new', '');
      target.engine = { request: answerAs('old', 'step') };
      Object.assign(globalThis, { asked });
      element.scrollIntoView();
    });
    await until('attn-ready');
    await after('attn-error', () => figure.locator('[data-action=step]').click());
    await after('attn-ready', () => figure.locator('[data-action=restart]').click());
    const asked = await figure.evaluate(() => /** @type {any} */ (globalThis).asked);
    expect(asked.filter((/** @type {string} */ request) => request.endsWith('destroy'))).toEqual([
      'old destroy',
    ]);
    expect(asked).toContain('new create');
  });
});

describe('digits', () => {
  test.each([
    ['', '還沒有輸入數字。', 'No digits yet.'],
    ['12345', '只有 5 個數字，要 10 個。', 'Too few digits: 5 instead of 10.'],
    ['123456789012', '有 12 個數字，太多了，要 10 個。', 'Too many digits: 12 instead of 10.'],
    ['12345六789a', '只能輸入數字，不能有「六a」。', 'Digits only, please: "六a" cannot be read.'],
  ])('%j is refused in the page’s language, beside the input', async (text, chinese, english) => {
    const { page, figure, until } = await open();
    await until('attn-ready');
    await figure.locator('#tokens').fill(text);
    await figure.locator('#tokens').press('Enter');
    const problem = figure.locator('#tokens-problem');
    expect(await problem.textContent()).toBe(chinese);
    expect(await figure.locator('#tokens').getAttribute('aria-invalid')).toBe('true');
    await page.locator('#language').selectOption('en');
    expect(await problem.textContent()).toBe(english);
    await figure.locator('#tokens').fill('0123456789');
    await figure.locator('#tokens').press('Enter');
    await figure.locator('.answer tr').first().waitFor();
    expect(await problem.textContent()).toBe('');
    expect(await figure.locator('#tokens').getAttribute('aria-invalid')).toBe('false');
  });

  test('a digit that the vocabulary does not have is named', async () => {
    const { figure, until } = await open({ attributes: { 'vocab-size': '4', 'seq-len': '5' } });
    await until('attn-ready');
    await figure.locator('#tokens').fill('01273');
    await figure.locator('#tokens').press('Enter');
    expect(await figure.locator('#tokens-problem').textContent()).toBe('7 太大，最大是 3。');
  });
});

describe('settings', () => {
  test.each([
    [{ 'seq-len': '99' }, 'ATTRIBUTE', '屬性 seq-len="99" 不能用。序列長可用的值：2 – 64。'],
    [{ task: 'dance' }, 'ATTRIBUTE', '任務可用的值：reverse, copy, sort, shift'],
    [{ speed: 'warp' }, 'ATTRIBUTE', '屬性 speed="warp" 不能用'],
    [{ 'd-model': '31' }, 'CONFIG_RANGE', '向量維度的值 31 不能用：要是偶數。'],
    [{ 'n-heads': '3' }, 'CONFIG_RANGE', '頭數的值 3 不能用：要能整除向量維度。'],
    [
      {
        'seq-len': '64',
        'd-model': '256',
        'd-ff': '1024',
        'n-layers': '6',
        'n-heads': '16',
        'batch-size': '512',
      },
      'MEMORY_LIMIT',
      'MB 的記憶體，太大了',
    ],
  ])('%j cannot be: the message says why and leads back', async (attributes, code, words) => {
    const figure = await open({ attributes });
    expect(await figure.until('attn-error')).toMatchObject({ code });
    expect(await alertOf(figure)).toContain(words);
    await figure.figure.locator('.alert [data-action=lesson]').click();
    await figure.until('attn-ready');
    expect(await figure.figure.locator('.alert').textContent()).toBe('');
    expect(await figure.figure.evaluate((element) => element.getAttributeNames())).toEqual([]);
  });

  test('a number outside its range is refused at its box, and the network stays', async () => {
    const { figure, until } = await open();
    await until('attn-ready');
    await figure.locator('summary').click();
    const box = figure.locator('#setting-learning_rate');
    await box.fill('99');
    await box.press('Enter');
    expect(await figure.locator('#setting-learning_rate-problem').textContent()).toBe(
      '學習率可用的值：0.000001 – 10。',
    );
    expect(await figure.evaluate((element) => element.getAttributeNames())).toEqual([]);
  });

  test('a value that the engine refuses is explained at its box until it is cured', async () => {
    const { page, figure, until, after } = await open();
    await until('attn-ready');
    await figure.locator('summary').click();
    const box = figure.locator('#setting-d_model');
    const problem = figure.locator('#setting-d_model-problem');
    await after('attn-error', async () => {
      await box.fill('33');
      await box.press('Enter');
    });
    expect(await problem.textContent()).toBe('向量維度的值 33 不能用：要是偶數。');
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    await page.locator('#language').selectOption('en');
    expect(await problem.textContent()).toBe(
      '33 cannot be used for "Vector size": it must be even.',
    );
    await after('attn-error', async () => {
      await box.fill('34');
      await box.press('Enter');
      await figure.evaluate((element) => element.setAttribute('n-heads', '4'));
    });
    expect(await problem.textContent()).toBe('');
    expect(await figure.locator('#setting-n_heads-problem').textContent()).toContain(
      'must divide the vector size',
    );
    await after('attn-ready', async () => {
      await box.fill('36');
      await box.press('Enter');
    });
    // The box may be drawn anew a frame later.
    await figure.locator('#setting-n_heads-problem:empty').waitFor({ state: 'attached' });
    await figure.locator('#setting-d_model[aria-invalid=false]').waitFor();
  });

  test('training that is stuck names the knob and turns it back', async () => {
    const { figure, until } = await open({
      attributes: { 'learning-rate': '3', 'n-steps': '80' },
    });
    await until('attn-ready');
    await figure.locator('button.primary').click();
    await until('attn-done');
    const message = figure.locator('.stuck .message');
    await message.waitFor();
    expect(await message.locator('p').textContent()).toBe(
      '訓練卡住了：正確率和亂猜差不多，每個輸出卻只看一個輸入（one-hot），經過 softmax 的梯度幾乎是 0。請把學習率從 3 調回 0.003。',
    );
    await message.locator('button').click();
    await message.waitFor({ state: 'detached' });
    expect(await figure.getAttribute('learning-rate')).toBeNull();
  });
});

describe('what a reader can hardly bring about', () => {
  test.each([
    ['OUT_OF_MEMORY', '記憶體不夠', true],
    ['TOO_MANY', '同時訓練的網路太多', false],
    ['PANIC', '內部錯誤', true],
    ['CONFIG_UNSUPPORTED', '還不能計算', false],
    ['SOMETHING_ELSE', '沒有料到的錯誤', false],
  ])('%s has its words', async (code, words, restartable) => {
    const figure = await open({ scroll: false });
    await figure.page.evaluate((failure) => {
      const element = /** @type {any} */ (document.querySelector('attn-reverse'));
      const error = { code: failure, message: 'provoked', detail: {} };
      element.engine = {
        request: () => Promise.reject(Object.assign(new Error('provoked'), error)),
      };
    }, code);
    await figure.figure.evaluate((element) => element.scrollIntoView());
    await figure.until('attn-error');
    expect(await alertOf(figure)).toContain(words);
    expect(await figure.figure.locator('[data-action=restart]').count()).toBe(restartable ? 1 : 0);
  });
});
