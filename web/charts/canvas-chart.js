/**
 * What every chart of the page has from here: an element of its own, which it fills, a ground of the
 * figure's colour, so that its picture has one too, a text alternative, and Chart.js behind it.
 */
import { Chart } from 'chart.js';
import { chartPicture } from './picture.js';

/** @import { ChartConfiguration, ChartType, DefaultDataPoint, Plugin } from 'chart.js' */
/** @import { Theme } from './theme.js' */

/** Every chart fills its element, and leaves motion and pointing to its figure. */
export const PLAIN = {
  responsive: true,
  maintainAspectRatio: false,
  animation: /** @type {const} */ (false),
  events: [],
};

/** Of an axis that nobody sees: Chart.js would still write its numbers, in the reader's locale. */
export const UNWRITTEN = { callback: () => '' };

/** Text at an axis' ticks. @param {Theme} theme */
export function tickFont({ font, size }) {
  return { family: font, size: size * 0.9 };
}

/**
 * @param {Theme} theme
 * @param {string | undefined} text none: no title
 */
export function axisTitle(theme, text) {
  return {
    display: Boolean(text),
    text: text ?? '',
    color: theme.muted,
    font: { family: theme.font, size: theme.size },
    padding: 2,
  };
}

/**
 * A dashed line at a value that theory or the lesson names, and its words on whatever is drawn there.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Theme} theme
 * @param {{from: [x: number, y: number], to: [x: number, y: number]}} line
 * @param {{text: string, x: number, y: number, align: CanvasTextAlign, baseline: CanvasTextBaseline}} words
 */
export function drawReference(context, theme, { from, to }, { text, x, y, align, baseline }) {
  context.save();
  context.strokeStyle = theme.muted;
  context.lineWidth = theme.line;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.setLineDash([]);
  context.font = `${theme.size}px ${theme.font}`;
  context.textAlign = align;
  context.textBaseline = baseline;
  context.lineJoin = 'round';
  context.strokeStyle = theme.surface;
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.fillStyle = theme.text;
  context.fillText(text, x, y);
  context.restore();
}

/**
 * @template {ChartType} T
 * @template [D=DefaultDataPoint<T>]
 */
export class CanvasChart {
  /** @type {HTMLElement} */
  container;
  canvas = document.createElement('canvas');
  /** @type {Theme} */
  theme;
  /** None until there is something to show: made empty it would be laid out twice. @type {Chart<T, D> | null} */
  chart = null;

  /**
   * @param {HTMLElement} container
   * @param {Theme} theme
   */
  constructor(container, theme) {
    this.container = container;
    this.theme = theme;
    this.canvas.setAttribute('role', 'img');
    container.replaceChildren(this.canvas);
  }

  /** The text alternative of the picture. @param {string} label */
  set label(label) {
    this.canvas.setAttribute('aria-label', label);
  }

  /**
   * Draws a chart anew, or makes it from its configuration.
   *
   * @param {Chart<T, D> | ChartConfiguration<T, D>} shown
   * @param {Omit<Plugin<T>, 'id' | 'beforeDraw'>} [marks] drawn besides what Chart.js draws
   */
  show(shown, marks = {}) {
    if (shown instanceof Chart) {
      // Not in Chart.js' mode `none`, which keeps points as they were; nothing is animated anyway.
      shown.update();
      return;
    }
    this.chart = new Chart(this.canvas, {
      ...shown,
      plugins: [
        {
          ...marks,
          id: 'marks',
          beforeDraw: ({ ctx, width, height }) => {
            ctx.save();
            ctx.fillStyle = this.theme.surface;
            ctx.fillRect(0, 0, width, height);
            ctx.restore();
          },
        },
      ],
    });
  }

  /** For the next drawing. @param {ChartConfiguration<T, D>} configuration */
  setOptions({ options }) {
    if (this.chart && options) {
      this.chart.options = /** @type {Chart<T, D>['options']} */ (/** @type {unknown} */ (options));
    }
  }

  /** Fits the chart to its element at once, as before printing. */
  resize() {
    this.chart?.resize();
  }

  /** What it shows, as an image file. @returns {Promise<Blob>} */
  async picture() {
    if (!this.chart) throw new Error('the chart shows nothing yet');
    return chartPicture(this.chart);
  }

  destroy() {
    this.chart?.destroy();
    this.chart = null;
    this.container.replaceChildren();
  }
}
