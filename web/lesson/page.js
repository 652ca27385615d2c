/**
 * What the page does besides its figures: the reader's language and theme, paper, the place in
 * the contents, the room of figures taller than the window, and the roots of formulas. Without it
 * the lesson reads the same.
 */
import { getLanguage, LANGUAGES, onLanguageChange, setLanguage, t } from '../i18n/index.js';
import { followLink } from '../widgets/figure-link.js';
import { loadFigures } from './figures.js';

/** @import { Language, MessageKey } from '../i18n/index.js' */

/** How `html lang` and `lang` attributes name the languages of the page's words. */
const LANGUAGE_TAG = /** @type {const} */ ({ 'zh-Hant': 'zh-Hant-TW', en: 'en' });

/**
 * @param {string} name
 * @param {string} value '' forgets the choice
 */
function remember(name, value) {
  try {
    if (value === '') localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Without storage, as in a sandboxed frame, the choice lasts as long as the page.
  }
}

/**
 * @param {string} name
 * @returns {string | null}
 */
function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Says every word of the page, but not of the lesson, in the language that is set. */
function showWords() {
  const tag = LANGUAGE_TAG[getLanguage()];
  for (const element of document.querySelectorAll('[data-i18n]')) {
    element.textContent = t(/** @type {MessageKey} */ (element.getAttribute('data-i18n')));
    element.setAttribute('lang', tag);
  }
  for (const element of document.querySelectorAll('[data-i18n-label]')) {
    const key = /** @type {MessageKey} */ (element.getAttribute('data-i18n-label'));
    element.setAttribute('aria-label', t(key));
  }
}

/** @param {HTMLSelectElement} select */
function connectLanguage(select) {
  const remembered = LANGUAGES.find((language) => language === recall('language'));
  onLanguageChange(showWords);
  if (remembered !== undefined) setLanguage(remembered);
  select.value = getLanguage();
  select.addEventListener('change', () => {
    setLanguage(/** @type {Language} */ (select.value));
    remember('language', select.value);
  });
}

/** @param {HTMLSelectElement} select */
function connectTheme(select) {
  const { dataset } = document.documentElement;
  select.value = dataset.theme ?? '';
  select.addEventListener('change', () => {
    if (select.value === '') delete dataset.theme;
    else dataset.theme = select.value;
    remember('theme', select.value);
  });
}

/** Paper is light: figures that redraw before printing find the light theme set already. */
function printLight() {
  const { dataset } = document.documentElement;
  /** @type {string | undefined} */
  let chosen;
  addEventListener(
    'beforeprint',
    () => {
      chosen = dataset.theme;
      dataset.theme = 'light';
    },
    { capture: true },
  );
  addEventListener('afterprint', () => {
    if (chosen === undefined) delete dataset.theme;
    else dataset.theme = chosen;
  });
}

/** Marks in the contents the section that is being read: the last that began above the middle. */
function followReading() {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [
      /** @type {HTMLAnchorElement} */ (link).hash.slice(1),
      link,
    ]),
  );
  const sections = [...document.querySelectorAll('.section')];
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) links.get(target.id)?.setAttribute('aria-current', 'true');
        else links.get(target.id)?.removeAttribute('aria-current');
      }
    },
    // A line across the upper third of the window.
    { rootMargin: '-33% 0px -67% 0px' },
  );
  for (const section of sections) observer.observe(section);
}

/** Keeps `--own-height` of text and figures side by side, by which a tall one sticks with its foot. */
function measureColumns() {
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const height = `${Math.round(borderBoxSize[0].blockSize)}px`;
      /** @type {HTMLElement} */ (target).style.setProperty('--own-height', height);
    }
  });
  for (const column of document.querySelectorAll('.passage > .figure, .passage > .prose')) {
    observer.observe(column);
  }
}

/**
 * Draws roots no wider than their sign and content. Chromium reserves for the sign the width of
 * its tallest variant, whichever it draws (issue 1339724), and leaves a hole behind the root.
 */
async function closeRoots() {
  // The first frame lays the page out and asks for its fonts; measured before, it would be laid out twice.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await document.fonts.ready;
  const holes = [...document.querySelectorAll('msqrt')].map((root) => {
    const content = root.firstElementChild?.getBoundingClientRect();
    const size = Number.parseFloat(getComputedStyle(root).fontSize);
    const hole = content ? root.getBoundingClientRect().right - content.right : 0;
    return { root, hole: hole / size };
  });
  for (const { root, hole } of holes) {
    if (hole > 0.1) root.style.marginInlineEnd = `${-hole}em`;
  }
}

/** Links in the text that ask something of a figure are followed without leaving the page. */
function followLinksInPlace() {
  document.addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href^="?figure="]');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    followLink(link.search, document);
    const figure = element(link.hash.slice(1));
    const { top, bottom } = figure.getBoundingClientRect();
    // Beside the text it is in view already.
    if (top > innerHeight / 2 || bottom < innerHeight / 2) figure.scrollIntoView();
  });
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

connectLanguage(/** @type {HTMLSelectElement} */ (element('language')));
connectTheme(/** @type {HTMLSelectElement} */ (element('theme')));
element('settings').hidden = false;
printLight();
followReading();
measureColumns();
closeRoots();
followLinksInPlace();
loadFigures(document).then(() => followLink(location.search, document));
