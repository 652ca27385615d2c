/** The figure's settings, markup and look. */
import { t } from '../../i18n/index.js';
import { controlMarkup } from '../figure-settings.js';

/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'period',
    label: 'peek.period',
    default: 0,
    min: 0,
    max: 15,
    free: true,
    write: (period) => (period === 0 ? t('peek.random') : t('peek.every', { period })),
  },
  {
    name: 'n_steps',
    label: 'setting.n_steps',
    default: 600,
    min: 50,
    max: 3000,
    step: 50,
    free: true,
    drawn: true,
  },
  { name: 'seq_len', label: 'setting.seq_len', default: 10, min: 4, max: 16 },
  { name: 'init_seed', label: 'setting.init_seed', default: 0, min: 0, max: 99 },
];

const [PERIOD, N_STEPS, SEQ_LEN, INIT_SEED] = SETTINGS.map(controlMarkup);

/** @param {string} name @param {string} title */
const mapMarkup = (name, title) => `
  <div class="map-part">
    <p class="caption" data-i18n="${title}"></p>
    <div class="chart map ${name}" tabindex="0" role="group" data-i18n-label="${title}"></div>
  </div>`;

export const MARKUP = `
  <div class="stage">
    <div>
      <p class="caption curves-caption"></p>
      <div class="chart curves"></div>
    </div>
    <div>
      <p class="caption bars-caption"></p>
      <div class="chart bars"></div>
    </div>
  </div>
  <div class="progress"><output></output><progress max="1" value="0" data-i18n-label="peek.progress"></progress></div>
  <div class="controls">
    <button type="button" class="primary" data-action="train" data-i18n="peek.train"></button>
    <button type="button" data-action="single" data-i18n="peek.single"></button>
    <button type="button" data-action="reset" data-i18n="peek.reset"></button>
    ${PERIOD}
  </div>
  <dl class="readout">
    <div><dt class="free-name"></dt><dd><span data-value="free"></span> <small data-value="free-floor"></small></dd></div>
    <div><dt class="masked-name"></dt><dd><span data-value="masked"></span> <small data-value="masked-floor"></small></dd></div>
    <div><dt class="last-name"></dt><dd><span data-value="last"></span> <small data-value="last-floor"></small></dd></div>
  </dl>
  <p class="line verdict"></p>
  <p class="line verdict-last"></p>
  <div class="maps">${mapMarkup('free', 'peek.map.free')}${mapMarkup('masked', 'peek.map.masked')}</div>
  <div class="bar-row"><span class="caption" data-i18n="peek.bar"></span><div class="chart bar"></div></div>
  <p class="line cell"></p>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">${N_STEPS}${SEQ_LEN}${INIT_SEED}</div>
  </details>
`;

export const CSS = `
.curves, .bars { height: 14rem; }
.progress { display: flex; align-items: center; gap: 0.75rem; margin-block-start: 0.5rem; }
.progress output { min-width: 9em; }
.progress progress {
  appearance: none; flex: 1; height: 6px; border: 0; border-radius: 3px; overflow: hidden;
  background: var(--rule); color: var(--query);
}
.progress progress::-webkit-progress-bar { background: var(--rule); }
.progress progress::-webkit-progress-value { background: var(--query); }
.progress progress::-moz-progress-bar { background: var(--query); }
.readout { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
.verdict { min-height: 4.5em; text-wrap: pretty; }
.verdict-last { min-height: 3em; text-wrap: pretty; }
.maps { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.75rem; }
.map { aspect-ratio: 1 / 1; }
.bar-row { display: flex; align-items: center; gap: 0.25rem; }
.bar { height: 2rem; flex: 1; }
.caption { min-height: 1.5em; }
:is(dt, output, [data-value]):empty::before { content: '\\200b'; }
.controls { align-items: end; }
/* English takes more lines. */
.figure:lang(en) .verdict { min-height: 6em; }
.figure:lang(en) .verdict-last { min-height: 4.5em; }

@container (min-width: 30rem) {
  .stage { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .map { aspect-ratio: 1 / 0.9; }
  .stage .caption { min-height: 3em; display: flex; align-items: end; }
  .verdict, .verdict-last { min-height: 3em; }
  .figure:lang(en) .verdict { min-height: 4.5em; }
  .figure:lang(en) :is(.verdict-last, .cell) { min-height: 3em; }
}
@container (min-width: 42rem) {
  .stage .caption { min-height: 1.5em; }
  .figure:lang(en) .stage .caption { min-height: 3em; }
  .figure:lang(en) .verdict { min-height: 3em; }
  .figure:lang(en) .cell { min-height: 0; }
}
@container (max-width: 29.99rem) {
  .curves, .bars { height: 12rem; }
  .map { aspect-ratio: 1 / 1.3; }
  .map-part .caption, .cell { min-height: 3em; }
  .figure:lang(en) .stage .caption { min-height: 3em; }
}
`;
