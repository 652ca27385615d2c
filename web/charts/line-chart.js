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
  LogarithmicScale,
  PointElement,
} from 'chart.js';
import { drawPoint } from 'chart.js/helpers';
import {
  axisTitle,
  CanvasChart,
  drawReference,
  PLAIN,
  tickFont,
  UNWRITTEN,
} from './canvas-chart.js';

/** @import { ChartConfiguration, ChartDataset, PointStyle } from 'chart.js' */
/** @import { ColourToken, Theme } from './theme.js' */

/** @typedef {{x: number, y: number}} Point */

/**
 * @typedef {object} Panel
 * @property {string} id
 * @property {string} title '' for none
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [suggestedMin]
 * @property {number} [suggestedMax]
 * @property {number} [stepSize]
 * @property {number[]} [ticks] where the axis is labelled
 * @property {(value: number) => string} format
 * @property {boolean} [logarithmic]
 */

/**
 * A dashed line at a value that theory or the lesson names.
 *
 * @typedef {object} Reference
 * @property {string} [panel] its id, with `y`: a horizontal line
 * @property {number} [y]
 * @property {number} [x] a vertical line through all panels
 * @property {string} label written at the line
 * @property {boolean} [atStart] of a horizontal line: below its left end, where curves come down to it
 */

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {string} panel its id
 * @property {ColourToken} colour
 * @property {number[]} [dash]
 * @property {number} [width] in hairlines; 1.75
 * @property {PointStyle} [marker] drawn at every point, without a line between them
 * @property {boolean} [legend] false: not in the legend
 */

/**
 * @typedef {object} LineChartOptions
 * @property {string} xTitle
 * @property {number} [xMin]
 * @property {number} xMax
 * @property {boolean} [xLogarithmic]
 * @property {number[]} [xTicks] where the axis is labelled
 * @property {(value: number) => string} [xFormat]
 * @property {Panel[]} panels from top to bottom
 * @property {Series[]} series
 * @property {Reference[]} [references]
 */

const MARKER_RADIUS = 2.5;

/**
 * How a series' points look: a line of one point would not be seen, and what is drawn as a point is
 * drawn whole, at the edge too.
 *
 * @param {PointStyle | undefined} marker
 * @param {number} n points of the series
 * @returns {{pointRadius: number, clip?: false}}
 */
export function pointLooks(marker, n) {
  const isSeen = marker !== undefined || n === 1;
  return { pointRadius: isSeen ? MARKER_RADIUS : 0, clip: isSeen ? false : undefined };
}

/** With a true minus sign. @param {number} value */
function writeNumber(value) {
  return String(value).replace('-', '−');
}

/**
 * Labels an axis at these values instead of where Chart.js would.
 *
 * @param {number[] | undefined} values
 */
function labelledAt(values) {
  if (!values) return {};
  return {
    afterBuildTicks: (/** @type {import('chart.js').Scale} */ scale) => {
      scale.ticks = values.map((value) => ({ value }));
    },
  };
}

/**
 * @param {LineChartOptions} options
 * @param {Theme} theme
 * @returns {ChartConfiguration<'line', Point[]>}
 */
export function lineChartConfiguration(options, theme) {
  const { xTitle, xMin = 0, xMax, xLogarithmic, xTicks, xFormat = writeNumber } = options;
  const { panels, series } = options;
  const ticks = { color: theme.muted, font: tickFont(theme), padding: 4 };
  const lines = { color: theme.faint, lineWidth: 1, drawTicks: false };
  const panelOf = new Map(panels.map((panel) => [panel.id, panel]));
  return {
    type: 'line',
    data: {
      datasets: series.map(({ label, panel, colour, dash, marker, width = 1.75 }) => ({
        label,
        data: [],
        yAxisID: `y-${panel}`,
        borderColor: theme[colour],
        backgroundColor: marker ? theme.surface : theme[colour],
        borderWidth: (marker ? 1 : width) * theme.line,
        borderDash: dash ?? [],
        showLine: !marker,
        pointStyle: marker ?? 'circle',
        ...pointLooks(marker, 0),
        pointHitRadius: 0,
      })),
    },
    options: {
      ...PLAIN,
      parsing: false,
      normalized: true,
      layout: { padding: { right: 8 } },
      plugins: {
        decimation: { enabled: true, algorithm: 'lttb' },
        legend: {
          display: inLegend(series).length > 0,
          position: 'top',
          align: 'start',
          labels: {
            usePointStyle: true,
            pointStyleWidth: LEGEND_LINE,
            boxHeight: theme.size * 0.75,
            padding: 8,
            // Chart.js' own labels lose the dash.
            generateLabels: () =>
              inLegend(series).map(({ label, colour, dash, marker, width = 1.75 }) => ({
                text: label,
                fontColor: theme.text,
                strokeStyle: marker ? 'transparent' : theme[colour],
                lineWidth: width * theme.line,
                lineDash: dash ?? [],
                pointStyle: 'line',
              })),
            color: theme.text,
            font: { family: theme.font, size: theme.size },
          },
        },
      },
      scales: {
        x: {
          type: xLogarithmic ? 'logarithmic' : 'linear',
          min: xMin,
          max: xMax,
          title: axisTitle(theme, xTitle),
          ticks: {
            ...ticks,
            ...(!xTicks && { maxTicksLimit: 6 }),
            maxRotation: 0,
            callback: (/** @type {string | number} */ value) => xFormat(Number(value)),
          },
          ...labelledAt(xTicks),
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
              ticks: UNWRITTEN,
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
              type: panel.logarithmic
                ? /** @type {const} */ ('logarithmic')
                : /** @type {const} */ ('linear'),
              position: /** @type {const} */ ('left'),
              stack: 'panels',
              // Chart.js stacks from the bottom up.
              weight: panels.length - index,
              min: panel.min,
              max: panel.max,
              suggestedMin: panel.suggestedMin,
              suggestedMax: panel.suggestedMax,
              title: axisTitle(theme, panel.title),
              ticks: {
                ...ticks,
                stepSize: panel.stepSize,
                maxTicksLimit: 6,
                callback: (/** @type {string | number} */ value) =>
                  /** @type {Panel} */ (panelOf.get(panel.id)).format(Number(value)),
              },
              ...labelledAt(panel.ticks),
              grid: lines,
              border: { color: theme.rule },
            },
          ]),
        ),
      },
    },
  };
}

/**
 * @param {Chart<'line'>} chart
 * @param {LineChartOptions} options
 * @param {Theme} theme
 */
function drawReferences({ ctx, chartArea, scales }, { references = [] }, theme) {
  const { left, right, top, bottom } = chartArea;
  // The words of several vertical lines stand one below the other.
  let n_vertical = 0;
  for (const { panel, y: value, x: place, label, atStart } of references) {
    if (place === undefined) {
      const y = scales[`y-${panel}`].getPixelForValue(Number(value));
      // Above its line, or below it at the top of its panel; at the start the other way round.
      const room = theme.size * 1.5;
      const { top: highest, bottom: lowest } = scales[`y-${panel}`];
      const above = atStart ? y + room > lowest : y - room > highest;
      drawReference(
        ctx,
        theme,
        { from: [left, y], to: [right, y] },
        {
          text: label,
          x: atStart ? left + 4 : right - 4,
          y: above ? y - 2 : y + 3,
          align: atStart ? 'left' : 'right',
          baseline: above ? 'bottom' : 'top',
        },
      );
    } else {
      const x = scales.x.getPixelForValue(place);
      const before = x > (left + right) / 2;
      drawReference(
        ctx,
        theme,
        { from: [x, top], to: [x, bottom] },
        {
          text: label,
          x: before ? x - 4 : x + 4,
          y: top + 2 + n_vertical * theme.size * 1.4,
          align: before ? 'right' : 'left',
          baseline: 'top',
        },
      );
      n_vertical++;
    }
  }
}

/** How long a line's piece in the legend is, px. */
const LEGEND_LINE = 28;

/** @param {Series[]} series */
function inLegend(series) {
  return series.filter(({ legend }) => legend !== false);
}

/**
 * The markers of the legend, which Chart.js would stretch to the length of the lines.
 *
 * @param {Chart<'line'>} chart
 * @param {Series[]} series
 * @param {Theme} theme
 */
function drawLegendMarkers({ ctx, legend }, series, theme) {
  if (!legend) return;
  const boxes = /** @type {{left: number, top: number, height: number}[]} */ (
    /** @type {any} */ (legend).legendHitBoxes
  );
  for (const [i, { marker, colour }] of inLegend(series).entries()) {
    const box = boxes[i];
    if (!marker || !box) continue;
    ctx.save();
    ctx.fillStyle = theme.surface;
    ctx.strokeStyle = theme[colour];
    ctx.lineWidth = theme.line;
    const size = {
      pointStyle: marker,
      radius: MARKER_RADIUS,
      borderWidth: theme.line,
      rotation: 0,
    };
    drawPoint(ctx, size, box.left + LEGEND_LINE / 2, box.top + box.height / 2);
    ctx.restore();
  }
}

/** @extends {CanvasChart<'line', Point[]>} */
export class LineChart extends CanvasChart {
  /** @type {LineChartOptions} */
  #options;
  /** @type {number | null} */
  #cursor = null;

  /**
   * @param {HTMLElement} container
   * @param {LineChartOptions} options
   * @param {Theme} theme
   */
  constructor(container, options, theme) {
    super(container, theme);
    Chart.register(
      LineController,
      LineElement,
      PointElement,
      LinearScale,
      LogarithmicScale,
      Legend,
      Decimation,
    );
    this.#options = options;
  }

  /**
   * @param {Point[][]} points of each series, x ascending; the arrays may grow and be passed again
   */
  update(points) {
    const shown = this.chart ?? lineChartConfiguration(this.#options, this.theme);
    for (const [index, data] of points.entries()) {
      const looks = pointLooks(this.#options.series[index].marker, data.length);
      Object.assign(shown.data.datasets[index], { data, ...looks });
    }
    this.show(shown, {
      beforeDatasetsDraw: (chart) => drawReferences(chart, this.#options, this.theme),
      afterDatasetsDraw: (chart) => this.#drawCursor(chart),
      afterDraw: (chart) => drawLegendMarkers(chart, this.#options.series, this.theme),
    });
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
    this.theme = theme;
    if (this.chart) {
      const configuration = lineChartConfiguration(this.#options, theme);
      for (const [index, dataset] of configuration.data.datasets.entries()) {
        const { data, ...looks } = dataset;
        Object.assign(this.chart.data.datasets[index], looks);
      }
      this.setOptions(configuration);
    }
    this.update(points);
  }

  /** @param {Chart<'line'>} chart */
  #drawCursor({ ctx, chartArea, scales }) {
    if (this.#cursor === null) return;
    const x = scales.x.getPixelForValue(this.#cursor);
    ctx.save();
    ctx.strokeStyle = this.theme.text;
    ctx.lineWidth = this.theme.line;
    ctx.beginPath();
    ctx.moveTo(x, chartArea.top);
    ctx.lineTo(x, chartArea.bottom);
    ctx.stroke();
    ctx.restore();
  }
}
