/**
 * A heat map, of values 0 … 1 unless told otherwise, as a Chart.js chart: axes, layout and sharpness are Chart.js's, the cells are
 * drawn by a plugin, since a chart element for each of thousands of cells would be too slow to update.
 * One cell can be selected, by pointer or arrow keys, and is marked by a cross-hair.
 */
import { CategoryScale, Chart, LineController } from 'chart.js';
import { axisTitle, CanvasChart, PLAIN, tickFont } from './canvas-chart.js';
import {
  colourOf,
  contrast,
  divergingMap,
  paintCells,
  parseColour,
  sequentialMap,
} from './colour.js';

/** @import { ChartConfiguration } from 'chart.js' */
/** @import { ColourToken, Theme } from './theme.js' */

/** @typedef {{row: number, column: number}} Cell */

/** A row framed in the colour of what it is. @typedef {{row: number, colour: ColourToken}} RowMark */

/**
 * Each axis bears two lines of labels: near the map what stands at the position, outside the position.
 *
 * @typedef {object} HeatMapOptions
 * @property {number} rows
 * @property {number} columns
 * @property {string[]} [rowLabels] none: no labels down the side
 * @property {string[]} [columnLabels] none: no labels along the bottom
 * @property {string} [rowTitle]
 * @property {string} [columnTitle]
 * @property {boolean} [positions] false: without the outer line of labels
 * @property {(value: number) => string} [print] writes the value into its cell, where it has room
 * @property {(value: number) => string} [format] writes the value of the cell that is selected
 * @property {number} [max] at the far end of the colours, and −max at the other if `signed`; 1
 * @property {boolean} [signed] colours for values of both signs, 0 being the ground
 */

/**
 * The values at both ends of a map's colours.
 *
 * @param {Pick<HeatMapOptions, 'max' | 'signed'>} options
 */
export function colourRange({ max = 1, signed = false }) {
  return { min: signed ? -max : 0, max };
}

/** @param {Cell | null} a @param {Cell | null} b */
function isSameCell(a, b) {
  return a?.row === b?.row && a?.column === b?.column;
}

/** Maps of more rows or columns label only some of them. */
const MOST_LABELS = 16;

/** Text below this size, px, says nothing. */
const SMALLEST_TEXT = 7;

/** How much of its cell a value may fill. */
const FILLED = 0.85;

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */

/**
 * The cell at a point of the chart, or null outside the map.
 *
 * @param {Box} area
 * @param {{rows: number, columns: number}} size
 * @param {number} x
 * @param {number} y
 * @returns {Cell | null}
 */
export function cellAt(area, { rows, columns }, x, y) {
  if (x < area.left || x >= area.right || y < area.top || y >= area.bottom) return null;
  return {
    row: Math.min(rows - 1, Math.floor(((y - area.top) / (area.bottom - area.top)) * rows)),
    column: Math.min(
      columns - 1,
      Math.floor(((x - area.left) / (area.right - area.left)) * columns),
    ),
  };
}

/**
 * Where a key leads from a cell: arrows to the neighbour, Home and End along the row, Page Up and Page Down
 * along the column. Null where there is nothing to move to, so that the page may have the key.
 *
 * @param {Cell | null} cell
 * @param {string} key
 * @param {{rows: number, columns: number}} size
 * @returns {Cell | null}
 */
export function moveCell(cell, key, { rows, columns }) {
  const { row, column } = cell ?? { row: 0, column: 0 };
  /** @type {Record<string, Cell>} */
  const moves = {
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
    PageUp: { row: 0, column },
    PageDown: { row: rows - 1, column },
  };
  const moved = moves[key];
  if (!moved) return null;
  if (!cell) return { row: 0, column: 0 };
  const inside = moved.row >= 0 && moved.row < rows && moved.column >= 0 && moved.column < columns;
  return inside && (moved.row !== row || moved.column !== column) ? moved : null;
}

/**
 * A box with its edges on device pixels, so that cells meet sharply at every zoom.
 *
 * @param {Box} area
 * @param {number} pixelRatio
 * @returns {Box}
 */
export function snapBox(area, pixelRatio) {
  const snap = (/** @type {number} */ edge) => Math.round(edge * pixelRatio) / pixelRatio;
  return {
    left: snap(area.left),
    top: snap(area.top),
    right: snap(area.right),
    bottom: snap(area.bottom),
  };
}

/**
 * The whole height of an axis' labels: Chart.js cuts them to half the height of a low chart.
 *
 * @param {import('chart.js').Scale} scale
 */
export function keepTickHeight(scale) {
  if (!scale.isHorizontal()) return;
  const { ticks } = /** @type {{ticks: {font: {size: number}}}} */ (
    /** @type {unknown} */ (scale.options)
  );
  scale.height = Math.ceil(ticks.font.size * 1.5);
}

/**
 * The Chart.js configuration of a map's axes.
 *
 * @param {HeatMapOptions} options
 * @param {Theme} theme
 * @returns {ChartConfiguration<'line'>}
 */
export function heatMapConfiguration(options, theme) {
  const { rows, columns, positions = true } = options;
  const axis = {
    type: /** @type {const} */ ('category'),
    offset: true,
    grid: { display: false, drawTicks: false },
    border: { display: false },
    ...(rows === 1 && { afterFit: keepTickHeight }),
  };
  const digits = {
    // Every position keeps its label while there is room for it; Chart.js alone gives up earlier.
    autoSkip: Math.max(rows, columns) > MOST_LABELS,
    color: theme.text,
    font: { family: theme.font, size: theme.size * 1.1, weight: /** @type {const} */ ('bold') },
    maxRotation: 0,
    padding: 4,
  };
  const outer = {
    autoSkip: Math.max(rows, columns) > MOST_LABELS,
    color: theme.muted,
    font: tickFont(theme),
    maxRotation: 0,
    padding: 1,
  };
  const numbers = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => String(i));
  return {
    type: 'line',
    data: { datasets: [] },
    options: {
      ...PLAIN,
      // Where no label stands the frame still has room for its line.
      layout: { padding: { top: 4, right: 4, bottom: theme.line, left: theme.line } },
      // Where another chart of the page has brought legends along, an empty one would take room.
      plugins: { legend: { display: false } },
      scales: {
        x: {
          ...axis,
          position: 'bottom',
          labels: options.columnLabels ?? numbers(columns),
          display: options.columnLabels !== undefined,
          ticks: { ...digits, padding: 2 },
          title: axisTitle(theme, positions ? undefined : options.columnTitle),
        },
        y: {
          ...axis,
          position: 'left',
          labels: options.rowLabels ?? numbers(rows),
          display: options.rowLabels !== undefined,
          ticks: digits,
          title: axisTitle(theme, positions ? undefined : options.rowTitle),
        },
        ...(positions &&
          options.columnLabels && {
            xPosition: {
              ...axis,
              position: 'bottom',
              weight: 1,
              labels: numbers(columns),
              ticks: outer,
              title: axisTitle(theme, options.columnTitle),
            },
          }),
        ...(positions &&
          options.rowLabels && {
            yPosition: {
              ...axis,
              position: 'left',
              weight: 1,
              labels: numbers(rows),
              ticks: outer,
              title: axisTitle(theme, options.rowTitle),
            },
          }),
      },
    },
  };
}

/** @param {number} value */
function toThreeDecimals(value) {
  return value.toFixed(3).replace('-', '−');
}

/**
 * Arrow keys work while its element has the focus, if it can have it.
 *
 * @extends {CanvasChart<'line'>}
 */
export class HeatMap extends CanvasChart {
  /** @type {HeatMapOptions} */
  #options;
  /** @type {Uint8ClampedArray} */
  #map;
  /** @type {Float32Array} */
  #values;
  /** The cells, one pixel each. */
  #cells = document.createElement('canvas');
  /** Whether every cell shows its value. */
  #printed = false;
  /** @type {Cell | null} */
  #selected = null;
  /** @type {RowMark | null} */
  #mark = null;
  /** @type {(cell: Cell | null) => void} */
  #onSelect;
  #listeners = new AbortController();

  /**
   * @param {HTMLElement} container
   * @param {HeatMapOptions} options
   * @param {Theme} theme
   * @param {(cell: Cell | null) => void} [onSelect] the reader chose a cell, or left the map
   */
  constructor(container, options, theme, onSelect = () => {}) {
    super(container, theme);
    Chart.register(LineController, CategoryScale);
    this.#options = options;
    this.#onSelect = onSelect;
    this.#map = this.#colours();
    this.#values = new Float32Array(options.rows * options.columns);
    this.#listen();
  }

  get columnLabels() {
    return this.#options.columnLabels ?? [];
  }

  /** @returns {Cell | null} */
  get selected() {
    return this.#selected;
  }

  /**
   * Other values of the same size; row by row.
   *
   * @param {ArrayLike<number>} values
   * @param {{selected?: Cell | null, mark?: RowMark | null}} [marks] those that change with them
   */
  update(values, { selected = this.#selected, mark = this.#mark } = {}) {
    const isMarked = selected || mark || this.#selected || this.#mark;
    this.#selected = selected;
    this.#mark = mark;
    this.#values.set(values);
    this.#paint();
    if (!this.chart) this.#create();
    // The labels around the map are most of the work of a whole drawing, and they have not changed.
    else if (isMarked) this.draw();
    else this.#drawCells(this.chart);
  }

  /**
   * Other labels, words or size.
   *
   * @param {Partial<HeatMapOptions>} options
   */
  configure(options) {
    const before = this.#options;
    this.#options = { ...before, ...options };
    const { rows, columns, max, signed } = this.#options;
    if (before.signed !== signed) this.#map = this.#colours();
    if (before.signed !== signed || before.max !== max) this.#paint();
    if (this.#values.length !== rows * columns) {
      this.#values = new Float32Array(rows * columns);
      this.#selected = null;
      this.#mark = null;
      this.#paint();
    }
    this.#reconfigure();
  }

  /** @param {Theme} theme */
  setTheme(theme) {
    this.theme = theme;
    this.#map = this.#colours();
    this.#paint();
    this.#reconfigure();
  }

  /** @param {Cell | null} cell */
  select(cell) {
    if (isSameCell(cell, this.#selected)) return;
    this.#selected = cell;
    this.draw();
  }

  /** @param {RowMark | null} mark */
  markRow(mark) {
    const before = this.#mark;
    if (before?.row === mark?.row && before?.colour === mark?.colour) return;
    this.#mark = mark;
    this.draw();
  }

  draw() {
    this.chart?.draw();
  }

  /** @override */
  destroy() {
    this.#listeners.abort();
    super.destroy();
  }

  #create() {
    this.show(heatMapConfiguration(this.#options, this.theme), {
      beforeDatasetsDraw: (chart) => this.#drawCells(chart),
      afterDraw: ({ ctx, chartArea }) => {
        if (this.#mark) this.#drawMark(ctx, chartArea, this.#mark);
        if (this.#selected) this.#drawSelection(ctx, chartArea, this.#selected);
      },
    });
  }

  #reconfigure() {
    this.setOptions(heatMapConfiguration(this.#options, this.theme));
    this.chart?.update();
  }

  #colours() {
    const ground = parseColour(this.theme.bg);
    return this.#options.signed ? divergingMap(ground) : sequentialMap(ground);
  }

  #paint() {
    const { rows, columns } = this.#options;
    if (this.#cells.width !== columns) this.#cells.width = columns;
    if (this.#cells.height !== rows) this.#cells.height = rows;
    const context = /** @type {CanvasRenderingContext2D} */ (this.#cells.getContext('2d'));
    const pixels = paintCells(this.#values, this.#map, colourRange(this.#options));
    context.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  }

  /** @param {Chart<'line'>} chart */
  #drawCells(chart) {
    const context = chart.ctx;
    // A map that has no room, because nobody can see it yet, is drawn when it gets some.
    if (!chart.chartArea || chart.width === 0) return;
    const { left, top, right, bottom } = snapBox(chart.chartArea, chart.currentDevicePixelRatio);
    context.save();
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#cells, left, top, right - left, bottom - top);
    context.strokeStyle = this.theme.rule;
    context.lineWidth = this.theme.line;
    context.strokeRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1);
    this.#printed = this.#drawValues(context, { left, top, right, bottom });
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Box} area
   * @returns {boolean} whether they have room
   */
  #drawValues(context, area) {
    const { rows, columns, print } = this.#options;
    if (!print) return false;
    const width = (area.right - area.left) / columns;
    const height = (area.bottom - area.top) / rows;
    const texts = Array.from(this.#values, print);
    const { size: full, font, bg, text } = this.theme;
    context.font = `${full}px ${font}`;
    const widest = Math.max(...texts.map((word) => context.measureText(word).width));
    const size = Math.min(full, (FILLED * full * width) / widest, FILLED * height);
    if (!(size >= SMALLEST_TEXT)) return false;
    const light = parseColour(bg);
    const dark = parseColour(text);
    const { min, max } = colourRange(this.#options);
    context.font = `${size}px ${font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [i, word] of texts.entries()) {
      const value = this.#values[i];
      const cell = Number.isFinite(value)
        ? colourOf(this.#map, (value - min) / (max - min))
        : parseColour(this.theme.surface);
      context.fillStyle = contrast(cell, light) > contrast(cell, dark) ? bg : text;
      context.fillText(
        word,
        area.left + ((i % columns) + 0.5) * width,
        area.top + (Math.floor(i / columns) + 0.5) * height,
      );
    }
    return true;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Box} area
   * @param {RowMark} mark
   */
  #drawMark(context, area, { row, colour }) {
    const height = (area.bottom - area.top) / this.#options.rows;
    context.save();
    context.strokeStyle = this.theme[colour];
    context.lineWidth = 2 * this.theme.line;
    context.strokeRect(area.left, area.top + row * height, area.right - area.left, height);
    context.restore();
  }

  /**
   * The cross-hair: row and column of the cell between hairlines, the cell framed, its value beside it.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {Box} area
   * @param {Cell} cell
   */
  #drawSelection(context, area, { row, column }) {
    const { rows, columns, format = toThreeDecimals } = this.#options;
    const width = (area.right - area.left) / columns;
    const height = (area.bottom - area.top) / rows;
    const x = area.left + column * width;
    const y = area.top + row * height;
    context.save();
    context.strokeStyle = this.theme.muted;
    context.lineWidth = this.theme.line;
    context.strokeRect(area.left, y, area.right - area.left, height);
    context.strokeRect(x, area.top, width, area.bottom - area.top);
    // Two frames, of ground and of text, stand out from a cell of any colour.
    context.strokeStyle = this.theme.bg;
    context.lineWidth = 4;
    context.strokeRect(x, y, width, height);
    context.strokeStyle = this.theme.text;
    context.lineWidth = 2;
    context.strokeRect(x, y, width, height);
    if (!this.#printed) {
      const text = format(this.#values[row * columns + column]);
      context.font = `bold ${this.theme.size}px ${this.theme.font}`;
      const boxWidth = context.measureText(text).width + 12;
      const boxHeight = this.theme.size * 1.7;
      const left = x + width + boxWidth + 6 <= area.right ? x + width + 6 : x - boxWidth - 6;
      const above = y - boxHeight - 6;
      const boxTop = above >= area.top ? above : y + height + 6;
      context.fillStyle = this.theme.text;
      context.fillRect(left, boxTop, boxWidth, boxHeight);
      context.fillStyle = this.theme.bg;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillText(text, left + boxWidth / 2, boxTop + boxHeight / 2);
    }
    context.restore();
  }

  #listen() {
    const { canvas } = this;
    const { signal } = this.#listeners;
    const point = (/** @type {PointerEvent} */ event) => {
      if (!this.chart) return;
      const { chartArea, width, height } = this.chart;
      const box = canvas.getBoundingClientRect();
      const x = ((event.clientX - box.left) * width) / box.width;
      const y = ((event.clientY - box.top) * height) / box.height;
      this.#choose(cellAt(chartArea, this.#options, x, y));
    };
    canvas.addEventListener('pointermove', point, { signal });
    canvas.addEventListener('pointerdown', point, { signal });
    canvas.addEventListener(
      'pointerleave',
      // A tap leaves at once; its cell stays chosen.
      (event) => event.pointerType === 'mouse' && this.#choose(null),
      { signal },
    );
    this.container.addEventListener(
      'keydown',
      (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        const moved = moveCell(this.#selected, event.key, this.#options);
        if (moved) {
          event.preventDefault();
          this.#choose(moved);
        } else if (event.key === 'Escape') {
          this.#choose(null);
        }
      },
      { signal },
    );
  }

  /** @param {Cell | null} cell */
  #choose(cell) {
    if (isSameCell(cell, this.#selected)) return;
    this.select(cell);
    this.#onSelect(cell);
  }
}
