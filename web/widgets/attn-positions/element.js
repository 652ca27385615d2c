import { ColourBar } from '../../charts/colour-bar.js';
import { HeatMap } from '../../charts/heatmap.js';
import { LineChart } from '../../charts/line-chart.js';
import { t } from '../../i18n/index.js';
import { FigureElement } from '../figure-element.js';
import { writeNumber } from '../figure-settings.js';
import { writeFixed, writeSmall } from '../numbers.js';
import { Player } from '../player.js';
import {
  allCurves,
  LARGEST_K,
  productCurve,
  SEQ_LEN,
  wave,
  wavelength,
  writeLength,
} from './model.js';
import { CSS, MARKUP, SETTINGS } from './template.js';

/** @import { Cell } from '../../charts/heatmap.js' */
/** @import { Tensor } from '../../engine/protocol.js' */
/** @import { EngineScope } from '../engine-scope.js' */
/** @import { FigureDefinition } from '../figure-element.js' */

/** @typedef {{p: number, dimension: number, d_model: number, base: number}} Settings */
/** @typedef {{positions: Tensor} & ReturnType<typeof allCurves>} Result */

/** Positions a second while playing. */
const SPEED = 6;

/**
 * The lesson's sinusoidal positions as a map, the wave of one dimension, and the products of one
 * position with its neighbours, which depend on their distance only.
 *
 *     <attn-positions></attn-positions>
 *     <attn-positions p="5" dimension="10" d-model="64" base="100"></attn-positions>
 *
 * Attributes: `p`, the position whose products are drawn; `dimension`, whose wave is; `d-model` and
 * `base` of the encoding. Without them the lesson's.
 *
 * Events: those of FigureElement; `detail` adds `spread`, by how much the products of different
 * positions differ, in units of d/2.
 *
 * @extends {FigureElement<Settings, Result>}
 */
export class AttnPositions extends FigureElement {
  /** @type {FigureDefinition} */
  static definition = {
    title: 'positions.title',
    look: 'positions.look',
    markup: MARKUP,
    css: CSS,
    settings: SETTINGS,
    sources: [
      () =>
        import('../../sources/nn/positional.c?functions=positional_frequency+positional_encoding'),
    ],
  };

  /** The cell the reader points at, until p or the dimension moves on. @type {Cell | null} */
  #cell = null;
  /** The cell of p and the dimension as they were last drawn. */
  #drawn = { row: -1, column: -1 };
  #player = new Player((seconds) => this.#advance(seconds));
  /** Where the played p stands between two positions. */
  #progress = 0;

  /**
   * @param {Settings} settings
   * @param {EngineScope} scope
   */
  async compute({ d_model, base }, scope) {
    const positions = await scope.request('positional', { seq_len: SEQ_LEN, d_model, base });
    this.#cell = null;
    return { positions, ...allCurves(positions) };
  }

  /**
   * @param {Result} result
   */
  detail({ spread }) {
    return { spread };
  }

  /** @param {string} action */
  act(action) {
    if (action !== 'play') return;
    if (this.#player.playing) this.#player.pause();
    else this.#player.play();
    this.redraw();
  }

  stop() {
    this.#player.pause();
  }

  /** @param {number} seconds */
  #advance(seconds) {
    if (!this.inView) return;
    this.#progress += seconds * SPEED;
    const steps = Math.floor(this.#progress);
    this.#progress -= steps;
    if (steps > 0) this.set('p', (this.settings.p + steps) % SEQ_LEN);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  draw(result, settings) {
    const { d_model } = settings;
    const dimension = Math.min(settings.dimension, d_model - 1);
    this.bound('dimension', d_model - 1);
    this.write(
      '[data-action=play]',
      t(this.#player.playing ? 'positions.pause' : 'positions.play'),
    );
    this.write('[data-value=spread]', writeSmall(result.spread));
    const greatest = result.mean[LARGEST_K].y.toFixed(4);
    this.write('[data-value=greatest]', t('positions.greatest.value', { value: greatest }));
    if (settings.p !== this.#drawn.row || dimension !== this.#drawn.column) this.#cell = null;
    this.#drawn = { row: settings.p, column: dimension };
    const { row: p, column } = this.#cell ?? this.#drawn;
    const place = { ...settings, p, column };
    this.#writeCell(result, place);
    this.drawParts([
      () => this.#drawCurve(result, settings),
      () => this.#drawMap(result, place),
      () => this.#drawWave(result, place),
      () => this.#drawBar(),
    ]);
  }

  /**
   * @param {Result} result
   * @param {{p: number, column: number, d_model: number, base: number}} place
   */
  #writeCell({ positions }, { p, column, d_model, base }) {
    this.write('.map-caption', t('positions.map', { seq_len: SEQ_LEN, d_model }));
    const period = writeLength(wavelength(column, { d_model, base }));
    this.write('.wave-caption', t('positions.wave', { column, period }));
    const value = writeFixed(positions.data[p * d_model + column], 4);
    this.write('.cell', t('positions.cell', { p, column, value }));
  }

  /**
   * @param {Result} result
   * @param {{p: number, column: number, d_model: number}} place
   */
  #drawMap({ positions }, { p, column, d_model }) {
    const words = { seq_len: SEQ_LEN, d_model };
    const map = this.chart('map', String(d_model), (theme) => {
      const created = new HeatMap(
        this.find('.map'),
        {
          rows: SEQ_LEN,
          columns: d_model,
          rowLabels: Array.from({ length: SEQ_LEN }, (_, row) => String(row)),
          columnLabels: Array.from({ length: d_model }, (_, i) => String(i)),
          rowTitle: t('positions.map.row'),
          columnTitle: t('positions.map.column'),
          positions: false,
          signed: true,
        },
        theme,
        (cell) => {
          this.#cell = cell;
          this.redraw();
        },
      );
      created.label = t('positions.map.label', words);
      return created;
    });
    map.update(positions.data, { selected: { row: p, column } });
  }

  #drawBar() {
    const bar = this.chart(
      'bar',
      '',
      (theme) => new ColourBar(this.find('.bar'), theme, { signed: true }),
    );
    bar.label = t('positions.bar');
  }

  /**
   * @param {Result} result
   * @param {{p: number, column: number, d_model: number, base: number}} place
   */
  #drawWave({ positions }, { p, column, d_model, base }) {
    const period = writeLength(wavelength(column, { d_model, base }));
    const chart = this.chart(
      'wave',
      '',
      (theme) =>
        new LineChart(
          this.find('.wave'),
          {
            xTitle: t('positions.map.row'),
            xMax: SEQ_LEN - 1,
            xTicks: [0, 12, 24, 36, 47],
            panels: [{ id: 'value', title: '', min: -1, max: 1, stepSize: 1, format: writeNumber }],
            series: [{ label: '', panel: 'value', colour: 'text', legend: false }],
          },
          theme,
        ),
    );
    chart.label = t('positions.wave.label', { column, period });
    chart.setCursor(p);
    chart.update([wave(positions, column)]);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  #drawCurve({ positions, mean }, { p }) {
    const points = productCurve(positions, p);
    const chart = this.chart(
      'curve',
      '',
      (theme) =>
        new LineChart(
          this.find('.curve'),
          {
            xTitle: t('positions.curve.k'),
            xMin: -LARGEST_K,
            xMax: LARGEST_K,
            xTicks: [-24, -16, -8, 0, 8, 16, 24],
            panels: [
              {
                id: 'product',
                title: '',
                suggestedMin: 0.4,
                max: 1,
                format: (value) => writeNumber(Number(value.toFixed(2))),
              },
            ],
            series: [
              {
                label: t('positions.curve.p'),
                panel: 'product',
                colour: 'query',
                marker: 'circle',
                legend: false,
              },
              {
                label: t('positions.curve.all'),
                panel: 'product',
                colour: 'muted',
                legend: false,
              },
            ],
          },
          theme,
        ),
    );
    chart.label = t('positions.curve.label', {
      p,
      first: writeNumber(-LARGEST_K),
      last: LARGEST_K,
      greatest: mean[LARGEST_K].y.toFixed(4),
    });
    chart.update([points, mean]);
  }

  /**
   * @param {Result} result
   * @param {Settings} settings
   */
  tables({ positions, mean }, { p }) {
    const own = new Map(productCurve(positions, p).map(({ x, y }) => [x, y]));
    /** @type {[string, ...string[]][]} */
    const rows = mean.map(({ x, y }) => [
      writeNumber(x),
      own.get(x)?.toFixed(6) ?? '–',
      y.toFixed(6),
    ]);
    return [
      {
        caption: t('positions.table', { p }),
        columns: [t('positions.table.k'), t('positions.table.p', { p }), t('positions.table.mean')],
        rows,
      },
    ];
  }
}

if (!customElements.get('attn-positions')) customElements.define('attn-positions', AttnPositions);
