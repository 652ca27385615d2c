/** The figure of shuffled inputs: outputs travel without positions, and do not with them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  arrange,
  parseOrder,
  rowDifferences,
  writeOrder,
} from '../../web/widgets/attn-order/model.js';
import { loadEngine, withSession } from '../wasm/load.js';
import { TestBrowser } from './support/browser.js';
import { openFigure } from './support/figure.js';

/** @import { OpenFigure } from './support/figure.js' */

const TOKENS = [1, 9, 1, 0, 1, 8, 2, 8, 5, 0];

/** @type {TestBrowser} */
let browser;
/** @type {OpenFigure} */
let open;
/** @type {import('../../web/engine/engine.js').Engine} */
let engine;

beforeAll(async () => {
  ({ engine } = await loadEngine());
  browser = await TestBrowser.launch();
  open = await openFigure(browser, { tag: 'attn-order' });
});

afterAll(() => browser.close());

/**
 * By how much every token's output changes, computed in Node.
 *
 * @param {boolean} positions
 * @param {string} text
 * @param {'att' | 'logits'} layer
 */
function expected(positions, text, layer = 'att') {
  const order = parseOrder(text);
  /** @type {number[]} */
  let differences = [];
  withSession(engine, { positions }, (session) => {
    const [before, after] = [TOKENS, arrange(TOKENS, order)].map(
      (tokens) => engine.predict({ session, tokens, names: [layer] }).tensors[0],
    );
    differences = rowDifferences(before, after, order);
  });
  return differences;
}

/** @param {Record<string, any>} detail */
function expectComputed(detail) {
  const { order, layer } = detail;
  expect(detail.without).toBe(Math.max(...expected(false, order, layer)));
  expect(detail.with).toBe(Math.max(...expected(true, order, layer)));
}

/** @param {number} place */
const token = (place) => open.figure.locator('.tokens button').nth(place);

/** @param {string} selector */
const text = (selector) => open.figure.locator(selector).textContent();

test('begins with the lesson’s first test sequence, 9 and 5 exchanged', async () => {
  const detail = await open.until('attn-ready');
  expect(detail).toMatchObject({ order: '0823456719', tokens: TOKENS, scores: 0 });
  expectComputed(detail);
  expect(await text('.without .verdict')).toMatch(/^✓/);
  expect(await text('.with .verdict')).toMatch(/^✗/);
  expect(await open.figure.locator('.without path.different').count()).toBe(0);
  expect(await open.figure.locator('.with path.different').count()).toBe(10);
});

test('choosing one token and then another exchanges them', async () => {
  await token(0).click();
  expect(await token(0).getAttribute('aria-pressed')).toBe('true');
  const detail = await open.after('attn-change', () => token(9).click());
  expect(detail.order).toBe('9823456710');
  expect(await token(0).getAttribute('aria-pressed')).toBe('false');
  expectComputed(detail);
  expect(await text('[data-live]')).toContain('輸入是 0 5 1 0 1 8 2 8 9 1');
});

test('dragging one token onto another exchanges them, and chooses neither', async () => {
  const [from, to] = await Promise.all([token(2).boundingBox(), token(6).boundingBox()]);
  if (!from || !to) throw new Error('the tokens are not there');
  const { mouse } = open.page;
  const detail = await open.after('attn-change', async () => {
    await mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await mouse.down();
    await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await mouse.up();
  });
  expect(detail.order).toBe('9863452710');
  expect(await open.figure.locator('[aria-pressed=true]').count()).toBe(0);
});

test('a button released outside the row ends the drag, also of a token that was left at once', async () => {
  const centre = async (/** @type {number} */ place) => {
    const box = await token(place).boundingBox();
    if (!box) throw new Error('the tokens are not there');
    return /** @type {const} */ ([box.x + box.width / 2, box.y + box.height / 2]);
  };
  const { mouse } = open.page;
  const before = await open.figure.getAttribute('order');
  await mouse.move(...(await centre(2)));
  await mouse.down();
  // One move leads out of the row, so that no other event of the pointer comes from it.
  await mouse.move(1, 1);
  await mouse.up();
  await mouse.move(...(await centre(5)));
  await mouse.move(...(await centre(6)), { steps: 3 });
  expect(await open.figure.locator('.tokens .dragged, .tokens .target').count()).toBe(0);
  await mouse.down();
  await mouse.up();
  expect(await token(6).getAttribute('aria-pressed')).toBe('true');
  expect(await open.figure.getAttribute('order')).toBe(before);
  await token(6).click();
});

test('a finger drags a token, whatever another pointer does meanwhile', async () => {
  const before = await open.figure.getAttribute('order');
  const detail = await open.after('attn-change', () =>
    open.figure.evaluate((element) => {
      const buttons = [
        .../** @type {ShadowRoot} */ (element.shadowRoot).querySelectorAll('.tokens button'),
      ];
      const [from, to] = [buttons[1], buttons[2]].map((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return { clientX: x + width / 2, clientY: y + height / 2 };
      });
      const send = (/** @type {string} */ type, /** @type {PointerEventInit} */ init) =>
        buttons[1].dispatchEvent(new PointerEvent(type, { bubbles: true, ...init }));
      // No pointer of the browser's, so there is none to capture.
      const row = /** @type {HTMLElement} */ (buttons[1].parentElement);
      row.setPointerCapture = () => {};
      const finger = { pointerId: 7, pointerType: 'touch' };
      send('pointerdown', { ...finger, ...from, buttons: 1 });
      send('pointermove', { ...finger, ...to, buttons: 1 });
      send('pointermove', { pointerId: 1, pointerType: 'mouse', ...from, buttons: 0 });
      send('pointerup', { ...finger, ...to });
      Reflect.deleteProperty(row, 'setPointerCapture');
    }),
  );
  const order = [...String(before)];
  [order[1], order[2]] = [order[2], order[1]];
  expect(detail.order).toBe(order.join(''));
});

test('keys choose and exchange too; an exchange with the neighbour takes one key', async () => {
  const { keyboard } = open.page;
  await open.after('attn-change', () =>
    open.figure.locator('[data-action=restore]').click({ force: true }),
  );
  await token(6).focus();
  const beside = await open.after('attn-change', () => keyboard.press('Shift+ArrowLeft'));
  expect(beside.order).toBe('0123465789');
  await keyboard.press('Enter');
  await keyboard.press('Home');
  const far = await open.after('attn-change', () => keyboard.press('Enter'));
  expect(far.order).toBe('6123405789');
  expectComputed(far);
});

test('the table holds every token’s difference', async () => {
  const detail = await open.after('attn-change', () =>
    open.figure.locator('[data-action=shuffle]').click(),
  );
  await open.figure.locator('[data-action=table]').click();
  const rows = await open.figure.locator('.data tbody tr').all();
  expect(rows).toHaveLength(10);
  const differences = expected(true, detail.order);
  for (const [place, row] of rows.entries()) {
    const [, now, without, withPositions] = await row.locator('th, td').allTextContents();
    expect(Number(now)).toBe(detail.order.indexOf(String(place)));
    expect(without).toMatch(/✓$/);
    expect(withPositions).toBe(`${differences[place].toFixed(3)} ✗`);
  }
});

test('the original order changes nothing, in either network', async () => {
  const detail = await open.after('attn-change', () =>
    open.figure.locator('[data-action=restore]').click(),
  );
  expect(detail).toMatchObject({
    order: writeOrder([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
    without: 0,
    with: 0,
  });
  expect(await text('.with .verdict')).toBe('還沒有換位：前後相同');
});

test('under a causal mask nothing travels, and the words say why', async () => {
  await open.figure.locator('summary').click();
  await open.after('attn-change', () => open.figure.locator('[data-action=shuffle]').click());
  const detail = await open.after('attn-change', () =>
    open.figure.locator('[name=causal]').check(),
  );
  expect(detail.without).toBeGreaterThan(1e-2);
  expect(await text('.sense')).toContain('因果遮罩');
  expect(await text('.departure')).toBe('與課文的設定不同：因果遮罩 開（課文 關）。');
});

test('pointing at a cell shows the same token and dimension before and after', async () => {
  await open.after('attn-change', () => open.figure.locator('[data-action=lesson]').click());
  await open.figure.locator('.without .before').focus();
  await open.page.keyboard.press('ArrowDown');
  await open.page.keyboard.press('ArrowDown');
  await open.figure.locator('.without .cell', { hasText: '數字 9（原位置 1）' }).waitFor();
  const line = (await text('.without .cell')) ?? '';
  const [before, after] = [...line.matchAll(/[−]?\d\.\d{6}/g)].map(([number]) => number);
  expect(before).toBe(after);
});

test('with an attribute that cannot be, moving tokens throws nothing, and works once it can', async () => {
  const bad = await openFigure(browser, { tag: 'attn-order', attributes: { sample: '99' } });
  const place = (/** @type {number} */ index) => bad.figure.locator('.tokens button').nth(index);
  expect(await bad.until('attn-error')).toMatchObject({ code: 'ATTRIBUTE' });
  await place(3).focus();
  await bad.page.keyboard.press('Shift+ArrowRight');
  await place(0).click();
  await place(1).click();
  await place(2).dragTo(place(6));
  expect(await bad.figure.getAttribute('order')).toBeNull();
  await bad.figure.locator('.message [data-action=lesson]').click();
  await bad.until('attn-ready');
  await place(3).focus();
  const detail = await bad.after('attn-change', () => bad.page.keyboard.press('Shift+ArrowRight'));
  expect(detail.order).toBe('0824356719');
  expect(bad.complaints).toEqual({ errors: [], foreign: [] });
});
