/**
 * What a reader can set in a figure: one list gives its attributes, their check, its controls and
 * the words on what departs from the lesson.
 */
import { EngineError } from '../engine/index.js';
import { t } from '../i18n/index.js';

/** @import { MessageKey } from '../i18n/index.js' */

/** @typedef {number | string | boolean} Value */

/**
 * @typedef {object} Setting
 * @property {string} name C's, if it has one: `d_model` is the attribute `d-model`
 * @property {MessageKey} label
 * @property {Value} default the lesson's; its type is the setting's
 * @property {number} [min] of a number
 * @property {number} [max]
 * @property {number} [step] numbers are `min` plus a multiple of it; 1, and 0 for any
 * @property {number[]} [stops] the places of the slider, where they are not evenly spaced
 * @property {boolean} [only] nothing between its stops has a meaning
 * @property {Record<string, MessageKey>} [options] of a text: what there is to choose, and its words
 * @property {(text: string) => boolean} [accepts] of a text that nothing is chosen for: whether it can be
 * @property {MessageKey} [allowed] in words what can be, where a list or a range does not say it
 * @property {boolean} [free] the lesson names no value, so that none departs from it
 * @property {boolean} [drawn] it changes the drawing only: nothing is computed anew
 * @property {(value: number) => string} [write] a number for the reader, with its unit
 */

/** `d_model` is the attribute `d-model`. @param {string} name */
export function attributeOf(name) {
  return name.replaceAll('_', '-');
}

/**
 * The value a text stands for, or undefined where the setting cannot have it.
 *
 * @param {Setting} setting
 * @param {string} text
 * @returns {Value | undefined}
 */
export function parseSetting(setting, text) {
  const { default: lesson, min, max, step = 1, stops, only, options = {} } = setting;
  const { accepts = (known) => Object.hasOwn(options, known) } = setting;
  const trimmed = text.trim();
  if (typeof lesson === 'string') return accepts(trimmed) ? trimmed : undefined;
  if (typeof lesson === 'boolean') {
    if (['', 'true', '1'].includes(trimmed)) return true;
    return ['false', '0'].includes(trimmed) ? false : undefined;
  }
  const value = Number(trimmed);
  const [low, high] = [min ?? -Infinity, max ?? Infinity];
  if (trimmed === '' || !(value >= low && value <= high)) return undefined;
  if (only) return stops?.includes(value) ? value : undefined;
  const steps = (value - (min ?? 0)) / step;
  // Decimal steps are no binary fractions.
  return step === 0 || Math.abs(steps - Math.round(steps)) < 1e-6 ? value : undefined;
}

/**
 * The values a reader may choose, as messages list them.
 *
 * @param {Setting} setting
 */
export function allowedValues({ default: lesson, min, max, step = 1, stops, only, options }) {
  if (typeof lesson === 'string') return Object.keys(options ?? { [lesson]: '' }).join(', ');
  if (typeof lesson === 'boolean') return 'true, false';
  if (only && stops) return stops.map(writeNumber).join(', ');
  const steps = step === 0 || step === 1 ? '' : ` (${min}, ${Number(min) + step} …)`;
  return `${writeNumber(Number(min))} – ${writeNumber(Number(max))}${steps}`;
}

/**
 * The values of all settings; throws at an attribute that says none.
 *
 * @param {readonly Setting[]} settings
 * @param {(attribute: string) => string | null} read
 * @returns {Record<string, Value>}
 */
export function readSettings(settings, read) {
  return Object.fromEntries(
    settings.map((setting) => {
      const attribute = attributeOf(setting.name);
      const text = read(attribute);
      const value = text === null ? setting.default : parseSetting(setting, text);
      if (value === undefined) {
        throw new EngineError('ATTRIBUTE', `${attribute}="${text}" cannot be used`, {
          attribute,
          // Not its words: the reader may change the language while the message stands.
          field: setting.label,
          value: String(text),
          allowed: setting.allowed ?? allowedValues(setting),
        });
      }
      return [setting.name, value];
    }),
  );
}

/** With a true minus sign, as the page writes numbers. @param {number} value */
export function writeNumber(value) {
  return String(value).replace('-', '−');
}

/**
 * A value in the page's words.
 *
 * @param {Setting} setting
 * @param {Value} value
 */
export function writeValue({ options, write = writeNumber }, value) {
  if (typeof value === 'boolean') return t(value ? 'setting.on' : 'setting.off');
  if (typeof value === 'string') return options ? t(options[value]) : value;
  return write(value);
}

/**
 * The settings in which a figure departs from the lesson.
 *
 * @param {readonly Setting[]} settings
 * @param {Record<string, Value>} values
 */
export function departures(settings, values) {
  return settings.filter(({ name, free, default: lesson }) => !free && values[name] !== lesson);
}

/**
 * What departs from the lesson, in one sentence; '' where nothing does.
 *
 * @param {readonly Setting[]} settings
 * @param {Record<string, Value>} values
 */
export function departureText(settings, values) {
  const list = departures(settings, values).map((setting) =>
    t('figure.departure', {
      name: t(setting.label),
      value: writeValue(setting, values[setting.name]),
      lesson: writeValue(setting, setting.default),
    }),
  );
  return list.length === 0 ? '' : t('figure.departures', { list: list.join(t('figure.join')) });
}

/**
 * Where on its slider a value stands: the nearest of its stops, or itself.
 *
 * @param {Setting} setting
 * @param {number} value
 */
export function sliderPosition({ stops }, value) {
  if (!stops) return value;
  const distances = stops.map((stop) => Math.abs(stop - value));
  return distances.indexOf(Math.min(...distances));
}

/** What is wrong with what was typed for a setting. @param {Setting} setting */
export function problemText(setting) {
  return t('setting.problem', { name: t(setting.label), allowed: allowedValues(setting) });
}

/**
 * A field for a number that is typed, with a place for what is wrong with it.
 *
 * @param {Setting} setting
 * @returns {string} markup
 */
export function numberMarkup({ name, label, min, max }) {
  const id = `setting-${attributeOf(name)}`;
  return `<div class="setting number"><label for="${id}" data-i18n="${label}"></label>\
<input type="number" id="${id}" name="${name}" min="${min}" max="${max}" step="1" inputmode="numeric" aria-describedby="${id}-problem">\
<p class="bad-text" id="${id}-problem" aria-live="polite"></p></div>`;
}

/**
 * The control of a setting: a switch, a choice, or a slider with its value. The figure binds it
 * by its name.
 *
 * @param {Setting} setting
 * @returns {string} markup
 */
export function controlMarkup({
  name,
  label,
  default: lesson,
  min,
  max,
  step = 1,
  stops,
  options,
}) {
  const id = `setting-${attributeOf(name)}`;
  const words = `<label for="${id}" data-i18n="${label}"></label>`;
  if (typeof lesson === 'boolean') {
    return `<div class="setting switch"><input type="checkbox" id="${id}" name="${name}">${words}</div>`;
  }
  if (typeof lesson === 'string') {
    const choices = Object.entries(options ?? {})
      .map(([value, key]) => `<option value="${value}" data-i18n="${key}"></option>`)
      .join('');
    return `<div class="setting choice">${words}<select id="${id}" name="${name}">${choices}</select></div>`;
  }
  const range = stops ? [0, stops.length - 1, 1] : [min, max, step || 'any'];
  const [from, to, by] = range;
  return (
    `<div class="setting slider">${words}<output for="${id}"></output>` +
    `<input type="range" id="${id}" name="${name}" min="${from}" max="${to}" step="${by}"></div>`
  );
}
