/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { LESSON_STEPS, MOST_STEPS, NETWORKS } from './model.js';

/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'clock',
    label: 'race.clock',
    default: 'steps',
    options: { steps: 'race.clock.steps', time: 'race.clock.time' },
    free: true,
    drawn: true,
  },
  { name: 'seq_len', label: 'setting.seq_len', default: 10, min: 4, max: 32 },
  {
    name: 'n_steps',
    label: 'setting.n_steps',
    default: LESSON_STEPS,
    min: 1,
    max: MOST_STEPS,
    stops: [300, 1500, 3000, 4500, 6000],
    drawn: true,
  },
  { name: 'seed', label: 'race.seed', default: 0, min: 0, max: 99 },
];

const [CLOCK, SEQ_LEN, N_STEPS, SEED] = SETTINGS.map(controlMarkup);

/** @param {string} name @param {string} label */
const rowMarkup = (name, label) => `
  <tr><th scope="row" data-i18n="${label}"></th><td data-value="transformer-${name}"></td><td data-value="bilstm-${name}"></td></tr>`;

/** @param {keyof typeof NETWORKS} name */
const linesMarkup = (name) => `
  <div class="pair">
    <dl class="lines">
      <div><dt data-i18n="race.lesson"></dt><dd><code lang="zh-Hant">${NETWORKS[name].line}</code></dd></div>
      <div><dt data-i18n="race.here"></dt><dd><code lang="zh-Hant" class="own ${name}" data-room="${NETWORKS[name].line}"></code></dd></div>
    </dl>
    <p class="verdict ${name}"></p>
  </div>`;

export const MARKUP = `
  <p class="note" hidden></p>
  <div class="stage">
    <div>
      <p class="caption" data-i18n="race.curves"></p>
      <div class="chart curves"></div>
    </div>
    <div>
      <p class="caption positions-caption"></p>
      <div class="chart positions"></div>
    </div>
  </div>
  <div class="progress">
    <output></output>
    <input type="range" class="scrub" min="0" value="0" disabled data-i18n-label="race.scrub">
  </div>
  <div class="controls">
    <button type="button" class="primary" data-action="train" data-i18n="race.train"></button>
    <button type="button" data-action="single" data-i18n="race.single"></button>
    <button type="button" data-action="reset" data-i18n="race.reset"></button>
  </div>
  <div class="controls">${CLOCK}${SEQ_LEN}</div>
  <div class="numbers" role="region" tabindex="0" data-i18n-label="race.numbers">
    <table>
      <thead><tr><td></td><th scope="col" class="transformer">Transformer</th><th scope="col" class="bilstm" data-i18n="race.bilstm"></th></tr></thead>
      <tbody>
        ${rowMarkup('parameters', 'race.parameters')}
        ${rowMarkup('step', 'race.step')}
        ${rowMarkup('seconds', 'race.seconds')}
        ${rowMarkup('pace', 'race.pace')}
        ${rowMarkup('loss', 'race.loss')}
        ${rowMarkup('digits', 'race.digits')}
        ${rowMarkup('sequences', 'race.sequences')}
      </tbody>
    </table>
  </div>
  <p class="line ratio"></p>
  ${linesMarkup('transformer')}
  ${linesMarkup('bilstm')}
  <p class="remark" data-i18n="race.remark"></p>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">${N_STEPS}${SEED}</div>
  </details>
`;

export const CSS = `
.curves { height: 19rem; }
.positions { height: 12rem; }
.caption { min-height: 1.5em; }
.progress { display: flex; flex-wrap: wrap; align-items: center; column-gap: 0.75rem; margin-block-start: 0.5rem; }
.progress output { min-width: 16em; min-height: 1.5em; }
.progress input { flex: 1 1 8rem; min-width: 0; }
.controls { align-items: end; }
.numbers { overflow-x: auto; border-block-start: 1px solid var(--rule); padding-block: 0.375rem; }
.numbers table { min-width: min(100%, 26rem); }
.numbers :is(td, th[scope='col']) { text-align: end; min-width: 6.5em; }
.numbers td { font-size: 1rem; }
.numbers tbody td:empty::before { content: '–'; }
.numbers .transformer { color: var(--query); font-weight: 600; }
.numbers .bilstm { color: var(--key); font-weight: 600; }
.numbers [data-value$='parameters'] { font-weight: 600; }
.pair { border-block-start: 1px solid var(--rule); padding-block: 0.375rem; }
.lines { display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: 0.5rem; align-items: baseline; margin: 0; }
.lines div { display: contents; }
.lines dt { font-size: 0.75rem; color: var(--muted); }
.lines dd { margin: 0; min-width: 0; }
.lines code { font-family: var(--font-code, ui-monospace, monospace); font-size: 0.75rem; white-space: pre-wrap; }
.own:empty::before { content: attr(data-room); visibility: hidden; }
.verdict { margin: 0.125rem 0 0; min-height: 1.5em; }
.verdict.bilstm { min-height: 4.5em; }
.remark { margin: 0.25rem 0 0; padding-block: 0.375rem; border-block-start: 1px solid var(--rule); text-wrap: pretty; }

@container (min-width: 30rem) {
  .stage { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); }
  .positions { height: 19rem; }
}
@container (min-width: 40rem) {
  .verdict.bilstm { min-height: 3em; }
}
@container (max-width: 29.99rem) {
  .verdict { min-height: 3em; }
  .verdict.bilstm { min-height: 7.5em; }
  .numbers :is(td, th[scope='col']) { min-width: 0; }
  .controls .primary { min-width: 5em; }
}
@media print {
  .progress .scrub { display: none; }
}
`;
