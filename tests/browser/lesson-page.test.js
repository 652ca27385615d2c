import { basename, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { DIST } from './support/server.js';

/** @import { BrowserContextOptions, Page } from 'playwright-core' */

/** @type {TestBrowser} */
let browser;
/** The page in a folder of a site, as a course would publish it. */
let url = '';

beforeAll(async () => {
  browser = await TestBrowser.launch(join(DIST, '../'));
  url = `${browser.origin}/${basename(DIST)}/`;
});

afterAll(() => browser.close());

/**
 * @template T
 * @param {BrowserContextOptions} options
 * @param {(page: Page) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function withPage(options, use) {
  const { page } = await browser.newPage(options);
  try {
    await page.goto(url);
    await page.evaluate(() => document.fonts.ready);
    return await use(page);
  } finally {
    await page.context().close();
  }
}

/** @param {number} width */
const windowOf = (width) => ({ viewport: { width, height: 800 } });

/**
 * @param {Page} page
 * @param {string} selector
 */
async function boxOf(page, selector) {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not shown`);
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** @param {Page} page */
const overflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test('the page loads from a sub-folder without an error or a request to another origin', async () => {
  const { page, complaints } = await browser.newPage();
  /** @type {string[]} */
  const failed = [];
  page.on('response', (response) => {
    if (!response.ok()) failed.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  expect({ ...complaints, failed }).toEqual({ errors: [], foreign: [], failed: [] });
  await page.context().close();
});

test('a policy forbids what the page does not need', async () => {
  await withPage({}, async (page) => {
    const blocked = await page.evaluate(async () => {
      const violation = new Promise((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) =>
          resolve(event.effectiveDirective),
        ),
      );
      const script = document.createElement('script');
      script.textContent = 'document.title = "run";';
      document.body.append(script);
      return [await violation, document.title === 'run'];
    });
    expect(blocked).toEqual(['script-src-elem', false]);
  });
});

test('formulas are drawn in the math font of the page and in no other', async () => {
  await withPage({}, async (page) => {
    const client = await page.context().newCDPSession(page);
    await client.send('DOM.enable');
    await client.send('CSS.enable');
    const { root } = await client.send('DOM.getDocument');
    const { nodeIds } = await client.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: 'math mi, math mo:not([stretchy]), math mn',
    });
    expect(nodeIds.length).toBeGreaterThan(20);
    const names = new Set();
    for (const nodeId of nodeIds) {
      const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
      for (const { familyName, isCustomFont } of fonts) names.add(`${familyName} ${isCustomFont}`);
    }
    expect([...names]).toEqual(['STIX Two Math true']);
    // Its MATH table makes a bracket grow around a fraction.
    const bracket = await boxOf(page, '.formula mo[stretchy="true"]');
    const fraction = await boxOf(page, '.formula mfrac');
    expect(bracket.height).toBeGreaterThanOrEqual(fraction.height);
  });
});

test.each([360, 768, 1280, 1920])('nothing is wider than a window of %i px', async (width) => {
  await withPage(windowOf(width), async (page) => {
    expect(await overflow(page)).toBe(0);
  });
});

test.each([768, 1280, 1920])('a full line has 36 to 40 characters at %i px', async (width) => {
  await withPage(windowOf(width), async (page) => {
    const { characters, leading } = await page
      .locator('.prose > p')
      .first()
      .evaluate((p) => {
        const style = getComputedStyle(p);
        const size = Number.parseFloat(style.fontSize);
        return {
          characters: Math.floor(p.clientWidth / size),
          leading: Number.parseFloat(style.lineHeight) / size,
        };
      });
    expect(characters).toBeGreaterThanOrEqual(36);
    expect(characters).toBeLessThanOrEqual(40);
    expect(leading).toBeCloseTo(1.75, 2);
  });
});

test('from 1280 px the figure stands beside its text and stays in view while that is read', async () => {
  await withPage(windowOf(1280), async (page) => {
    const text = await boxOf(page, '#example .prose > p');
    const figure = await boxOf(page, '#race');
    expect(figure.x - text.right).toBeGreaterThanOrEqual(40);
    expect(figure.right).toBeLessThanOrEqual(1280);
    for (const selector of ['#example .listing', '#reverse-seq-output']) {
      await page
        .locator(selector)
        .evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
      const now = await boxOf(page, '#race');
      // At least half of the window shows it, at the end of the passage too.
      const seen = Math.min(now.bottom, 800) - Math.max(now.y, 0);
      expect(seen).toBeGreaterThanOrEqual(Math.min(now.height, 400));
    }
  });
});

test('from 1280 px a short text stays in view while the tall figure beside it is read', async () => {
  await withPage(windowOf(1280), async (page) => {
    const foot = page.locator('#distance attn-distance');
    await foot.evaluate((element) => element.scrollIntoView({ block: 'end', behavior: 'instant' }));
    const text = await boxOf(page, '#introduction .prose');
    const figure = await boxOf(page, '#distance');
    expect(figure.height).toBeGreaterThan(text.height + 200);
    expect(text.y).toBeGreaterThanOrEqual(0);
    expect(text.bottom).toBeLessThanOrEqual(Math.max(figure.bottom, 800));
  });
});

test('below 1280 px there is one column of at most 720 px, the figure after its paragraph', async () => {
  await withPage(windowOf(1279), async (page) => {
    const gap = await page.evaluate(() => {
      // Both at one moment: figures further up may still be settling.
      const box = (/** @type {string} */ selector) =>
        /** @type {Element} */ (document.querySelector(selector)).getBoundingClientRect();
      const text = box('#example .passage:has(#reverse) .prose > p:last-child');
      return box('#reverse').top - text.bottom;
    });
    expect(gap).toBeGreaterThanOrEqual(0);
    expect((await boxOf(page, '#lesson')).width).toBeLessThanOrEqual(720);
  });
});

test('at 360 px the text keeps margins of 16 px and the figure has none', async () => {
  await withPage(windowOf(360), async (page) => {
    const text = await boxOf(page, '#example .prose > p');
    expect([text.x, text.right]).toEqual([16, 344]);
    const figure = await boxOf(page, 'attn-reverse');
    expect([figure.x, figure.right]).toEqual([0, 360]);
  });
});

test.each([
  [360, 800],
  [1280, 800],
])('the first screen of %i × %i px shows the first sentences', async (width, height) => {
  await withPage({ viewport: { width, height } }, async (page) => {
    expect((await boxOf(page, '#introduction p')).bottom).toBeLessThanOrEqual(height);
  });
});

test.each([360, 1280])('text enlarged to 200%% fits a window of %i px', async (width) => {
  await withPage(windowOf(width), async (page) => {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await overflow(page)).toBe(0);
  });
});

test('what is wider than its column scrolls in its own box, by keyboard', async () => {
  await withPage(windowOf(360), async (page) => {
    for (const selector of ['#positional-encoding .formula', '#example .listing']) {
      const box = page.locator(selector);
      expect(await box.evaluate((element) => element.scrollWidth - element.clientWidth)).not.toBe(
        0,
      );
      await box.focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForFunction(
        (element) => /** @type {Element} */ (element).scrollLeft > 0,
        await box.elementHandle(),
      );
    }
  });
});

test('columns of a listing hold where Chinese and Latin characters meet', async () => {
  await withPage(windowOf(1280), async (page) => {
    const { wide, narrow } = await page.locator('#example .output').evaluate((output) => {
      const range = document.createRange();
      const widthOf = (/** @type {string} */ character) => {
        const walker = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const index = walker.currentNode.nodeValue?.indexOf(character) ?? -1;
          if (index < 0) continue;
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + 1);
          return range.getBoundingClientRect().width;
        }
        return 0;
      };
      return { wide: widthOf('參'), narrow: widthOf('9') };
    });
    expect(narrow).toBeGreaterThan(5);
    expect(wide).toBeCloseTo(2 * narrow, 1);
  });
});

test('a reader who wants less motion gets no smooth scrolling', async () => {
  const behaviour = (/** @type {Page} */ page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  expect(await withPage({ reducedMotion: 'no-preference' }, behaviour)).toBe('smooth');
  expect(await withPage({ reducedMotion: 'reduce' }, behaviour)).toBe('auto');
});

test('on paper there are no controls, black text, and no line is cut off', async () => {
  await withPage({ ...windowOf(794), colorScheme: 'dark' }, async (page) => {
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.contents').isVisible()).toBe(false);
    expect(await page.locator('#settings').isVisible()).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe(
      'rgb(28, 33, 38)',
    );
    const cut = await page.evaluate(
      () => [...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > 794).length,
    );
    expect(cut).toBe(0);
  });
});

test('the reader chooses theme and language; both are there again after a reload', async () => {
  await withPage({ colorScheme: 'light' }, async (page) => {
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const prose = await page.locator('#introduction').textContent();
    expect(await ground()).toBe('rgb(252, 252, 250)');
    await page.getByLabel('外觀').selectOption('dark');
    expect(await ground()).toBe('rgb(20, 23, 27)');
    await page.getByLabel('語言').selectOption('en');
    await page.reload();
    expect(await ground()).toBe('rgb(20, 23, 27)');
    await page.getByLabel('Theme').selectOption({ label: 'Projector' });
    expect(await ground()).toBe('rgb(255, 255, 255)');
    expect(await page.getByRole('navigation', { name: 'Contents' }).count()).toBe(1);
    expect(await page.locator('#introduction').textContent()).toBe(prose);
    await page.getByLabel('Theme').selectOption({ label: 'System' });
    await page.getByLabel('Language').selectOption('zh-Hant');
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(null);
    expect(await page.getByRole('navigation', { name: '目錄' }).count()).toBe(1);
  });
});

test('the contents mark the section that is being read', async () => {
  await withPage(windowOf(1280), async (page) => {
    await page.getByRole('navigation').getByRole('link', { name: '位置編碼' }).click();
    await page.locator('.contents [aria-current]', { hasText: '位置編碼' }).waitFor();
    expect(await page.locator('.contents [aria-current]').count()).toBe(1);
  });
});

test('nothing moves while the page loads and its figure starts', async () => {
  const { page } = await browser.newPage(windowOf(1280));
  await page.addInitScript(() => {
    /** @type {any} */ (window).shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        /** @type {any} */ (window).shifts.push(/** @type {any} */ (entry).value);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('attn-reverse').scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
  const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts);
  const total = shifts.reduce((/** @type {number} */ sum, /** @type {number} */ x) => sum + x, 0);
  expect(total).toBeLessThan(0.01);
  await page.context().close();
});

test('axe finds nothing', async () => {
  await withPage(windowOf(1280), async (page) => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });
});

test.each(['light', 'dark', 'projector'])(
  'all text has contrast in the %s theme',
  async (theme) => {
    await withPage(windowOf(1280), async (page) => {
      await page.getByLabel('外觀').selectOption(theme);
      const { violations } = await new AxeBuilder({ page }).withRules('color-contrast').analyze();
      expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
    });
  },
);
