/**
 * The C functions that figures show: taken from `c_src` and coloured while the page is built, so
 * that what the reader sees is what computes. `import('../../sources/lesson/rotation.c?functions=
 * rotation_matrix+rotation_map')` in a figure becomes a small module of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import hljs from 'highlight.js/lib/core';
import c from 'highlight.js/lib/languages/c';

/** @import { Plugin } from 'vite' */

/**
 * @typedef {object} Extract
 * @property {string} code with the comment that stands right above it
 * @property {number} line of its first line
 */

hljs.registerLanguage('c', c);

const C_SRC = fileURLToPath(new URL('../../../c_src/', import.meta.url));
const REQUEST = /\/sources\/(?<file>[\w/-]+\.c)\?functions=(?<names>\w+(?:\+\w+)*)$/;

/** Comments, strings and characters, in which a brace is no brace. */
const OPAQUE = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/**
 * The text with everything opaque blanked out, so that places in it stay what they were.
 *
 * @param {string} text
 */
function blank(text) {
  return text.replace(OPAQUE, (piece) => piece.replace(/[^\n]/g, ' '));
}

/**
 * Where the comment begins that ends on the line above `start`, or `start` where there is none.
 *
 * @param {string} text
 * @param {number} start
 */
function commentStart(text, start) {
  const before = text.slice(0, start);
  const end = /\*\/[ \t]*\n$/.exec(before);
  return end ? before.lastIndexOf('/*', end.index) : start;
}

/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Extract}
 */
function extract(text, start, end) {
  const from = commentStart(text, start);
  return { code: text.slice(from, end), line: text.slice(0, from).split('\n').length };
}

/**
 * Where the block that opens at `start` has ended.
 *
 * @param {string} code without comments and strings
 * @param {number} start
 */
function bodyEnd(code, start) {
  let depth = 0;
  for (const { 0: brace, index } of code.slice(start).matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    if (depth === 0) return start + index + 1;
  }
  return code.length;
}

/**
 * The definition or, in a header, the declaration of a function.
 *
 * @param {string} text of a C file
 * @param {string} name
 * @param {'{' | ';'} ending of what is looked for: a body or a declaration
 * @returns {Extract | undefined}
 */
function findFunction(text, name, ending) {
  const code = blank(text);
  const head = new RegExp(`^[A-Za-z_][\\w ]*[ *](?:EXPORT\\()?${name}\\)?\\(`, 'm').exec(code);
  if (!head) return undefined;
  const stop = code.slice(head.index).search(/[{;]/) + head.index;
  if (code[stop] !== ending) return undefined;
  if (ending === ';') return extract(text, head.index, stop + 1);
  return extract(text, head.index, bodyEnd(code, stop));
}

/**
 * The definition of a function; throws where the file holds none.
 *
 * @param {string} text of a C file
 * @param {string} name
 * @param {string} file for the message
 * @returns {Extract}
 */
export function extractDefinition(text, name, file) {
  const found = findFunction(text, name, '{');
  if (!found) throw new Error(`${file} defines no function ${name}`);
  return found;
}

/**
 * The comment that a header gives a function, which says what it computes; '' where it says
 * nothing.
 *
 * @param {string} header text of the file
 * @param {string} name
 * @returns {string}
 */
export function extractContract(header, name) {
  const { code } = findFunction(header, name, ';') ?? { code: '' };
  return /^\/\*[\s\S]*?\*\//.exec(code)?.[0] ?? '';
}

/**
 * @typedef {object} SourceFunction
 * @property {string} name
 * @property {string} file
 * @property {number} line
 * @property {string} html coloured, to be shown with its spaces
 */

/**
 * @param {string} file below `c_src`
 * @param {string[]} names of functions in it
 * @returns {SourceFunction[]}
 */
export function renderFunctions(file, names) {
  const text = readFileSync(C_SRC + file, 'utf8');
  const headerFile = C_SRC + file.replace(/c$/, 'h');
  const header = existsSync(headerFile) ? readFileSync(headerFile, 'utf8') : '';
  return names.map((name) => {
    const { code, line } = extractDefinition(text, name, `c_src/${file}`);
    const contract = extractContract(header, name);
    const shown = contract === '' ? code : `${contract}\n${code}`;
    return {
      name,
      file: `c_src/${file}`,
      line,
      html: hljs.highlight(shown, { language: 'c' }).value,
    };
  });
}

/** @returns {Plugin} */
export function cSourcesPlugin() {
  return {
    name: 'c-sources',
    enforce: 'pre',

    resolveId(source) {
      return REQUEST.test(source)
        ? `\0c-sources${source.slice(source.indexOf('/sources/'))}`
        : null;
    },

    load(id) {
      const request = id.startsWith('\0c-sources') ? REQUEST.exec(id)?.groups : undefined;
      if (!request) return null;
      const { file, names } = request;
      this.addWatchFile(C_SRC + file);
      this.addWatchFile(C_SRC + file.replace(/c$/, 'h'));
      const functions = renderFunctions(file, names.split('+'));
      return `export const functions = ${JSON.stringify(functions)};\n`;
    },
  };
}
