/** Everything the figure shows of a run: charts, readouts, words. It reads the run and changes nothing in it. */

import { contrast, parseColour } from '../../charts/colour.js';
import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { LineChart } from '../../charts/line-chart.js';
import { readTheme } from '../../charts/theme.js';
import { percentOfMean, reverseJson, reverseLine } from '../../engine/index.js';
import { getLanguage, t } from '../../i18n/index.js';
import { curveRows, DownloadPanel, toCsv } from '../download-panel.js';
import { nextTask, settingName, settingValue, translate } from '../figure.js';
import { togglePanel } from '../figure-foot.js';
import {
  antiDiagonalMean,
  compareWithLesson,
  headMap,
  knobToBlame,
  LESSON_ANTI_DIAGONAL,
  LESSON_LINE,
  LESSON_STEPS,
  meanMap,
  SPEEDS,
  shortNumber,
  strongestKey,
  stuckReason,
  testRows,
} from './model.js';

/** @import { LineChartOptions } from '../../charts/line-chart.js' */
/** @import { Theme } from '../../charts/theme.js' */
/** @import { Cell } from '../../charts/heatmap.js' */
/** @import { Config, ConfigField, Metrics } from '../../engine/protocol.js' */
/** @import { Reading, TrainingHistory } from '../training-history.js' */
/** @import { Downloads } from '../download-panel.js' */
/** @import { TokenProblem } from './model.js' */

/** @typedef {'loading' | 'ready' | 'playing' | 'pausing' | 'paused' | 'done' | 'failed'} Phase */

/** A sequence, what should be answered, and who asked. @typedef {{tokens: number[], targets: number[]}} Question */

/**
 * A session and everything known of it.
 *
 * @typedef {object} Run
 * @property {number} session
 * @property {Config} asked the configuration as the attributes gave it
 * @property {Config} config as the engine took it
 * @property {ConfigField[]} fields those a reader can change
 * @property {number} n_parameters
 * @property {boolean} simd
 * @property {number} n_steps
 * @property {string[]} names the attention maps among its tensors, by layer
 * @property {TrainingHistory} history
 * @property {Question} sample the first test sequence
 * @property {(Question & {reading: Reading, step: number}) | null} own the reader's
 * @property {number | null} viewed the step looked back at; null: the newest
 * @property {number} layer
 * @property {number} rate steps per second
 */

/**
 * What is looked at: the step, and the reading of a question there; of a step whose reading was not kept, the
 * last before it.
 *
 * @typedef {{step: number, question: Question, reading: Reading, readingStep: number}} Seen
 */

/** While training the curves, which cost more than all the rest, are drawn this seldom, ms. */
const CURVES_INTERVAL = 250;

/** Tables of more cells are only made when asked for. */
const MOST_HIDDEN_CELLS = 512;

/** @param {number} n_heads */
function mapLayout(n_heads) {
  return [1, 2, 4, 8, 16].includes(n_heads) ? String(n_heads) : 'many';
}

/** Thrown inside the drawing of a run that is not wanted any more. */
class Outdated extends Error {}

export class ReverseView {
  #root;
  /** @type {Theme} */
  #theme;
  /** @type {{maps: HeatMap[], bar: ColourBar, curves: LineChart, strip: HeatMap} | null} */
  #charts = null;
  /** @type {Run | null} */
  #run = null;
  /** @type {Phase} */
  #phase = 'loading';
  /** When the curves were last drawn, ms. */
  #curvesDrawn = 0;
  /** The weights the data table was made of. @type {unknown} */
  #tabled = null;
  /** @type {TokenProblem | null} */
  #tokenProblem = null;
  /** What the figure says of a run that is stuck; said once. */
  #stuckText = '';
  #downloads;

  /** @param {ShadowRoot} root */
  constructor(root) {
    this.#root = root;
    this.#theme = readTheme(this.part('.maps'));
    this.part('.lesson-line').textContent = LESSON_LINE;
    this.part('.own-line').dataset.room = LESSON_LINE;
    this.#downloads = new DownloadPanel(this.part('.downloads'), this.copyParts);
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  part(selector) {
    return /** @type {HTMLElement} */ (this.#root.querySelector(selector));
  }

  /**
   * @param {string} selector
   * @returns {HTMLInputElement}
   */
  input(selector) {
    return /** @type {HTMLInputElement} */ (this.#root.querySelector(selector));
  }

  /**
   * @param {string} action
   * @returns {HTMLButtonElement}
   */
  button(action) {
    return /** @type {HTMLButtonElement} */ (
      this.#root.querySelector(`button[data-action=${action}]`)
    );
  }

  /**
   * Draws another run from the start, a chart in a task of its own, so that the page can answer in
   * between; resolves to whether it is still this run that is wanted.
   *
   * @param {Run} run
   * @returns {Promise<boolean>}
   */
  async open(run) {
    this.close();
    this.#run = run;
    this.#tabled = null;
    const theme = this.#theme;
    const language = getLanguage();
    const { seq_len, n_heads } = sizesOf(run.config);
    const targets = run.sample.targets.map(String);
    const tokens = run.sample.tokens.map(String);
    const container = this.part('.maps');
    container.dataset.count = mapLayout(n_heads);
    const cells = Array.from({ length: n_heads }, (_, head) => {
      const cell = document.createElement('div');
      if (n_heads > 1) {
        cell.className = 'head';
        const caption = document.createElement('p');
        caption.className = 'caption';
        caption.dataset.head = String(head);
        cell.append(caption);
      }
      const map = document.createElement('div');
      map.className = 'map';
      map.tabIndex = 0;
      map.setAttribute('role', 'application');
      map.setAttribute('data-i18n-label', 'reverse.map.name');
      cell.append(map);
      return cell;
    });
    container.replaceChildren(...cells);
    const size = { rows: seq_len, columns: seq_len, rowLabels: targets, columnLabels: tokens };
    /** @type {{destroy: () => void}[]} */
    const created = [];
    /** @template {{destroy: () => void}} C @param {() => C} create */
    const inTask = async (create) => {
      await nextTask();
      if (this.#run !== run) throw new Outdated();
      const chart = create();
      created.push(chart);
      return chart;
    };
    // Drawn each in its task, still empty: the numbers come to all of them at once.
    /** @param {ConstructorParameters<typeof HeatMap>} parameters */
    const mapInTask = (...parameters) =>
      inTask(() => {
        const map = new HeatMap(...parameters);
        map.update([]);
        return map;
      });
    try {
      const maps = [];
      for (const [head, cell] of cells.entries()) {
        const place = /** @type {HTMLElement} */ (cell.querySelector('.map'));
        maps.push(
          await mapInTask(place, { ...size, ...this.#mapWords() }, theme, (selected) =>
            this.#onSelect(head, selected),
          ),
        );
      }
      const bar = await inTask(() => new ColourBar(this.part('.bar'), theme));
      const curves = await inTask(() => {
        const chart = new LineChart(this.part('.curves'), this.#curveOptions(), theme);
        chart.update(this.#points());
        return chart;
      });
      const strip = await mapInTask(
        this.part('.strip'),
        {
          rows: 1,
          columns: seq_len,
          columnLabels: Array.from({ length: seq_len }, (_, i) => String(i)),
          positions: false,
          print: (share) => (share * 100).toFixed(0),
        },
        theme,
      );
      await nextTask();
      if (this.#run !== run) throw new Outdated();
      this.#charts = { maps, bar, curves, strip };
    } catch (error) {
      for (const chart of created) chart.destroy();
      if (error instanceof Outdated) return false;
      throw error;
    }
    // Charts made first may show colours and words that have changed since.
    if (this.#theme !== theme) this.readTheme();
    if (getLanguage() === language) {
      this.#translateWords();
      this.draw(this.#phase);
    } else {
      this.translate();
    }
    return true;
  }

  close() {
    this.#run = null;
    if (!this.#charts) return;
    const { maps, bar, curves, strip } = this.#charts;
    for (const chart of [...maps, bar, curves, strip]) chart.destroy();
    this.#charts = null;
  }

  /** Puts every word into the language that is set and draws. */
  translate() {
    this.#translateWords();
    if (this.#run && this.#charts) {
      const { maps, curves } = this.#charts;
      for (const map of maps) map.configure(this.#mapWords());
      curves.configure(this.#curveOptions(), this.#theme, this.#points());
      this.#tabled = null;
    }
    this.draw(this.#phase, true);
  }

  /** Every word outside the charts. */
  #translateWords() {
    translate(this.#root);
    this.part('.figure').lang = getLanguage();
    this.#translateSpeeds();
    for (const caption of this.#root.querySelectorAll('[data-head]')) {
      const head = Number(caption.getAttribute('data-head')) + 1;
      caption.textContent = t('reverse.head', { head });
    }
    this.#translateTask();
    this.#translateBar();
    this.showTokenProblem(this.#tokenProblem);
  }

  readTheme() {
    this.#theme = readTheme(this.part('.maps'));
    this.#translateBar();
    if (!this.#charts) return;
    const { maps, bar, curves, strip } = this.#charts;
    for (const chart of [...maps, strip, bar]) chart.setTheme(this.#theme);
    curves.configure(this.#curveOptions(), this.#theme, this.#points());
  }

  resize() {
    if (!this.#charts) return;
    const { maps, bar, curves, strip } = this.#charts;
    for (const chart of [...maps, bar, curves, strip]) chart.resize();
  }

  /** Whether there is a run to be seen. */
  get isOpen() {
    return this.#charts !== null;
  }

  /**
   * Says what is wrong with the reader's digits, or that nothing is.
   *
   * @param {TokenProblem | null} problem
   */
  showTokenProblem(problem) {
    this.#tokenProblem = problem;
    this.part('#tokens-problem').textContent = problem ? tokenProblemText(problem) : '';
  }

  /** Reads something out. @param {string} text */
  say(text) {
    this.part('[data-live]').textContent = text;
  }

  /** The speed that is set. @param {string} speed */
  showSpeed(speed) {
    const select = /** @type {HTMLSelectElement} */ (this.part('[name=speed]'));
    if (select.value !== speed) select.value = speed;
  }

  /**
   * The run as it stands.
   *
   * @param {Phase} phase
   * @param {boolean} [isWhole] with what is only read out, which takes time: not while training
   */
  draw(phase, isWhole = phase !== 'playing') {
    this.#phase = phase;
    this.#drawButtons();
    const run = this.#run;
    if (!run || !this.#charts) return;
    const seen = this.#seen(run);
    const note = this.part('.note');
    note.hidden = run.simd;
    note.textContent = run.simd ? '' : t('figure.no_simd');
    this.#drawLayers(run);
    this.#drawProgress(run);
    this.#drawCharts(run, seen);
    this.#drawReadout(run, seen);
    if (isWhole) this.#describeCharts(run, seen);
    this.#drawComparison(run, seen.step);
    this.#drawAnswer(run);
    this.#drawStuck(run);
    if (!this.part('.downloads').hidden) this.#downloads.show(this.#filesOf(run, seen));
    if (isWhole) this.#drawTable(run, seen);
  }

  /**
   * @param {Run} run
   * @returns {Seen}
   */
  #seen(run) {
    const step = run.viewed ?? run.history.step;
    if (run.own && run.viewed === null) {
      return { step, question: run.own, reading: run.own.reading, readingStep: run.own.step };
    }
    const kept = run.history.readingAt(step);
    return {
      step,
      question: run.sample,
      reading: kept?.reading ?? { weights: [], predicted: [] },
      readingStep: kept?.step ?? 0,
    };
  }

  #drawButtons() {
    const phase = this.#phase;
    const run = this.#run;
    const train = this.button('train');
    const words = {
      loading: t('reverse.loading'),
      ready: t('reverse.train'),
      playing: t('reverse.pause'),
      pausing: t('reverse.pause'),
      paused: t('reverse.continue'),
      done: t('reverse.again'),
      failed: t('reverse.train'),
    };
    train.textContent = words[phase];
    // A button that the reader may just have pressed keeps the focus: it is never disabled by its own work.
    const idle = !run || phase === 'failed' || phase === 'loading';
    train.disabled = idle;
    this.button('reset').disabled = idle;
    this.button('step').disabled = idle || phase === 'playing' || phase === 'done';
    this.button('lesson').disabled = phase === 'loading';
    const ask = /** @type {HTMLButtonElement} */ (this.part('.ask [type=submit]'));
    ask.disabled = !run || phase === 'failed';
  }

  /** Several layers: a choice of whose map is shown. @param {Run} run */
  #drawLayers({ names, layer }) {
    const select = /** @type {HTMLSelectElement} */ (this.part('.layer'));
    select.hidden = names.length < 2;
    const words = names.map((_, index) => t('reverse.layer', { layer: index + 1 }));
    if ([...select.options].map(({ text }) => text).join() !== words.join()) {
      select.replaceChildren(...words.map((text, index) => new Option(text, String(index))));
    }
    select.value = String(layer);
  }

  /** @param {Run} run */
  #drawProgress({ history, n_steps, viewed, rate }) {
    const { step } = history;
    const progress = /** @type {HTMLProgressElement} */ (this.part('progress'));
    progress.max = n_steps;
    progress.value = step;
    const slider = this.input('.scrub input');
    slider.max = String(n_steps);
    slider.disabled = step === 0;
    const shown = String(viewed ?? step);
    if (slider.value !== shown) slider.value = shown;
    slider.setAttribute('aria-valuetext', t('reverse.scrub.text', { step: shown }));
    this.part('.progress output').textContent =
      viewed === null
        ? t('reverse.steps', { step, n_steps })
        : t('reverse.steps.past', { viewed, step, n_steps });
    this.part('.rate').textContent =
      rate > 0 ? t('reverse.rate', { rate: rate < 10 ? rate.toFixed(1) : Math.round(rate) }) : '';
  }

  /**
   * @param {Run} run
   * @param {Seen} seen
   */
  #drawCharts(run, { step, question, reading, readingStep }) {
    if (!this.#charts) return;
    const { maps, curves, strip } = this.#charts;
    const { seq_len } = sizesOf(run.config);
    const weights = reading.weights[run.layer];
    const key = question === run.sample ? 'reverse.map' : 'reverse.map.own';
    this.part('.map-caption').textContent = t(key, { step: readingStep });
    if (weights) {
      for (const [head, map] of maps.entries()) map.update(headMap(weights, head, seq_len));
    }
    this.#relabel(question);
    const now = performance.now();
    if (this.#phase !== 'playing' || now - this.#curvesDrawn >= CURVES_INTERVAL) {
      this.#curvesDrawn = now;
      curves.setCursor(run.viewed);
      curves.update(this.#points());
    }
    const evaluation = run.history.evaluationAt(step);
    if (evaluation) {
      strip.update(evaluation.position_digits.map((right) => right / evaluation.n_sequences));
    }
    const selected = maps.findIndex((map) => map.selected);
    this.#drawCell(Math.max(0, selected), maps[selected]?.selected ?? null);
  }

  /** The digits along the axes, where they are not those there already. @param {Question} question */
  #relabel({ tokens, targets }) {
    for (const map of this.#charts?.maps ?? []) {
      const columnLabels = tokens.map(String);
      if (map.columnLabels.join() === columnLabels.join()) continue;
      map.configure({ columnLabels, rowLabels: targets.map(String) });
    }
  }

  /**
   * @param {Run} run
   * @param {Seen} seen
   */
  #drawReadout({ config, history, layer }, { step, reading }) {
    const evaluation = history.evaluationAt(step);
    const weights = reading.weights[layer];
    const mean = weights ? antiDiagonalMean(weights, sizesOf(config).seq_len) : Number.NaN;
    const values = {
      loss: writeLoss(history.lossAt(step)),
      digits: writeShare(evaluation, 'digits'),
      sequences: writeShare(evaluation, 'sequences'),
      anti_diagonal: mean.toFixed(2),
    };
    for (const [name, value] of Object.entries(values)) {
      this.part(`[data-value=${name}]`).textContent = value;
    }
    this.part('.readout small').textContent = t('reverse.lesson.value', {
      value: LESSON_ANTI_DIAGONAL,
    });
    this.part('.tested').textContent = t('reverse.tested', {
      step: evaluation?.step ?? 0,
      n: evaluation?.n_sequences ?? 0,
    });
  }

  /**
   * What the charts show, for those who listen instead of looking.
   *
   * @param {Run} run
   * @param {Seen} seen
   */
  #describeCharts({ config, history, layer }, { step, reading }) {
    if (!this.#charts) return;
    const { maps, curves, strip } = this.#charts;
    const evaluation = history.evaluationAt(step);
    const weights = reading.weights[layer];
    const n = sizesOf(config).seq_len;
    for (const [head, map] of maps.entries()) {
      const ofHead = weights ? antiDiagonalMean(headMap(weights, head, n), n) : Number.NaN;
      const label = t('reverse.map.label', { n, mean: ofHead.toFixed(2) });
      map.label = maps.length > 1 ? t('reverse.head.text', { head: head + 1, text: label }) : label;
    }
    curves.label = t('reverse.curves', {
      step,
      loss: writeLoss(history.lossAt(step)),
      digits: writeShare(evaluation, 'digits'),
      sequences: writeShare(evaluation, 'sequences'),
    });
    strip.label = t('reverse.strip.label', {
      list: (evaluation?.position_digits ?? [])
        .map((right) => percentOfMean(right, evaluation?.n_sequences ?? 1))
        .join(' '),
    });
  }

  /**
   * @param {Run} run
   * @param {number} step
   */
  #drawComparison({ fields, config, history, n_parameters }, step) {
    const evaluation = history.evaluationAt(step);
    if (!evaluation) return;
    const line = reverseLine('Transformer', n_parameters, evaluation);
    this.part('.own-line').textContent = line;
    const { equal, reasons } = compareWithLesson({ line, step: evaluation.step, fields, config });
    const same = equal && reasons.length === 0;
    const words = reasons.map((reason) => {
      if (reason.kind === 'untrained')
        return t('reverse.reason.untrained', { lesson: LESSON_STEPS });
      if (reason.kind === 'steps') {
        return t('reverse.reason.steps', { step: reason.step, lesson: LESSON_STEPS });
      }
      return t('reverse.reason.setting', {
        name: settingName(reason.name),
        value: writeValue(reason.name, reason.value),
        lesson: writeValue(reason.name, reason.lesson),
      });
    });
    const because = { reasons: words.join(t('reverse.reason.join')) };
    const verdict = this.part('.verdict');
    verdict.classList.toggle('same', same);
    if (same) verdict.textContent = t('reverse.same');
    else if (equal) verdict.textContent = t('reverse.equal_but', because);
    else if (reasons.length > 0) verdict.textContent = t('reverse.different', because);
    else verdict.textContent = t('reverse.unexplained');
  }

  /** The answer to the reader's question. @param {Run} run */
  #drawAnswer({ own }) {
    this.part('.answer').hidden = own === null;
    if (!own) return;
    const { tokens, targets, step } = own;
    const { predicted } = own.reading;
    const right = targets.filter((target, i) => predicted[i] === target).length;
    const table = document.createElement('table');
    const caption = table.createCaption();
    caption.className = 'caption';
    caption.textContent = t('reverse.answer.caption', { step, right, n: targets.length });
    addRow(table, t('reverse.answer.input'), tokens);
    addRow(table, t('reverse.answer.target'), targets);
    const cells = addRow(table, t('reverse.answer.output'), predicted);
    for (const [i, cell] of cells.entries()) {
      const isRight = predicted[i] === targets[i];
      cell.className = isRight ? 'right' : 'wrong';
      const mark = document.createElement('span');
      mark.setAttribute('role', 'img');
      mark.setAttribute('aria-label', t(isRight ? 'reverse.answer.right' : 'reverse.answer.wrong'));
      mark.textContent = isRight ? '✓' : '✗';
      cell.append(mark);
    }
    this.part('.answer-table').replaceChildren(table);
  }

  /** @param {Run} run */
  #drawStuck({ config, fields, history }) {
    const weights = history.readingAt(history.step)?.reading.weights ?? [];
    const reason = weights
      .map((layer) => stuckReason({ ...history, weights: layer, config }))
      .find((found) => found !== null);
    const knob = reason && knobToBlame(fields, config);
    const words = {
      'no-number': t('reverse.stuck.no_number'),
      'one-hot': t('reverse.stuck.one_hot'),
    };
    const names = knob && {
      name: settingName(knob.field.name),
      value: writeValue(knob.field.name, knob.value),
      lesson: writeValue(knob.field.name, knob.lesson),
    };
    const advice = names ? t('reverse.stuck.knob', names) : t('reverse.stuck.none');
    const text = reason ? t('reverse.stuck.text', { what: words[reason], advice }) : '';
    if (text === this.#stuckText) return;
    this.#stuckText = text;
    if (text === '') {
      this.part('.stuck').replaceChildren();
      return;
    }
    const message = createMessage(text);
    if (knob && names) {
      const button = document.createElement('button');
      button.type = 'button';
      button.dataset.action = 'turn-back';
      button.dataset.field = knob.field.name;
      button.textContent = t('reverse.stuck.turn', names);
      message.append(button);
    }
    this.part('.stuck').replaceChildren(message);
  }

  /**
   * @param {Run} run
   * @param {Seen} seen
   */
  #drawTable({ config, layer }, { question, reading }) {
    const { seq_len, n_heads } = sizesOf(config);
    const data = this.part('.data');
    const weights = reading.weights[layer];
    const hidden = data.classList.contains('visually-hidden');
    if (!weights || this.#tabled === weights) return;
    if (hidden && n_heads * seq_len ** 2 > MOST_HIDDEN_CELLS) {
      data.replaceChildren();
      return;
    }
    this.#tabled = weights;
    const tables = Array.from({ length: n_heads }, (_, head) => {
      const map = headMap(weights, head, seq_len);
      const table = document.createElement('table');
      table.createCaption().textContent =
        n_heads > 1
          ? t('reverse.table.caption.head', { head: head + 1 })
          : t('reverse.table.caption');
      const names = (/** @type {number[]} */ tokens, /** @type {string} */ letter) =>
        tokens.map((token, position) => t('reverse.table.position', { letter, position, token }));
      const header = table.createTHead().insertRow();
      header.append(document.createElement('td'), ...names(question.tokens, 'j').map(createHeader));
      const body = table.createTBody();
      for (const [i, name] of names(question.targets, 'i').entries()) {
        const row = body.insertRow();
        const th = createHeader(name);
        th.scope = 'row';
        row.append(th);
        for (let j = 0; j < seq_len; j++) {
          row.insertCell().textContent = map[i * seq_len + j].toFixed(3);
        }
      }
      return table;
    });
    data.replaceChildren(...tables);
  }

  /** Shows the data table to everybody, or only to screen readers again. */
  toggleTable() {
    const data = this.part('.data');
    const hidden = data.classList.toggle('visually-hidden');
    data.tabIndex = hidden ? -1 : 0;
    this.button('table').setAttribute('aria-expanded', String(!hidden));
    this.#tabled = null;
    this.draw(this.#phase);
  }

  /** Where the foot says what was copied, or offers it. */
  get copyParts() {
    return {
      status: this.part('.copied'),
      field: /** @type {HTMLTextAreaElement} */ (this.part('.link')),
    };
  }

  toggleDownloads() {
    if (togglePanel(this.button('download'), this.part('.downloads'))) this.draw(this.#phase);
  }

  /**
   * The run as files, and its tests as a table.
   *
   * @param {Run} run
   * @param {Seen} seen
   * @returns {Downloads}
   */
  #filesOf({ config, history, layer }, { question, reading }) {
    const { seq_len } = sizesOf(config);
    const { loss, digits, sequences, testDigits, testSequences } = history;
    const { maps = [], curves, strip } = this.#charts ?? {};
    const pictures = [
      ...maps.map((chart, head) => ({
        chart,
        name: maps.length > 1 ? `attention-head-${head + 1}` : 'attention',
        title: maps.length > 1 ? t('reverse.head', { head: head + 1 }) : t('reverse.map.name'),
      })),
      { chart: curves, name: 'curves', title: t('reverse.download.curves') },
      { chart: strip, name: 'positions', title: t('reverse.strip') },
    ];
    return {
      table: {
        caption: t('figure.download.table'),
        columns: [
          t('reverse.x'),
          t('reverse.loss'),
          t('reverse.digits'),
          t('reverse.sequences'),
          t('reverse.anti_diagonal'),
        ],
        rows: testRows(history, seq_len),
      },
      files: [
        {
          name: 'reverse_seq.json',
          label: t('figure.download.json'),
          content: () => reverseJson(meanMap(reading.weights[layer], seq_len), question.tokens),
        },
        {
          name: 'training.csv',
          label: t('figure.download.csv'),
          content: () =>
            toCsv(
              curveRows('step', [
                { name: 'loss', points: loss },
                { name: 'digits', points: digits },
                { name: 'sequences', points: sequences },
                { name: 'test_digits', points: testDigits },
                { name: 'test_sequences', points: testSequences },
              ]),
            ),
        },
        ...pictures.flatMap(({ chart, name, title }) =>
          chart
            ? [
                {
                  name: `${name}.png`,
                  label: t('figure.download.png', { name: title }),
                  content: () => chart.picture(),
                },
              ]
            : [],
        ),
      ],
    };
  }

  /**
   * @param {number} head
   * @param {Cell | null} cell
   */
  #onSelect(head, cell) {
    for (const [other, map] of (this.#charts?.maps ?? []).entries()) {
      if (other !== head && map.selected) map.select(null);
    }
    this.#drawCell(head, cell);
    // While training the value moves on; then it is read once, when chosen.
    if (cell) this.say(this.part('.cell').textContent ?? '');
  }

  /**
   * @param {number} head
   * @param {Cell | null} cell
   */
  #drawCell(head, cell) {
    const run = this.#run;
    const weights = run && this.#seen(run).reading.weights[run.layer];
    if (!run || !cell || !weights) {
      this.part('.cell').textContent = t('reverse.cell.hint');
      return;
    }
    const { seq_len, n_heads } = sizesOf(run.config);
    const map = headMap(weights, head, seq_len);
    const { row, column } = cell;
    const isMost = strongestKey(map, row, seq_len).column === column;
    const weight = map[row * seq_len + column].toFixed(2);
    const text = t(isMost ? 'reverse.cell.most' : 'reverse.cell', { row, column, weight });
    this.part('.cell').textContent =
      n_heads > 1 ? t('reverse.head.text', { head: head + 1, text }) : text;
  }

  #points() {
    const history = this.#run?.history;
    if (!history) return [];
    const { loss, digits, sequences, testDigits, testSequences } = history;
    return [loss, digits, sequences, testDigits, testSequences];
  }

  #mapWords() {
    if (this.#run && sizesOf(this.#run.config).n_heads > 1) return { positions: false };
    return { rowTitle: t('reverse.row'), columnTitle: t('reverse.column') };
  }

  /** Which end of the colours is much: the one further from the ground. */
  #translateBar() {
    const { bg, text } = this.#theme;
    const white = parseColour('#ffffff');
    const isDark = contrast(parseColour(bg), white) > contrast(parseColour(text), white);
    const title = t(isDark ? 'reverse.bar.light' : 'reverse.bar.dark');
    this.part('.bar-title').textContent = title;
    if (this.#charts) this.#charts.bar.label = title;
  }

  /** @returns {LineChartOptions} */
  #curveOptions() {
    return {
      xTitle: t('reverse.x'),
      xMax: this.#run?.n_steps ?? LESSON_STEPS,
      panels: [
        {
          id: 'loss',
          title: t('reverse.loss'),
          min: 0,
          suggestedMax: 2.5,
          format: (loss) => shortNumber(loss),
        },
        {
          id: 'accuracy',
          title: t('reverse.accuracy'),
          min: 0,
          max: 1,
          stepSize: 0.5,
          format: (share) => `${Math.round(share * 100)}%`,
        },
      ],
      series: [
        { label: t('reverse.loss'), panel: 'loss', colour: 'query', legend: false },
        { label: t('reverse.digits'), panel: 'accuracy', colour: 'query' },
        { label: t('reverse.sequences'), panel: 'accuracy', colour: 'query', dash: [5, 3] },
        {
          label: t('reverse.digits'),
          panel: 'accuracy',
          colour: 'query',
          marker: 'circle',
          legend: false,
        },
        {
          label: t('reverse.sequences'),
          panel: 'accuracy',
          colour: 'query',
          marker: 'rectRot',
          legend: false,
        },
      ],
    };
  }

  #translateSpeeds() {
    const select = /** @type {HTMLSelectElement} */ (this.part('[name=speed]'));
    const { value } = select;
    select.replaceChildren(
      ...SPEEDS.map(
        (speed) =>
          new Option(
            speed === 'full' ? t('reverse.speed.full') : t('reverse.speed.some', { rate: speed }),
            speed,
          ),
      ),
    );
    select.value = value || SPEEDS[0];
  }

  /** Title, 看什麼 and the reader's question say which task it is. */
  #translateTask() {
    const { task, seq_len, vocab_size } = this.#run
      ? sizesOf(this.#run.config)
      : { task: 'reverse', seq_len: 10, vocab_size: 10 };
    // Without positions, or where half of the inputs are hidden, there is no anti-diagonal to come.
    const { causal = false, positions = true } = this.#run?.config ?? {};
    const isSeen = task === 'reverse' && positions && !causal;
    /** @type {Record<string, string>} */
    const tasks = {
      reverse: t('reverse.title.reverse'),
      copy: t('reverse.title.copy'),
      sort: t('reverse.title.sort'),
      shift: t('reverse.title.shift'),
      next_token: t('reverse.title.next_token'),
    };
    this.part('h3').textContent = t('reverse.title', { task: tasks[task] ?? task });
    this.part('.look').textContent = isSeen
      ? t('reverse.look', { last: seq_len - 1 })
      : t('reverse.look.other');
    this.part('.ask label').textContent = t('reverse.ask.label');
    this.input('#tokens').placeholder = t(
      vocab_size <= 10 ? 'reverse.ask.hint' : 'reverse.ask.hint.apart',
      { n: seq_len, last: vocab_size - 1 },
    );
  }
}

/** @param {Config} config */
export function sizesOf({ task, seq_len, vocab_size, n_heads }) {
  return {
    task: String(task),
    seq_len: Number(seq_len),
    vocab_size: Number(vocab_size),
    n_heads: Number(n_heads),
  };
}

/**
 * @param {string} name of a field
 * @param {number | string | boolean} value
 */
function writeValue(name, value) {
  return typeof value === 'number' ? shortNumber(value) : settingValue(name, value);
}

/** @param {number | undefined} loss step 0 has none */
function writeLoss(loss) {
  return loss?.toFixed(4) ?? '–';
}

/**
 * @param {Metrics | undefined} evaluation
 * @param {'digits' | 'sequences'} what
 */
function writeShare(evaluation, what) {
  return evaluation ? percentOfMean(evaluation[what], evaluation[`n_${what}`]) : '–';
}

/**
 * A message beside the figure's other parts.
 *
 * @param {string} text
 * @returns {HTMLElement}
 */
export function createMessage(text) {
  const message = document.createElement('div');
  message.className = 'message bad';
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  message.append(paragraph);
  return message;
}

/** @param {string} text */
function createHeader(text) {
  const header = document.createElement('th');
  header.scope = 'col';
  header.textContent = text;
  return header;
}

/**
 * @param {HTMLTableElement} table
 * @param {string} name
 * @param {number[]} values
 * @returns {HTMLTableCellElement[]}
 */
function addRow(table, name, values) {
  const row = table.insertRow();
  const header = createHeader(name);
  header.scope = 'row';
  row.append(header);
  return values.map((value) => {
    const cell = row.insertCell();
    cell.textContent = String(value);
    return cell;
  });
}

/**
 * @param {TokenProblem} problem
 * @returns {string}
 */
function tokenProblemText(problem) {
  if (problem.problem === 'none') return t('reverse.tokens.none');
  if (problem.problem === 'characters') return t('reverse.tokens.characters', problem);
  if (problem.problem === 'range') return t('reverse.tokens.range', problem);
  return t(problem.problem === 'few' ? 'reverse.tokens.few' : 'reverse.tokens.many', problem);
}
