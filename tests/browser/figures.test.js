/** What holds for every figure made from FigureElement, whatever it shows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FIGURES } from '../../web/lesson/figures.js';
import { TestBrowser } from './support/browser.js';
import { fitsWindow, openFigure } from './support/figure.js';

/** @import { Locator } from 'playwright-core' */
/** @import { OpenFigure } from './support/figure.js' */

// attn-reverse makes its frame itself and has tests of its own.
const TAGS = Object.keys(FIGURES).filter((tag) => tag !== 'attn-reverse');

const WIDTHS = [1280, 768, 360];

/** By how much the height kept for a script on its way may be wrong, px. */
const RESERVED_WITHIN = 32;

/** @type {TestBrowser} */
let browser;
/** The heights that the page keeps while scripts do not come, by width and tag. @type {Map<string, number>} */
const reserved = new Map();

/** @param {number} width */
const windowOf = (width) => ({ viewport: { width, height: 800 } });

/** @param {Locator} figure */
const heightOf = (figure) => figure.evaluate((element) => element.getBoundingClientRect().height);

beforeAll(async () => {
  browser = await TestBrowser.launch();
  for (const width of WIDTHS) {
    const { page } = await browser.newPage(windowOf(width));
    await page.route(/\.js$/, (route) => route.abort());
    await page.goto(`${browser.origin}/`);
    for (const tag of TAGS) reserved.set(`${width} ${tag}`, await heightOf(page.locator(tag)));
    await page.context().close();
  }
});

afterAll(() => browser.close());

describe.each(TAGS)('%s', (tag) => {
  /** @type {OpenFigure} */
  let open;

  afterAll(() => open.page.context().close());

  test.each(WIDTHS)('has one height before and after it begins, at %i px', async (width) => {
    await open?.page.context().close();
    open = await openFigure(browser, {
      tag,
      alone: true,
      context: windowOf(width),
      scroll: false,
    });
    const { page, figure, until } = open;
    await page.waitForFunction((name) => customElements.get(name) !== undefined, tag);
    await page.evaluate(() => document.fonts.ready);
    const before = await heightOf(figure);
    await figure.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
    await until('attn-ready');
    expect(await heightOf(figure)).toBe(before);
    const kept = reserved.get(`${width} ${tag}`) ?? 0;
    const fits = Math.abs(kept - before) <= RESERVED_WITHIN;
    expect({ before, kept, fits }).toEqual({ before, kept, fits: true });
    expect(await fitsWindow(page)).toBe(true);
  });

  test('opens its table and its C code', async () => {
    for (const summary of await open.figure.locator('summary').all()) await summary.click();
    await open.figure.locator('[data-action=table]').click();
    await open.figure.locator('[data-action=source]').click();
    await open.figure.locator('.source pre').first().waitFor();
    expect(await open.figure.locator('.data tbody tr').count()).toBeGreaterThan(0);
    expect(await fitsWindow(open.page)).toBe(true);
  });

  test.each(/** @type {const} */ (['light', 'dark']))('axe finds nothing in %s', async (scheme) => {
    await open.page.emulateMedia({ colorScheme: scheme });
    expect(await open.violations()).toEqual([]);
  });

  test('speaks English, and fits 360 px with it', async () => {
    await open.page.locator('#language').selectOption('en');
    // Titles, controls and charts' names; the code has its own comments, and what the lesson's
    // scripts print is Chinese.
    const texts = await open.figure.evaluate((element) =>
      [...(element.shadowRoot?.querySelectorAll('.figure > :not(.source)') ?? [])].flatMap(
        (part) => {
          const own = /** @type {Element} */ (part.cloneNode(true));
          for (const printed of own.querySelectorAll('[lang="zh-Hant"]')) printed.textContent = '';
          return [
            own.textContent ?? '',
            ...[...own.querySelectorAll('[aria-label]')].map((named) => named.ariaLabel ?? ''),
          ];
        },
      ),
    );
    expect(texts.filter((text) => /[\u4e00-\u9fff]/.test(text))).toEqual([]);
    expect(await fitsWindow(open.page)).toBe(true);
    await open.page.locator('#language').selectOption('zh-Hant');
  });

  test('an attribute that cannot be is named, and the lesson’s settings cure it', async () => {
    const name = await open.figure.evaluate((element) => {
      const [first] = /** @type {any} */ (element.constructor).observedAttributes;
      return String(first);
    });
    const { figure, after } = open;
    const error = await after('attn-error', () =>
      figure.evaluate((element, attribute) => element.setAttribute(attribute, '?'), name),
    );
    expect(error).toMatchObject({ code: 'ATTRIBUTE' });
    expect(await figure.locator('[role=alert]').textContent()).toContain(`${name}="?"`);
    await after('attn-change', () => figure.locator('.message [data-action=lesson]').click());
    expect(await figure.locator('[role=alert]').textContent()).toBe('');
  });

  test('removed, it leaves no session and no job; put back, it begins again', async () => {
    const usage = await open.page.evaluate((name) => {
      const element = /** @type {any} */ (document.querySelector(name));
      Object.assign(globalThis, { removed: element, place: element.parentElement });
      element.remove();
      return element.engine.request('usage', {});
    }, tag);
    expect(usage).toMatchObject({ sessions: 0, jobs: 0 });
    await open.after('attn-ready', () =>
      open.page.evaluate(() => {
        const { place, removed } = /** @type {any} */ (globalThis);
        place.prepend(removed);
      }),
    );
  });

  test('logs no error and asks no other origin', () => {
    expect(open.complaints).toEqual({ errors: [], foreign: [] });
  });
});
