/** Opens the built page and drives one of its figures. */
import { AxeBuilder } from '@axe-core/playwright';

/** @import { BrowserContextOptions, Locator, Page } from 'playwright-core' */
/** @import { Complaints, TestBrowser } from './browser.js' */

/** @typedef {{tag: string, type: string, detail: Record<string, any>}} FigureEvent */

/**
 * A page with the figure in view.
 *
 * @typedef {object} OpenFigure
 * @property {Page} page
 * @property {Complaints} complaints
 * @property {Locator} figure
 * @property {(type: string, step?: number) => Promise<Record<string, any>>} until the event of this type, of this step
 *   or later, has happened; its detail
 * @property {(type: string, action: () => Promise<unknown>) => Promise<Record<string, any>>} after
 *   the action, the first event of this type; its detail
 * @property {() => Promise<{id: string, targets: unknown[]}[]>} violations what axe finds in the figure
 */

/**
 * @param {TestBrowser} browser
 * @param {object} [options]
 * @param {string} [options.tag]
 * @param {Record<string, string>} [options.attributes]
 * @param {BrowserContextOptions} [options.context]
 * @param {(page: Page) => Promise<unknown>} [options.prepare] before the page is loaded
 * @param {boolean} [options.scroll] false: leave the figure where it is
 * @param {boolean} [options.alone] without the page's other figures, which have sessions too
 * @returns {Promise<OpenFigure>}
 */
export async function openFigure(
  browser,
  { tag = 'attn-reverse', attributes = {}, context, prepare, scroll, alone = false } = {},
) {
  const { page, complaints } = await browser.newPage(context);
  await page.addInitScript(() => {
    /** @type {any} */ (globalThis).figureEvents = [];
    for (const type of ['attn-ready', 'attn-change', 'attn-step', 'attn-done', 'attn-error']) {
      addEventListener(type, (event) => {
        const { detail, target } = /** @type {CustomEvent} */ (event);
        const { localName } = /** @type {Element} */ (target);
        /** @type {any} */ (globalThis).figureEvents.push({ tag: localName, type, detail });
      });
    }
  });
  if (alone) {
    await page.addInitScript((wanted) => {
      new MutationObserver(() => {
        for (const figure of document.querySelectorAll('.figure > *')) {
          const { localName } = figure;
          if (localName.startsWith('attn-') && localName !== wanted) figure.remove();
        }
      }).observe(document, { childList: true, subtree: true });
    }, tag);
  }
  // Attributes are there before the element is, as in a page that was written with them.
  await page.addInitScript(
    ([wanted, given]) => {
      new MutationObserver((_, observer) => {
        const element = document.querySelector(wanted);
        if (!element) return;
        observer.disconnect();
        for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
      }).observe(document, { childList: true, subtree: true });
    },
    /** @type {const} */ ([tag, attributes]),
  );
  await prepare?.(page);
  await page.goto(`${browser.origin}/`);
  const figure = page.locator(tag);
  // What a test sets on an element that is not yet defined would be lost.
  await page.waitForFunction((name) => customElements.get(name) !== undefined, tag, {
    polling: 50,
  });
  if (scroll !== false) {
    await figure.evaluate((element) => element.scrollIntoView({ behavior: 'instant' }));
  }
  return {
    page,
    complaints,
    figure,
    until: async (type, step = 0) => {
      const found = await page.waitForFunction(
        ([wantedTag, wantedType, wantedStep]) =>
          /** @type {any} */ (globalThis).figureEvents.find(
            (/** @type {FigureEvent} */ event) =>
              event.tag === wantedTag &&
              event.type === wantedType &&
              (event.detail.step ?? 0) >= wantedStep,
          )?.detail,
        /** @type {const} */ ([tag, type, step]),
        // Not by animation frames, which some of these pages do not have.
        { polling: 50, timeout: 50_000 },
      );
      return found.jsonValue();
    },
    after: async (type, action) => {
      const before = await page.evaluate(() => /** @type {any} */ (globalThis).figureEvents.length);
      await action();
      const found = await page.waitForFunction(
        ([wantedTag, wantedType, n]) =>
          /** @type {any} */ (globalThis).figureEvents
            .slice(n)
            .find(
              (/** @type {FigureEvent} */ event) =>
                event.tag === wantedTag && event.type === wantedType,
            )?.detail,
        /** @type {const} */ ([tag, type, before]),
        { polling: 50, timeout: 50_000 },
      );
      return found.jsonValue();
    },
    violations: async () => {
      const { violations } = await new AxeBuilder({ page }).include(tag).analyze();
      return violations.map(({ id, nodes }) => ({
        id,
        targets: nodes.map(({ target }) => target),
      }));
    },
  };
}

/** Whether nothing of the page is wider than its window. @param {Page} page */
export function fitsWindow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
}
