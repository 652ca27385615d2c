import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { t } from '../../i18n/index.js';
import { prefersReducedMotion } from '../figure.js';
import { FigureElement } from '../figure-element.js';
import { writeNumber } from '../figure-settings.js';
import { writeFixed, writeSmall } from '../numbers.js';
import { Player } from '../player.js';
import { Hands } from './hands.js';
import {
  D_MODEL,
  frequencies,
  largestError,
  MAP_LEN,
  N_PAIRS,
  rotate,
  SEQ_LEN,
  whereRowsLook,
  writeOffset,
} from './model.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Cell } from '../../charts/heatmap.js' */
/** @import { Tensor } from '../../engine/protocol.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */
/** @import { Table } from '../figure-table.js' */

/** @typedef {{p: number, k: number, sharpness: number}} Settings */

/** @typedef {'matrix' | 'map'} MapName */

/**
 * @typedef {object} Result
 * @property {number} k that the matrix turns by
 * @property {Tensor} positions (48, 32)
 * @property {Tensor} matrix (32, 32)
 * @property {Tensor} weights (10, 10)
 * @property {number} error largest difference between R_k PE(p) and PE(p + k)
 * @property {ReturnType<typeof whereRowsLook>} looks
 */

/** Positions a second while playing. */
const SPEED = 2;

/**
 * Sinusoidal positions as hands on circles, the one matrix that turns each of them from PE(p) to
 * PE(p + k), and the attention map that follows when W_Q is that matrix.
 *
 *     <attn-rotation></attn-rotation>
 *     <attn-rotation p="12" k="3" sharpness="10"></attn-rotation>
 *
 * Attributes: `p`, the position that is turned; `k`, by how many positions; `sharpness`, the factor
 * of W_Q.
 *
 * Events: those of FigureElement; `detail` adds `error`, the largest difference between R_k PE(p)
 * and PE(p + k), and `hits` of `n`, how many rows look most at position i + k.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnRotation extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'rotation.title',
    look: 'rotation.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () => import('../../sources/lesson/rotation.c?functions=rotation_matrix+rotation_map'),
    ],
  };

  /** @type {Hands | null} */
  #hands = null;
  #player = new Player((seconds) => this.#advance(seconds));
  /** How far the played p has come to the next position, 0 … 1. */
  #progress = 0;
  /** The cell the reader points at, and of which map. @type {{map: MapName, cell: Cell} | null} */
  #pointed = null;

  build() {
    this.#hands = new Hands(this.find('.hands'), N_PAIRS);
  }

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   * @returns {Promise<Result>}
   */
  async compute({ k, sharpness }, scope) {
    const [positions, matrix, weights] = await Promise.all([
      scope.request('positional', { seq_len: SEQ_LEN, d_model: D_MODEL }),
      scope.request('rotation_matrix', { d_model: D_MODEL, k }),
      scope.request('rotation_map', { seq_len: MAP_LEN, d_model: D_MODEL, k, sharpness }),
    ]).catch((error) => {
      // It plays on while other numbers come, but where they fail every p would ask for them again.
      if (!scope.ended) this.#pause();
      throw error;
    });
    return {
      k,
      positions,
      matrix,
      weights,
      error: largestError(matrix, positions, k),
      looks: whereRowsLook(weights, k),
    };
  }

  /** @param {Result} result */
  detail({ error, looks: { hits, n } }) {
    return { error, hits, n };
  }

  /** @param {string} action */
  act(action) {
    if (action !== 'play') return;
    if (this.#player.playing) this.#pause();
    else this.#player.play();
    this.redraw();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#pause();
  }

  #pause() {
    this.#player.pause();
    this.#progress = 0;
  }

  /** @param {number} seconds */
  #advance(seconds) {
    if (!this.inView) return;
    this.#progress += seconds * SPEED;
    const steps = Math.floor(this.#progress);
    this.#progress -= steps;
    if (steps > 0) this.set('p', (this.settings.p + steps) % SEQ_LEN);
    else if (!prefersReducedMotion()) this.#drawHands();
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, { sharpness }) {
    this.write('[data-action=play]', t(this.#player.playing ? 'rotation.pause' : 'rotation.play'));
    const { error, k, looks } = result;
    this.write('.cell', this.#cellText(result));
    this.write('[data-value=error]', writeSmall(error));
    this.write('.hits-name', t('rotation.hits', { offset: writeOffset(k) }));
    // Where all weights are equal the greatest of them says nothing.
    const hits = sharpness === 0 ? '–' : t('rotation.hits.value', { hits: looks.hits, n: looks.n });
    this.write('[data-value=hits]', hits);
    this.write('.outside', this.#outsideText(result, sharpness));
    this.write('.matrix-caption', t('rotation.matrix', { k: writeNumber(k) }));
    this.write('.offset', writeNumber(k));
    this.#drawHands();
    this.drawParts([
      () => this.#drawMap(result, sharpness),
      () => this.#drawMatrix(result),
      () => this.#drawBars(),
    ]);
  }

  /** Between two positions the hands go on turning; nothing else of the figure does. */
  #drawHands() {
    const { result } = this;
    if (!result) return;
    const { k, positions, matrix } = result;
    const { p } = this.settings;
    const smooth = prefersReducedMotion() ? 0 : this.#progress;
    this.#hands?.draw({
      p: p + smooth,
      k,
      frequencies: frequencies(positions),
      turned: smooth === 0 ? rotate(matrix, positions, p) : null,
    });
  }

  /** @param {Result} result */
  #drawMatrix({ k, matrix }) {
    const map = this.chart(
      'matrix',
      '',
      (theme) =>
        new HeatMap(
          this.find('.matrix'),
          {
            rows: D_MODEL,
            columns: D_MODEL,
            rowLabels: numbers(D_MODEL),
            columnLabels: numbers(D_MODEL),
            positions: false,
            signed: true,
          },
          theme,
          (cell) => this.#point('matrix', cell),
        ),
    );
    map.label = t('rotation.matrix.label', { k: writeNumber(k) });
    map.update(matrix.data, { selected: this.#selected('matrix') });
  }

  /**
   * @param {Result} result
   * @param {number} sharpness
   */
  #drawMap({ k, weights, looks: { hits, n } }, sharpness) {
    const map = this.chart(
      'map',
      '',
      (theme) =>
        new HeatMap(
          this.find('.map'),
          {
            rows: MAP_LEN,
            columns: MAP_LEN,
            rowLabels: numbers(MAP_LEN),
            columnLabels: numbers(MAP_LEN),
            rowTitle: t('rotation.map.row'),
            columnTitle: t('rotation.map.column'),
            positions: false,
          },
          theme,
          (cell) => this.#point('map', cell),
        ),
    );
    const pointed =
      sharpness === 0
        ? t('rotation.flat', { n: MAP_LEN })
        : t('rotation.pointed', { hits, n, offset: writeOffset(k) });
    const words = { k: writeNumber(k), n: MAP_LEN, sharpness, pointed };
    map.label = t('rotation.map.label', words);
    map.update(weights.data, { selected: this.#selected('map') });
  }

  #drawBars() {
    this.chart(
      'matrix-bar',
      '',
      (theme) => new ColourBar(this.find('.matrix-bar'), theme, { signed: true }),
    ).label = t('rotation.matrix.bar');
    this.chart('map-bar', '', (theme) => new ColourBar(this.find('.map-bar'), theme)).label =
      t('rotation.map.bar');
  }

  /** @param {MapName} map @param {Cell | null} cell */
  #point(map, cell) {
    this.#pointed = cell && { map, cell };
    this.redraw();
    if (cell && this.result) this.say(this.#cellText(this.result));
  }

  /** @param {MapName} map */
  #selected(map) {
    return this.#pointed?.map === map ? this.#pointed.cell : null;
  }

  /** @param {Result} result */
  #cellText({ k, matrix, weights }) {
    if (!this.#pointed) return t('rotation.cell.hint');
    const { map, cell } = this.#pointed;
    const { row, column } = cell;
    if (map === 'map') {
      const value = writeFixed(weights.data[row * MAP_LEN + column], 4);
      return t('rotation.map.cell', { row, column, value });
    }
    const value = writeFixed(matrix.data[row * D_MODEL + column], 4);
    return t('rotation.matrix.cell', { k: writeNumber(k), row, column, value });
  }

  /**
   * Which positions have nothing to look at.
   *
   * @param {Result} result
   * @param {number} sharpness
   */
  #outsideText({ k, looks: { hits, n, outside } }, sharpness) {
    if (sharpness === 0) return t('rotation.flat', { n: MAP_LEN });
    if (outside.length === 0) return hits === n ? t('rotation.outside.none') : '';
    const offset = writeOffset(k);
    const [{ row, column }] = outside;
    // So little sharpness that the weights are rounded to the same number.
    if (column === null) return '';
    if (k === -1) return t('rotation.outside.previous', { column });
    if (outside.length === 1) return t('rotation.outside.one', { row, column, offset });
    const last = outside[outside.length - 1].row;
    return t('rotation.outside.some', { first: row, last, row, column, offset });
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   * @returns {Table[]}
   */
  tables({ k, positions, matrix, weights }, { p }) {
    const turned = rotate(matrix, positions, p);
    const at = (/** @type {number} */ q, /** @type {number} */ i) =>
      q >= 0 && q < SEQ_LEN ? writeFixed(positions.data[q * D_MODEL + i], 4) : '–';
    return [
      {
        caption: t('rotation.table', { p, k: writeNumber(k) }),
        columns: [
          t('rotation.table.pair'),
          ...['PE(p)', 'R(k) PE(p)', 'PE(p+k)'].flatMap((name) => [`sin ${name}`, `cos ${name}`]),
        ],
        rows: Array.from({ length: N_PAIRS }, (_, i) => [
          String(i),
          at(p, 2 * i),
          at(p, 2 * i + 1),
          writeFixed(turned[2 * i], 4),
          writeFixed(turned[2 * i + 1], 4),
          at(p + k, 2 * i),
          at(p + k, 2 * i + 1),
        ]),
      },
      {
        caption: t('rotation.table.weights'),
        columns: ['', ...numbers(MAP_LEN).map((j) => `j${j}`)],
        rows: Array.from({ length: MAP_LEN }, (_, i) => [
          `i${i}`,
          ...Array.from(weights.data.subarray(i * MAP_LEN, (i + 1) * MAP_LEN), (weight) =>
            writeFixed(weight, 4),
          ),
        ]),
      },
    ];
  }
}

/** @param {number} n */
function numbers(n) {
  return Array.from({ length: n }, (_, i) => String(i));
}

if (!customElements.get('attn-rotation')) customElements.define('attn-rotation', AttnRotation);
