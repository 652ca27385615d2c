import { watchTheme } from '../../charts/theme.js';
import {
  EngineError,
  getEngine,
  percentOfMean,
  publishSession,
  withdrawSession,
} from '../../engine/index.js';
import { onLanguageChange, t } from '../../i18n/index.js';
import {
  Drawing,
  errorText,
  FIGURE_CSS,
  isRestartable,
  prefersReducedMotion,
  styleSheet,
} from '../figure.js';
import { copyText, showSource, togglePanel } from '../figure-foot.js';
import { figureLink } from '../figure-link.js';
import { FOOT_CSS } from '../figure-markup.js';
import { TrainingHistory } from '../training-history.js';
import { isTestStep, nextPiece, testSequences } from '../training-pace.js';
import {
  ATTRIBUTES,
  allowedValues,
  answeredTokens,
  antiDiagonalMean,
  attentionNames,
  attributeOf,
  defaultOf,
  LESSON_STEPS,
  parseSetting,
  parseTokens,
  SPEEDS,
  settableFields,
  stepsPerSecond,
} from './model.js';
import { SettingsPanel } from './settings.js';
import { CSS, MARKUP } from './template.js';
import { createMessage, ReverseView, sizesOf } from './view.js';

/** @import { Config, ConfigField, Metrics, Requests, Tensor } from '../../engine/protocol.js' */
/** @import { Sources } from '../figure-foot.js' */
/** @import { Reading } from '../training-history.js' */
/** @import { Phase, Run } from './view.js' */

/** How many steps to train: no field of a session, but set like one. @type {ConfigField} */
const N_STEPS = {
  name: 'n_steps',
  type: 'int',
  offset: 0,
  default: LESSON_STEPS,
  min: 1,
  max: 20_000,
};

/** @type {ConfigField} */
const SPEED = {
  name: 'speed',
  type: 'enum',
  offset: 0,
  default: 0,
  min: 0,
  max: 0,
  values: [...SPEEDS],
};

/** What one step of training is. @type {Sources} */
const SOURCES = [
  () => import('../../sources/train/session.c?functions=session_step_advance'),
  () => import('../../sources/nn/transformer.c?functions=transformer_forward'),
  () => import('../../sources/ops/attention.c?functions=attention_forward+attention_backward'),
  () => import('../../sources/train/adam.c?functions=adam_step'),
];

/** A picture that changes all the time is shown this seldom, ms, to those who asked for less motion. */
const CALM_INTERVAL = 1000;

/**
 * Trains the lesson's small Transformer here and now and shows what its attention becomes.
 *
 *     <attn-reverse></attn-reverse>
 *     <attn-reverse init-seed="7" n-heads="2" n-steps="500" speed="20"></attn-reverse>
 *
 * Attributes: every field of the engine's configuration, hyphenated (`seq-len`, `learning-rate`, `causal`);
 * without them the lesson's. `n-steps`: how long to train. `speed`: `full`, or steps per second.
 *
 * Events, bubbling and composed: `attn-ready` (a fresh network is shown), `attn-step` (it was trained
 * further), `attn-done` (`n-steps` reached), each with `detail` `{step, loss, digits, sequences, anti_diagonal,
 * n_parameters}`: loss on the last training batch (null before the first step), shares right in the last
 * test, mean weight on the anti-diagonal for the first test sequence. `attn-error` with `{code, message}`.
 *
 * Custom properties read: those of `styles/tokens.css`.
 */
export class AttnReverse extends HTMLElement {
  static observedAttributes = ATTRIBUTES;

  /** Replace it to drive the figure without a worker. @type {Pick<ReturnType<typeof getEngine>, 'request'>} */
  engine = getEngine();

  /** @type {ReverseView | null} */
  #view = null;
  /** @type {SettingsPanel | null} */
  #settings = null;
  /** @type {Drawing | null} */
  #drawing = null;
  /** Ends every subscription of the time in the document. @type {AbortController | null} */
  #connection = null;
  /** @type {Run | null} */
  #run = null;
  /** The session to free, also while its run is being prepared. @type {number | null} */
  #session = null;
  /** @type {ConfigField[]} */
  #fields = [];
  /** @type {Phase} */
  #phase = 'loading';
  /** @type {EngineError | null} */
  #error = null;
  /** Counts sessions asked for: what was begun for an older one is dropped when it comes back. */
  #generation = 0;
  #opened = false;
  #applying = false;
  #themeChanged = false;
  #speed = 'full';
  /** Of the run at full speed. @type {{time: number, step: number}[]} */
  #marks = [];
  #ms_per_step = 0;
  /** Ends the pause between two steps of a slow run. @type {() => void} */
  #wake = () => {};

  connectedCallback() {
    const view = this.#view ?? this.#build();
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    this.#drawing = new Drawing(this, () => this.#draw(), {
      interval: () => (prefersReducedMotion() && this.#phase === 'playing' ? CALM_INTERVAL : 0),
      onEnter: () => {
        if (!this.#opened) this.#open();
      },
    });
    const endings = [
      onLanguageChange(() => this.#translate()),
      watchTheme(() => {
        this.#themeChanged = true;
        this.#drawing?.request();
      }),
    ];
    signal.addEventListener('abort', () => {
      for (const end of endings) end();
    });
    // Paper has colours and a width of its own, and no frames: what it shows is drawn at once.
    const redraw = () => {
      this.#themeChanged = true;
      this.#draw();
      view.resize();
    };
    addEventListener('beforeprint', redraw, { signal });
    matchMedia('print').addEventListener('change', redraw, { signal });
    this.#translate();
  }

  disconnectedCallback() {
    this.#connection?.abort();
    this.#drawing?.disconnect();
    this.#view?.close();
    this.#release();
    this.#opened = false;
    this.#phase = 'loading';
  }

  attributeChangedCallback() {
    if (!this.isConnected || this.#applying) return;
    // Attributes that change together are applied together.
    this.#applying = true;
    queueMicrotask(() => {
      this.#applying = false;
      if (this.isConnected) this.#applyAttributes();
    });
  }

  #build() {
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [FIGURE_CSS, FOOT_CSS, CSS].map(styleSheet);
    root.innerHTML = MARKUP;
    const view = new ReverseView(root);
    this.#view = view;
    this.#settings = new SettingsPanel(view.part('.settings'), (field, text) =>
      this.#setAttribute(field, text),
    );
    root.addEventListener('click', (event) => {
      const button = /** @type {Element} */ (event.target).closest('button[data-action]');
      if (button instanceof HTMLButtonElement) this.#act(button);
    });
    view.part('[name=speed]').addEventListener('change', (event) => {
      this.#setAttribute(SPEED, /** @type {HTMLSelectElement} */ (event.target).value);
    });
    view.input('.scrub input').addEventListener('input', ({ target }) => {
      this.#lookBack(Number(/** @type {HTMLInputElement} */ (target).value));
    });
    view.part('.layer').addEventListener('change', ({ target }) => {
      if (this.#run) this.#run.layer = Number(/** @type {HTMLSelectElement} */ (target).value);
      this.#drawing?.request();
    });
    view.part('form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#ask(view.input('#tokens').value);
    });
    return view;
  }

  /** @param {HTMLButtonElement} button */
  #act(button) {
    const { action, field: name } = button.dataset;
    if (action === 'train') this.#toggle();
    if (action === 'step' && (this.#phase === 'ready' || this.#phase === 'paused')) {
      this.#train('pausing');
    }
    if (action === 'reset') this.#open();
    if (action === 'lesson') this.#returnToLesson();
    if (action === 'restart') this.#restart();
    if (action === 'table') this.#view?.toggleTable();
    if (action === 'source') this.#toggleSource(button);
    if (action === 'link') this.#copyLink();
    if (action === 'download') this.#view?.toggleDownloads();
    if (action === 'sample' && this.#run) {
      this.#run.own = null;
      this.#drawing?.request();
      this.#view?.input('#tokens').focus();
    }
    const field = action === 'turn-back' && this.#fields.find((known) => known.name === name);
    if (field) this.#setAttribute(field, String(defaultOf(field)));
  }

  /** @param {HTMLButtonElement} button */
  #toggleSource(button) {
    const panel = this.#view?.part('.source');
    if (panel && togglePanel(button, panel)) showSource(panel, SOURCES);
  }

  #copyLink() {
    const view = this.#view;
    const names = [...this.#fields, N_STEPS, SPEED];
    if (view) copyText(figureLink(location.href, this, names), view.copyParts);
  }

  async #toggle() {
    if (this.#phase === 'playing') {
      this.#setPhase('pausing');
      this.#wake();
    } else if (this.#phase === 'ready' || this.#phase === 'paused') {
      this.#train('playing');
    } else if (this.#phase === 'done') {
      if (await this.#open()) this.#train('playing');
    }
  }

  /** @param {number} step */
  #lookBack(step) {
    if (!this.#run) return;
    this.#run.viewed = step < this.#run.history.step ? step : null;
    this.#drawing?.request();
  }

  #restart() {
    // Its session was the old worker's: to the new one that handle may be another figure's.
    this.#release();
    this.engine = getEngine();
    this.#open();
  }

  #returnToLesson() {
    const names = [...this.#fields, N_STEPS, SPEED].map(({ name }) => attributeOf(name));
    const set = names.filter((name) => this.hasAttribute(name));
    for (const name of set) this.removeAttribute(name);
    if (set.length === 0) this.#open();
  }

  /**
   * @param {ConfigField} field
   * @param {string} text
   */
  #setAttribute(field, text) {
    const name = attributeOf(field.name);
    if (parseSetting(field, text) === defaultOf(field)) this.removeAttribute(name);
    else this.setAttribute(name, text);
  }

  /** What the attributes ask for; throws an EngineError at one that cannot be. */
  #readAttributes() {
    /** @param {ConfigField} field */
    const read = (field) => {
      const attribute = attributeOf(field.name);
      const text = this.getAttribute(attribute);
      if (text === null) return defaultOf(field);
      const value = parseSetting(field, text);
      if (value !== undefined) return value;
      throw new EngineError('ATTRIBUTE', `${attribute}="${text}" cannot be used`, {
        attribute,
        field: field.name,
        value: text,
        allowed: allowedValues(field),
      });
    };
    /** @type {Config} */
    const config = Object.fromEntries(this.#fields.map((field) => [field.name, read(field)]));
    return { config, n_steps: Number(read(N_STEPS)), speed: String(read(SPEED)) };
  }

  /** Attributes have changed: another configuration needs another session, the rest does not. */
  #applyAttributes() {
    if (!this.#opened || this.#fields.length === 0) return;
    const run = this.#run;
    if (run && this.#phase !== 'failed' && this.#phase !== 'loading') {
      try {
        const { config, n_steps, speed } = this.#readAttributes();
        if (this.#fields.every(({ name }) => config[name] === run.asked[name])) {
          this.#speed = speed;
          this.#wake();
          this.#drawing?.request();
          if (run.n_steps !== n_steps) this.#setSteps(run, n_steps);
          return;
        }
      } catch {
        // Opening meets the same error and shows it.
      }
    }
    this.#open();
  }

  /**
   * @param {Run} run
   * @param {number} n_steps
   */
  #setSteps(run, n_steps) {
    const { step } = run.history;
    run.n_steps = Math.max(n_steps, step);
    if (this.#phase === 'done' && step < run.n_steps) this.#phase = 'paused';
    if (this.#phase === 'paused' && step === run.n_steps) this.#end(run);
    this.#view?.translate();
  }

  /**
   * Begins anew with the configuration of the attributes; resolves to whether it is ready.
   *
   * @returns {Promise<boolean>}
   */
  async #open() {
    this.#opened = true;
    this.#release();
    const generation = this.#generation;
    const { engine } = this;
    this.#error = null;
    this.#setPhase('loading');
    /** @type {Config} */
    let asked = {};
    try {
      const { config: known } = await engine.request('constants', {});
      if (this.#isStale(generation)) return false;
      this.#fields = settableFields(known.fields);
      const wanted = this.#readAttributes();
      const { n_steps, speed } = wanted;
      asked = wanted.config;
      const created = await engine.request('create', { config: asked });
      const { session, config, n_parameters, simd } = created;
      if (this.#isStale(generation)) {
        engine.request('destroy', { session }).catch(() => {});
        return false;
      }
      this.#session = session;
      const [{ tensors }, batch] = await Promise.all([
        engine.request('tensors', { session }),
        engine.request('batch', { session, seed: Number(config.test_seed), n_sequences: 1 }),
      ]);
      /** @type {Run} */
      const run = {
        session,
        asked,
        config,
        fields: this.#fields,
        n_parameters,
        simd,
        n_steps,
        names: attentionNames(tensors),
        history: new TrainingHistory(),
        sample: { tokens: batch.tokens[0], targets: batch.targets[0] },
        own: null,
        viewed: null,
        layer: 0,
        rate: 0,
      };
      const { reading } = await this.#read(run, run.sample.tokens);
      await this.#test(run);
      if (this.#isStale(generation)) return false;
      run.history.addReading(0, reading);
      const shown = (await this.#view?.open(run)) ?? false;
      if (!shown || this.#isStale(generation)) return false;
      this.#run = run;
      this.#speed = speed;
      this.#ms_per_step = 0;
      this.#setPhase('ready');
      this.#report('attn-ready', this.#detail(run));
      return true;
    } catch (error) {
      if (!this.#isStale(generation)) this.#fail(error, asked);
      return false;
    }
  }

  /** Frees the session and makes everything under way stale. */
  #release() {
    this.#generation++;
    this.#wake();
    const session = this.#session;
    this.#session = null;
    this.#run = null;
    withdrawSession(this);
    // A worker that has failed has freed it already.
    if (session !== null) this.engine.request('destroy', { session }).catch(() => {});
  }

  /** @param {number} generation */
  #isStale(generation) {
    return generation !== this.#generation || !this.isConnected;
  }

  /**
   * Trains: on and on while `playing`, one step while `pausing`. At most one request is outstanding, and the
   * next is sent before the last is drawn.
   *
   * @param {'playing' | 'pausing'} phase
   */
  async #train(phase) {
    const run = this.#run;
    if (!run) return;
    const generation = this.#generation;
    withdrawSession(this);
    run.viewed = null;
    this.#marks = [{ time: performance.now(), step: run.history.step }];
    this.#setPhase(phase);
    try {
      let reply = this.#requestPiece(run);
      for (;;) {
        record(run, await reply);
        if (this.#isStale(generation)) return;
        this.#measure(run);
        if (isTestStep({ step: run.history.step, n_steps: run.n_steps })) await this.#test(run);
        if (run.own) await this.#answer(run, run.own);
        if (this.#isStale(generation)) return;
        const going = this.#isGoing(run);
        if (going && this.#speed === 'full') reply = this.#requestPiece(run);
        this.#drawing?.request();
        this.#report('attn-step', this.#detail(run));
        if (!going) break;
        if (this.#speed !== 'full') {
          await this.#rest(1000 / Number(this.#speed));
          if (this.#isStale(generation)) return;
          if (!this.#isGoing(run)) break;
          reply = this.#requestPiece(run);
        }
      }
      await this.#end(run);
    } catch (error) {
      if (!this.#isStale(generation)) this.#fail(error);
    }
  }

  /**
   * No step is under way any more. Where this is the end it is tested, also where fewer steps are
   * asked for now than when the last were begun.
   *
   * @param {Run} run
   */
  async #end(run) {
    const generation = this.#generation;
    const { step } = run.history;
    if (step > run.n_steps) this.#setSteps(run, step);
    if (step === run.n_steps && run.history.evaluationAt(step)?.step !== step) {
      this.#setPhase('pausing');
      try {
        await this.#test(run);
      } catch (error) {
        if (!this.#isStale(generation)) this.#fail(error);
        return;
      }
      if (this.#isStale(generation)) return;
    }
    this.#finish(run);
  }

  /** @param {Run} run */
  #isGoing({ history, n_steps }) {
    const { step } = history;
    return (
      this.#phase === 'playing' && step < n_steps && Number.isFinite(history.lossAt(step) ?? 0)
    );
  }

  /** @param {Run} run */
  #finish(run) {
    run.rate = 0;
    const done = run.history.step >= run.n_steps;
    this.#setPhase(done ? 'done' : 'paused');
    this.#publish(run);
    if (!done) return;
    const detail = this.#detail(run);
    this.#view?.say(
      t('reverse.finished', {
        digits: percentOfMean(detail.digits, 1),
        sequences: percentOfMean(detail.sequences, 1),
        mean: detail.anti_diagonal.toFixed(2),
      }),
    );
    this.#report('attn-done', detail);
  }

  /** Offers the trained network to other figures, if it lives where theirs do. @param {Run} run */
  #publish({ session, config, history: { step } }) {
    const client = getEngine();
    if (client === this.engine) publishSession(this, { session, client, config, step });
  }

  /** @param {Run} run */
  #requestPiece({ session, names, sample, history, n_steps }) {
    const single = this.#phase !== 'playing' || this.#speed !== 'full';
    return this.engine.request('step', {
      session,
      n_steps: single
        ? 1
        : nextPiece({ step: history.step, n_steps, ms_per_step: this.#ms_per_step }),
      watch: { tokens: sample.tokens, names: [...names, 'logits'] },
    });
  }

  /** Keeps the speed of the run for the reader and for the size of the next piece. @param {Run} run */
  #measure(run) {
    const time = performance.now();
    const { step } = run.history;
    const last = this.#marks[this.#marks.length - 1];
    this.#ms_per_step = (time - last.time) / Math.max(1, step - last.step);
    this.#marks.push({ time, step });
    if (this.#marks.length > 200) this.#marks.shift();
    run.rate = stepsPerSecond(this.#marks);
  }

  /** Waits, unless woken. @param {number} ms */
  async #rest(ms) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    // A pause is no part of a step's time.
    const last = this.#marks[this.#marks.length - 1];
    this.#marks.push({ time: performance.now(), step: last.step });
  }

  /** The test at the step reached, of 2000 sequences at the lesson's size. @param {Run} run */
  async #test({ session, config, n_parameters, history }) {
    const { metrics } = await this.engine.request('evaluate', {
      session,
      seed: Number(config.test_seed),
      n_sequences: testSequences({ seq_len: Number(config.seq_len), n_parameters }),
    });
    history.addEvaluation(history.step, metrics);
    const last = this.#marks[this.#marks.length - 1];
    if (last) this.#marks.push({ time: performance.now(), step: last.step });
  }

  /**
   * What the network answers to a sequence, and where it looked.
   *
   * @param {Run} run
   * @param {number[]} tokens
   * @returns {Promise<{targets: number[], reading: Reading}>}
   */
  async #read({ session, names }, tokens) {
    const { predicted, targets, tensors } = await this.engine.request('predict', {
      session,
      tokens,
      names,
    });
    return { targets, reading: { weights: tensors.map(({ data }) => data), predicted } };
  }

  /**
   * Answers the reader's own sequence again, at the step reached.
   *
   * @param {Run} run
   * @param {{tokens: number[]}} question
   */
  async #answer(run, { tokens }) {
    const { step } = run.history;
    const answer = await this.#read(run, tokens);
    // The reader may have asked something else meanwhile.
    if (run.own?.tokens === tokens) run.own = { tokens, step, ...answer };
  }

  /** @param {string} text */
  async #ask(text) {
    const run = this.#run;
    const view = this.#view;
    if (!run || !view) return;
    const parsed = parseTokens(text, sizesOf(run.config));
    const failed = 'problem' in parsed;
    view.input('#tokens').setAttribute('aria-invalid', String(failed));
    view.showTokenProblem(failed ? parsed : null);
    if (failed) return;
    const generation = this.#generation;
    try {
      const { step } = run.history;
      const answer = await this.#read(run, parsed.tokens);
      if (this.#isStale(generation)) return;
      run.own = { tokens: parsed.tokens, step, ...answer };
      run.viewed = null;
      this.#drawing?.request();
    } catch (error) {
      if (!this.#isStale(generation)) this.#fail(error);
    }
  }

  /**
   * The numbers of the run at the step reached.
   *
   * @param {Run} run
   */
  #detail({ history, n_parameters, config }) {
    const { step } = history;
    const evaluation = /** @type {Metrics} */ (history.evaluationAt(step));
    const weights = history.readingAt(step)?.reading.weights[0] ?? new Float32Array();
    return {
      step,
      loss: history.lossAt(step) ?? null,
      digits: evaluation.digits / evaluation.n_digits,
      sequences: evaluation.sequences / evaluation.n_sequences,
      anti_diagonal: antiDiagonalMean(weights, sizesOf(config).seq_len),
      n_parameters,
    };
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #report(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  /**
   * @param {unknown} cause
   * @param {Config} [asked] the configuration that may be at fault: the engine names its field
   */
  #fail(cause, asked = {}) {
    const error = asEngineError(cause);
    const { field } = error.detail;
    if (field !== undefined) error.detail.value ??= String(asked[field]);
    this.#error = error;
    this.#setPhase('failed');
    this.#report('attn-error', { code: error.code, message: error.message });
  }

  /** @param {Phase} phase */
  #setPhase(phase) {
    this.#phase = phase;
    this.#showError();
    this.#drawing?.request();
  }

  /** The message stands above the stage, which keeps what was last shown, and beside the field it names. */
  #showError() {
    const view = this.#view;
    const error = this.#error;
    if (!view) return;
    this.#settings?.refuse(error);
    const alert = view.part('.alert');
    alert.replaceChildren();
    view.part('.stage').classList.toggle('empty', error !== null && !view.isOpen);
    if (!error) return;
    const message = createMessage(errorText(error));
    const button = document.createElement('button');
    button.type = 'button';
    if (isRestartable(error)) {
      button.dataset.action = 'restart';
      button.textContent = t('figure.restart');
      message.append(button);
    } else if (error.code === 'ATTRIBUTE' || /^(CONFIG|MEMORY)_/.test(error.code)) {
      button.dataset.action = 'lesson';
      button.textContent = t('figure.lesson');
      message.append(button);
    }
    alert.append(message);
  }

  #translate() {
    const view = this.#view;
    if (!view) return;
    view.translate();
    // What was said was said in the other language.
    view.say('');
    view.copyParts.status.textContent = '';
    const source = view.part('.source');
    if (!source.hidden) showSource(source, SOURCES);
    this.#settings?.translate();
    this.#showError();
    this.#drawing?.request();
  }

  #draw() {
    if (this.#themeChanged) {
      this.#themeChanged = false;
      this.#view?.readTheme();
    }
    this.#view?.draw(this.#phase);
    // Where the attribute asks for what cannot be, the run has kept its speed.
    const speed = parseSetting(SPEED, this.getAttribute('speed') ?? SPEEDS[0]);
    this.#view?.showSpeed(String(speed ?? this.#speed));
    const run = this.#run;
    if (!run || this.#phase === 'playing') return;
    const fields = [...this.#fields, N_STEPS];
    this.#settings?.show(fields, { ...run.config, n_steps: run.n_steps });
  }
}

/**
 * An engine's error has a code; anything else is a fault of the page's own.
 *
 * @param {unknown} cause
 * @returns {EngineError}
 */
function asEngineError(cause) {
  const { code, message, detail } = /** @type {Partial<EngineError>} */ (Object(cause));
  return typeof code === 'string'
    ? new EngineError(code, message ?? '', detail)
    : new EngineError('UNEXPECTED', String(cause));
}

/**
 * Enters the reply of a step into the history.
 *
 * @param {Run} run
 * @param {Requests['step']['result']} reply
 */
function record({ history, config }, { metrics, watched }) {
  for (const [index, measured] of metrics.entries()) {
    history.addStep(measured);
    const tensors = watched[index];
    history.addReading(measured.step, readingOf(tensors, Number(config.vocab_size)));
  }
}

/**
 * The attention maps, then the logits.
 *
 * @param {Tensor[]} tensors
 * @param {number} vocab_size
 * @returns {Reading}
 */
function readingOf(tensors, vocab_size) {
  const data = tensors.map((tensor) => tensor.data);
  const logits = /** @type {Float32Array} */ (data.pop());
  return { weights: data, predicted: answeredTokens(logits, vocab_size) };
}

if (!customElements.get('attn-reverse')) customElements.define('attn-reverse', AttnReverse);
