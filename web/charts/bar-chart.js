/**
 * Bars over named categories, several series side by side. Series differ by pattern as well as by
 * colour: full, hollow, hatched.
 */
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale } from 'chart.js';
import { axisTitle, CanvasChart, drawReference, PLAIN, tickFont } from './canvas-chart.js';

/** @import { ChartConfiguration } from 'chart.js' */
/** @import { ColourToken, Theme } from './theme.js' */

/**
 * @typedef {object} BarSeries
 * @property {string} label
 * @property {ColourToken} colour
 * @property {'full' | 'hollow' | 'hatched'} [pattern]
 */

/**
 * @typedef {object} BarChartOptions
 * @property {string[]} categories
 * @property {BarSeries[]} series
 * @property {string} [xTitle]
 * @property {string} yTitle
 * @property {number} [yMax]
 * @property {number} [ySuggestedMax] the least top of the axis, where higher bars may raise it
 * @property {(value: number) => string} format
 * @property {(value: number) => string} [print] writes the value above its bar
 * @property {{y: number, label: string}[]} [references] dashed lines
 */

/** Side of the tile of a hatching, px. */
const HATCH = 6;

/**
 * @param {string} colour
 * @param {string} ground
 * @returns {CanvasPattern | string}
 */
function hatching(colour, ground) {
  const tile = document.createElement('canvas');
  tile.width = HATCH;
  tile.height = HATCH;
  const context = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  context.fillStyle = ground;
  context.fillRect(0, 0, HATCH, HATCH);
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  // Drawn past its edges, so that tiles join.
  for (const shift of [-HATCH, 0, HATCH]) {
    context.moveTo(shift - 1, HATCH + 1);
    context.lineTo(shift + HATCH + 1, -1);
  }
  context.stroke();
  return context.createPattern(tile, 'repeat') ?? colour;
}

/**
 * @param {BarChartOptions} options
 * @param {Theme} theme
 * @param {(colour: string, ground: string) => CanvasPattern | string} [hatch]
 * @returns {ChartConfiguration<'bar'>}
 */
export function barChartConfiguration(options, theme, hatch = hatching) {
  const { categories, series, xTitle, yTitle, yMax, ySuggestedMax, format } = options;
  const ticks = { color: theme.muted, font: tickFont(theme), padding: 4 };
  const fills = series.map(({ colour, pattern = 'full' }) => {
    if (pattern === 'full') return theme[colour];
    return pattern === 'hollow' ? theme.surface : hatch(theme[colour], theme.surface);
  });
  return {
    type: 'bar',
    data: {
      labels: categories,
      datasets: series.map(({ label, colour }, i) => ({
        label,
        data: [],
        backgroundColor: fills[i],
        borderColor: theme[colour],
        borderWidth: 1.5 * theme.line,
        categoryPercentage: 0.8,
        barPercentage: 0.9,
      })),
    },
    options: {
      ...PLAIN,
      layout: { padding: { right: 4, top: options.print ? theme.size * 1.5 : 4 } },
      plugins: {
        legend: {
          display: series.length > 1,
          position: 'top',
          align: 'start',
          labels: {
            boxWidth: theme.size * 1.5,
            boxHeight: theme.size * 0.75,
            padding: 8,
            color: theme.text,
            font: { family: theme.font, size: theme.size },
          },
        },
      },
      scales: {
        x: {
          type: 'category',
          title: axisTitle(theme, xTitle),
          ticks: { ...ticks, maxRotation: 0 },
          grid: { display: false },
          border: { color: theme.rule },
        },
        y: {
          type: 'linear',
          min: 0,
          max: yMax,
          suggestedMax: ySuggestedMax,
          title: axisTitle(theme, yTitle),
          ticks: { ...ticks, maxTicksLimit: 6, callback: (value) => format(Number(value)) },
          grid: { color: theme.faint, lineWidth: 1, drawTicks: false },
          border: { color: theme.rule },
        },
      },
    },
  };
}

/** @extends {CanvasChart<'bar'>} */
export class BarChart extends CanvasChart {
  /** @type {BarChartOptions} */
  #options;

  /**
   * @param {HTMLElement} container
   * @param {BarChartOptions} options
   * @param {Theme} theme
   */
  constructor(container, options, theme) {
    super(container, theme);
    Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend);
    this.#options = options;
  }

  /** @param {number[][]} values of each series, one a category */
  update(values) {
    const shown = this.chart ?? barChartConfiguration(this.#options, this.theme);
    for (const [index, data] of values.entries()) shown.data.datasets[index].data = data;
    this.show(shown, {
      afterDatasetsDraw: (chart) => {
        this.#drawReferences(chart);
        this.#drawValues(chart);
      },
    });
  }

  /** @param {Chart<'bar'>} chart */
  #drawReferences({ ctx, chartArea, scales }) {
    const { left, right } = chartArea;
    for (const { y: value, label } of this.#options.references ?? []) {
      const y = scales.y.getPixelForValue(value);
      drawReference(
        ctx,
        this.theme,
        { from: [left, y], to: [right, y] },
        { text: label, x: right - 4, y: y - 2, align: 'right', baseline: 'bottom' },
      );
    }
  }

  /** @param {Chart<'bar'>} chart */
  #drawValues(chart) {
    const { print } = this.#options;
    if (!print) return;
    const { ctx } = chart;
    ctx.save();
    ctx.fillStyle = this.theme.text;
    ctx.font = `${this.theme.size * 0.9}px ${this.theme.font}`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'bottom';
    for (const [index, { data }] of chart.data.datasets.entries()) {
      for (const [i, bar] of chart.getDatasetMeta(index).data.entries()) {
        ctx.fillText(print(Number(data[i])), bar.x, bar.y - 3);
      }
    }
    ctx.restore();
  }
}
