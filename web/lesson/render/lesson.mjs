/** Puts the lesson together from its sections and from the two scripts it prints. */
import { readFileSync } from 'node:fs';
import { SECTIONS } from '../sections/order.mjs';
import { typesetFormulas } from './formulas.mjs';
import { renderListing, renderOutput } from './listings.mjs';

const LESSON = new URL('../', import.meta.url);

/** The scripts the lesson prints and offers for download, by their path in the page. */
export const SCRIPTS = ['lesson/source/attention_check.py', 'lesson/source/reverse_seq.py'];

/**
 * @param {string} path relative to `web/`
 * @returns {string}
 */
export function readPageFile(path) {
  return readFileSync(new URL(`../${path}`, LESSON), 'utf8');
}

/** @param {string} name */
function readSection(name) {
  return readPageFile(`lesson/sections/${name}.html`);
}

/**
 * One section as static HTML. Besides HTML a section file holds formulas in LaTeX,
 * `<lesson-listing src="…">` for a script and `<lesson-output>` for what it prints.
 *
 * @param {string} name
 * @returns {string}
 */
function renderSection(name) {
  return typesetFormulas(readSection(name), `${name}-title`)
    .replace(/<lesson-listing src="([^"]+)"><\/lesson-listing>/g, (_, file) =>
      renderListing(readPageFile(`lesson/source/${file}`), file),
    )
    .replace(
      /<lesson-output aria-labelledby="([^"]+)">(.*?)<\/lesson-output>/gs,
      (_, labelId, output) => renderOutput(output, `${labelId} ${name}-title`),
    );
}

/** @returns {string} the whole lesson as static HTML */
export function renderLesson() {
  return SECTIONS.map(renderSection).join('\n');
}

/**
 * Links to the sections, by the Chinese part of their headings.
 *
 * @returns {string} items of a list
 */
export function renderContents() {
  return SECTIONS.map((name) => {
    const heading = /<h[12] id="[^"]*">([^<]+)/.exec(readSection(name));
    if (heading === null) throw new Error(`The section ${name} has no heading`);
    return `<li><a href="#${name}">${heading[1].trim()}</a></li>`;
  }).join('\n');
}
