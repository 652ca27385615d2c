import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readBuild } from '../wasm/load.js';
import { CONFIGURATIONS, N_STEPS, parametersHash } from '../wasm/parameters-hash.js';
import { TestBrowser } from './support/browser.js';

/** @type {TestBrowser} */
let browser;

beforeAll(async () => {
  browser = await TestBrowser.launch();
});

afterAll(() => browser.close());

test.each(CONFIGURATIONS)(
  `after ${N_STEPS} steps of %s Chromium and Node hold the same bits`,
  async (_, settings) => {
    const base64 = (await readBuild('simd')).toString('base64');
    const args = { base64, settings, n_steps: N_STEPS };
    const { page } = await browser.newPage();
    const in_chromium = await page.evaluate(parametersHash, args);
    await page.context().close();
    expect(in_chromium).toMatch(/^[0-9a-f]{16}$/);
    expect(in_chromium).toBe(await parametersHash(args));
  },
  180_000,
);
