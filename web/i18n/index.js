/**
 * The page's words in two languages. `t('reverse.train')` gives the text of a key in the language
 * that is set; who shows it redraws when `onLanguageChange` calls.
 */
import { en } from './en.js';
import { zhHant } from './zh-Hant.js';

/** @typedef {'zh-Hant' | 'en'} Language */

/** @typedef {keyof typeof zhHant} MessageKey */

/** @type {Record<Language, Record<MessageKey, string>>} */
const MESSAGES = { 'zh-Hant': zhHant, en };

/** @type {readonly Language[]} */
export const LANGUAGES = ['zh-Hant', 'en'];

/** @type {Language} */
let language = 'zh-Hant';

/** @type {Set<(language: Language) => void>} */
const listeners = new Set();

/**
 * The message of a key, each `{name}` in it replaced by `params.name`.
 *
 * @param {MessageKey} key
 * @param {Record<string, string | number>} [params]
 * @returns {string}
 */
export function t(key, params = {}) {
  return MESSAGES[language][key].replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
}

/**
 * Whether a key put together at run time (from a field or status name of the engine) has a message.
 *
 * @param {string} key
 * @returns {key is MessageKey}
 */
export function isMessageKey(key) {
  return Object.hasOwn(zhHant, key);
}

/** @returns {Language} */
export function getLanguage() {
  return language;
}

/** @param {Language} next */
export function setLanguage(next) {
  if (next === language) return;
  language = next;
  for (const listener of [...listeners]) listener(next);
}

/**
 * Calls `listener` after every change of language.
 *
 * @param {(language: Language) => void} listener
 * @returns {() => void} ends the subscription
 */
export function onLanguageChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
