/**
 * The page's colours and type as charts need them: resolved values of the custom properties of
 * `styles/tokens.css`, read where the chart stands, and a call when they may have changed.
 */

import { mixColours } from './colour.js';

/**
 * @typedef {object} Theme
 * @property {string} bg
 * @property {string} surface
 * @property {string} rule
 * @property {string} text
 * @property {string} muted
 * @property {string} query
 * @property {string} key
 * @property {string} value
 * @property {string} bad
 * @property {string} faint of lines that only guide the eye, in themes of strong lines too
 * @property {string} font family
 * @property {number} size of small text in figures, px; follows the reader's text size
 * @property {number} line width of a hairline, px
 */

/** @typedef {Exclude<keyof Theme, 'font' | 'size' | 'line'>} ColourToken */

/** The light theme: what a page without the tokens gets. */
export const LIGHT = /** @type {const} */ ({
  bg: '#fcfcfa',
  surface: '#f3f4f1',
  rule: '#d9dcd6',
  text: '#1c2126',
  muted: '#5a636d',
  query: '#0b5cad',
  key: '#a34a00',
  value: '#00704f',
  bad: '#b3261e',
});

/** How much of the text's colour is in a faint line. */
const FAINT = 0.15;

/** Small text relative to the page's root size, which the reader may have enlarged. */
const SMALL = 0.75;

/**
 * @param {HTMLElement} element where the chart stands
 * @returns {Theme}
 */
export function readTheme(element) {
  const computed = getComputedStyle(element);
  // A custom property is read as text; a colour that uses it is read resolved. All of them stand in
  // the document before the first is read: its style is then computed once.
  const probe = document.createElement('span');
  probe.hidden = true;
  for (const [token, colour] of Object.entries(LIGHT)) {
    const sample = document.createElement('span');
    sample.style.color = `var(--${token}, ${colour})`;
    probe.append(sample);
  }
  element.append(probe);
  const colours = Object.fromEntries(
    Object.keys(LIGHT).map((token, i) => [token, getComputedStyle(probe.children[i]).color]),
  );
  probe.remove();
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const line = Number.parseFloat(computed.getPropertyValue('--line')) || 1;
  const faint = mixColours(colours.text, colours.surface, FAINT);
  const theme = { ...colours, faint, font: computed.fontFamily, size: root * SMALL, line };
  return /** @type {Theme} */ (theme);
}

/**
 * Calls `listener` whenever the colours may have changed: the system's scheme, its contrast, or a theme
 * set on the page's root element.
 *
 * @param {() => void} listener
 * @returns {() => void} ends the watch
 */
export function watchTheme(listener) {
  const queries = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['class', 'data-theme', 'style'],
  });
  return () => {
    for (const query of queries) query.removeEventListener('change', listener);
    observer.disconnect();
  };
}
