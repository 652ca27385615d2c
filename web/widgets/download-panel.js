/** What a figure offers for other programs: a table to copy, and files. */
import { t } from '../i18n/index.js';
import { copyText } from './figure-foot.js';
import { createTable } from './figure-table.js';

/** @import { Table } from './figure-table.js' */

/**
 * @typedef {object} DownloadFile
 * @property {string} name of the file
 * @property {string} label of its button
 * @property {() => string | Promise<string | Blob>} content made when asked for; a text, or an image
 */

/** @typedef {{table: Table, files: DownloadFile[]}} Downloads */

/** By the ending of the name. @type {Record<string, string>} */
const TYPES = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  png: 'image/png',
};

/**
 * A table as spreadsheets take it from the clipboard: cells apart by tabs, rows by line ends.
 *
 * @param {Pick<Table, 'columns' | 'rows'>} table
 */
export function toTsv({ columns, rows }) {
  return [columns, ...rows]
    .map((row) => row.map((cell) => cell.replace(/[\t\n\r]+/g, ' ')).join('\t'))
    .join('\n');
}

/**
 * Comma separated values, RFC 4180: lines end in CR LF, a cell with a comma, a quote or a line end
 * stands in quotes.
 *
 * @param {(string | number | undefined)[][]} rows undefined leaves a cell empty
 */
export function toCsv(rows) {
  const write = (/** @type {string | number | undefined} */ cell) => {
    const text = cell === undefined ? '' : String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(write).join(',')}\r\n`).join('');
}

/**
 * Curves over one x as rows of a table, the heading first: every x that any of them has, and nothing
 * where one has none.
 *
 * @param {string} x heading
 * @param {{name: string, points: {x: number, y: number}[]}[]} curves
 * @returns {(string | number | undefined)[][]}
 */
export function curveRows(x, curves) {
  const values = curves.map(({ points }) => new Map(points.map((point) => [point.x, point.y])));
  const places = [...new Set(values.flatMap((map) => [...map.keys()]))].sort((a, b) => a - b);
  return [
    [x, ...curves.map(({ name }) => name)],
    ...places.map((place) => [place, ...values.map((map) => map.get(place))]),
  ];
}

/**
 * Hands a file to the browser.
 *
 * @param {string} name
 * @param {string | Blob} content
 */
function saveFile(name, content) {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Lives in an element of its own, which it fills. */
export class DownloadPanel {
  #container;
  #copyParts;
  #buttons = document.createElement('div');
  #failure = document.createElement('p');
  #table = document.createElement('div');
  /** The words of the buttons and the text of the table that stand there. */
  #labels = '';
  #text = '';
  /** @type {DownloadFile[]} */
  #files = [];

  /**
   * @param {HTMLElement} container
   * @param {Parameters<typeof copyText>[1]} copyParts
   */
  constructor(container, copyParts) {
    this.#container = container;
    this.#copyParts = copyParts;
    this.#buttons.className = 'files';
    this.#failure.className = 'bad-text';
    this.#failure.setAttribute('role', 'status');
    this.#table.className = 'table';
    container.replaceChildren(this.#buttons, this.#failure, this.#table);
  }

  /** The buttons stay while their words do, so that none loses the focus. @param {Downloads} downloads */
  show({ table, files }) {
    const labels = [t('figure.download.copy'), ...files.map(({ label }) => label)];
    this.#files = files;
    const text = `${table.caption}\n${toTsv(table)}`;
    if (text !== this.#text) {
      this.#table.replaceChildren(createTable(table));
      this.#text = text;
    }
    if (labels.join('\n') === this.#labels) return;
    this.#labels = labels.join('\n');
    const buttons = labels.map((label) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = label;
      return button;
    });
    const [copy, ...saves] = buttons;
    copy.addEventListener('click', () => {
      const shown = this.#text.slice(this.#text.indexOf('\n') + 1);
      copyText(shown, this.#copyParts);
    });
    for (const [i, button] of saves.entries()) {
      button.addEventListener('click', () => this.#save(this.#files[i]));
    }
    this.#buttons.replaceChildren(...buttons);
  }

  /** @param {DownloadFile} file */
  async #save({ name, content }) {
    this.#failure.textContent = '';
    try {
      saveFile(name, await content());
    } catch (error) {
      if (this.#container.isConnected) {
        this.#failure.textContent = t('error.other', { message: String(error) });
      }
    }
  }
}
