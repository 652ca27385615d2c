/** The figure of the block shows the very tensors of the engine, of untrained and trained networks. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LESSON_TOKENS, mapsOf, tokensOf } from '../../web/widgets/attn-block/model.js';
import { writeFixed } from '../../web/widgets/numbers.js';
import { loadEngine, withSession } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { StageId } from '../../web/widgets/attn-block/model.js' */
/** @import { OpenFigure } from './support/figure.js' */

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;

beforeAll(async () => {
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-block' });
});

afterAll(() => browser.close());

/**
 * The pictures of a stage as the engine computes them in Node.
 *
 * @param {StageId} stage
 * @param {object} options
 * @param {Record<string, number | string | boolean>} [options.config]
 * @param {number} [options.tokens]
 * @param {number} [options.layer]
 * @param {number} [options.head]
 * @param {number} [options.n_steps] of training
 */
async function mapsInNode(
  stage,
  { config = {}, tokens = LESSON_TOKENS, layer = 1, head = 1, n_steps = 0 },
) {
  const { engine } = await loadEngine();
  /** @type {ReturnType<typeof mapsOf>} */
  let maps = [];
  withSession(engine, config, (session, created) => {
    if (n_steps > 0) engine.step({ session, n_steps });
    const names = engine
      .tensors({ session })
      .tensors.filter(({ kind }) => kind === 'activation' || kind === 'buffer')
      .map(({ name }) => name);
    const asked = tokensOf(tokens, created.config);
    const { tensors } = engine.predict({ session, tokens: asked, names });
    const byName = Object.fromEntries(names.map((name, i) => [name, tensors[i]]));
    const norm_first = Boolean(created.config.norm_first);
    const n_layers = Number(created.config.n_layers);
    maps = mapsOf({ stage, layer }, byName, { norm_first, n_layers, head });
  });
  return maps;
}

/** The numbers in the open data table, a list a picture. */
const tables = () =>
  open.figure
    .locator('.data table')
    .evaluateAll((all) =>
      all.map((table) => [...table.querySelectorAll('td')].map(({ textContent }) => textContent)),
    );

/** @param {Awaited<ReturnType<typeof mapsInNode>>} maps */
const written = (maps) => maps.map(({ data }) => Array.from(data, (value) => writeFixed(value, 4)));

test('begins as the lesson’s network with its first test sequence', async () => {
  const { n_parameters, trained, ...settings } = await open.until('attn-ready');
  expect({ n_parameters, trained }).toEqual({ n_parameters: 9194, trained: false });
  expect(settings).toMatchObject({ stage: 'emb', norm_first: false, tokens: LESSON_TOKENS });
  expect(await open.figure.locator('.lesson').textContent()).toBe('✓ 與課文相同');
  // The picture for readers without scripts does not stand there twice.
  expect(await open.figure.locator('svg').isVisible()).toBe(false);
});

test('walking by keys and buttons shows every stage as the engine computes it', async () => {
  await open.figure.locator('[data-action=table]').click();
  const shown = open.figure.locator('.diagram [aria-current]');
  await shown.focus();
  /** @type {[StageId, () => Promise<unknown>][]} */
  const walk = [
    ['input', () => open.page.keyboard.press('ArrowDown')],
    ['qkv', () => open.page.keyboard.press('ArrowDown')],
    ['weights', () => open.figure.locator('[data-action=on]').click()],
    ['ff1', () => open.figure.locator('[data-action=stage-ff1]').click()],
    ['probs', () => open.page.keyboard.press('End')],
  ];
  for (const [stage, go] of walk) {
    expect(await open.after('attn-change', go)).toMatchObject({ stage });
    expect(await shown.getAttribute('data-action')).toBe(`stage-${stage}`);
    expect(await tables()).toEqual(written(await mapsInNode(stage, {})));
  }
});

test('keys take the focus along, and leave it where the reader has taken it since', async () => {
  const { figure, page } = open;
  const focused = () => figure.evaluate((element) => element.shadowRoot?.activeElement?.className);
  await figure.locator('.diagram [aria-current]').focus();
  // It is the last stage: the key leads nowhere.
  await page.keyboard.press('ArrowDown');
  await figure.locator('.slot-0 .map').focus();
  await page.keyboard.press('ArrowRight');
  await figure.locator('.cell', { hasText: '位置 0（1），第 0 欄' }).waitFor();
  expect(await focused()).toBe('chart map');
  // A key while numbers are on their way leads somewhere only once they are there.
  const causal = await open.after('attn-change', () =>
    figure.evaluate((element) => {
      element.setAttribute('causal', '');
      queueMicrotask(() => {
        const root = /** @type {ShadowRoot} */ (element.shadowRoot);
        const stage = root.querySelector('.diagram [aria-current]');
        /** @type {HTMLElement} */ (stage).focus();
        stage?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }));
        /** @type {HTMLElement} */ (root.querySelector('.slot-0 .map')).focus();
      });
    }),
  );
  expect(causal).toMatchObject({ causal: true, stage: 'logits' });
  expect(await focused()).toBe('chart map');
  await open.after('attn-change', () => figure.locator('[name=causal]').uncheck());
});

test('the zeros of ReLU are counted', async () => {
  await open.after('attn-change', () => open.figure.locator('[data-action=stage-ff1]').click());
  const [{ data }] = await mapsInNode('ff1', {});
  const zeros = data.filter((value) => value === 0).length;
  const text = await open.figure.locator('[data-value=zeros]').textContent();
  expect(text).toBe(`${zeros}／640（${((100 * zeros) / 640).toFixed(1)}%）`);
});

test('another network and question: the picture’s order, two layers, four heads, the mask', async () => {
  const config = { norm_first: true, n_layers: 2, n_heads: 4, causal: true, activation: 'gelu' };
  await open.after('attn-change', () =>
    open.figure.evaluate((element) => {
      const wanted = {
        'norm-first': '',
        'n-layers': '2',
        'n-heads': '4',
        causal: '',
        activation: 'gelu',
        stage: 'weights',
        layer: '2',
        head: '3',
      };
      for (const [name, value] of Object.entries(wanted)) element.setAttribute(name, value);
    }),
  );
  const tokens = 3_141_592_653;
  await open.figure.locator('#question').fill('31415926');
  await open.figure.locator('#question').press('Enter');
  expect(await open.figure.locator('#question-problem').textContent()).toContain('10');
  await open.figure.locator('#question').fill(String(tokens));
  await open.after('attn-change', () => open.figure.locator('#question').press('Enter'));
  const maps = await mapsInNode('weights', { config, tokens, layer: 2, head: 3 });
  expect(await tables()).toEqual(written(maps));
  expect(await open.figure.locator('.network').textContent()).toContain('pre-norm');
  expect(await open.figure.locator('.departure').textContent()).toContain('層數 2（課文 1）');
});

test('of a layer and a head that the network does not have, it shows the nearest', async () => {
  const { figure } = open;
  await open.after('attn-change', () =>
    figure.evaluate((element) => {
      element.setAttribute('layer', '4');
      element.setAttribute('head', '8');
    }),
  );
  const config = { norm_first: true, n_layers: 2, n_heads: 4, causal: true, activation: 'gelu' };
  const tokens = 3_141_592_653;
  const maps = await mapsInNode('weights', { config, tokens, layer: 2, head: 4 });
  expect(await tables()).toEqual(written(maps));
  expect(await figure.locator('[name=layer]').inputValue()).toBe('2');
  expect(await figure.locator('[name=head]').inputValue()).toBe('4');
  await figure.locator('#slot-1', { hasText: '權重（頭 4）' }).waitFor();
  expect(await figure.locator('.data caption').allTextContents()).toEqual([
    '分數（頭 4），10×10',
    '權重（頭 4），10×10',
  ]);
  await figure.locator('.slot-1 .map').focus();
  await open.page.keyboard.press('ArrowRight');
  await figure.locator('.cell', { hasText: '權重（頭 4）：位置 0' }).waitFor();
});

test('a question that is refused stands with its reason, in the page’s language', async () => {
  const { figure, page } = open;
  const problem = figure.locator('#question-problem');
  await figure.locator('#question').fill('12');
  await figure.locator('#question').press('Enter');
  expect(await problem.textContent()).toBe('要 10 個數字，每個 0 到 9。');
  await page.locator('#language').selectOption('en');
  await figure.locator('#question-problem', { hasText: '10 digits are needed' }).waitFor();
  expect(await figure.locator('#question').inputValue()).toBe('12');
  await page.locator('#language').selectOption('zh-Hant');
  await open.after('attn-change', () => figure.locator('[data-action=lesson]').click());
  expect(await problem.textContent()).toBe('');
  expect(await figure.locator('#question').inputValue()).toBe(String(LESSON_TOKENS));
  expect(await figure.locator('#question').getAttribute('aria-invalid')).toBe('false');
});

test('no map marks a cell that it does not have, whichever part of it is drawn first', async () => {
  const { figure } = open;
  await figure.locator('.slot-0 .map').focus();
  await open.page.keyboard.press('ArrowRight');
  await open.page.keyboard.press('PageDown');
  await open.page.keyboard.press('End');
  await figure.locator('.cell', { hasText: '位置 9（0），第 31 欄' }).waitFor();
  await figure.evaluate(async (element) => {
    const changed = () =>
      new Promise((done) => element.addEventListener('attn-change', done, { once: true }));
    // No frame has time for more than a part.
    const { now } = performance;
    let time = now.call(performance);
    performance.now = () => {
      time += 10;
      return time;
    };
    const first = changed();
    element.setAttribute('layer', '2');
    await first;
    element.setAttribute('stage', 'logits');
    await Promise.race([changed(), new Promise((done) => requestAnimationFrame(done))]);
    performance.now = now;
  });
  await figure.locator('.cell', { hasText: '指著一格' }).waitFor();
  expect(open.complaints.errors).toEqual([]);
});

test('the network trained on this page shows its weights, until it is gone', async () => {
  await open.after('attn-change', () => open.figure.locator('[data-action=lesson]').click());
  await open.after('attn-change', () =>
    open.figure.locator('[name=source]').selectOption('trained'),
  );
  expect(await open.figure.locator('.network').textContent()).toContain('沒有可看的網路');
  const n_steps = 20;
  const reverse = open.page.locator('attn-reverse');
  await reverse.evaluate((element, steps) => {
    element.setAttribute('n-steps', String(steps));
    element.scrollIntoView({ behavior: 'instant' });
  }, n_steps);
  await reverse.locator('[data-action=train]').click();
  await open.page.waitForFunction(
    () =>
      /** @type {any} */ (globalThis).figureEvents.some(
        (/** @type {{tag: string, detail: {trained?: boolean}}} */ { tag, detail }) =>
          tag === 'attn-block' && detail.trained,
      ),
    null,
    { polling: 50 },
  );
  await open.figure.evaluate((element) => element.setAttribute('stage', 'weights'));
  expect(await open.figure.locator('.network').textContent()).toContain(`第 ${n_steps} 步`);
  expect(await tables()).toEqual(written(await mapsInNode('weights', { n_steps })));

  await open.after('attn-change', () => reverse.evaluate((element) => element.remove()));
  expect(await open.figure.locator('.network').textContent()).toContain('沒有可看的網路');
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});

test('a network of several heads that was trained on this page shows each of them', async () => {
  const heads = open.page.locator('attn-heads');
  await heads.evaluate((element) => {
    element.setAttribute('part', 'trained');
    element.setAttribute('n-steps', '20');
    element.scrollIntoView({ behavior: 'instant' });
  });
  await heads.locator('[data-action=train]').click();
  await open.figure.locator('.network', { hasText: '第 20 步' }).waitFor();
  expect(await open.figure.locator('.network').textContent()).toContain('4 個頭');
  expect(await open.figure.locator('[name=head]').getAttribute('max')).toBe('4');
  // While it changes it is nobody else's.
  await heads.locator('[data-action^="mute"]').first().click();
  await open.figure.locator('.network', { hasText: '沒有可看的網路' }).waitFor();
  expect(open.complaints).toEqual({ errors: [], foreign: [] });
});

test('with an attribute that cannot be, neither keys nor what is trained meanwhile throw', async () => {
  const bad = await openFigure(browser, { tag: 'attn-block' });
  await bad.until('attn-ready');
  await bad.after('attn-change', () => bad.figure.locator('[name=source]').selectOption('trained'));
  await bad.after('attn-error', () =>
    bad.figure.evaluate((element) => element.setAttribute('init-seed', '?')),
  );
  const reverse = bad.page.locator('attn-reverse');
  await reverse.evaluate((element) => {
    element.setAttribute('n-steps', '3');
    element.scrollIntoView({ behavior: 'instant' });
  });
  await bad.after('attn-error', () => reverse.locator('[data-action=train]').click());
  await bad.figure.locator('.diagram [aria-current]').focus();
  await bad.page.keyboard.press('ArrowDown');
  await bad.after('attn-error', () => reverse.evaluate((element) => element.remove()));
  await bad.after('attn-change', () => bad.figure.locator('.message [data-action=lesson]').click());
  expect(bad.complaints).toEqual({ errors: [], foreign: [] });
});
