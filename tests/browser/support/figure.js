/** Opens the built page and drives the figure `attn-reverse` in it. */

/** @import { BrowserContextOptions, Locator, Page } from 'playwright-core' */
/** @import { Complaints, TestBrowser } from './browser.js' */

/** @typedef {{type: string, detail: Record<string, any>}} FigureEvent */

/**
 * A page with the figure in view.
 *
 * @typedef {object} OpenFigure
 * @property {Page} page
 * @property {Complaints} complaints
 * @property {Locator} figure
 * @property {(type: string, step?: number) => Promise<Record<string, any>>} until the event of this type, of this step
 *   or later, has happened; its detail
 */

/**
 * @param {TestBrowser} browser
 * @param {object} [options]
 * @param {Record<string, string>} [options.attributes]
 * @param {BrowserContextOptions} [options.context]
 * @param {(page: Page) => Promise<unknown>} [options.prepare] before the page is loaded
 * @param {boolean} [options.scroll] false: leave the figure where it is
 * @returns {Promise<OpenFigure>}
 */
export async function openFigure(browser, { attributes = {}, context, prepare, scroll } = {}) {
  const { page, complaints } = await browser.newPage(context);
  await page.addInitScript(() => {
    /** @type {any} */ (globalThis).figureEvents = [];
    for (const type of ['attn-ready', 'attn-step', 'attn-done', 'attn-error']) {
      addEventListener(type, (event) => {
        const { detail } = /** @type {CustomEvent} */ (event);
        /** @type {any} */ (globalThis).figureEvents.push({ type, detail });
      });
    }
  });
  // Attributes are there before the element is, as in a page that was written with them.
  await page.addInitScript((given) => {
    new MutationObserver((_, observer) => {
      const element = document.querySelector('attn-reverse');
      if (!element) return;
      observer.disconnect();
      for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    }).observe(document, { childList: true, subtree: true });
  }, attributes);
  await prepare?.(page);
  await page.goto(`${browser.origin}/`);
  const figure = page.locator('attn-reverse');
  if (scroll !== false) {
    await figure.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
  }
  return {
    page,
    complaints,
    figure,
    until: async (type, step = 0) => {
      const found = await page.waitForFunction(
        ([wantedType, wantedStep]) =>
          /** @type {any} */ (globalThis).figureEvents.find(
            (/** @type {FigureEvent} */ event) =>
              event.type === wantedType && (event.detail.step ?? 0) >= wantedStep,
          )?.detail,
        /** @type {const} */ ([type, step]),
        // Not by animation frames, which some of these pages do not have.
        { polling: 50, timeout: 50_000 },
      );
      return found.jsonValue();
    },
  };
}

/** Whether nothing of the page is wider than its window. @param {Page} page */
export function fitsWindow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}
