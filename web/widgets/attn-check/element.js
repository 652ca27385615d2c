import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { t } from '../../i18n/index.js';
import { causal_output, lines, output, torch } from '../../sources/recorded/attention_check.js';
import { FigureElement } from '../figure-element.js';
import { departures } from '../figure-settings.js';
import { writeFixed, writeSize, writeSmall } from '../numbers.js';
import { showLines } from '../printed-lines.js';
import {
  checkLines,
  columnLabels,
  computeByHand,
  largestSize,
  readOut,
  roundRange,
  scaleOf,
} from './model.js';
import { writeSteps } from './steps.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Cell, HeatMapOptions, RowMark } from '../../charts/heatmap.js' */
/** @import { Tensor } from '../../engine/protocol.js' */
/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */
/** @import { Attention } from './model.js' */

/**
 * @typedef {{seed: number, n: number, d: number, causal: boolean, scaled: boolean,
 *   inverse_temperature: number, row: number, column: number}} Settings
 */

/**
 * Attention without and with the causal mask; `scores` are those before the temperature.
 *
 * @typedef {object} Result
 * @property {Tensor} query
 * @property {Tensor} key
 * @property {Tensor} value
 * @property {Tensor} dots every q·k
 * @property {Attention} full
 * @property {Attention} causal
 */

/** @type {Record<'query' | 'key' | 'value' | 'scores' | 'weights' | 'output', MessageKey>} */
const CAPTIONS = {
  query: 'check.query',
  key: 'check.key',
  value: 'check.value',
  scores: 'check.scores',
  weights: 'check.weights',
  output: 'check.output',
};

/** The lines of attention_check.py before its statistics. */
const LESSON_LINES = lines.slice(0, 8);

/**
 * The lesson's check of attention: query, key and value of a seed, their scores, weights and output,
 * the computation of a chosen weight by hand, and the lines the lesson prints.
 *
 *     <attn-check></attn-check>
 *     <attn-check seed="7" n="8" d="32" causal="false" inverse-temperature="4"></attn-check>
 *
 * Attributes: `seed`, `n` positions of `d` components; `causal` mask; `scaled` by 1/√d;
 * `inverse-temperature`, a further factor of the scores; `row` and `column` of the weight that is
 * computed by hand. Without them the lesson's.
 *
 * Events: those of FigureElement; `detail` adds `same` and `same_causal`, whether the outputs agree
 * with the reference (PyTorch's results for the lesson's settings, plain loops for others), and
 * `weight`, the chosen one.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnCheck extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'check.title',
    look: 'check.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/ops/attention.c?functions=attention_forward'),
      () => import('../../sources/ops/softmax.c?functions=softmax_exponentials+softmax_forward'),
      () => import('../../sources/lesson/attention_check.c?functions=attention_check_plain'),
    ],
  };

  /** What each map shows. @type {Map<string, Float32Array>} */
  #mapped = new Map();

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Result>}
   */
  async compute({ seed, n, d, scaled, inverse_temperature }, scope) {
    const { query, key, value } = await scope.request('attention_check', { seed, n, d });
    /** @param {number} scale @param {boolean} causal */
    const attend = (scale, causal) =>
      scope.request('attention', { query, key, value, scale, causal });
    const scale = scaleOf({ d, scaled });
    const [dots, full, causal, fullScores, causalScores] = await Promise.all([
      attend(1, false),
      attend(scale * inverse_temperature, false),
      attend(scale * inverse_temperature, true),
      attend(scale, false),
      attend(scale, true),
    ]);
    return {
      query,
      key,
      value,
      dots: dots.scores,
      full: { ...full, scores: fullScores.scores },
      causal: { ...causal, scores: causalScores.scores },
    };
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  detail(result, settings) {
    const { same, same_causal } = this.#check(result, settings);
    const { n } = settings;
    const { row, column } = cellOf(settings);
    const { weights } = shownOf(result, settings);
    return { same, same_causal, weight: weights.data[row * n + column] };
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, settings) {
    const words = () => {
      const check = this.#check(result, settings);
      this.#drawHand(result, settings);
      this.#drawReadout(result, settings, check.difference);
      this.#drawLines(check.lines);
      this.#drawVerdict(result, settings, check);
    };
    this.drawParts([words, ...this.#maps(result, settings), ...this.#bars(result)]);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #check(result, settings) {
    const recorded = isRecorded(settings) ? { output, causal_output } : null;
    return checkLines(result, recorded, t('check.plain'));
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #maps(result, settings) {
    const { n, d } = settings;
    const { row, column } = cellOf(settings);
    const { query, key, value } = result;
    const { scores, weights, output: out } = shownOf(result, settings);
    const max = roundRange(signedValues(result));
    const scoresMax = roundRange(result.full.scores.data);
    const print = (/** @type {number} */ number) => writeFixed(number, 2);
    const vectors = { columns: d, columnTitle: t('check.component'), signed: true, max };
    const ofQuery = { ...vectors, rowTitle: t('check.i') };
    const ofKey = { ...vectors, rowTitle: t('check.j') };
    const pairs = { columns: n, rowTitle: t('check.i'), columnTitle: t('check.j'), print };
    const ofScores = { ...pairs, signed: true, max: scoresMax };
    return [
      () => this.#map('query', query, ofQuery, { mark: { row, colour: 'query' } }),
      () => this.#map('key', key, ofKey, { mark: { row: column, colour: 'key' } }),
      () => this.#map('scores', scores, ofScores, { selected: { row, column } }),
      () => this.#map('weights', weights, pairs, { selected: { row, column } }),
      () => this.#map('value', value, ofKey, { mark: { row: column, colour: 'value' } }),
      () => this.#map('output', out, ofQuery, { mark: { row, colour: 'query' } }),
    ];
  }

  /**
   * @param {keyof typeof CAPTIONS} name
   * @param {Tensor} tensor
   * @param {Pick<HeatMapOptions, 'columns' | 'rowTitle' | 'columnTitle' | 'signed' | 'max' | 'print'>} options
   * @param {{mark: RowMark} | {selected: Cell}} marks
   */
  #map(name, { shape: [rows, columns], data }, options, marks) {
    const choosing = name === 'scores' || name === 'weights';
    const map = this.chart(name, `${rows} ${columns} ${options.max}`, (theme) => {
      const created = new HeatMap(
        this.find(`.map.${name}`),
        {
          rows,
          rowLabels: Array.from({ length: rows }, (_, i) => String(i)),
          columnLabels: columnLabels(columns),
          positions: false,
          ...options,
        },
        theme,
        choosing ? (cell) => this.#choose(cell) : undefined,
      );
      created.label = t(`check.${name}.map`);
      created.update(data, marks);
      this.#mapped.set(name, data);
      return created;
    });
    this.write(`.${name}-caption`, t(CAPTIONS[name], { rows, columns }));
    if (this.#mapped.get(name) !== data) {
      map.update(data, marks);
      this.#mapped.set(name, data);
    } else if ('mark' in marks) map.markRow(marks.mark);
    else map.select(marks.selected);
  }

  /** @param {Cell | null} cell null: the pointer has left the map */
  #choose(cell) {
    if (cell) {
      this.set('row', cell.row);
      this.set('column', cell.column);
    } else this.redraw();
  }

  /** @param {Result} result */
  #bars(result) {
    const bars = {
      signed: { signed: true, max: roundRange(signedValues(result)) },
      scores: { signed: true, max: roundRange(result.full.scores.data) },
      weights: { max: 1 },
    };
    return Object.entries(bars).map(([name, options]) => () => {
      const bar = this.chart(
        `${name} bar`,
        String(options.max),
        (theme) => new ColourBar(this.find(`.${name}-bar`), theme, options),
      );
      bar.label = t(/** @type {MessageKey} */ (`check.bar.${name}`));
    });
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawHand(result, settings) {
    const cell = cellOf(settings);
    const { query, key, dots } = result;
    const { scores, weights } = shownOf(result, settings);
    const hand = computeByHand(
      { query, key, dots, scores, weights },
      settings.inverse_temperature,
      cell,
    );
    const weight = writeFixed(hand.weights[cell.column], 4);
    const words = { i: cell.row, j: cell.column, weight };
    this.write('.hand-title', t('check.hand', words));
    this.find('.steps ol').replaceChildren(...writeSteps(hand, settings, cell));
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   * @param {number} difference
   */
  #drawReadout(result, settings, difference) {
    const { sum_error, largest, distance } = readOut(shownOf(result, settings), result.value);
    this.write('[data-value=sum]', writeSmall(sum_error));
    this.write('[data-value=largest]', writeFixed(largest, 4));
    this.write('[data-value=distance]', distance === 0 ? '0' : writeFixed(distance, 4));
    this.write('[data-value=difference]', writeSmall(difference));
    this.write(
      '.reference',
      isRecorded(settings) ? t('check.recorded', { torch }) : t('check.loops'),
    );
  }

  /** @param {string[]} own */
  #drawLines(own) {
    showLines(this.find('.own'), own, LESSON_LINES);
    this.write('.printed .lesson', `${LESSON_LINES.join('\n')}\n`);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   * @param {ReturnType<typeof checkLines>} check
   */
  #drawVerdict({ full }, { inverse_temperature }, { same, same_causal, lines: own, difference }) {
    const isLesson = own.join('\n') === LESSON_LINES.join('\n');
    this.find('.verdict').classList.toggle('same', isLesson);
    if (isLesson || (same && same_causal)) {
      this.write('.verdict', t(isLesson ? 'check.same' : 'check.different'));
      return;
    }
    const score = largestSize(full.scores.data) * inverse_temperature;
    const words = { score: writeSize(score), difference: writeSmall(difference) };
    this.write('.verdict', t('check.rounding', words));
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables(result, settings) {
    const { scores, weights, output: out } = shownOf(result, settings);
    const { query, key, value } = result;
    const tensors = { query, key, value, scores, weights, output: out };
    return /** @type {[keyof typeof tensors, Tensor][]} */ (Object.entries(tensors)).map(
      ([name, { shape, data }]) => {
        const [rows, columns] = shape;
        return {
          caption: t(CAPTIONS[name], { rows, columns }),
          columns: [
            t(name === 'key' || name === 'value' ? 'check.j' : 'check.i'),
            ...Array.from({ length: columns }, (_, i) => String(i)),
          ],
          rows: Array.from({ length: rows }, (_, i) => [
            String(i),
            ...Array.from(data.subarray(i * columns, (i + 1) * columns), (number) =>
              writeFixed(number, 6),
            ),
          ]),
        };
      },
    );
  }
}

/** PyTorch's results are recorded for the lesson's settings. @param {Settings} settings */
function isRecorded(settings) {
  return departures(SETTINGS, settings).length === 0;
}

/** @param {Result} result @param {Settings} settings */
function shownOf(result, { causal }) {
  return causal ? result.causal : result.full;
}

/** The chosen weight, within the map. @param {Settings} settings */
function cellOf({ n, row, column }) {
  return { row: Math.min(row, n - 1), column: Math.min(column, n - 1) };
}

/** What shares the colours of query, key and value; an output is a mean of values. @param {Result} result */
function signedValues({ query, key, value }) {
  return [...query.data, ...key.data, ...value.data];
}

if (!customElements.get('attn-check')) customElements.define('attn-check', AttnCheck);
