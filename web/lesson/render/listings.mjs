/** Listings and printed outputs: coloured when the page is built, columns kept. */
import hljs from 'highlight.js/lib/core';
import python from 'highlight.js/lib/languages/python';
import { escapeHtml } from './html.mjs';

hljs.registerLanguage('python', python);

/** Characters that take two columns in a listing: CJK, its punctuation and full-width forms. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]+/g;

/**
 * Marks the wide characters, which `styles/listing.css` sets to exactly two columns whatever the
 * widths of the Latin and the CJK font are.
 *
 * @param {string} html whose tags hold no wide character
 * @returns {string}
 */
function markWide(html) {
  return html.replace(WIDE, '<span class="wide">$&</span>');
}

/**
 * @param {string} code Python
 * @param {string} name of its file, which labels the box
 * @returns {string}
 */
export function renderListing(code, name) {
  const { value } = hljs.highlight(code.trimEnd(), { language: 'python' });
  return (
    `<section class="listing scroll" tabindex="0" aria-label="${escapeHtml(name)}">` +
    `<pre><code class="language-python">${markWide(value)}</code></pre></section>`
  );
}

/**
 * @param {string} html what a script printed, escaped
 * @param {string} labelIds ids of the sentence that announces it and of the section's heading
 * @returns {string}
 */
export function renderOutput(html, labelIds) {
  const lines = html.replace(/^\n|\n$/g, '');
  return (
    `<section class="output scroll" tabindex="0" aria-labelledby="${labelIds}">` +
    `<pre><samp>${markWide(lines)}</samp></pre></section>`
  );
}
