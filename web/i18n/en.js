/** @import { MessageKey } from './index.js' */

/**
 * The same keys in English.
 *
 * @type {Record<MessageKey, string>}
 */
export const en = {
  'language.name': 'English',
};
