import { LineChart } from '../../charts/line-chart.js';
import { t } from '../../i18n/index.js';
import { meanByDistance, measureSensitivity } from '../distance-gradient.js';
import { FigureElement } from '../figure-element.js';
import { logarithmicRange, writeCount, writePowerOfTen, writeSize } from '../numbers.js';
import { attentionPath, recurrentPath, stepsOf } from '../paths.js';
import {
  areSteady,
  crossingOf,
  crossings,
  curve,
  doubling,
  KINDS,
  LENGTHS,
  noCosts,
  ROUNDS,
  SCHEDULED,
  schedule,
  schedulePicture,
  writeTime,
} from './model.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Point, Series } from '../../charts/line-chart.js' */
/** @import { CostKind } from '../../engine/protocol.js' */
/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Costs } from './model.js' */

/** @typedef {{evidence: string, n: number, d: number}} Settings */

/** The mean size of the gradient by distance. @typedef {{attention: Point[], bilstm: Point[]}} Gradients */

/** Multiply-adds as the engine counts them, milliseconds a run so far as they are measured, and gradients at the lesson's length. @typedef {{counts: Costs, times: Costs, gradients: Gradients}} Result */

/** The length of the lesson's sequences, at which the gradients are measured. */
const LESSON_SEQ_LEN = 10;

/** While times come in, the curves are drawn four times a second. */
const BETWEEN_DRAWINGS_MS = 250;

/** The three kinds in the legend. @type {Record<CostKind, MessageKey>} */
const NAMES = {
  lstm: 'cost.lstm.short',
  attention: 'cost.attention.short',
  self_attention: 'cost.self_attention.short',
};

/** How they are told apart, in both panels. @type {Record<CostKind, Pick<Series, 'colour' | 'dash'>>} */
const LOOKS = {
  lstm: { colour: 'key', dash: [6, 4] },
  attention: { colour: 'query' },
  self_attention: { colour: 'value', dash: [2, 3] },
};

/**
 * The evidence for the lesson's table of recurrent networks and Transformers: steps between two
 * positions, steps that wait for each other, and the multiply-adds of a layer, counted by the
 * engine and timed on the reader's machine.
 *
 *     <attn-cost></attn-cost>
 *     <attn-cost evidence="parallel" n="16"></attn-cost>
 *
 * Attributes: `evidence` (path, parallel, operations), the row of the table; `n`, the length of the
 * sequence; `d`, the width of its vectors.
 *
 * Events: those of FigureElement; `detail` adds `multiply_adds` at n and d. `attn-done`: all times
 * are measured; `detail.times` holds milliseconds a run by kind and length.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnCost extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'cost.title',
    look: 'cost.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/lesson/cost.c?functions=cost_multiply_adds+cost_run'),
      () => import('../../sources/nn/lstm.c?functions=lstm_forward'),
      () => import('../../sources/ops/attention.c?functions=attention_forward'),
    ],
  };

  /** The measurement that is under way; a newer one, or none, ends it. @type {object | null} */
  #measurement = null;
  /** How many layers it has timed. */
  #n_timed = 0;
  /** What the button says, and so what a press of it means. */
  #offersCancel = false;

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   */
  async compute({ d }, scope) {
    const counts = noCosts();
    for (const kind of KINDS) {
      for (const n of LENGTHS) {
        const { job, multiply_adds } = await scope.request('cost_begin', { kind, n, d });
        await scope.request('cost_free', { job });
        counts[kind].set(n, multiply_adds);
      }
    }
    const gradients = {
      attention: meanByDistance(await measureSensitivity('attention', LESSON_SEQ_LEN, scope)),
      bilstm: meanByDistance(await measureSensitivity('bilstm', LESSON_SEQ_LEN, scope)),
    };
    return { counts, times: noCosts(), gradients };
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  detail({ counts }, { n }) {
    const multiply_adds = Object.fromEntries(KINDS.map((kind) => [kind, counts[kind].get(n)]));
    return { multiply_adds };
  }

  /** @param {string} action */
  act(action) {
    if (action !== 'measure' || !this.result) return;
    if (this.#offersCancel) this.#measurement = null;
    else if (!this.#measurement) this.#measure(this.result);
    this.redraw();
  }

  stop() {
    this.#measurement = null;
    this.#n_timed = 0;
  }

  /**
   * Times every layer of the curves, and all of them again: what else the machine does now and then
   * does not spoil every round. Of each layer the fastest run counts.
   *
   * @param {Result} result
   */
  #measure(result) {
    const measurement = {};
    this.#measurement = measurement;
    this.#n_timed = 0;
    result.times = noCosts();
    const { d } = this.settings;
    let drawn = performance.now();
    const layers = LENGTHS.flatMap((n) => KINDS.map((kind) => ({ kind, n, d })));
    this.attempt(async (scope) => {
      try {
        for (const { kind, n } of Array.from({ length: ROUNDS }, () => layers).flat()) {
          const ms = await this.#time({ kind, n, d }, scope);
          if (this.#measurement !== measurement) return;
          result.times[kind].set(n, Math.min(ms, result.times[kind].get(n) ?? ms));
          this.#n_timed++;
          this.#showProgress();
          if (performance.now() - drawn < BETWEEN_DRAWINGS_MS) continue;
          drawn = performance.now();
          this.redraw();
        }
      } finally {
        if (this.#measurement === measurement) this.#measurement = null;
      }
      this.redraw();
      this.say(this.#findingText(result));
      const times = KINDS.map((kind) => [kind, Object.fromEntries(result.times[kind])]);
      this.report('attn-done', { d, times: Object.fromEntries(times) });
    });
  }

  #showProgress() {
    /** @type {HTMLProgressElement} */ (this.find('progress')).value = this.#n_timed;
  }

  /**
   * Milliseconds of one run of a layer, where it was interrupted least.
   *
   * @param {{kind: CostKind, n: number, d: number}} layer
   * @param {EngineScope} scope
   */
  async #time(layer, scope) {
    const { job } = await scope.request('cost_begin', layer);
    const { fastest_ms } = await scope.request('cost_advance', { job });
    await scope.request('cost_free', { job });
    return fastest_ms;
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, settings) {
    const { evidence } = settings;
    for (const view of ['path', 'parallel', 'operations']) {
      this.find(`[data-view=${view}]`).hidden = view !== evidence;
    }
    if (evidence === 'path') {
      this.drawParts([() => this.#drawPath(settings), () => this.#drawGradients(result.gradients)]);
    } else if (evidence === 'parallel') this.#drawSchedules(settings);
    else this.#drawOperations(result, settings);
  }

  /** @param {Settings} settings */
  #drawPath({ n }) {
    const distances = Array.from({ length: n }, (_, k) => k);
    const steps = [recurrentPath, attentionPath].map((path) =>
      distances.map((k) => ({ x: k, y: stepsOf(path(0, k)) })),
    );
    const farthest = n - 1;
    const chart = this.chart('path', String(n), (theme) => {
      const panel = {
        id: 'steps',
        title: t('cost.path.steps'),
        min: 0,
        max: Math.max(2, farthest),
        format: (/** @type {number} */ value) => (Number.isInteger(value) ? String(value) : ''),
      };
      return new LineChart(
        this.find('.path'),
        {
          xTitle: t('cost.path.x'),
          xMax: farthest,
          panels: [panel],
          series: [
            { label: t('cost.lstm.short'), panel: panel.id, ...LOOKS.lstm },
            { label: t('cost.attention.short'), panel: panel.id, ...LOOKS.attention },
          ],
        },
        theme,
      );
    });
    const words = {
      n,
      farthest,
      recurrent: stepsOf(recurrentPath(0, farthest)),
      attention: stepsOf(attentionPath(0, farthest)),
    };
    chart.label = t('cost.path.line', words);
    chart.update(steps);
    this.write('.path-line', t('cost.path.line', words));
  }

  /** @param {Gradients} gradients */
  #drawGradients({ attention, bilstm }) {
    const range = logarithmicRange([...attention, ...bilstm].map(({ y }) => y));
    const chart = this.chart('gradients', JSON.stringify(range), (theme) => {
      const panel = {
        id: 'gradients',
        title: t('cost.gradient.y'),
        logarithmic: true,
        format: (/** @type {number} */ value) => writePowerOfTen(Math.round(Math.log10(value))),
        ...range,
      };
      return new LineChart(
        this.find('.gradients'),
        {
          xTitle: t('cost.path.x'),
          xMax: LESSON_SEQ_LEN - 1,
          panels: [panel],
          series: [
            { label: t('cost.lstm.short'), panel: panel.id, ...LOOKS.lstm },
            { label: t('cost.attention.short'), panel: panel.id, ...LOOKS.attention },
          ],
        },
        theme,
      );
    });
    const last = LESSON_SEQ_LEN - 1;
    const line = t('cost.gradient.line', {
      last,
      recurrent: writeSize(bilstm[last].y),
      attention: writeSize(attention[last].y),
    });
    chart.label = line;
    chart.update([bilstm, attention]);
    this.write('.gradient-line', line);
  }

  /** @param {Settings} settings */
  #drawSchedules({ n }) {
    const n_shown = Math.min(n, SCHEDULED);
    const captions = /** @type {const} */ ([
      ['recurrent', 'cost.parallel.recurrent'],
      ['attention', 'cost.parallel.attention'],
    ]);
    for (const [network, key] of captions) {
      const steps = 1 + Math.max(...schedule(network, n));
      const caption = t(key, { steps });
      this.write(`.${network}-caption`, caption);
      const picture = this.find(`.${network}-schedule`);
      picture.innerHTML = schedulePicture(schedule(network, n_shown));
      picture.setAttribute('aria-label', caption);
    }
    const line = t('cost.parallel.line', { n });
    this.write('.parallel-line', n > n_shown ? line + t('cost.parallel.cut', { n_shown }) : line);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawOperations(result, settings) {
    const { counts, times } = result;
    const { n, d } = settings;
    this.#drawCurves(result, settings);
    const measuring = this.#measurement !== null;
    this.write('[data-action=measure]', t(measuring ? 'cost.cancel' : 'cost.measure'));
    this.#offersCancel = measuring;
    this.#showProgress();
    this.write('.sizes', t('cost.sizes', { n, d }));
    for (const kind of KINDS) {
      const ms = times[kind].get(n);
      this.write(`[data-value=${kind}-count]`, writeCount(Number(counts[kind].get(n))));
      this.write(`[data-value=${kind}-time]`, ms === undefined ? '–' : writeTime(ms));
    }
    this.write('.finding', this.#findingText(result));
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawCurves({ counts, times }, { n, d }) {
    const points = [counts, times].map((costs) => KINDS.map((kind) => curve(costs[kind])));
    const valuesOf = (/** @type {number} */ panel) => points[panel].flat().map(({ y }) => y);
    const ranges = {
      counts: logarithmicRange(valuesOf(0)),
      // Before anything is measured the axis is what a machine of today is likely to need.
      times: logarithmicRange([...valuesOf(1), 0.001, 10]),
    };
    const chart = this.chart('curves', JSON.stringify([d, ranges]), (theme) => {
      const formatPower = (/** @type {number} */ value) =>
        writePowerOfTen(Math.round(Math.log10(value)));
      const seriesOf = (/** @type {string} */ panel) =>
        KINDS.map((kind) => ({
          label: t(NAMES[kind]),
          panel,
          legend: panel === 'counts',
          ...LOOKS[kind],
        }));
      const { attention, self_attention } = crossings(d);
      return new LineChart(
        this.find('.operations'),
        {
          xTitle: t('cost.x'),
          xMin: LENGTHS[0],
          xMax: LENGTHS[LENGTHS.length - 1],
          xLogarithmic: true,
          xTicks: LENGTHS.filter((length) => Number.isInteger(Math.log2(length))),
          panels: [
            {
              id: 'counts',
              title: t('cost.counts'),
              logarithmic: true,
              format: formatPower,
              ...ranges.counts,
            },
            {
              id: 'times',
              title: t('cost.times'),
              logarithmic: true,
              format: formatPower,
              ...ranges.times,
            },
          ],
          series: [...seriesOf('counts'), ...seriesOf('times')],
          references: [
            { x: self_attention, label: t('cost.crossing', { factor: 2 }) },
            { x: attention, label: t('cost.crossing', { factor: 4 }) },
          ],
        },
        theme,
      );
    });
    chart.label = t('cost.chart.label', { d, ...crossings(d) });
    chart.setCursor(n);
    chart.update(points.flat());
  }

  /**
   * What the longest sequences show, of the counts and of the times as far as they are there.
   *
   * @param {Result} result
   */
  #findingText({ counts, times }) {
    const factors = (/** @type {Costs} */ costs) => ({
      lstm: doubling(costs.lstm)?.toFixed(1),
      attention: doubling(costs.attention)?.toFixed(1),
    });
    const counted = factors(counts);
    const text = t('cost.finding.counts', {
      lstm: String(counted.lstm),
      attention: String(counted.attention),
    });
    const { lstm, attention } = factors(times);
    if (this.#measurement || lstm === undefined || attention === undefined) return text;
    if (!areSteady(times)) return text + t('cost.finding.unsteady');
    const crossing = crossingOf(times.self_attention, times.lstm);
    const place =
      crossing === 0
        ? t('cost.finding.always', { n: LENGTHS[0] })
        : Number.isFinite(crossing)
          ? t('cost.finding.crossing', { n: Math.round(crossing) })
          : t('cost.finding.never');
    return text + t('cost.finding.times', { lstm, attention }) + place;
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  tables({ counts, times }, { d }) {
    const names = KINDS.map((kind) => t(NAMES[kind]));
    /** @param {Costs} costs @param {(value: number) => string} write */
    const rowsOf = (costs, write) =>
      LENGTHS.map((n) => {
        const values = KINDS.map((kind) => costs[kind].get(n));
        const texts = values.map((value) => (value === undefined ? '–' : write(value)));
        return /** @type {[string, ...string[]]} */ ([String(n), ...texts]);
      });
    const columns = [t('cost.n'), ...names];
    return [
      { caption: t('cost.table.counts', { d }), columns, rows: rowsOf(counts, writeCount) },
      { caption: t('cost.table.times', { d }), columns, rows: rowsOf(times, writeTime) },
    ];
  }
}

if (!customElements.get('attn-cost')) customElements.define('attn-cost', AttnCost);
