import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { contrast, parseColour } from '../../web/charts/colour.js';
import {
  formulaCharacters,
  typesetFormula,
  typesetFormulas,
} from '../../web/lesson/render/formulas.mjs';
import { unescapeHtml } from '../../web/lesson/render/html.mjs';
import { readPageFile, renderContents, renderLesson } from '../../web/lesson/render/lesson.mjs';
import { renderListing, renderOutput } from '../../web/lesson/render/listings.mjs';
import { fillWords } from '../../web/lesson/render/words.mjs';

/** @param {string} html */
const textOf = (html) => unescapeHtml(html.replace(/<[^>]*>/g, ''));

test('the lesson holds no style attribute, which its policy would block', () => {
  expect(renderLesson()).not.toMatch(/\sstyle=/);
});

test('a style that has no class is refused when the page is built', () => {
  expect(() => typesetFormula('\\color{red} x', false)).toThrow(/No class for style/);
});

test('a formula that cannot be read stops the build', () => {
  expect(() => typesetFormula('\\frac{1}', false)).toThrow();
});

test('a formula keeps its LaTeX as an annotation', () => {
  expect(typesetFormulas('<p>\\(a &lt; b\\)</p>', 'x')).toContain(
    '<annotation encoding="application/x-tex">a &lt; b</annotation>',
  );
});

test('no space stands between the name of a function and a comma or bracket', () => {
  expect(typesetFormula('(\\sin, \\cos)', false)).not.toContain('<mspace');
  expect(typesetFormula('\\sin x', false)).toContain('<mspace');
});

test('the characters of formulas are those that browsers draw for them', () => {
  const characters = formulaCharacters(typesetFormula('h\\mathbf x + \\sqrt{\\alpha d}', false));
  for (const drawn of ['ℎ', '𝐱', '+', '√', '𝛼', '𝑑']) expect(characters).toContain(drawn);
});

test.each(['attention_check.py', 'reverse_seq.py'])('the listing of %s is the script', (name) => {
  const code = readPageFile(`lesson/source/${name}`);
  expect(textOf(renderListing(code, name))).toBe(code.trimEnd());
  expect(textOf(renderLesson())).toContain(code.trimEnd());
});

test('wide characters of a listing are marked, others are not', () => {
  expect(renderOutput('d = 4：變異數 √d', 'x')).toContain(
    '<samp>d = 4<span class="wide">：變異數</span> √d</samp>',
  );
});

test('the contents name every section, and ids are unique', () => {
  const lesson = renderLesson();
  const ids = [...lesson.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const sections = [...lesson.matchAll(/<section class="section" id="([^"]+)"/g)];
  const links = [...renderContents().matchAll(/href="#([^"]+)">([^<]+)</g)];
  expect(links.map(([, id]) => id)).toEqual(sections.map(([, id]) => id));
  expect(links[1][2]).toBe('縮放點積注意力');
});

test('a word of the page that has no message stops the build', () => {
  expect(fillWords('<p data-i18n="page.contents"></p>')).toBe(
    '<p data-i18n="page.contents">目錄</p>',
  );
  expect(() => fillWords('<p data-i18n="page.nothing"></p>')).toThrow(/No message/);
});

test('every colour of text is readable on both grounds, light and dark', () => {
  const tokens = readFileSync(new URL('../../web/styles/tokens.css', import.meta.url), 'utf8');
  const colours = Object.fromEntries(
    [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
      ([, name, light, dark]) => [name, [light, dark].map(parseColour)],
    ),
  );
  const names = ['text', 'muted', 'query', 'key', 'value', 'bad', 'code-keyword', 'code-string'];
  for (const name of names) {
    for (const scheme of [0, 1]) {
      for (const ground of ['bg', 'surface']) {
        const ratio = contrast(colours[name][scheme], colours[ground][scheme]);
        expect({ name, scheme, ground, readable: Math.round(ratio * 10) >= 54 }).toMatchObject({
          readable: true,
        });
      }
    }
  }
});
