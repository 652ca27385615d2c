/** Characters that HTML text and attribute values must not hold as they are. */
const ESCAPES = /** @type {const} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

/**
 * @param {string} text
 * @returns {string} the text as HTML
 */
export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[/** @type {'&'} */ (character)]);
}

/**
 * @param {string} html text without tags, as HTML
 * @returns {string} the text itself
 */
export function unescapeHtml(html) {
  return Object.entries(ESCAPES).reduceRight(
    (text, [character, reference]) => text.replaceAll(reference, character),
    html,
  );
}
