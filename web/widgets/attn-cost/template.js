/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { KINDS, LENGTHS, ROUNDS } from './model.js';

/** @import { CostKind } from '../../engine/protocol.js' */
/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'evidence',
    label: 'cost.evidence',
    default: 'operations',
    options: {
      path: 'cost.evidence.path',
      parallel: 'cost.evidence.parallel',
      operations: 'cost.evidence.operations',
    },
    free: true,
    drawn: true,
  },
  {
    name: 'n',
    label: 'cost.n',
    default: 10,
    min: LENGTHS[0],
    max: LENGTHS[LENGTHS.length - 1],
    stops: LENGTHS,
    only: true,
    drawn: true,
  },
  {
    name: 'd',
    label: 'cost.d',
    default: 32,
    min: 16,
    max: 128,
    stops: [16, 32, 64, 128],
    only: true,
  },
];

const [EVIDENCE, N, D] = SETTINGS.map(controlMarkup);

/** @param {'recurrent' | 'attention'} network */
const scheduleMarkup = (network) => `
  <div>
    <p class="caption ${network}-caption"></p>
    <svg class="schedule ${network}-schedule" role="img"></svg>
  </div>`;

/** @type {Record<CostKind, {name: MessageKey, formula: string}>} */
const ROWS = {
  lstm: { name: 'cost.lstm', formula: '8nd²' },
  attention: { name: 'cost.attention', formula: '2n²d' },
  self_attention: { name: 'cost.self_attention', formula: '2n²d + 4nd²' },
};

/** @param {CostKind} kind */
const rowMarkup = (kind) => `
  <tr>
    <th scope="row">
      <span data-i18n="${ROWS[kind].name}"></span> <span class="formula">${ROWS[kind].formula}</span>
    </th>
    <td data-value="${kind}-count"></td>
    <td data-value="${kind}-time"></td>
  </tr>`;

export const MARKUP = `
  <div class="controls">${EVIDENCE}</div>
  <div class="stage">
    <div class="view" data-view="path" hidden>
      <p class="caption" data-i18n="cost.path.caption"></p>
      <div class="chart path"></div>
      <p class="line path-line"></p>
      <p class="caption" data-i18n="cost.gradient.caption"></p>
      <div class="chart gradients"></div>
      <p class="line gradient-line"></p>
    </div>
    <div class="view" data-view="parallel" hidden>
      <div class="schedules">${scheduleMarkup('recurrent')}${scheduleMarkup('attention')}</div>
      <p class="line parallel-line"></p>
    </div>
    <div class="view" data-view="operations">
      <div class="chart operations"></div>
      <div class="controls">
        <button type="button" class="primary" data-action="measure" data-i18n="cost.measure"></button>
        <progress max="${KINDS.length * LENGTHS.length * ROUNDS}" value="0" data-i18n-label="cost.progress"></progress>
      </div>
      <table class="numbers">
        <thead>
          <tr>
            <td class="sizes"></td>
            <th scope="col" data-i18n="cost.count"></th>
            <th scope="col" data-i18n="cost.time"></th>
          </tr>
        </thead>
        <tbody>${KINDS.map(rowMarkup).join('')}</tbody>
      </table>
      <p class="line finding"></p>
    </div>
  </div>
  <div class="controls">${N}${D}</div>
  <p class="caption" data-i18n="cost.note"></p>
`;

export const CSS = `
.view { display: grid; grid-template-rows: auto; align-content: start; min-height: 46rem; min-width: 0; }
.operations { height: 24rem; }
.path, .gradients { height: 15rem; }
.gradients { margin-block-start: 0.25rem; }
.path-line { margin-block-end: 0.75rem; }
.view progress { flex: 1 1 8rem; min-width: 0; height: 0.5rem; accent-color: var(--query); }

.schedules { display: grid; gap: 0.75rem 1.25rem; }
.schedules .caption { margin-block-end: 0.25rem; }
.schedule { width: 100%; height: 14rem; background: var(--bg); border: var(--line) solid var(--rule); }
.recurrent-schedule { color: var(--key); }
.attention-schedule { color: var(--query); }
.schedule rect { fill: currentColor; }
.schedule line { stroke: currentColor; stroke-width: calc(1.5 * var(--line)); }

.numbers { width: 100%; margin-block: 0.25rem; }
.numbers th, .numbers td { padding: 0.25rem 0.5rem 0.25rem 0; border-block-end: 1px solid var(--rule); vertical-align: baseline; }
.numbers th:not(:first-child), .numbers td { text-align: end; white-space: nowrap; }
.numbers th:last-child, .numbers td:last-child { padding-inline-end: 0; }
.numbers tbody th { color: var(--text); }
.numbers td { min-width: 4.5rem; height: 2.125rem; }
.numbers .sizes { color: var(--muted); font-size: inherit; text-align: start; }
.numbers .formula { color: var(--muted); white-space: nowrap; }
.finding { min-height: 7.5em; }
@container (min-width: 28rem) {
  .view { min-height: 43rem; }
  .finding { min-height: 6em; }
  .numbers td { font-size: 1rem; }
}
`;
