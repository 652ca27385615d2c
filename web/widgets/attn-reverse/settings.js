/** The panel of the configuration, grown from the engine's list of fields. */
import { t } from '../../i18n/index.js';
import { errorText, settingName, settingValue } from '../figure.js';
import { allowedValues, changedSettings, parseSetting, shortNumber } from './model.js';

/** @import { EngineError } from '../../engine/index.js' */
/** @import { Config, ConfigField } from '../../engine/protocol.js' */

/** Whole numbers with no more values than this get a slider, others a box to type in. */
const MOST_SLIDER_VALUES = 64;

/** Fields whose values depend on another: heads share the vector evenly. */
const HEADS = 'n_heads';

/** Fields that only one task reads. @type {Record<string, string>} */
const TASK_OF = { period: 'next_token' };

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

/**
 * @param {ConfigField} field
 * @returns {Control}
 */
function createControl({ name, type, min, max }) {
  if (type === 'enum' || name === HEADS) return document.createElement('select');
  const input = document.createElement('input');
  if (type === 'bool') {
    input.type = 'checkbox';
    return input;
  }
  const isSlider = type === 'int' && max - min < MOST_SLIDER_VALUES;
  input.type = isSlider ? 'range' : 'number';
  input.min = shortNumber(min);
  input.max = shortNumber(max);
  input.step = type === 'float' ? 'any' : name === 'd_model' ? '2' : '1';
  return input;
}

/**
 * The choices of a select, in the page's words.
 *
 * @param {ConfigField} field
 * @param {Config} config
 * @returns {HTMLOptionElement[]}
 */
function createOptions({ name, type, min, max, values = [], available }, config) {
  if (type === 'enum') {
    return values.map((value, index) => {
      const option = new Option(settingValue(name, value), value);
      option.disabled = available?.[index] === false;
      return option;
    });
  }
  const numbers = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return numbers
    .filter((n_heads) => Number(config.d_model) % n_heads === 0)
    .map((n_heads) => new Option(String(n_heads)));
}

/**
 * @param {Control} control
 * @returns {control is HTMLInputElement}
 */
function isSwitch(control) {
  return control instanceof HTMLInputElement && control.type === 'checkbox';
}

/** @param {ConfigField} field */
function problemText(field) {
  return t('setting.problem', { name: settingName(field.name), allowed: allowedValues(field) });
}

/**
 * One setting of the panel: label, control, what is wrong with it and the words for that, if anything is.
 *
 * @typedef {{field: ConfigField, control: Control, label: HTMLLabelElement, output: HTMLOutputElement,
 *   problem: HTMLParagraphElement, element: HTMLDivElement, words: (() => string) | null}} Setting
 */

/**
 * Says beside a control what is wrong with it.
 *
 * @param {Setting} setting
 * @param {(() => string) | null} words in the language that is set; null where nothing is wrong
 */
function showProblem(setting, words) {
  setting.words = words;
  setting.problem.textContent = words?.() ?? '';
  setting.control.setAttribute('aria-invalid', String(words !== null));
}

export class SettingsPanel {
  #container;
  #onChange;
  /** @type {Setting[]} */
  #settings = [];
  /** What the engine refuses now, and the setting that this names. @type {EngineError | null} */
  #error = null;
  /** @type {Setting | null} */
  #refused = null;

  /**
   * @param {HTMLElement} container
   * @param {(field: ConfigField, text: string) => void} onChange the reader set a field to a value it allows
   */
  constructor(container, onChange) {
    this.#container = container;
    this.#onChange = onChange;
  }

  /**
   * Shows a configuration in the language that is set.
   *
   * @param {ConfigField[]} fields
   * @param {Config} config
   */
  show(fields, config) {
    if (this.#settings.length === 0) {
      this.#settings = fields.map((field) => this.#createSetting(field));
      this.#container.replaceChildren(...this.#settings.map(({ element }) => element));
    }
    const changed = new Set(changedSettings(fields, config).map(({ field }) => field.name));
    this.#refused = null;
    for (const setting of this.#settings) {
      const { field, control, label, output, element } = setting;
      const value = config[field.name];
      label.textContent = settingName(field.name);
      if (control instanceof HTMLSelectElement) {
        control.replaceChildren(...createOptions(field, config));
      }
      if (isSwitch(control)) control.checked = Boolean(value);
      else control.value = typeof value === 'number' ? shortNumber(value) : String(value);
      output.value = control.value;
      showProblem(setting, null);
      element.classList.toggle('changed', changed.has(field.name));
      const task = TASK_OF[field.name];
      element.hidden = task !== undefined && task !== config.task;
    }
  }

  /**
   * Says what the engine refuses beside the field that the error names; null clears it.
   *
   * @param {EngineError | null} error
   */
  refuse(error) {
    if (error === this.#error) return;
    this.#error = error;
    if (this.#refused) showProblem(this.#refused, null);
    this.#refused = this.#settings.find(({ field }) => field.name === error?.detail.field) ?? null;
    if (error && this.#refused) showProblem(this.#refused, () => errorText(error));
  }

  /** Puts its words into the language that is set, and leaves what the reader set meanwhile. */
  translate() {
    for (const { field, control, label, problem, words } of this.#settings) {
      label.textContent = settingName(field.name);
      if (control instanceof HTMLSelectElement && field.type === 'enum') {
        for (const option of control.options) option.text = settingValue(field.name, option.value);
      }
      if (words) problem.textContent = words();
    }
  }

  /**
   * @param {ConfigField} field
   * @returns {Setting}
   */
  #createSetting(field) {
    const control = createControl(field);
    control.id = `setting-${field.name}`;
    const label = document.createElement('label');
    label.htmlFor = control.id;
    const output = document.createElement('output');
    output.htmlFor.add(control.id);
    const problem = document.createElement('p');
    problem.className = 'bad-text';
    problem.id = `${control.id}-problem`;
    problem.setAttribute('aria-live', 'polite');
    control.setAttribute('aria-describedby', problem.id);
    const element = document.createElement('div');
    element.className = isSwitch(control) ? 'setting switch' : 'setting';
    if (isSwitch(control)) element.append(control, label, problem);
    else if (control.matches('[type=range]')) element.append(label, output, control, problem);
    else element.append(label, control, problem);
    /** @type {Setting} */
    const setting = { field, control, label, output, problem, element, words: null };
    control.addEventListener('input', () => {
      output.value = control.value;
    });
    control.addEventListener('change', () => {
      const text = isSwitch(control) ? String(control.checked) : control.value;
      const allowed = parseSetting(field, text) !== undefined;
      if (this.#refused === setting) this.#refused = null;
      showProblem(setting, allowed ? null : () => problemText(field));
      if (allowed) this.#onChange(field, text);
    });
    return setting;
  }
}
