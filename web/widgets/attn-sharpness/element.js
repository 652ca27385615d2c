import { BarChart } from '../../charts/bar-chart.js';
import { LineChart } from '../../charts/line-chart.js';
import { t } from '../../i18n/index.js';
import { lines } from '../../sources/recorded/attention_check.js';
import { FigureElement } from '../figure-element.js';
import { departures, sliderPosition } from '../figure-settings.js';
import { writeCount, writeFixed, writeSize } from '../numbers.js';
import { showLines } from '../printed-lines.js';
import {
  binEdges,
  countNormals,
  curve,
  DIMS,
  drawnNormals,
  EQUAL,
  LESSON_DIMS,
  N_BINS,
  N_ROWS,
  N_SKIP,
  printedLines,
  ROW,
  readLines,
  SORTED_DIMS,
} from './model.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { BarChartOptions, BarSeries } from '../../charts/bar-chart.js' */
/** @import { LineChartOptions, Series } from '../../charts/line-chart.js' */
/** @import { Sharpness } from '../../engine/protocol.js' */
/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */

/** @typedef {{seed: number, d: number}} Settings */

/**
 * @typedef {object} Run
 * @property {Sharpness[]} results of the dimensions computed so far
 * @property {number | null} job under way, or paused
 * @property {number} n_units of work there are
 * @property {number} n_left
 */

/** The lines of attention_check.py that are its statistics, and what they say. */
const LESSON_LINES = lines.slice(-LESSON_DIMS.length);
const LESSON = readLines(LESSON_LINES);

/** @type {[scaling: 'raw' | 'scaled' | 'over_d', label: MessageKey][]} */
const SCALINGS = [
  ['raw', 'sharpness.raw'],
  ['scaled', 'sharpness.scaled'],
  ['over_d', 'sharpness.over_d'],
];

/** How each scaling is drawn as a curve and as a bar. */
const LOOKS = /** @type {const} */ ({
  raw: { colour: 'text', pattern: 'full' },
  scaled: { colour: 'query', pattern: 'hatched', dash: [7, 3] },
  over_d: { colour: 'muted', pattern: 'hollow', dash: [2, 3] },
});

/**
 * Why scores are divided by √d: the statistics of attention_check.py, from its own random numbers,
 * and then over more dimensions.
 *
 *     <attn-sharpness></attn-sharpness>
 *     <attn-sharpness seed="7" d="512"></attn-sharpness>
 *
 * Attributes: `seed`; `d`, the dimension whose rows of weights are drawn.
 *
 * The lesson's first dimension is computed at once, the others when the reader asks for them: 74
 * million random numbers, a piece at a time, that can be paused and given up.
 *
 * Events: those of FigureElement, and `attn-step` (another dimension is computed) and `attn-done`
 * (all are); `detail` adds `n_dims`, how many are, and `lines`, those of the lesson's dimensions.
 *
 * @extends {FigureElement<Settings, Run>}
 */
export class AttnSharpness extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'sharpness.title',
    look: 'sharpness.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () =>
        import(
          '../../sources/lesson/sharpness.c?functions=measure_pairs+tally_row+measure_maps+finish_dimension'
        ),
      () => import('../../sources/ops/softmax.c?functions=softmax_forward'),
    ],
  };

  /** The reader wants it to go on. */
  #running = false;
  /** Requests are under way: after the present one they go on, or end. */
  #busy = false;
  /** What the button says, and so what a press of it means. */
  #offersPause = false;
  /** What each chart shows: to draw it anew is most of the work. @type {Map<string, unknown[]>} */
  #drawn = new Map();

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Run>}
   */
  async compute({ seed }, scope) {
    const [first] = LESSON_DIMS;
    const { job, n_units } = await scope.request('sharpness_begin', {
      seed,
      n_skip: N_SKIP,
      dims: [first],
    });
    /** @type {Run} */
    const run = { results: [], job: null, n_units, n_left: n_units };
    while (run.results.length === 0) {
      const { results } = await scope.request('sharpness_advance', { job });
      run.results = results;
    }
    await scope.request('sharpness_free', { job });
    return run;
  }

  /** @param {Run} run */
  detail({ results }) {
    return { n_dims: results.length, lines: printedLines(results) };
  }

  /** @param {string} action */
  act(action) {
    const run = this.result;
    if (!run) return;
    if (action === 'reset') this.computeAnew();
    if (action !== 'run') return;
    if (this.#offersPause) {
      this.#running = false;
    } else if (isDone(run)) {
      this.computeAnew('run');
    } else {
      this.#running = true;
      if (!this.#busy) this.attempt((scope) => this.#advance(run, scope));
    }
    this.redraw();
  }

  stop() {
    this.#running = false;
    this.#busy = false;
  }

  /**
   * Works on until the reader pauses or nothing is left; one request is under way.
   *
   * @param {Run} run
   * @param {EngineScope} scope
   */
  async #advance(run, scope) {
    this.#busy = true;
    try {
      if (run.job === null) {
        const begun = await scope.request('sharpness_begin', {
          seed: this.settings.seed,
          n_skip: N_SKIP,
          dims: DIMS,
        });
        Object.assign(run, { ...begun, n_left: begun.n_units });
      }
      const job = Number(run.job);
      while (this.#running && run.n_left > 0) {
        const { n_left, results } = await scope.request('sharpness_advance', { job });
        run.n_left = n_left;
        this.#take(run, results);
      }
      if (run.n_left > 0) return;
      run.job = null;
      await scope.request('sharpness_free', { job });
    } finally {
      if (!scope.ended) {
        this.#running = false;
        this.#busy = false;
        this.redraw();
      }
    }
    this.say(t('sharpness.finished', { n: writeCount(countNormals(DIMS)) }));
    this.report('attn-done', { ...this.settings, ...this.detail(run) });
  }

  /** @param {Run} run @param {Sharpness[]} results of this job, the first ones known already */
  #take(run, results) {
    const more = results.slice(run.results.length);
    run.results.push(...more);
    this.redraw();
    if (more.length > 0) this.report('attn-step', { ...this.settings, ...this.detail(run) });
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   */
  draw(run, settings) {
    const d = SORTED_DIMS[sliderPosition(SETTINGS[1], settings.d)];
    const result = run.results.find((computed) => computed.d === d);
    this.#drawRun(run);
    this.drawParts([
      () => {
        this.#drawNumbers(result, d);
        this.#drawLines(run, settings);
      },
      () => this.#drawCurves(run, d),
      () => this.#drawHistogram(result, d),
      () => this.#drawSample(result, d),
    ]);
  }

  /** @param {Run} run */
  #drawRun(run) {
    const isBegun = run.job !== null || isDone(run);
    const state = this.#running ? 'pause' : isDone(run) ? 'again' : isBegun ? 'resume' : 'run';
    /** @type {Record<typeof state, MessageKey>} */
    const words = {
      run: 'sharpness.run',
      pause: 'sharpness.pause',
      resume: 'sharpness.resume',
      again: 'sharpness.again',
    };
    this.write('[data-action=run]', t(words[state]));
    this.#offersPause = this.#running;
    const total = countNormals(DIMS);
    const drawn = isDone(run) ? total : isBegun ? drawnNormals(run) : 0;
    const progress = /** @type {HTMLProgressElement} */ (this.find('progress'));
    progress.value = drawn / total;
    const [drawnText, totalText] = [drawn, total].map(writeCount);
    this.write('.drawn', t('sharpness.drawn', { drawn: drawnText, total: totalText }));
  }

  /** @param {Sharpness | undefined} result @param {number} d */
  #drawNumbers(result, d) {
    this.write('.numbers caption', t('sharpness.numbers', { d }));
    for (const [scaling] of SCALINGS) {
      const numbers = result && numbersOf(result, scaling);
      for (const name of /** @type {const} */ (['variance', 'max', 'gradient'])) {
        this.write(`[data-value=${name}_${scaling}]`, numbers ? numbers[name] : '–');
      }
    }
  }

  /** @param {Run} run @param {Settings} settings */
  #drawLines({ results }, settings) {
    const own = printedLines(results);
    showLines(this.find('.own'), own, LESSON_LINES);
    this.write('.printed .lesson', `${LESSON_LINES.join('\n')}\n`);
    const isWhole = own.length === LESSON_LINES.length;
    const isSame = isWhole && own.every((line, i) => line === LESSON_LINES[i]);
    const isLesson = departures(SETTINGS, settings).length === 0;
    const key = isSame
      ? 'sharpness.same'
      : isWhole && !isLesson
        ? 'sharpness.different'
        : 'sharpness.waiting';
    this.write('.verdict', t(key, { n: own.length }));
    this.find('.verdict').classList.toggle('same', isSame);
  }

  /** @param {Run} run @param {number} d */
  #drawCurves({ results }, d) {
    const chart = this.chart('curves', '', (theme) => {
      this.#drawn.delete('curves');
      return new LineChart(this.find('.curves'), curvesOptions(), theme);
    });
    if (!this.#isNews('curves', [results, results.length, d])) return;
    chart.setCursor(d);
    chart.label = t('sharpness.curves.label', {
      n: results.length,
      list: results.map((result) => t('sharpness.curves.point', pointOf(result))).join(''),
    });
    chart.update([
      LESSON.map((line) => ({ x: line.d, y: line.variance })),
      curve(results, 'variance'),
      curve(results, 'variance_scaled'),
      SORTED_DIMS.map((dim) => ({ x: dim, y: dim })),
      LESSON.flatMap((line) => [
        { x: line.d, y: line.max_raw },
        { x: line.d, y: line.max_scaled },
      ]),
      ...SCALINGS.map(([scaling]) => curve(results, `max_${scaling}`)),
      ...SCALINGS.map(([scaling]) => curve(results, `gradient_${scaling}`)),
    ]);
  }

  /** @param {Sharpness | undefined} result @param {number} d */
  #drawHistogram(result, d) {
    const values = SCALINGS.map(([scaling]) => result?.[`histogram_${scaling}`] ?? []);
    const words = { d, rows: N_ROWS };
    this.write('.histogram-caption', t(result ? 'sharpness.histogram' : 'sharpness.none', words));
    this.#drawBars('histogram', t('sharpness.histogram.label', words), result, values, {
      categories: binEdges(N_BINS),
      xTitle: t('sharpness.largest.axis'),
      yTitle: t('sharpness.rows'),
      yMax: N_ROWS,
    });
  }

  /** @param {Sharpness | undefined} result @param {number} d */
  #drawSample(result, d) {
    const values = SCALINGS.map(([scaling]) => result?.[`sample_${scaling}`] ?? []);
    this.write('.sample-caption', t(result ? 'sharpness.sample' : 'sharpness.none', { d }));
    this.#drawBars('sample', t('sharpness.sample.label', { d }), result, values, {
      categories: Array.from({ length: ROW }, (_, j) => String(j)),
      xTitle: t('sharpness.j'),
      yTitle: t('sharpness.weight'),
      yMax: 1,
    });
  }

  /**
   * @param {'histogram' | 'sample'} name
   * @param {string} label
   * @param {Sharpness | undefined} result
   * @param {number[][]} values of it, of each scaling
   * @param {Pick<BarChartOptions, 'categories' | 'xTitle' | 'yTitle' | 'yMax'>} options
   */
  #drawBars(name, label, result, values, options) {
    const chart = this.chart(name, '', (theme) => {
      this.#drawn.delete(name);
      const series = barSeries();
      return new BarChart(this.find(`.${name}`), { ...options, series, format: String }, theme);
    });
    if (!this.#isNews(name, [result, label])) return;
    chart.label = label;
    chart.update(values);
  }

  /**
   * Whether a chart shows something else by now: another run's numbers are others, even where they
   * are as many.
   *
   * @param {string} name
   * @param {unknown[]} what it is to show
   */
  #isNews(name, what) {
    const drawn = this.#drawn.get(name);
    if (drawn && what.every((part, i) => part === drawn[i])) return false;
    this.#drawn.set(name, what);
    return true;
  }

  /**
   * @param {Run} run
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables({ results }, settings) {
    const d = SORTED_DIMS[sliderPosition(SETTINGS[1], settings.d)];
    const sorted = [...results].sort((a, b) => a.d - b.d);
    const chosen = sorted.filter((result) => result.d === d);
    const scalings = SCALINGS.map(([, label]) => t(label));
    const ofEach = (/** @type {MessageKey} */ key) =>
      scalings.map((scaling) => t('sharpness.table.column', { name: t(key), scaling }));
    return [
      {
        caption: t('sharpness.curves'),
        columns: [
          'd',
          ...ofEach('sharpness.variance'),
          ...ofEach('sharpness.largest'),
          ...ofEach('sharpness.gradient'),
        ],
        rows: sorted.map((result) => {
          const numbers = SCALINGS.map(([scaling]) => numbersOf(result, scaling));
          return [
            String(result.d),
            ...numbers.map(({ variance }) => variance),
            ...numbers.map(({ max }) => max),
            ...numbers.map(({ gradient }) => gradient),
          ];
        }),
      },
      ...chosen.flatMap((result) => [
        {
          caption: t('sharpness.histogram', { d, rows: N_ROWS }),
          columns: [t('sharpness.largest.axis'), ...scalings],
          rows: binEdges(N_BINS).map(
            (edge, bin) =>
              /** @type {[string, ...string[]]} */ ([
                edge,
                ...SCALINGS.map(([scaling]) => String(result[`histogram_${scaling}`][bin])),
              ]),
          ),
        },
        {
          caption: t('sharpness.sample', { d }),
          columns: [t('sharpness.j'), ...scalings],
          rows: Array.from(
            { length: ROW },
            (_, j) =>
              /** @type {[string, ...string[]]} */ ([
                String(j),
                ...SCALINGS.map(([scaling]) => writeFixed(result[`sample_${scaling}`][j], 6)),
              ]),
          ),
        },
      ]),
    ];
  }
}

/** @param {Run} run */
function isDone({ results }) {
  return results.length === DIMS.length;
}

/** @param {Sharpness} result @param {'raw' | 'scaled' | 'over_d'} scaling */
function numbersOf(result, scaling) {
  const { d, variance, variance_scaled } = result;
  const variances = { raw: variance, scaled: variance_scaled, over_d: variance_scaled / d };
  return {
    variance:
      scaling === 'over_d' ? writeSize(variances.over_d) : writeFixed(variances[scaling], 2),
    max: writeFixed(result[`max_${scaling}`], 3),
    gradient: writeFixed(result[`gradient_${scaling}`], 3),
  };
}

/** @param {Sharpness} result */
function pointOf(result) {
  return {
    d: result.d,
    variance: writeFixed(result.variance, 1),
    raw: writeFixed(result.max_raw, 2),
    scaled: writeFixed(result.max_scaled, 2),
  };
}

/** @returns {BarSeries[]} */
function barSeries() {
  return SCALINGS.map(([scaling, label]) => ({
    label: t(label),
    colour: LOOKS[scaling].colour,
    pattern: LOOKS[scaling].pattern,
  }));
}

/** @returns {LineChartOptions} */
function curvesOptions() {
  const fixed = (/** @type {number} */ value) => String(Number(value.toFixed(2)));
  /** @param {string} panel @param {boolean} legend @returns {Series[]} */
  const ofScalings = (panel, legend) =>
    SCALINGS.map(([scaling, label]) => ({
      label: t(label),
      panel,
      colour: LOOKS[scaling].colour,
      ...(scaling !== 'raw' && { dash: [...LOOKS[scaling].dash] }),
      legend,
    }));
  /** @param {string} panel @param {boolean} legend @returns {Series} */
  const lessonPoints = (panel, legend) => ({
    label: t('sharpness.lesson'),
    panel,
    colour: 'key',
    marker: 'circle',
    legend,
  });
  return {
    xTitle: t('sharpness.d'),
    xMin: 1,
    xMax: 1024,
    xLogarithmic: true,
    xTicks: [1, 4, 16, 64, 256, 1024],
    panels: [
      {
        id: 'variance',
        title: t('sharpness.variance'),
        logarithmic: true,
        min: 0.5,
        max: 2000,
        ticks: [1, 10, 100, 1000],
        format: String,
      },
      { id: 'max', title: t('sharpness.largest'), min: 0, max: 1, stepSize: 0.5, format: fixed },
      {
        id: 'gradient',
        title: t('sharpness.gradient'),
        min: 0,
        max: 0.4,
        stepSize: 0.2,
        format: fixed,
      },
    ],
    series: [
      // The first is drawn last, above the others.
      lessonPoints('variance', true),
      ...ofScalings('variance', false).slice(0, 2),
      { label: t('sharpness.theory'), panel: 'variance', colour: 'rule', width: 6 },
      lessonPoints('max', false),
      ...ofScalings('max', true),
      ...ofScalings('gradient', false),
    ],
    references: [
      { panel: 'max', y: EQUAL.largest, label: t('sharpness.equal') },
      { panel: 'gradient', y: EQUAL.gradient, label: '' },
    ],
  };
}

if (!customElements.get('attn-sharpness')) customElements.define('attn-sharpness', AttnSharpness);
