/** The custom element that every figure of the lesson is made from. */
import { primeCharts } from '../charts/prime.js';
import { readTheme, watchTheme } from '../charts/theme.js';
import { EngineError, getEngine, publishSession, withdrawSession } from '../engine/index.js';
import { getLanguage, onLanguageChange, t } from '../i18n/index.js';
import { DownloadPanel } from './download-panel.js';
import { EngineScope, ScopeEnded } from './engine-scope.js';
import {
  Drawing,
  errorText,
  FIGURE_CSS,
  isRestartable,
  nextTask,
  styleSheet,
  translate,
} from './figure.js';
import { copyText, showSource, togglePanel } from './figure-foot.js';
import { figureLink } from './figure-link.js';
import { ELEMENT_CSS, figureMarkup } from './figure-markup.js';
import {
  attributeOf,
  departureText,
  parseSetting,
  problemText,
  readSettings,
  sliderPosition,
  writeValue,
} from './figure-settings.js';
import { createTable } from './figure-table.js';
import { dropParts, FRAME_SHARE, finishParts, leaveParts } from './frame-parts.js';

/** @import { Theme } from '../charts/theme.js' */
/** @import { Config } from '../engine/protocol.js' */
/** @import { MessageKey } from '../i18n/index.js' */
/** @import { Engine } from './engine-scope.js' */
/** @import { Downloads } from './download-panel.js' */
/** @import { Sources } from './figure-foot.js' */
/** @import { Setting, Value } from './figure-settings.js' */
/** @import { Table } from './figure-table.js' */
/** @import { Part } from './frame-parts.js' */

/**
 * What a figure is, besides what it does.
 *
 * @typedef {object} FigureDefinition
 * @property {MessageKey} title
 * @property {MessageKey} look one sentence: what to look for
 * @property {string} markup stage, readout, controls; words by `data-i18n`
 * @property {string} css
 * @property {readonly Setting[]} settings
 * @property {Sources} sources the C functions that compute it
 * @property {boolean} [downloads] it has files to offer
 */

/** @typedef {{destroy: () => void, resize: () => void, picture?: () => Promise<Blob>}} FigureChart */

/**
 * A figure of the lesson: its settings are its attributes, its numbers come from the engine, and
 * what is drawn follows from both. A subclass gives `static definition`, `compute` and `draw`, and
 * more of the methods below as it needs them; everything else is the same in every figure.
 *
 * Work begins when the figure comes into view, and ends, with its sessions, jobs and charts, when
 * it is removed. Of computations asked for in quick succession only the newest is shown, and at
 * most one is under way.
 *
 * Events, bubbling and composed, after the drawing: `attn-ready` (the figure shows its first
 * numbers), `attn-change` (it shows those of other settings), each with the settings and what
 * `detail` adds; `attn-error` with `{code, message}`.
 *
 * @template {Record<string, Value>} S the settings, by name
 * @template R what `compute` comes to
 */
export class FigureElement extends HTMLElement {
  /** @type {FigureDefinition} */
  static definition;

  static get observedAttributes() {
    // biome-ignore lint/complexity/noThisInStatic: the definition is the subclass's
    return this.definition.settings.map(({ name }) => attributeOf(name));
  }

  /** Replace it to drive the figure without a worker. @type {Engine} */
  engine = getEngine();

  /** @type {ShadowRoot | null} */
  #root = null;
  /** @type {Drawing | null} */
  #drawing = null;
  /** Ends every subscription of the time in the document. @type {AbortController | null} */
  #connection = null;
  /** @type {EngineScope | null} */
  #scope = null;
  /** @type {S | null} */
  #settings = null;
  /** The newest numbers, the settings they belong to, and what was begun for them. @type {{settings: S, result: R, scope: EngineScope} | null} */
  #shown = null;
  /** What was pressed while numbers were on their way, and is meant for those. @type {string[]} */
  #pressed = [];
  /** @type {EngineError | null} */
  #error = null;
  /** @type {Map<string, {key: string, chart: FigureChart}>} */
  #charts = new Map();
  /** @type {Theme | null} */
  #theme = null;
  /** Charts show other colours or words than those that are set. */
  #outdated = false;
  /** Of so many parts of the last drawing this is the first that no frame had time for. */
  #turn = 0;
  #n_parts = 0;
  #opened = false;
  #wanted = false;
  #computing = false;
  #applying = false;
  #ready = false;
  /** @type {DownloadPanel | null} */
  #downloads = null;

  /**
   * The numbers of these settings. Every request goes through `scope`.
   *
   * @param {S} _settings
   * @param {EngineScope} _scope
   * @returns {Promise<R>}
   */
  compute(_settings, _scope) {
    throw new Error(`${this.localName} does not compute`);
  }

  /**
   * Draws everything that depends on numbers, settings, language or theme.
   *
   * @param {R} _result
   * @param {S} _settings
   */
  draw(_result, _settings) {}

  /** Once, when the markup stands: for listeners of the figure's own. */
  build() {}

  /**
   * A button with `data-action` was pressed that is not one of the foot. Never while numbers are on
   * their way: what is pressed then is done once they are shown.
   *
   * @param {string} _action
   */
  act(_action) {}

  /** What is going on ends: the figure was removed, or its settings have changed. */
  stop() {}

  /**
   * What events tell besides the settings.
   *
   * @param {R} _result
   * @param {S} _settings
   * @returns {object}
   */
  detail(_result, _settings) {
    return {};
  }

  /**
   * What is drawn, in numbers.
   *
   * @param {R} _result
   * @param {S} _settings
   * @returns {Table[]}
   */
  tables(_result, _settings) {
    return [];
  }

  /**
   * What a figure with files to offer offers, where its definition says that it does.
   *
   * @param {R} _result
   * @param {S} _settings
   * @returns {Downloads}
   */
  downloads(_result, _settings) {
    throw new Error(`${this.localName} offers no files`);
  }

  connectedCallback() {
    if (!this.#root) this.#build();
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    this.#drawing = new Drawing(this, () => this.#draw(), {
      interval: () => 0,
      onEnter: () => {
        if (!this.#opened) this.#open();
      },
    });
    const endings = [
      onLanguageChange(() => this.#translate()),
      watchTheme(() => {
        this.#theme = null;
        this.#renew();
      }),
    ];
    signal.addEventListener('abort', () => {
      for (const end of endings) end();
    });
    addEventListener(
      'beforeprint',
      () => {
        this.#outdated = true;
        this.#theme = null;
        this.#draw();
        finishParts(this);
        for (const { chart } of this.#charts.values()) chart.resize();
      },
      { signal },
    );
    this.#translate();
    this.#showControls();
  }

  disconnectedCallback() {
    this.#connection?.abort();
    this.#drawing?.disconnect();
    this.#scope?.end();
    this.#scope = null;
    this.#wanted = false;
    this.#pressed = [];
    this.withdraw();
    this.stop();
    dropParts(this);
    this.#dropCharts();
    this.#theme = null;
    this.#shown = null;
    this.#opened = false;
    this.#ready = false;
  }

  attributeChangedCallback() {
    if (!this.isConnected || this.#applying) return;
    // Attributes that change together are applied together.
    this.#applying = true;
    queueMicrotask(() => {
      this.#applying = false;
      if (this.isConnected) this.#apply();
    });
  }

  /**
   * The one element of the figure's markup that a selector finds.
   *
   * @param {string} selector
   * @returns {HTMLElement}
   */
  find(selector) {
    const found = this.#root?.querySelector(selector);
    if (!found) throw new Error(`${this.localName} has no ${selector}`);
    return /** @type {HTMLElement} */ (found);
  }

  /** @param {string} selector @param {string} text */
  write(selector, text) {
    const element = this.find(selector);
    if (element.textContent !== text) element.textContent = text;
  }

  /** Tells those who listen instead of looking. @param {string} text */
  say(text) {
    this.find('[data-live]').textContent = text;
  }

  /**
   * Sets an attribute; the lesson's value is none.
   *
   * @param {string} name of the setting
   * @param {Value} value
   */
  set(name, value) {
    const attribute = attributeOf(name);
    if (value === this.#setting(name).default) this.removeAttribute(attribute);
    else this.setAttribute(attribute, String(value));
  }

  /**
   * Narrows the slider of a setting, where its greatest value hangs on another setting.
   *
   * @param {string} name
   * @param {number} max
   */
  bound(name, max) {
    const slider = /** @type {HTMLInputElement} */ (this.find(`[name="${name}"]`));
    if (slider.max === String(max)) return;
    slider.max = String(max);
    this.#showControls();
  }

  /** The settings as they are now. @returns {S} */
  get settings() {
    if (!this.#settings) throw new Error(`${this.localName} has not begun`);
    return this.#settings;
  }

  /**
   * Begins anew with the settings as they are.
   *
   * @param {string} [action] what to do then, as if it were pressed
   */
  computeAnew(action) {
    this.#pressed = action === undefined ? [] : [action];
    this.#open();
  }

  /** Asks for a drawing at the next frame, for numbers or a state that moved on. */
  redraw() {
    this.#drawing?.request();
  }

  /**
   * Draws part after part, and leaves to later frames what does not fit into this one. A newer
   * drawing takes the place of what is left, and begins with it.
   *
   * @param {Part[]} parts that hold for themselves, in any order
   */
  drawParts(parts) {
    if (parts.length !== this.#n_parts) this.#turn = 0;
    const ordered = [...parts.slice(this.#turn), ...parts.slice(0, this.#turn)];
    // The first parts of all make what they draw, each as much as a frame can bear.
    const end = performance.now() + (this.#ready ? FRAME_SHARE : 0);
    do ordered.shift()?.();
    while (ordered.length > 0 && performance.now() < end);
    this.#n_parts = parts.length;
    leaveParts(this, ordered);
  }

  get inView() {
    return this.#drawing?.inView ?? false;
  }

  /** @returns {R | null} */
  get result() {
    return this.#shown?.result ?? null;
  }

  /**
   * The chart of a name: made when it is first asked for, and made anew when `key`, the language or
   * the theme has changed since.
   *
   * @template {FigureChart} C
   * @param {string} name
   * @param {string} key everything that its options depend on
   * @param {(theme: Theme) => C} create
   * @returns {C}
   */
  chart(name, key, create) {
    const known = this.#charts.get(name);
    if (known && known.key === key) return /** @type {C} */ (known.chart);
    known?.chart.destroy();
    this.#theme ??= readTheme(this.find('.figure'));
    const chart = create(this.#theme);
    this.#charts.set(name, { key, chart });
    return chart;
  }

  /** What the chart of a name shows, as an image file. @param {string} name */
  async picture(name) {
    const picture = await this.#charts.get(name)?.chart.picture?.();
    if (!picture) throw new Error(`${this.localName} has no picture ${name}`);
    return picture;
  }

  /**
   * Work of the figure's own, beside `compute`, on what that began for the numbers shown: a failure
   * is shown like any other, and work for what has ended is dropped.
   *
   * @param {(scope: EngineScope) => Promise<void>} work
   */
  async attempt(work) {
    const scope = this.#shown?.scope;
    if (scope && !scope.ended) await this.#attempt(scope, () => work(scope));
  }

  /**
   * @param {EngineScope} scope
   * @param {() => Promise<void>} work
   */
  async #attempt(scope, work) {
    try {
      await work();
    } catch (error) {
      if (!scope.ended && !(error instanceof ScopeEnded)) this.#fail(error);
    }
  }

  /**
   * Offers a trained network to the page's other figures, if it lives where theirs do. It is
   * withdrawn by itself where it ends, and by the figure before it changes.
   *
   * @param {{session: number, config: Config, step: number}} network
   */
  offer({ session, config, step }) {
    const client = getEngine();
    if (client === this.engine) publishSession(this, { session, client, config, step });
  }

  withdraw() {
    withdrawSession(this);
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  report(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  get #definition() {
    return /** @type {typeof FigureElement} */ (this.constructor).definition;
  }

  /** @param {string} name @returns {Setting} */
  #setting(name) {
    const setting = this.#definition.settings.find((known) => known.name === name);
    if (!setting) throw new Error(`${this.localName} has no setting ${name}`);
    return setting;
  }

  #build() {
    const root = this.attachShadow({ mode: 'open' });
    this.#root = root;
    const { css, sources } = this.#definition;
    root.adoptedStyleSheets = [FIGURE_CSS, ELEMENT_CSS, css].map(styleSheet);
    root.innerHTML = figureMarkup(this.#definition);
    this.find('[data-action=source]').hidden = sources.length === 0;
    root.addEventListener('click', (event) => {
      const button = /** @type {Element} */ (event.target).closest('button[data-action]');
      if (button instanceof HTMLButtonElement) this.#act(button.dataset.action ?? '');
    });
    root.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
        this.#take(target);
      }
    });
    // What cannot be is not left standing in a field.
    root.addEventListener('focusout', () => this.#showControls(null));
    this.build();
  }

  /** @param {string} action */
  #act(action) {
    if (action === 'lesson') this.#returnToLesson();
    else if (action === 'restart') {
      this.engine = getEngine();
      this.#open();
    } else if (action === 'table') {
      if (this.#toggle('table', '.data')) this.#drawTables();
    } else if (action === 'source') {
      if (this.#toggle('source', '.source')) this.#showSource();
    } else if (action === 'link') this.#copyLink();
    else if (action === 'download') {
      if (this.#toggle('download', '.downloads')) this.#drawDownloads();
    } else this.#press(action);
  }

  /** @param {string} action of the figure's own */
  #press(action) {
    if (this.#computing) {
      // Twice before anything could be seen of it, it is meant once.
      if (!this.#pressed.includes(action)) this.#pressed.push(action);
    } else if (this.#shown && !this.#shown.scope.ended) this.act(action);
    // What was begun for the numbers shown is gone, as after an error.
    else if (this.#settings) this.computeAnew(action);
  }

  /** The reader moved a control. @param {HTMLInputElement | HTMLSelectElement} control */
  #take(control) {
    const setting = this.#definition.settings.find(({ name }) => name === control.name);
    if (!setting) return;
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      this.set(setting.name, control.checked);
      return;
    }
    const text = setting.stops ? String(setting.stops[Number(control.value)]) : control.value;
    const value = parseSetting(setting, text);
    if (control.type === 'number') this.#showProblem(setting, value === undefined);
    if (value !== undefined) this.set(setting.name, value);
  }

  /** @param {Setting} setting whose field is typed in @param {boolean} isWrong */
  #showProblem(setting, isWrong) {
    const id = `setting-${attributeOf(setting.name)}`;
    this.write(`#${id}-problem`, isWrong ? problemText(setting) : '');
    this.find(`#${id}`).setAttribute('aria-invalid', String(isWrong));
  }

  #returnToLesson() {
    const { settings } = this.#definition;
    const set = settings
      .map(({ name }) => attributeOf(name))
      .filter((name) => this.hasAttribute(name));
    for (const name of set) this.removeAttribute(name);
    if (set.length === 0) this.#open();
  }

  /** What the attributes say; null, and the reason shown, where that cannot be. */
  #read() {
    try {
      const values = readSettings(this.#definition.settings, (name) => this.getAttribute(name));
      return /** @type {S} */ (values);
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  #open() {
    this.#opened = true;
    // Not with the first charts, which are work enough for one task.
    this.#theme ??= readTheme(this.find('.figure'));
    this.#error = null;
    this.#showError();
    const settings = this.#read();
    // Where they are refused those of the numbers shown still hold; once cured, it begins anew.
    if (settings) this.#settings = settings;
    else {
      this.#scope?.end();
      this.#wanted = false;
      this.#pressed = [];
    }
    this.#showControls();
    if (settings) this.#compute();
    const theme = this.#theme;
    nextTask().then(() => primeCharts(theme));
  }

  /** Attributes have changed. */
  #apply() {
    if (!this.#opened) {
      this.#showControls();
      return;
    }
    const before = this.#settings;
    const settings = this.#read();
    if (!settings) {
      // Numbers on their way are those of settings that nobody asks for any more.
      if (this.#computing) this.#scope?.end();
      this.#wanted = false;
      return;
    }
    const wasRefused = this.#error?.code === 'ATTRIBUTE';
    if (wasRefused) this.#error = null;
    this.#showError();
    this.#settings = settings;
    this.#showControls();
    const changed = this.#definition.settings.filter(
      ({ name }) => before?.[name] !== settings[name],
    );
    const isDrawnOnly = this.#error === null && changed.every(({ drawn }) => drawn);
    const isAlive = this.#computing ? this.#scope !== null : this.#shown?.scope.ended === false;
    if (!isDrawnOnly || !isAlive) this.#compute();
    // Numbers that are on their way come with these settings; those that are shown keep theirs.
    else if (!this.#computing && this.#shown && (changed.length > 0 || wasRefused)) {
      this.#shown.settings = settings;
      this.#present('attn-change');
    }
  }

  /** Computes until the newest settings are shown; at most one request at a time. */
  async #compute() {
    this.#scope?.end();
    this.#scope = null;
    this.withdraw();
    this.stop();
    // What was said was said of other numbers.
    this.say('');
    // What has ended is not shown as going on.
    this.redraw();
    this.#wanted = true;
    if (this.#computing) return;
    this.#computing = true;
    this.find('.figure').setAttribute('aria-busy', 'true');
    while (this.#wanted && this.#settings) {
      this.#wanted = false;
      const scope = new EngineScope(this.engine);
      this.#scope = scope;
      const { ...settings } = this.#settings;
      await this.#attempt(scope, async () => {
        const result = await this.compute(settings, scope);
        scope.check();
        this.#error = null;
        this.#showError();
        this.#shown = { settings: this.#settings ?? settings, result, scope };
        this.#present(this.#ready ? 'attn-change' : 'attn-ready');
        this.#ready = true;
      });
    }
    this.#computing = false;
    this.find('.figure').removeAttribute('aria-busy');
    const pressed = this.#pressed.splice(0);
    if (this.#scope?.ended === false && this.#error === null) {
      for (const action of pressed) this.#press(action);
    }
  }

  /** @param {'attn-ready' | 'attn-change'} type */
  #present(type) {
    this.#drawing?.now();
    if (!this.#shown) return;
    const { settings, result } = this.#shown;
    this.report(type, { ...settings, ...this.detail(result, settings) });
  }

  #draw() {
    if (!this.#shown) return;
    if (this.#outdated) this.#dropCharts();
    this.#outdated = false;
    const n_left = dropParts(this).length;
    this.#turn = n_left === 0 ? 0 : (this.#turn + this.#n_parts - n_left) % this.#n_parts;
    const { settings, result } = this.#shown;
    this.draw(result, settings);
    if (!this.find('.data').hidden) this.#drawTables();
    if (this.#definition.downloads && !this.find('.downloads').hidden) this.#drawDownloads();
  }

  /** Colours or words have changed: charts are made anew with them. */
  #renew() {
    this.#outdated = true;
    this.#drawing?.request();
  }

  #dropCharts() {
    for (const { chart } of this.#charts.values()) chart.destroy();
    this.#charts.clear();
  }

  #translate() {
    if (!this.#root) return;
    translate(this.#root);
    // What was said was said in the other language.
    this.say('');
    this.write('.copied', '');
    if (!this.find('.source').hidden) this.#showSource();
    this.find('.figure').lang = getLanguage();
    this.#showControls();
    this.#showError();
    this.#renew();
  }

  /**
   * Every control shows its setting; also before anything is computed.
   *
   * @param {Element | null} [typed] a field that the reader types in keeps what is typed
   */
  #showControls(typed = this.#root?.activeElement ?? null) {
    const { settings } = this.#definition;
    const shown = this.#settings ?? Object.fromEntries(settings.map((s) => [s.name, s.default]));
    for (const setting of settings) {
      const value = shown[setting.name];
      const control = this.#root?.querySelector(`[name="${setting.name}"]`);
      if (control instanceof HTMLInputElement && control.type === 'checkbox') {
        control.checked = Boolean(value);
      } else if (control instanceof HTMLInputElement && control.type === 'number') {
        if (control === typed) continue;
        control.value = String(value);
        this.#showProblem(setting, false);
      } else if (control instanceof HTMLInputElement) {
        control.value = String(sliderPosition(setting, Number(value)));
        const isCut = !setting.stops && Number(control.value) < Number(value);
        const text = writeValue(setting, isCut ? Number(control.value) : value);
        if (control.type === 'range') control.setAttribute('aria-valuetext', text);
        const output = control.parentElement?.querySelector('output');
        if (output) output.value = text;
      } else if (control instanceof HTMLSelectElement) {
        control.value = String(value);
      }
    }
    this.write('.departure', departureText(settings, shown));
  }

  /**
   * @param {string} action of the button
   * @param {string} selector of what it opens and closes
   */
  #toggle(action, selector) {
    return togglePanel(this.find(`[data-action=${action}]`), this.find(selector));
  }

  #showSource() {
    showSource(this.find('.source'), this.#definition.sources);
  }

  #drawTables() {
    if (!this.#shown) return;
    const { settings, result } = this.#shown;
    this.find('.data').replaceChildren(...this.tables(result, settings).map(createTable));
  }

  #drawDownloads() {
    if (!this.#shown) return;
    const { settings, result } = this.#shown;
    this.#downloads ??= new DownloadPanel(this.find('.downloads'), this.#copyParts());
    this.#downloads.show(this.downloads(result, settings));
  }

  #copyParts() {
    return {
      status: this.find('.copied'),
      field: /** @type {HTMLTextAreaElement} */ (this.find('.link')),
    };
  }

  #copyLink() {
    copyText(figureLink(location.href, this, this.#definition.settings), this.#copyParts());
  }

  /** @param {unknown} cause */
  #fail(cause) {
    const error =
      cause instanceof EngineError
        ? cause
        : new EngineError('other', cause instanceof Error ? cause.message : String(cause));
    this.#error = error;
    this.#showError();
    // What went on until now does so no more.
    this.redraw();
    this.report('attn-error', { code: error.code, message: error.message });
  }

  /** The message stands above the stage, which keeps what was last shown. */
  #showError() {
    const alert = this.find('.alert');
    alert.replaceChildren();
    const error = this.#error;
    if (!error) return;
    const message = document.createElement('div');
    message.className = 'message bad';
    const paragraph = document.createElement('p');
    paragraph.textContent = errorText(error);
    message.append(paragraph);
    const action = isRestartable(error) ? 'restart' : error.code === 'ATTRIBUTE' ? 'lesson' : '';
    if (action !== '') {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.action = action;
      button.textContent = t(action === 'restart' ? 'figure.restart' : 'figure.lesson');
      message.append(button);
    }
    alert.append(message);
  }
}
