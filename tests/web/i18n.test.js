import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { en } from '../../web/i18n/en.js';
import {
  getLanguage,
  isMessageKey,
  LANGUAGES,
  onLanguageChange,
  setLanguage,
  t,
} from '../../web/i18n/index.js';
import { zhHant } from '../../web/i18n/zh-Hant.js';
import { loadEngine } from '../wasm/load.js';

/** @import { MessageKey } from '../../web/i18n/index.js' */

const WEB = new URL('../../web/', import.meta.url);
const KEYS = Object.keys(zhHant);

/** Words of the page are asked for in code, in markup and by the build of the lesson. */
const SOURCES = readdirSync(WEB, { recursive: true })
  .map(String)
  .filter((path) => /\.(js|mjs|html)$/.test(path) && !path.startsWith('i18n/'))
  .map((path) => readFileSync(new URL(path, WEB), 'utf8'))
  .join('\n');

const MENTIONED = new Set([...SOURCES.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, key]) => key));

afterEach(() => setLanguage('zh-Hant'));

/** Keys put together from the engine's names: fields, values of enumerations, status codes. */
async function engineKeys() {
  const { config, status } = (await loadEngine()).engine.constants();
  return [
    ...config.fields.map(({ name }) => `setting.${name}`),
    ...config.fields.flatMap(({ name, values = [] }) =>
      values.map((value) => `setting.${name}.${value}`),
    ),
    ...Object.keys(status).map((name) => `error.${name}`),
  ];
}

/** Keys put together from names the page itself gives. */
const OWN_KEYS = [
  'setting.n_steps',
  'setting.speed',
  ...['ATTRIBUTE', 'CONFIG_EVEN', 'CONFIG_DIVIDES', 'NO_WASM', 'LOAD_FAILED'].map(errorKey),
  ...['WORKER_FAILED', 'PANIC'].map(errorKey),
];

/** @param {string} code */
function errorKey(code) {
  return `error.${code}`;
}

describe('the words of the page', () => {
  test('every language has the same keys', () => {
    expect(Object.keys(en).sort()).toEqual([...KEYS].sort());
  });

  test('every language fills in the same values', () => {
    const values = (/** @type {string} */ text) => (text.match(/\{\w+\}/g) ?? []).sort();
    for (const key of /** @type {MessageKey[]} */ (KEYS)) {
      expect({ key, values: values(en[key]) }).toEqual({ key, values: values(zhHant[key]) });
    }
  });

  test('no message is empty', () => {
    for (const messages of [zhHant, en]) {
      for (const [key, text] of Object.entries(messages))
        expect({ key, text }).not.toEqual({ key, text: '' });
    }
  });

  test('no key that the page asks for is missing', () => {
    const asked = [
      ...SOURCES.matchAll(/\bt\(\s*'([\w.-]+)'/g),
      ...SOURCES.matchAll(/\bdata-i18n(?:-label)?="([\w.-]+)"/g),
    ].map(([, key]) => key);
    expect(asked.length).toBeGreaterThan(50);
    expect(asked.filter((key) => !isMessageKey(key))).toEqual([]);
    expect(OWN_KEYS.filter((key) => !isMessageKey(key))).toEqual([]);
  });

  test('every setting and every value that this figure offers has a name', async () => {
    const { config } = (await loadEngine()).engine.constants();
    const offered = config.fields
      .filter(({ name }) => !['model', 'd_hidden'].includes(name))
      .flatMap(({ name, values = [] }) => [name, ...values.map((value) => `${name}.${value}`)]);
    expect(offered.filter((name) => !isMessageKey(`setting.${name}`))).toEqual([]);
  });

  test('every status that a reader’s doing can cause has words', async () => {
    const { status } = (await loadEngine()).engine.constants();
    // These are faults of the page's own code, not of its reader.
    const internal = ['OK', 'BAD_HANDLE', 'BAD_ARGUMENT', 'BAD_LENGTH', 'BAD_TOKEN', 'BUSY'];
    const names = Object.keys(status).filter((name) => !internal.includes(name));
    expect(names.filter((name) => !isMessageKey(errorKey(name)))).toEqual([]);
  });

  test('no key is unused', async () => {
    const used = new Set([...MENTIONED, ...OWN_KEYS, ...(await engineKeys())]);
    expect(KEYS.filter((key) => !used.has(key))).toEqual([]);
  });
});

describe('the language', () => {
  test('is Chinese at first, and a change is told once', () => {
    /** @type {string[]} */
    const told = [];
    const end = onLanguageChange((language) => told.push(language));
    expect(getLanguage()).toBe('zh-Hant');
    setLanguage('en');
    setLanguage('en');
    end();
    setLanguage('zh-Hant');
    expect(told).toEqual(['en']);
    expect(LANGUAGES).toEqual(['zh-Hant', 'en']);
  });

  test('values are put into the message', () => {
    expect(t('reverse.tokens.few', { n: 3, seq_len: 10 })).toBe('只有 3 個數字，要 10 個。');
    setLanguage('en');
    expect(t('reverse.tokens.few', { n: 3, seq_len: 10 })).toBe('Too few digits: 3 instead of 10.');
  });
});
