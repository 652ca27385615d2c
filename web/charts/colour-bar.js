/** The key to a heat map's colours: a strip over a Chart.js axis, from 0 to 1 unless told otherwise. */
import { Chart, LinearScale, LineController } from 'chart.js';
import { CanvasChart, PLAIN, tickFont, UNWRITTEN } from './canvas-chart.js';
import { divergingMap, MAP_SIZE, paintCells, parseColour, sequentialMap } from './colour.js';
import { colourRange, keepTickHeight } from './heatmap.js';

/** @import { ChartConfiguration } from 'chart.js' */
/** @import { HeatMapOptions } from './heatmap.js' */
/** @import { Theme } from './theme.js' */

/** @typedef {Pick<HeatMapOptions, 'max' | 'signed'>} ColourBarOptions those of the map it belongs to */

/**
 * @param {Theme} theme
 * @param {ColourBarOptions} [options]
 * @returns {ChartConfiguration<'line'>}
 */
export function colourBarConfiguration(theme, options = {}) {
  const { min, max } = colourRange(options);
  return {
    type: 'line',
    data: { datasets: [] },
    options: {
      ...PLAIN,
      layout: { padding: { left: 6, right: 6 } },
      plugins: { legend: { display: false } },
      scales: {
        x: {
          type: 'linear',
          position: 'bottom',
          min,
          max,
          grid: { display: false, drawTicks: false },
          border: { display: false },
          afterFit: keepTickHeight,
          ticks: {
            stepSize: max / 2,
            color: theme.muted,
            font: tickFont(theme),
            padding: 1,
            maxRotation: 0,
            callback: (value) => String(Number(Number(value).toPrecision(3))).replace('-', '−'),
          },
        },
        y: { type: 'linear', display: false, ticks: UNWRITTEN },
      },
    },
  };
}

/** @extends {CanvasChart<'line'>} */
export class ColourBar extends CanvasChart {
  /** @type {ColourBarOptions} */
  #options;
  #strip = document.createElement('canvas');

  /**
   * @param {HTMLElement} container
   * @param {Theme} theme
   * @param {ColourBarOptions} [options]
   */
  constructor(container, theme, options = {}) {
    super(container, theme);
    Chart.register(LineController, LinearScale);
    this.#options = options;
    this.#strip.width = MAP_SIZE;
    this.#strip.height = 1;
    this.#paint();
    this.show(colourBarConfiguration(theme, options), {
      beforeDatasetsDraw: (chart) => {
        const { left, top, width, height } = chart.chartArea;
        chart.ctx.drawImage(this.#strip, left, top, width, height);
        chart.ctx.strokeStyle = this.theme.rule;
        chart.ctx.lineWidth = this.theme.line;
        chart.ctx.strokeRect(left - 0.5, top - 0.5, width + 1, height + 1);
      },
    });
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.#paint();
    this.setOptions(colourBarConfiguration(theme, this.#options));
    this.chart?.update();
  }

  #paint() {
    const context = /** @type {CanvasRenderingContext2D} */ (this.#strip.getContext('2d'));
    const ramp = Float32Array.from({ length: MAP_SIZE }, (_, i) => i / (MAP_SIZE - 1));
    const ground = parseColour(this.theme.bg);
    const map = this.#options.signed ? divergingMap(ground) : sequentialMap(ground);
    const pixels = paintCells(ramp, map);
    context.putImageData(new ImageData(pixels, MAP_SIZE, 1), 0, 0);
  }
}
