/**
 * Curves over one x axis, in panels above each other with a y axis each: quantities of different units
 * share the x axis, never a scale. Series differ by dash or marker as well as by colour.
 */
import {
  Chart,
  Decimation,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
} from 'chart.js';

/** @import { ChartConfiguration, ChartDataset, PointStyle } from 'chart.js' */
/** @import { ColourToken, Theme } from './theme.js' */

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [suggestedMax]
 * @property {number} [stepSize]
 * @property {(value: number) => string} format
 */

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {string} panel its id
 * @property {ColourToken} colour
 * @property {number[]} [dash]
 * @property {PointStyle} [marker] drawn at every point, without a line between them
 * @property {boolean} [legend] false: not in the legend
 */

/**
 * @typedef {object} LineChartOptions
 * @property {string} xTitle
 * @property {number} xMax
 * @property {Panel[]} panels from top to bottom
 * @property {Series[]} series
 */

/**
 * @param {LineChartOptions} options
 * @param {Theme} theme
 * @returns {ChartConfiguration<'line', Point[]>}
 */
export function lineChartConfiguration({ xTitle, xMax, panels, series }, theme) {
  const font = { family: theme.font, size: theme.size * 0.9 };
  const ticks = { color: theme.muted, font, padding: 4 };
  const title = (/** @type {string} */ text) => ({
    display: true,
    text,
    color: theme.muted,
    font: { ...font, size: theme.size },
    padding: 2,
  });
  const lines = { color: theme.rule, lineWidth: 1, drawTicks: false };
  const panelOf = new Map(panels.map((panel) => [panel.id, panel]));
  return {
    type: 'line',
    data: {
      datasets: series.map(({ label, panel, colour, dash, marker }) => ({
        label,
        data: [],
        yAxisID: `y-${panel}`,
        borderColor: theme[colour],
        backgroundColor: marker ? theme.surface : theme[colour],
        borderWidth: (marker ? 1 : 1.75) * theme.line,
        borderDash: dash ?? [],
        showLine: !marker,
        pointStyle: marker ?? 'line',
        pointRadius: marker ? 2.5 : 0,
        pointHitRadius: 0,
      })),
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      parsing: false,
      normalized: true,
      events: [],
      layout: { padding: { right: 8 } },
      plugins: {
        decimation: { enabled: true, algorithm: 'lttb' },
        legend: {
          position: 'top',
          align: 'start',
          labels: {
            usePointStyle: true,
            pointStyleWidth: 28,
            boxHeight: theme.size * 0.75,
            padding: 8,
            // Chart.js' own labels lose the dash.
            generateLabels: () =>
              series
                .filter(({ legend }) => legend !== false)
                .map(({ label, colour, dash, marker }) => ({
                  text: label,
                  fontColor: theme.text,
                  strokeStyle: theme[colour],
                  fillStyle: marker ? theme.surface : theme[colour],
                  lineWidth: 1.75 * theme.line,
                  lineDash: dash ?? [],
                  pointStyle: marker ?? 'line',
                })),
            color: theme.text,
            font: { family: theme.font, size: theme.size },
          },
        },
      },
      scales: {
        x: {
          type: 'linear',
          min: 0,
          max: xMax,
          title: title(xTitle),
          ticks: { ...ticks, maxTicksLimit: 6, maxRotation: 0, callback: String },
          grid: lines,
          border: { color: theme.rule },
        },
        // An axis that shows nothing keeps two panels apart.
        ...Object.fromEntries(
          panels.slice(1).map((panel, index) => [
            `y-above-${panel.id}`,
            {
              type: /** @type {const} */ ('linear'),
              display: false,
              stack: 'panels',
              stackWeight: 0.15,
              weight: panels.length - index - 0.5,
            },
          ]),
        ),
        ...Object.fromEntries(
          panels.map((panel, index) => [
            `y-${panel.id}`,
            {
              type: /** @type {const} */ ('linear'),
              position: /** @type {const} */ ('left'),
              stack: 'panels',
              // Chart.js stacks from the bottom up.
              weight: panels.length - index,
              min: panel.min,
              max: panel.max,
              suggestedMax: panel.suggestedMax,
              title: title(panel.title),
              ticks: {
                ...ticks,
                stepSize: panel.stepSize,
                maxTicksLimit: 6,
                callback: (/** @type {string | number} */ value) =>
                  /** @type {Panel} */ (panelOf.get(panel.id)).format(Number(value)),
              },
              grid: lines,
              border: { color: theme.rule },
            },
          ]),
        ),
      },
    },
  };
}

/** Lives in an element of its own, which it fills. */
export class LineChart {
  /** @type {HTMLElement} */
  #container;
  /** @type {Chart<'line', Point[]>} */
  #chart;
  /** @type {LineChartOptions} */
  #options;
  /** @type {Theme} */
  #theme;
  /** @type {number | null} */
  #cursor = null;

  /**
   * @param {HTMLElement} container
   * @param {LineChartOptions} options
   * @param {Theme} theme
   */
  constructor(container, options, theme) {
    Chart.register(LineController, LineElement, PointElement, LinearScale, Legend, Decimation);
    this.#container = container;
    this.#options = options;
    this.#theme = theme;
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    container.replaceChildren(canvas);
    this.#chart = new Chart(canvas, {
      ...lineChartConfiguration(options, theme),
      plugins: [
        {
          id: 'ground',
          beforeDraw: (chart) => {
            chart.ctx.fillStyle = this.#theme.surface;
            chart.ctx.fillRect(0, 0, chart.width, chart.height);
          },
        },
        { id: 'cursor', afterDatasetsDraw: () => this.#drawCursor() },
      ],
    });
  }

  /** The text alternative of the picture. @param {string} label */
  set label(label) {
    this.#chart.canvas.setAttribute('aria-label', label);
  }

  /**
   * @param {Point[][]} points of each series, x ascending; the arrays may grow and be passed again
   */
  update(points) {
    for (const [index, data] of points.entries()) this.#chart.data.datasets[index].data = data;
    this.#chart.update('none');
  }

  /** Marks an x by a vertical line; null removes it. @param {number | null} x */
  setCursor(x) {
    this.#cursor = x;
  }

  /**
   * Other words, colours or ranges; the points stay.
   *
   * @param {Partial<LineChartOptions>} options
   * @param {Theme} theme
   * @param {Point[][]} points
   */
  configure(options, theme, points) {
    this.#options = { ...this.#options, ...options };
    this.#theme = theme;
    const configuration = lineChartConfiguration(this.#options, theme);
    for (const [index, dataset] of configuration.data.datasets.entries()) {
      const { data, ...looks } = dataset;
      Object.assign(this.#chart.data.datasets[index], looks);
    }
    this.#chart.options = /** @type {NonNullable<typeof configuration.options>} */ (
      configuration.options
    );
    this.update(points);
  }

  resize() {
    this.#chart.resize();
  }

  destroy() {
    this.#chart.destroy();
    this.#container.replaceChildren();
  }

  #drawCursor() {
    if (this.#cursor === null) return;
    const { ctx, chartArea, scales } = this.#chart;
    const x = scales.x.getPixelForValue(this.#cursor);
    ctx.save();
    ctx.strokeStyle = this.#theme.text;
    ctx.lineWidth = this.#theme.line;
    ctx.beginPath();
    ctx.moveTo(x, chartArea.top);
    ctx.lineTo(x, chartArea.bottom);
    ctx.stroke();
    ctx.restore();
  }
}
