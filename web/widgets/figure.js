/**
 * What every figure shares: its style sheet, the translation of its markup, the words for the engine's errors,
 * and drawing that is done once a frame and only in view.
 */
import { isMessageKey, t } from '../i18n/index.js';

/** @import { MessageKey } from '../i18n/index.js' */

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/**
 * The constructable sheet of a text, one for all figures: a `<style>` in a shadow root would need a hole in
 * the page's content security policy.
 *
 * @param {string} css
 * @returns {CSSStyleSheet}
 */
export function styleSheet(css) {
  let sheet = sheets.get(css);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.set(css, sheet);
  }
  return sheet;
}

/**
 * Puts the words of the language into markup: `data-i18n` gives the text of an element, `data-i18n-label` its
 * accessible name.
 *
 * @param {ParentNode} root
 */
export function translate(root) {
  for (const element of root.querySelectorAll('[data-i18n]')) {
    const text = t(/** @type {MessageKey} */ (element.getAttribute('data-i18n')));
    if (element.textContent !== text) element.textContent = text;
  }
  for (const element of root.querySelectorAll('[data-i18n-label]')) {
    element.setAttribute(
      'aria-label',
      t(/** @type {MessageKey} */ (element.getAttribute('data-i18n-label'))),
    );
  }
}

/**
 * The name of a configuration field, or one of its values, in the page's words; what the page has no word
 * for keeps the engine's name.
 *
 * @param {string} name a field, `n_heads`, or a value, `norm.pre`
 * @returns {string}
 */
export function settingName(name) {
  const key = `setting.${name}`;
  return isMessageKey(key) ? t(key) : name;
}

/**
 * A value of the configuration as the page writes it.
 *
 * @param {string} name of the field
 * @param {number | string | boolean} value
 * @returns {string}
 */
export function settingValue(name, value) {
  if (typeof value === 'boolean') return t(value ? 'setting.on' : 'setting.off');
  return typeof value === 'string' ? settingName(`${name}.${value}`) : String(value);
}

/** Rules of the configuration beyond a range have messages of their own. @type {Record<string, string>} */
const RULE_KEYS = { even: 'CONFIG_EVEN', 'divides d_model': 'CONFIG_DIVIDES' };

/**
 * What happened, for the reader of a figure.
 *
 * @param {{code?: string, message: string, detail?: Record<string, string | number>}} error an EngineError, or any other
 * @returns {string}
 */
export function errorText({ code = '', message, detail = {} }) {
  const key = `error.${RULE_KEYS[String(detail.rule)] ?? code}`;
  if (!isMessageKey(key)) return t('error.other', { message });
  const name = String(detail.field ?? '');
  const field = isMessageKey(name) ? t(name) : name && settingName(name);
  const allowed = String(detail.allowed ?? '');
  return t(key, {
    ...detail,
    field,
    allowed: isMessageKey(allowed) ? t(allowed) : allowed,
    message,
    megabytes: Math.ceil(Number(detail.bytes) / 2 ** 20),
  });
}

/** Errors that a new worker may cure. */
const RESTARTABLE = ['WORKER_FAILED', 'PANIC', 'LOAD_FAILED', 'OUT_OF_MEMORY'];

/** @param {{code?: string}} error */
export function isRestartable({ code = '' }) {
  return RESTARTABLE.includes(code);
}

/**
 * Calls `draw` at most once per animation frame, not more often than every `interval` ms, and only while the
 * element is in view; what was asked for out of view is drawn on return. Hidden tabs have no frames, so
 * nothing there waits for one.
 */
export class Drawing {
  /** @type {() => void} */
  #draw;
  /** @type {() => number} */
  #interval;
  #inView = false;
  #wanted = false;
  #frame = 0;
  #last = Number.NEGATIVE_INFINITY;
  #observer;

  /**
   * @param {HTMLElement} element
   * @param {() => void} draw
   * @param {{interval: () => number, onEnter: () => void}} options `onEnter`: the element came into view
   */
  constructor(element, draw, { interval, onEnter }) {
    this.#draw = draw;
    this.#interval = interval;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#inView = entries[entries.length - 1].isIntersecting;
        if (!this.#inView) return;
        onEnter();
        if (this.#wanted) this.#schedule();
      },
      { rootMargin: '100px' },
    );
    this.#observer.observe(element);
  }

  get inView() {
    return this.#inView;
  }

  /** Asks for the figure to be drawn. */
  request() {
    this.#wanted = true;
    if (this.#inView) this.#schedule();
  }

  /** Draws at once, in view or not. */
  now() {
    this.#wanted = false;
    this.#last = performance.now();
    this.#draw();
  }

  disconnect() {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #schedule() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      if (!this.#wanted || !this.#inView) return;
      if (time - this.#last < this.#interval()) this.#schedule();
      else this.now();
    });
  }
}

/** Lets the page answer its reader between two pieces of work. */
export function nextTask() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** @returns {boolean} */
export function prefersReducedMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The look of every figure: ground, headings, controls, tables, messages. */
export const FIGURE_CSS = `
:host {
  display: block;
  container-type: inline-size;
  color: var(--text);
  line-height: 1.5;
  text-align: start;
}
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }

.figure {
  background: var(--surface);
  padding: 1rem 1.25rem 0.5rem;
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
}
h3 { margin: 0; font-size: 1.0625rem; line-height: 1.4; text-wrap: balance; }
.look { margin: 0.25rem 0 0.75rem; color: var(--muted); text-wrap: pretty; }
.caption { margin: 0; font-size: 0.8125rem; color: var(--muted); }

.controls { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0.5rem 0; }
button, select, textarea, input:not([type='range'], [type='checkbox']) {
  min-height: 44px;
  border: 1px solid var(--muted);
  border-radius: 4px;
  background: var(--bg);
  color: var(--text);
  font: inherit;
  padding: 0.25rem 0.75rem;
  max-width: 100%;
}
button { cursor: pointer; }
button:hover { border-color: var(--text); }
button:disabled { color: var(--muted); border-color: var(--rule); cursor: default; }
button.primary {
  min-width: 6.5em;
  border-color: var(--query);
  background: var(--query);
  color: var(--bg);
  font-weight: 600;
}
button.primary:disabled { background: var(--surface); border-color: var(--rule); color: var(--muted); }
button.plain {
  border-color: transparent;
  background: none;
  color: var(--query);
  padding-inline: 0;
  text-decoration: underline;
  text-underline-offset: 0.2em;
}
input[type='range'] { min-height: 44px; accent-color: var(--query); margin: 0; }
/* Inside its height, which reaches under the label above. */
input[type='range']:focus-visible { outline-offset: -0.4375rem; }
input[type='checkbox'] { width: 1.25rem; height: 1.25rem; accent-color: var(--query); margin: 0; }
:focus-visible { outline: 2px solid var(--query); outline-offset: 2px; }

.message { margin: 0.5rem 0; padding: 0.5rem 0.75rem; border-inline-start: 3px solid var(--muted); }
.message p { margin: 0; }
.message.bad { border-color: var(--bad); }
.message button { margin-block-start: 0.5rem; }
.bad-text { color: var(--bad); }

table { border-collapse: collapse; }
th { font-weight: normal; color: var(--muted); text-align: start; }
th, td { padding: 0.125rem 0.25rem; vertical-align: baseline; }

summary { min-height: 44px; padding-block: 0.625rem; cursor: pointer; }
footer { display: flex; flex-wrap: wrap; column-gap: 1.25rem; }

.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

@media print {
  .controls, footer, details, form { display: none; }
}
`;
