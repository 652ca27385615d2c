/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { LARGEST_SEQ_LEN, LESSON_SEQ_LEN } from './model.js';
import { NUMBER_SIZE, ROWS } from './picture.js';

/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'input',
    label: 'distance.input',
    default: 0,
    min: 0,
    max: LARGEST_SEQ_LEN - 1,
    free: true,
    drawn: true,
  },
  {
    name: 'output',
    label: 'distance.output',
    // The last position, of a sequence of any length.
    default: LARGEST_SEQ_LEN - 1,
    min: 0,
    max: LARGEST_SEQ_LEN - 1,
    free: true,
    drawn: true,
  },
  {
    name: 'seq_len',
    label: 'setting.seq_len',
    default: LESSON_SEQ_LEN,
    min: 4,
    max: LARGEST_SEQ_LEN,
    stops: [4, 6, 8, 10, 12, 16, 24, 32],
  },
  {
    name: 'n_steps',
    label: 'distance.n_steps',
    default: 0,
    min: 0,
    max: 1500,
    stops: [0, 50, 100, 300],
    free: true,
  },
];

const [INPUT, OUTPUT, SEQ_LEN, N_STEPS] = SETTINGS.map(controlMarkup);

/** @type {Record<string, MessageKey>} */
const ROW_NAMES = {
  output: 'distance.row.output',
  state: 'distance.row.state',
  input: 'distance.row.input',
};

/** What a picture shows, until it says which path. @type {Record<string, MessageKey>} */
const PICTURE_NAMES = { recurrent: 'distance.bilstm', attention: 'distance.attention' };

/** @param {'recurrent' | 'attention'} name */
function pathMarkup(name) {
  const labels = Object.keys(ROWS[name])
    .map((row) => `<span class="${row}-row" data-i18n="${ROW_NAMES[row]}"></span>`)
    .join('');
  return `
    <div class="part">
      <p class="caption ${name}-caption"></p>
      <div class="rows ${name}">
        <div class="names" aria-hidden="true">${labels}</div>
        <svg class="${name}-path" role="img" data-i18n-label="${PICTURE_NAMES[name]}"></svg>
      </div>
    </div>`;
}

/**
 * @param {'bilstm' | 'attention'} name
 * @param {MessageKey} network
 * @param {MessageKey} lesson
 */
const rowMarkup = (name, network, lesson) => `
  <tr>
    <th scope="row" data-i18n="${network}"></th>
    <td>
      <span data-value="${name}-steps"></span>
      <small data-i18n="${lesson}"></small>
    </td>
    <td data-value="${name}-gradient"></td>
    <td data-value="${name}-factor"></td>
  </tr>`;

export const MARKUP = `
  <div class="stage">
    ${pathMarkup('recurrent')}
    ${pathMarkup('attention')}
  </div>
  <p class="line step"></p>
  <div class="controls">
    <button type="button" class="primary" data-action="play" data-i18n="distance.play"></button>
    <button type="button" data-action="single" data-i18n="distance.single"></button>
    <button type="button" data-action="reset" data-i18n="distance.reset"></button>
  </div>
  <div class="controls">${INPUT}${OUTPUT}</div>
  <div class="gradients">
    <p class="caption" data-i18n="distance.chart"></p>
    <div class="chart curve"></div>
    <p class="caption" data-i18n="distance.marks"></p>
  </div>
  <table class="numbers">
    <thead>
      <tr>
        <td></td>
        <th scope="col" data-i18n="distance.steps"></th>
        <th scope="col" data-i18n="distance.gradient"></th>
        <th scope="col" data-i18n="distance.factor"></th>
      </tr>
    </thead>
    <tbody>
      ${rowMarkup('bilstm', 'distance.bilstm', 'distance.lesson.bilstm')}
      ${rowMarkup('attention', 'distance.attention', 'distance.lesson.attention')}
    </tbody>
  </table>
  <p class="line finding"></p>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">${SEQ_LEN}${N_STEPS}</div>
  </details>
`;

/** @param {'recurrent' | 'attention'} name */
const rowPlaces = (name) =>
  Object.entries(ROWS[name])
    .map(([row, height]) => `.${name} .${row}-row { inset-block-start: ${height}rem; }`)
    .join('\n');

export const CSS = `
.stage { gap: 0.25rem; }
.rows { display: grid; grid-template: minmax(0, 1fr) / 3rem minmax(0, 1fr); }
.recurrent { height: ${ROWS.recurrent.input + 1}rem; }
.attention { height: ${ROWS.attention.input + 1}rem; }
.names { position: relative; font-size: 0.75rem; color: var(--muted); }
.names span { position: absolute; translate: 0 -50%; white-space: nowrap; }
${rowPlaces('recurrent')}
${rowPlaces('attention')}
.stage .caption { min-height: 1.5em; }

svg { width: 100%; height: 100%; overflow: visible; font-size: 1rem; }
.rows { --cell: calc((100cqi - 5.5rem) / var(--n, ${LESSON_SEQ_LEN})); }
svg circle { r: min(0.65rem, 0.42 * var(--cell)); fill: var(--surface); stroke: var(--muted); stroke-width: var(--line); }
svg text { pointer-events: none; font-size: ${NUMBER_SIZE}em; fill: var(--muted); text-anchor: middle; }
svg .input, svg .output { cursor: pointer; }
.link { stroke: var(--rule); stroke-width: var(--line); }
.way { stroke: var(--text); stroke-width: calc(1.5 * var(--line)); stroke-dasharray: 2 4; }
.path { stroke: var(--text); stroke-width: calc(2.5 * var(--line)); }
.state.passed circle { stroke: var(--text); stroke-width: calc(1.5 * var(--line)); }
.state.passed text { fill: var(--text); font-weight: 600; }
.input.chosen circle { fill: var(--key); stroke: var(--key); }
.output.chosen circle { fill: var(--query); stroke: var(--query); }
.output.wanted circle { stroke: var(--query); stroke-width: calc(2 * var(--line)); }
.output.wanted text { fill: var(--query); }
.chosen text { fill: var(--bg); font-weight: 600; }
svg .dot { r: min(0.4rem, 0.35 * var(--cell)); fill: var(--key); stroke: var(--bg); stroke-width: 1px; }

.curve { height: 11rem; }
.numbers { width: 100%; margin-block: 0.5rem; }
.numbers th, .numbers td { padding: 0.25rem 0.5rem 0.25rem 0; border-block-end: 1px solid var(--rule); }
.numbers td { height: 2.125rem; font-size: 1rem; white-space: nowrap; }
.numbers small { font-size: 0.75rem; color: var(--muted); }
.finding { min-height: 4.5em; }
@container (max-width: 27.99rem) {
  .numbers td { height: 3.25rem; }
  .numbers small { display: block; }
}
@container (min-width: 28rem) {
  .finding { min-height: 3em; }
}
`;
