import { afterEach, describe, expect, test } from '@jest/globals';
import { setLanguage } from '../../web/i18n/index.js';
import {
  allowedValues,
  attributeOf,
  controlMarkup,
  departureText,
  parseSetting,
  readSettings,
  sliderPosition,
  writeValue,
} from '../../web/widgets/figure-settings.js';

/** @import { Setting } from '../../web/widgets/figure-settings.js' */

/** @type {Record<'whole' | 'even' | 'any' | 'flag' | 'choice' | 'free', Setting>} */
const SETTINGS = {
  whole: { name: 'seq_len', label: 'setting.seq_len', default: 10, min: 2, max: 64 },
  even: { name: 'd_model', label: 'setting.d_model', default: 32, min: 4, max: 64, step: 2 },
  any: {
    name: 'learning_rate',
    label: 'setting.learning_rate',
    default: 0.003,
    min: 0,
    max: 10,
    step: 0,
    stops: [0.001, 0.003, 0.01],
  },
  flag: { name: 'causal', label: 'setting.causal', default: false },
  choice: {
    name: 'scale',
    label: 'setting.scale',
    default: 'sqrt_d_k',
    options: { sqrt_d_k: 'setting.scale.sqrt_d_k', none: 'setting.scale.none' },
  },
  free: { name: 'p', label: 'positions.p', default: 24, min: -5, max: 47, free: true },
};

afterEach(() => setLanguage('zh-Hant'));

describe('an attribute', () => {
  test('has C’s name with hyphens', () => {
    expect(attributeOf('d_model')).toBe('d-model');
  });

  test.each(
    /** @type {const} */ ([
      ['whole', '12', 12],
      ['whole', ' 2 ', 2],
      ['even', '6', 6],
      ['any', '1e-3', 0.001],
      ['any', '0.0042', 0.0042],
      ['flag', '', true],
      ['flag', 'false', false],
      ['choice', 'none', 'none'],
      ['free', '-5', -5],
    ]),
  )('%s="%s" is %j', (name, text, value) => {
    expect(parseSetting(SETTINGS[name], text)).toBe(value);
  });

  test.each(
    /** @type {const} */ ([
      ['whole', ''],
      ['whole', '2.5'],
      ['whole', '65'],
      ['whole', 'many'],
      ['whole', 'Infinity'],
      ['even', '7'],
      ['any', '11'],
      ['flag', 'perhaps'],
      ['choice', 'toString'],
      ['choice', ''],
    ]),
  )('%s="%s" is refused', (name, text) => {
    expect(parseSetting(SETTINGS[name], text)).toBeUndefined();
  });

  test('that is refused says what is allowed', () => {
    const given = { 'd-model': '7' };
    const read = (/** @type {string} */ name) => (name === 'd-model' ? given[name] : null);
    expect(readSettings([SETTINGS.whole], read)).toEqual({ seq_len: 10 });
    expect(() => readSettings([SETTINGS.even], read)).toThrow(
      expect.objectContaining({
        code: 'ATTRIBUTE',
        detail: {
          attribute: 'd-model',
          field: SETTINGS.even.label,
          value: '7',
          allowed: '4 – 64 (4, 6 …)',
        },
      }),
    );
  });

  test('that stands between stops with nothing between them is refused', () => {
    const heads = { ...SETTINGS.whole, min: 1, max: 8, stops: [1, 2, 4, 8], only: true };
    expect(['1', '8', '3', '16'].map((text) => parseSetting(heads, text))).toEqual([
      1,
      8,
      undefined,
      undefined,
    ]);
    expect(allowedValues(heads)).toBe('1, 2, 4, 8');
  });

  test('allows what its kind allows', () => {
    expect(allowedValues(SETTINGS.free)).toBe('−5 – 47');
    expect(allowedValues(SETTINGS.any)).toBe('0 – 10');
    expect(allowedValues(SETTINGS.flag)).toBe('true, false');
    expect(allowedValues(SETTINGS.choice)).toBe('sqrt_d_k, none');
  });
});

describe('what departs from the lesson', () => {
  const settings = Object.values(SETTINGS);
  const lesson = Object.fromEntries(settings.map((setting) => [setting.name, setting.default]));

  test('is nothing at the lesson’s values, nor where the lesson names none', () => {
    expect(departureText(settings, lesson)).toBe('');
    expect(departureText(settings, { ...lesson, p: 3 })).toBe('');
  });

  test('is listed with the lesson’s values', () => {
    setLanguage('en');
    expect(departureText(settings, { ...lesson, d_model: 64, causal: true, scale: 'none' })).toBe(
      'Not the lesson’s settings: Vector size 64 (lesson 32), Causal mask on (lesson off), Scale none (lesson divide by √d_k).',
    );
  });
});

test('a slider with stops stands at the nearest', () => {
  expect([0.001, 0.0025, 5].map((value) => sliderPosition(SETTINGS.any, value))).toEqual([0, 1, 2]);
  expect(sliderPosition(SETTINGS.whole, 7)).toBe(7);
});

test('values are written as the page writes them', () => {
  expect(writeValue(SETTINGS.free, -3)).toBe('−3');
  expect(writeValue({ ...SETTINGS.free, write: (p) => `${p} 位` }, 3)).toBe('3 位');
});

test('every kind has its control, which bears its name and its words', () => {
  const markup = (/** @type {keyof typeof SETTINGS} */ name) => controlMarkup(SETTINGS[name]);
  expect(markup('whole')).toContain('name="seq_len" min="2" max="64" step="1"');
  expect(markup('any')).toContain('min="0" max="2" step="1"');
  expect(markup('flag')).toContain('type="checkbox"');
  expect(markup('choice')).toContain('<option value="none" data-i18n="setting.scale.none">');
  for (const name of /** @type {(keyof typeof SETTINGS)[]} */ (Object.keys(SETTINGS))) {
    const id = /for="([^"]+)"/.exec(markup(name))?.[1];
    expect(markup(name)).toContain(` id="${id}" name="${SETTINGS[name].name}"`);
  }
});
