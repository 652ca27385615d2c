/**
 * What the page compares its numbers with, taken while it is built from the files that hold it:
 * PyTorch's results as recorded for the tests, and the lines the lesson prints. So
 * `import { lines, output } from '../../sources/recorded/attention_check.js'` in a figure.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Plugin } from 'vite' */

/**
 * @typedef {object} RecordedCheck
 * @property {string} torch PyTorch's version
 * @property {number[]} output of its own attention for the query, key and value of the lesson
 * @property {number[]} causal_output the same with the causal mask
 * @property {string[]} lines what the lesson's attention_check.py prints
 */

const GOLDEN = fileURLToPath(new URL('../../../tests/golden/', import.meta.url));
const LESSON = fileURLToPath(new URL('../source/lesson.zh-Hant.txt', import.meta.url));
const CHECK = `${GOLDEN}attention_check.json`;
const REQUEST = /\/sources\/recorded\/attention_check\.js$/;
const ID = '\0recorded/attention_check.js';

/**
 * The lines under the first 「實際執行的輸出：」 of the lesson, up to the next empty one.
 *
 * @param {string} lesson
 */
export function printedLines(lesson) {
  const [, output] = lesson.split('實際執行的輸出：\n\n');
  if (output === undefined) throw new Error('the lesson prints no output');
  return output.split('\n\n')[0].split('\n');
}

/** @returns {RecordedCheck} */
export function recordedCheck() {
  const { torch, builtin_out, builtin_out_c } = JSON.parse(readFileSync(CHECK, 'utf8'));
  return {
    torch,
    output: builtin_out.data,
    causal_output: builtin_out_c.data,
    lines: printedLines(readFileSync(LESSON, 'utf8')).filter((line) => line !== ''),
  };
}

/** @returns {Plugin} */
export function recordedPlugin() {
  return {
    name: 'recorded',
    enforce: 'pre',

    resolveId(source) {
      return REQUEST.test(source) ? ID : null;
    },

    load(id) {
      if (id !== ID) return null;
      for (const file of [CHECK, LESSON]) this.addWatchFile(file);
      return Object.entries(recordedCheck())
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
        .join('');
    },
  };
}
