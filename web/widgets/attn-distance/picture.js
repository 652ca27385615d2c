/**
 * The two networks as rows of circles, the path through them, and how far along it a signal is.
 * Places along the sequence are shares of the width, heights multiples of the text size.
 */
import { attentionPath, recurrentPath, stepsOf } from '../paths.js';

/** @typedef {{n: number, input: number, output: number}} Pair n: positions in the sequence */

/**
 * Heights of the rows in the page's text size, which the picture has as its font size: WebKit knows
 * `em` in the attributes of lines and texts, but not `rem`.
 */
export const ROWS = {
  recurrent: { output: 1, state: 3.25, input: 5.5 },
  attention: { output: 1, input: 4 },
};

/** Numbers are so much smaller, and their own `em` with them. */
export const NUMBER_SIZE = 0.75;

/** Numbers have room in the circles of no longer sequences. */
const NUMBERED_UP_TO = 12;

/** @param {number} t @param {number} n */
const place = (t, n) => `${(((t + 0.5) / n) * 100).toFixed(3)}%`;

/**
 * @param {string} name
 * @param {[place: string, row: number]} from
 * @param {[place: string, row: number]} to
 */
const line = (name, [x1, y1], [x2, y2]) =>
  `<line class="${name}" x1="${x1}" y1="${y1}em" x2="${x2}" y2="${y2}em"/>`;

/**
 * @param {string} name
 * @param {number} t
 * @param {number} n
 * @param {number} row
 * @param {string | number} text
 */
function circle(name, t, n, row, text) {
  const x = place(t, n);
  const words =
    n > NUMBERED_UP_TO || text === ''
      ? ''
      : `<text x="${x}" y="${row / NUMBER_SIZE}em" dy="0.36em">${text}</text>`;
  return `<g class="${name}" data-position="${t}"><circle cx="${x}" cy="${row}em" r="8"/>${words}</g>`;
}

/** @param {number} n @param {(t: number) => string} draw */
const each = (n, draw) => Array.from({ length: n }, (_, t) => draw(t)).join('');

/**
 * @param {Pair} pair
 * @param {{output: number, input: number}} rows
 * @param {boolean} arrived
 */
function ends({ n, input, output }, rows, arrived) {
  const outputs = (/** @type {number} */ t) =>
    circle(`output${t === output ? (arrived ? ' chosen' : ' wanted') : ''}`, t, n, rows.output, t);
  const inputs = (/** @type {number} */ t) =>
    circle(`input${t === input ? ' chosen' : ''}`, t, n, rows.input, t);
  return each(n, outputs) + each(n, inputs);
}

/** @param {[x: string, row: number]} at */
const dot = ([x, row]) => `<circle class="dot" cx="${x}" cy="${row}em" r="5"/>`;

/**
 * @param {Pair} pair
 * @param {number} step taken so far, not necessarily whole
 */
export function recurrentPicture(pair, step) {
  const { n, input, output } = pair;
  const rows = ROWS.recurrent;
  const path = recurrentPath(input, output);
  const whole = Math.min(Math.floor(step), stepsOf(path));
  const arrived = whole === stepsOf(path);
  const at = (/** @type {number} */ t, /** @type {number} */ row) =>
    /** @type {[string, number]} */ ([place(t, n), row]);
  const links =
    each(n, (t) => line('link', at(t, rows.input), at(t, rows.output))) +
    line('link', at(0, rows.state), at(n - 1, rows.state)) +
    line('path', at(input, rows.input), at(input, rows.state)) +
    path
      .slice(1)
      .map((t, i) => line(i < whole ? 'path' : 'way', at(path[i], rows.state), at(t, rows.state)))
      .join('') +
    line(arrived ? 'path' : 'way', at(output, rows.state), at(output, rows.output));
  const states = each(n, (t) => {
    const reached = path.slice(0, whole + 1).indexOf(t);
    return circle(
      reached < 0 ? 'state' : 'state passed',
      t,
      n,
      rows.state,
      reached < 0 ? '' : reached,
    );
  });
  return (
    links + states + ends(pair, rows, arrived) + (arrived ? '' : dot(recurrentDot(pair, step)))
  );
}

/**
 * Where the signal is.
 *
 * @param {Pair} pair
 * @param {number} step
 * @returns {[x: string, row: number]}
 */
export function recurrentDot({ n, input, output }, step) {
  const path = recurrentPath(input, output);
  const taken = Math.min(step, stepsOf(path));
  return [place(input + Math.sign(output - input) * taken, n), ROWS.recurrent.state];
}

/**
 * @param {Pair} pair
 * @param {number} step
 */
export function attentionPicture(pair, step) {
  const { n, input, output } = pair;
  const rows = ROWS.attention;
  const arrived = step >= stepsOf(attentionPath(input, output));
  const to = /** @type {[string, number]} */ ([place(output, n), rows.output]);
  const links = each(n, (t) => line('link', [place(t, n), rows.input], to));
  const path = line(arrived ? 'path' : 'way', [place(input, n), rows.input], to);
  return links + path + ends(pair, rows, arrived) + (arrived ? '' : dot(attentionDot(pair, step)));
}

/**
 * @param {Pair} pair
 * @param {number} step
 * @returns {[x: string, row: number]}
 */
export function attentionDot({ n, input, output }, step) {
  const share = Math.min(step, 1);
  const rows = ROWS.attention;
  return [
    place(input + (output - input) * share, n),
    rows.input + (rows.output - rows.input) * share,
  ];
}
