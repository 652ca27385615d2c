/** One Chromium and one server for a file of tests; every page reports what went wrong in it. */
import { chromium } from 'playwright-core';
import { serve } from './server.js';

/** @import { Browser, BrowserContextOptions, Page } from 'playwright-core' */

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--disable-sync',
];

/**
 * What a page should have none of.
 *
 * @typedef {object} Complaints
 * @property {string[]} errors thrown and not caught, or logged as errors
 * @property {string[]} foreign requests to another origin
 */

export class TestBrowser {
  /** @type {Browser} */
  #browser;
  /** @type {Awaited<ReturnType<typeof serve>>} */
  #server;

  /**
   * @param {Browser} browser
   * @param {Awaited<ReturnType<typeof serve>>} server
   */
  constructor(browser, server) {
    this.#browser = browser;
    this.#server = server;
  }

  /** @param {string} [root] folder of the built page */
  static async launch(root) {
    const [browser, server] = await Promise.all([
      chromium.launch({
        executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
        args: ARGUMENTS,
      }),
      serve(root),
    ]);
    return new TestBrowser(browser, server);
  }

  get origin() {
    return this.#server.origin;
  }

  /**
   * A page of a fresh context, not yet anywhere.
   *
   * @param {BrowserContextOptions} [options]
   * @returns {Promise<{page: Page, complaints: Complaints}>}
   */
  async newPage(options = {}) {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    /** @type {Complaints} */
    const complaints = { errors: [], foreign: [] };
    page.on('pageerror', (error) => complaints.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.errors.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.origin) && !/^(data|blob):/.test(url)) complaints.foreign.push(url);
    });
    return { page, complaints };
  }

  /**
   * How long the tasks of the page's main thread took during an action: its own time, ms, without
   * that in which other programs had the processor.
   *
   * @param {Page} page
   * @param {() => Promise<void>} action
   */
  async tasksOf(page, action) {
    await this.#browser.startTracing(page, {
      categories: ['disabled-by-default-devtools.timeline', '-*'],
    });
    await action();
    const trace = JSON.parse((await this.#browser.stopTracing()).toString());
    /** @type {{name: string, pid: number, tid: number, tdur?: number, args: {name?: string}}[]} */
    const events = trace.traceEvents;
    const thread = (/** @type {{pid: number, tid: number}} */ { pid, tid }) => `${pid} ${tid}`;
    const main = new Set(
      events
        .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
        .map(thread),
    );
    return events
      .filter((event) => event.name === 'RunTask' && main.has(thread(event)))
      .map(({ tdur = 0 }) => tdur / 1000);
  }

  async close() {
    await Promise.all([this.#browser.close(), this.#server.close()]);
  }
}
