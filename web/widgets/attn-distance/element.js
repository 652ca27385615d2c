import { LineChart } from '../../charts/line-chart.js';
import { t } from '../../i18n/index.js';
import { meanByDistance, measureSensitivity } from '../distance-gradient.js';
import { prefersReducedMotion } from '../figure.js';
import { FigureElement } from '../figure-element.js';
import { logarithmicRange, writePowerOfTen, writeSize } from '../numbers.js';
import { attentionPath, recurrentPath, stepsOf } from '../paths.js';
import { Player } from '../player.js';
import { distanceTicks, factorPerStep, LESSON_SEQ_LEN, pairOf } from './model.js';
import { attentionDot, attentionPicture, recurrentDot, recurrentPicture } from './picture.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Point } from '../../charts/line-chart.js' */
/** @import { Tensor } from '../../engine/protocol.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */

/** @typedef {{input: number, output: number, seq_len: number, n_steps: number}} Settings */

/** Of one network: the norms of every pair, their means by distance, the change with each step. @typedef {{sensitivity: Tensor, means: Point[], factor: number}} Gradients */

/** @typedef {{attention: Gradients, bilstm: Gradients}} Result */

/** Steps a second while playing. */
const SPEED = 3;

/** Training is asked for in pieces of so many steps, so that it can be watched and left. */
const PIECE = 10;

/**
 * The way from an input to an output in a recurrent network and in attention, step by step, and
 * the gradient that comes back along it: the Frobenius norm of d logits_i / d input_j in the
 * lesson's two networks, over the distance of i and j.
 *
 *     <attn-distance></attn-distance>
 *     <attn-distance input="2" output="7" seq-len="16" n-steps="100"></attn-distance>
 *
 * Attributes: `input` and `output`, the two positions; `seq-len`, the length of the sequence;
 * `n-steps`, training steps both networks have made, 0 for their initial weights.
 *
 * Events: those of FigureElement; `detail` adds, of this pair, `recurrent_steps`,
 * `attention_steps`, `bilstm_gradient` and `attention_gradient`.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnDistance extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'distance.title',
    look: 'distance.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/train/session.c?functions=session_sensitivity_row'),
      () => import('../../sources/nn/lstm.c?functions=lstm_backward'),
      () => import('../../sources/ops/attention.c?functions=attention_backward'),
    ],
  };

  #player = new Player((seconds) => this.#advance(seconds));
  /** Steps the signal has taken; at rest it has arrived. */
  #step = Number.POSITIVE_INFINITY;
  /** The pair and step that the pictures show, to be drawn anew only when they have changed. */
  #drawn = '';
  /** The pair whose way is shown. */
  #pair = { n: LESSON_SEQ_LEN, input: 0, output: LESSON_SEQ_LEN - 1 };
  #greeted = false;
  /** How far training is, in words, while it goes on. @type {(() => string) | null} */
  #training = null;

  build() {
    // It stands right below the title of the lesson, with no heading of a section between.
    this.find('#title').setAttribute('aria-level', '2');
    this.#drawPictures(Number.POSITIVE_INFINITY);
    for (const [selector, row] of [
      ['.input', 'input'],
      ['.output', 'output'],
    ]) {
      this.find('.stage').addEventListener('click', ({ target }) => {
        const place = /** @type {Element} */ (target).closest(selector);
        if (place instanceof SVGElement) this.set(row, Number(place.dataset.position));
      });
    }
  }

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   */
  async compute({ seq_len, n_steps }, scope) {
    try {
      const attention = await this.#measure('attention', { seq_len, n_steps }, scope);
      const bilstm = await this.#measure('bilstm', { seq_len, n_steps }, scope);
      return { attention, bilstm };
    } finally {
      // Also where it was broken off: what is shown then is what was shown before.
      this.#training = null;
      if (this.result) this.redraw();
      else this.write('.finding', '');
    }
  }

  /**
   * @param {'attention' | 'bilstm'} name
   * @param {{seq_len: number, n_steps: number}} sizes
   * @param {EngineScope} scope
   * @returns {Promise<Gradients>}
   */
  async #measure(name, { seq_len, n_steps }, scope) {
    const sensitivity = await measureSensitivity(name, seq_len, scope, async (session) => {
      for (let step = 0; step < n_steps; step += PIECE) {
        this.#training = () =>
          t('distance.training', { network: t(`distance.${name}`), step, n_steps });
        this.write('.finding', this.#training());
        await scope.request('step', { session, n_steps: Math.min(PIECE, n_steps - step) });
      }
    });
    const means = meanByDistance(sensitivity);
    return { sensitivity, means, factor: factorPerStep(means) };
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  detail(result, settings) {
    const { input, output } = pairOf(settings);
    const { attention, bilstm } = gradientsOf(result, settings);
    return {
      // Those of the sequence shown; what is set may lie beyond its end.
      input,
      output,
      recurrent_steps: stepsOf(recurrentPath(input, output)),
      attention_steps: stepsOf(attentionPath(input, output)),
      bilstm_gradient: bilstm,
      attention_gradient: attention,
    };
  }

  /** @param {string} action */
  act(action) {
    if (action === 'play') {
      if (this.#player.playing) this.#player.pause();
      else this.#play();
    } else if (action === 'single') {
      this.#player.pause();
      this.#step = this.#step >= this.#last ? 1 : Math.floor(this.#step) + 1;
      this.#settle();
    } else if (action === 'reset') {
      this.#player.pause();
      this.#step = 0;
    }
    this.#drawSteps();
  }

  stop() {
    this.#player.pause();
    this.#step = Number.POSITIVE_INFINITY;
  }

  /** The step at which both signals have arrived. */
  get #last() {
    const { input, output } = this.#pair;
    return Math.max(1, stepsOf(recurrentPath(input, output)));
  }

  #play() {
    if (this.#step >= this.#last) this.#step = 0;
    this.#player.play();
  }

  /** @param {number} seconds */
  #advance(seconds) {
    if (!this.inView) this.#player.pause();
    this.#step += seconds * SPEED;
    this.#settle();
    this.#drawSteps();
  }

  /** Rests once both signals have arrived. */
  #settle() {
    if (this.#step < this.#last) return;
    this.#player.pause();
    this.#step = Number.POSITIVE_INFINITY;
    this.say(t('distance.arrived', { steps: this.#stepsOfPair() }));
  }

  #stepsOfPair() {
    return stepsOf(recurrentPath(this.#pair.input, this.#pair.output));
  }

  /** The pictures at the step that is reached. */
  #drawSteps() {
    const { playing } = this.#player;
    const step = prefersReducedMotion() ? Math.floor(this.#step) : this.#step;
    const whole = Math.min(Math.floor(step), this.#last);
    const shown = JSON.stringify([this.#pair, whole]);
    if (shown !== this.#drawn) {
      this.#drawn = shown;
      this.#drawPictures(step);
    }
    this.#moveDot('.recurrent-path .dot', recurrentDot(this.#pair, step));
    this.#moveDot('.attention-path .dot', attentionDot(this.#pair, step));
    this.write('[data-action=play]', t(playing ? 'distance.pause' : 'distance.play'));
    this.write('.step', this.#stepText(whole));
  }

  /** @param {number} step */
  #drawPictures(step) {
    this.find('.recurrent-path').innerHTML = recurrentPicture(this.#pair, step);
    this.find('.attention-path').innerHTML = attentionPicture(this.#pair, step);
  }

  /** @param {string} selector @param {[x: string, row: number]} at */
  #moveDot(selector, [x, row]) {
    const dot = this.find('.stage').querySelector(selector);
    dot?.setAttribute('cx', x);
    dot?.setAttribute('cy', `${row}em`);
  }

  /** @param {number} step */
  #stepText(step) {
    const steps = this.#stepsOfPair();
    if (step >= this.#last) return t('distance.arrived', { steps });
    if (step === 0) return t('distance.start');
    return t('distance.under_way', { step, left: steps - step });
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, settings) {
    const { seq_len } = settings;
    const { input, output } = pairOf(settings);
    this.bound('input', seq_len - 1);
    this.bound('output', seq_len - 1);
    const pair = { n: seq_len, input, output };
    if (JSON.stringify(pair) !== JSON.stringify(this.#pair)) {
      this.#pair = pair;
      this.#player.pause();
      this.#step = Number.POSITIVE_INFINITY;
    }
    this.find('.stage').style.setProperty('--n', String(seq_len));
    this.#drawWords(result, settings);
    if (!this.#greeted && this.inView && !prefersReducedMotion()) this.#play();
    this.#greeted = true;
    this.drawParts([() => this.#drawSteps(), () => this.#drawCurve(result, settings)]);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawWords(result, settings) {
    const { input, output } = pairOf(settings);
    const recurrent_steps = this.#stepsOfPair();
    const attention_steps = stepsOf(attentionPath(input, output));
    const words = { input, output, recurrent_steps, attention_steps };
    const way = output < input ? 'distance.backward' : 'distance.forward';
    this.write('.recurrent-caption', t('distance.recurrent.caption', { ...words, way: t(way) }));
    this.write('.attention-caption', t('distance.attention.caption', words));
    const labels = {
      recurrent: t('distance.recurrent.label', words),
      attention: t('distance.attention.label', words),
    };
    for (const [name, label] of Object.entries(labels)) {
      this.find(`.${name}-path`).setAttribute('aria-label', label);
    }
    const gradients = gradientsOf(result, settings);
    this.write('[data-value=bilstm-steps]', String(recurrent_steps));
    this.write('[data-value=attention-steps]', String(attention_steps));
    for (const name of /** @type {const} */ (['attention', 'bilstm'])) {
      this.write(`[data-value=${name}-gradient]`, writeSize(gradients[name]));
      const factor = result[name].factor.toFixed(2);
      this.write(`[data-value=${name}-factor]`, t('distance.factor.value', { factor }));
    }
    this.write('.finding', this.#training?.() ?? findingOf(result, settings));
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawCurve(result, settings) {
    const { seq_len } = settings;
    const { input, output } = pairOf(settings);
    const gradients = gradientsOf(result, settings);
    const x = Math.abs(output - input);
    const series = [
      result.attention.means,
      result.bilstm.means,
      [{ x, y: gradients.attention }],
      [{ x, y: gradients.bilstm }],
    ];
    const range = logarithmicRange(series.flat().map(({ y }) => y));
    const chart = this.chart('curve', JSON.stringify([seq_len, range]), (theme) => {
      const panel = {
        id: 'gradient',
        title: '',
        logarithmic: true,
        format: (/** @type {number} */ value) => writePowerOfTen(Math.round(Math.log10(value))),
        ...range,
      };
      return new LineChart(
        this.find('.curve'),
        {
          xTitle: t('distance.x'),
          xMax: seq_len - 1,
          xTicks: distanceTicks(seq_len),
          panels: [panel],
          series: [
            { label: t('distance.attention'), panel: panel.id, colour: 'query' },
            { label: t('distance.bilstm'), panel: panel.id, colour: 'key', dash: [6, 4] },
            { label: '', panel: panel.id, colour: 'query', marker: 'circle', legend: false },
            { label: '', panel: panel.id, colour: 'key', marker: 'rectRot', legend: false },
          ],
        },
        theme,
      );
    });
    const last = seq_len - 1;
    chart.label = t('distance.chart.label', {
      last,
      attention_near: writeSize(result.attention.means[1].y),
      attention_far: writeSize(result.attention.means[last].y),
      bilstm_near: writeSize(result.bilstm.means[1].y),
      bilstm_far: writeSize(result.bilstm.means[last].y),
    });
    chart.setCursor(x);
    chart.update(series);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  tables({ attention, bilstm }, settings) {
    const { seq_len } = settings;
    const { output } = pairOf(settings);
    const networks = [t('distance.attention'), t('distance.bilstm')];
    const exact = (/** @type {number} */ value) => writeSize(value, 4);
    return [
      {
        caption: t('distance.table.means'),
        columns: [t('distance.x'), ...networks],
        rows: attention.means.map(
          ({ x, y }) =>
            /** @type {[string, ...string[]]} */ ([String(x), exact(y), exact(bilstm.means[x].y)]),
        ),
      },
      {
        caption: t('distance.table.pairs', { output }),
        columns: [t('distance.input'), ...networks],
        rows: attention.means.map(
          ({ x }) =>
            /** @type {[string, ...string[]]} */ ([
              String(x),
              exact(attention.sensitivity.data[output * seq_len + x]),
              exact(bilstm.sensitivity.data[output * seq_len + x]),
            ]),
        ),
      },
    ];
  }
}

/**
 * The gradients that reach the chosen input from the chosen output.
 *
 * @param {Result} result
 * @param {Settings} settings
 */
function gradientsOf({ attention, bilstm }, settings) {
  const { input, output } = pairOf(settings);
  const at = output * settings.seq_len + input;
  return { attention: attention.sensitivity.data[at], bilstm: bilstm.sensitivity.data[at] };
}

/**
 * What the numbers say, in a sentence.
 *
 * @param {Result} result
 * @param {Settings} settings
 */
function findingOf({ bilstm }, { n_steps }) {
  const percent = Math.round(bilstm.factor * 100);
  if (n_steps === 0) return t('distance.untrained', { percent });
  return t(percent >= 100 ? 'distance.trained.carries' : 'distance.trained.fades', {
    percent,
    n_steps,
  });
}

if (!customElements.get('attn-distance')) customElements.define('attn-distance', AttnDistance);
