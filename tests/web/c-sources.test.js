import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  cSourcesPlugin,
  extractContract,
  extractDefinition,
  renderFunctions,
} from '../../web/lesson/render/c-sources.mjs';
import { unescapeHtml } from '../../web/lesson/render/html.mjs';

const C = `#include <math.h>

/* Not about twice. */

static const char *brace = "{ } twice(";

/* Doubles x; a brace } in a comment ends nothing. */
static float twice(float x) {
    if (x > 0) {
        return 2 * x;
    }
    return '}' == '{' ? 0 : 2 * x;
}

int EXPORT(attn_twice)(float *values, int n,
                       float scale) {
    return (int)twice(values[n] * scale);
}

int one(void) { return 1; }

int two(void) {
    return 2;
}
`;

describe('the definition of a function', () => {
  test('comes with its comment and ends with its last brace', () => {
    const { code, line } = extractDefinition(C, 'twice', 'a.c');
    expect(line).toBe(7);
    expect(code.split('\n')[0]).toBe('/* Doubles x; a brace } in a comment ends nothing. */');
    expect(code.endsWith("'{' ? 0 : 2 * x;\n}")).toBe(true);
  });

  test('is found behind EXPORT and over several lines', () => {
    const { code, line } = extractDefinition(C, 'attn_twice', 'a.c');
    expect(line).toBe(15);
    expect(code.startsWith('int EXPORT(attn_twice)(float *values, int n,\n')).toBe(true);
  });

  test('may be one line', () => {
    expect(extractDefinition(C, 'one', 'a.c').code).toBe('int one(void) { return 1; }');
  });

  test.each(['thrice', 'twic', 'brace', 'n'])(
    'that does not exist, %s, stops the build',
    (name) => {
      expect(() => extractDefinition(C, name, 'a.c')).toThrow(`a.c defines no function ${name}`);
    },
  );
});

test('the contract is the comment above the declaration', () => {
  const header = '/* Doubles x. */\nfloat twice(float x);\n\nfloat thrice(float x);\n';
  expect(extractContract(header, 'twice')).toBe('/* Doubles x. */');
  expect(extractContract(header, 'thrice')).toBe('');
});

test('what is shown is the very text of c_src, after the contract of its header', () => {
  const [{ name, file, line, html }] = renderFunctions('lesson/rotation.c', ['rotation_matrix']);
  expect({ name, file }).toEqual({ name: 'rotation_matrix', file: 'c_src/lesson/rotation.c' });
  const text = unescapeHtml(html.replace(/<[^>]*>/g, ''));
  const source = readFileSync(new URL('../../c_src/lesson/rotation.c', import.meta.url), 'utf8');
  const definition = text.slice(text.indexOf('void rotation_matrix('));
  expect(source).toContain(definition);
  expect(source.split('\n')[line - 1]).toBe(definition.split('\n')[0]);
  expect(text.startsWith('/*\n * R_k, matrix (D, D)')).toBe(true);
});

/** Everything that figures import from `web/sources`. */
function requested() {
  const widgets = new URL('../../web/widgets/', import.meta.url);
  return readdirSync(widgets, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => [
      ...readFileSync(new URL(path, widgets), 'utf8').matchAll(
        /import\(\s*'([^']*\/sources\/[^']*)'/g,
      ),
    ])
    .map(([, specifier]) => specifier);
}

test('every function that a figure shows is loaded as a module; others are left to Vite', () => {
  const { resolveId, load } = /** @type {any} */ (cSourcesPlugin());
  /** @type {string[]} */
  const watched = [];
  const context = { addWatchFile: (/** @type {string} */ path) => watched.push(path) };
  const specifiers = ['../../sources/lesson/rotation.c?functions=rotation_map', ...requested()];
  for (const specifier of specifiers) {
    const module = load.call(context, resolveId(specifier));
    expect(module).toMatch(/^export const functions = \[\{"name":/);
  }
  expect(watched).toHaveLength(2 * specifiers.length);
  expect(resolveId('../charts/heatmap.js')).toBe(null);
  expect(load.call(context, '/web/charts/heatmap.js')).toBe(null);
  const missing = resolveId('../../sources/lesson/rotation.c?functions=rotation_of');
  expect(() => load.call(context, missing)).toThrow('defines no function rotation_of');
});
