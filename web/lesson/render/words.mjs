/** The page's own words, put into the HTML when it is built so that they need no script. */
import { en } from '../../i18n/en.js';
import { zhHant } from '../../i18n/zh-Hant.js';
import { escapeHtml } from './html.mjs';

/** @type {Record<string, Record<string, string>>} */
const MESSAGES = { 'zh-Hant': zhHant, en };

/**
 * @param {string} key
 * @returns {string} its message in the lesson's language, as HTML
 */
function message(key) {
  if (!Object.hasOwn(zhHant, key)) throw new Error(`No message ${key}`);
  return escapeHtml(MESSAGES['zh-Hant'][key]);
}

/**
 * Fills each element that names a message: `data-i18n` becomes its text, `data-i18n-label` its
 * accessible name. `page.js` does the same again when the reader changes the language.
 *
 * @param {string} html
 * @returns {string}
 */
export function fillWords(html) {
  return html
    .replace(
      /(<\w+[^>]* data-i18n="([^"]+)"[^>]*>)\s*(?=<\/)/g,
      (_, tag, key) => tag + message(key),
    )
    .replace(
      / data-i18n-label="([^"]+)"/g,
      (label, key) => `${label} aria-label="${message(key)}"`,
    );
}

/** @returns {string} an option for every language, each by its own name */
export function renderLanguages() {
  return Object.entries(MESSAGES)
    .map(
      ([code, words]) =>
        `<option value="${code}" lang="${code}">${words['language.name']}</option>`,
    )
    .join('');
}
