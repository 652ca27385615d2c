/**
 * Formulas: LaTeX between `\( \)` and `$$ $$` in the sections becomes MathML when the page is
 * built, so that no script runs for them in the browser.
 */
import temml from 'temml';
import { unescapeHtml } from './html.mjs';

/**
 * What Temml says by `style=""`, which the page's content security policy blocks, and the class
 * that says the same in `styles/math.css`.
 *
 * @type {Record<string, string>}
 */
const CLASS_OF_STYLE = {
  'display:block math;': '',
  'margin-left:-0.1667em;': 'negative-thin-space',
};

/**
 * Temml's thin space after the name of a function, where a comma, a closing bracket or a relation
 * follows: TeX has none there (The TeXbook, chapter 18).
 */
const SPACE_AFTER_NAME =
  /(<mo>\u2061<\/mo>)<mspace width="0\.1667em"><\/mspace>(?=(?:<\/mrow>)?<mo(?: separator| fence="true" form="postfix"|>=))/g;

/**
 * One formula as MathML. Its LaTeX stays in it as an annotation, which no browser shows but
 * which can be copied and checked against the lesson's text.
 *
 * @param {string} latex
 * @param {boolean} displayed on lines of its own
 * @returns {string}
 */
export function typesetFormula(latex, displayed) {
  const mathml = temml.renderToString(latex, {
    displayMode: displayed,
    annotate: true,
    throwOnError: true,
  });
  return mathml
    .replace(SPACE_AFTER_NAME, '$1')
    .replace(/<(\w+)([^>]*?) style="([^"]*)"/g, (_, tag, attributes, style) => {
      if (!(style in CLASS_OF_STYLE)) throw new Error(`No class for style="${style}" in ${latex}`);
      const name = CLASS_OF_STYLE[style];
      if (name !== '' && attributes.includes('class=')) {
        throw new Error(`Two classes for one element in ${latex}`);
      }
      return `<${tag}${attributes}${name === '' ? '' : ` class="${name}"`}`;
    });
}

/**
 * Every formula of a section typeset; a displayed one in a box that scrolls when the column is
 * too narrow for it, also by keyboard, and is named after its section.
 *
 * @param {string} html
 * @param {string} titleId id of the section's heading
 * @returns {string}
 */
export function typesetFormulas(html, titleId) {
  return html
    .replace(
      /\$\$(.+?)\$\$/gs,
      (_, latex) =>
        `<section class="formula scroll" tabindex="0" aria-labelledby="formula-label ${titleId}">` +
        `${typesetFormula(unescapeHtml(latex), true)}</section>`,
    )
    .replace(/\\\((.+?)\\\)/gs, (_, latex) => typesetFormula(unescapeHtml(latex), false));
}

/** First of the letters U+1D434…, which a lone letter in `<mi>` is shown as; see MathML Core. */
const ITALIC_CAPITAL_A = 0x1d434;
const ITALIC_SMALL_A = 0x1d44e;
const ITALIC_SMALL_ALPHA = 0x1d6fc;

/**
 * @param {string} letter
 * @returns {string} the letter that browsers draw for `<mi>letter</mi>`
 */
function italic(letter) {
  const code = /** @type {number} */ (letter.codePointAt(0));
  if (letter === 'h') return 'ℎ';
  if (/[A-Z]/.test(letter)) return String.fromCodePoint(code - 0x41 + ITALIC_CAPITAL_A);
  if (/[a-z]/.test(letter)) return String.fromCodePoint(code - 0x61 + ITALIC_SMALL_A);
  if (/[α-ω]/.test(letter)) return String.fromCodePoint(code - 0x3b1 + ITALIC_SMALL_ALPHA);
  return letter;
}

/**
 * Every character the formulas of a page are drawn with, for the subset of the font.
 *
 * @param {string} html
 * @returns {string}
 */
export function formulaCharacters(html) {
  const characters = new Set();
  for (const [, formula] of html.matchAll(/<math[^>]*>(.*?)<\/math>/gs)) {
    const drawn = formula.replace(/<annotation.*?<\/annotation>/gs, '');
    for (const [, letter] of drawn.matchAll(/<mi>(.)<\/mi>/gu)) characters.add(italic(letter));
    for (const character of unescapeHtml(drawn.replace(/<[^>]*>/g, ''))) characters.add(character);
    // A root's sign is drawn by <msqrt> without standing in the text.
    if (drawn.includes('<msqrt>')) characters.add('√');
  }
  return [...characters].sort().join('');
}
