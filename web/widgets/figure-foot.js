/** What the buttons at the foot of every figure do that asks nothing of the figure itself. */
import { t } from '../i18n/index.js';

/** @typedef {{name: string, file: string, line: number, html: string}} SourceFunction */

/** Imports of `../../sources/FILE.c?functions=NAME+NAME`. @typedef {(() => Promise<{functions: SourceFunction[]}>)[]} Sources */

/**
 * Opens or closes what a button of the foot is for.
 *
 * @param {HTMLElement} button
 * @param {HTMLElement} panel
 * @returns {boolean} whether it is open now
 */
export function togglePanel(button, panel) {
  panel.hidden = !panel.hidden;
  button.setAttribute('aria-expanded', String(!panel.hidden));
  return !panel.hidden;
}

/** A longer text scrolls in its field. */
const MOST_ROWS = 6;

/** @param {SourceFunction} source */
function createListing({ name, file, line, html }) {
  const caption = document.createElement('p');
  caption.className = 'caption';
  caption.textContent = t('figure.source.file', { name, file, line });
  const pre = document.createElement('pre');
  const code = document.createElement('code');
  code.innerHTML = html;
  pre.append(code);
  return [caption, pre];
}

/**
 * Fills a panel with C functions.
 *
 * @param {HTMLElement} panel
 * @param {Sources} sources
 */
export async function showSource(panel, sources) {
  try {
    const modules = await Promise.all(sources.map((load) => load()));
    panel.replaceChildren(...modules.flatMap(({ functions }) => functions).flatMap(createListing));
  } catch (error) {
    panel.textContent = t('error.other', { message: String(error) });
  }
}

/**
 * Copies a text, or offers it to be copied where the page has no leave to.
 *
 * @param {string} text
 * @param {{status: HTMLElement, field: HTMLTextAreaElement}} parts of the foot
 */
export async function copyText(text, { status, field }) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = t('figure.copied');
  } catch {
    status.textContent = t('figure.copy');
    field.hidden = false;
    field.value = text;
    field.rows = Math.min(text.split('\n').length, MOST_ROWS);
    field.select();
  }
}
