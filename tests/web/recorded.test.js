import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { printedLines, recordedCheck, recordedPlugin } from '../../web/lesson/render/recorded.mjs';

/** @param {string} path from the project's folder */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the page compares with what PyTorch returned and the lesson printed', () => {
  const golden = JSON.parse(read('tests/golden/attention_check.json'));
  const { torch, output, causal_output, lines } = recordedCheck();
  expect(torch).toBe(golden.torch);
  expect(output).toEqual(golden.builtin_out.data);
  expect(causal_output).toEqual(golden.builtin_out_c.data);
  expect(lines).toHaveLength(11);
  expect(read('web/lesson/sections/scaled-dot-product-attention.html')).toContain(lines.join('\n'));
});

test('lines end at the first empty one', () => {
  expect(printedLines('甲\n\n實際執行的輸出：\n\n一\n二\n\n三\n')).toEqual(['一', '二']);
  expect(() => printedLines('甲')).toThrow('no output');
});

test('the module holds them, and no other import is taken', () => {
  const plugin = /** @type {any} */ (recordedPlugin());
  const watched = /** @type {string[]} */ ([]);
  const context = { addWatchFile: (/** @type {string} */ file) => watched.push(file) };
  const id = plugin.resolveId('../../sources/recorded/attention_check.js');
  expect(plugin.load.call(context, id)).toContain('export const causal_output = [');
  expect(watched).toHaveLength(2);
  expect(plugin.resolveId('../../sources/lesson/cost.c?functions=a')).toBe(null);
  expect(plugin.load.call(context, 'other')).toBe(null);
});
