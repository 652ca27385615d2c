/** The figure's settings, markup and look. */
import { controlMarkup, numberMarkup } from '../figure-settings.js';
import { PRINTED_CSS } from '../printed-lines.js';
import { SORTED_DIMS } from './model.js';

/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  { name: 'seed', label: 'sharpness.seed', default: 0, min: 0, max: 4_294_967_295 },
  {
    name: 'd',
    label: 'sharpness.d',
    default: 4,
    min: 1,
    max: 1024,
    stops: SORTED_DIMS,
    free: true,
    drawn: true,
  },
];

const [, D] = SETTINGS.map(controlMarkup);
const SEED = numberMarkup(SETTINGS[0]);

/** @param {string} scaling @param {string} label */
const row = (scaling, label) => `
      <tr><th scope="row" data-i18n="${label}"></th>
        <td data-value="variance_${scaling}">–</td><td data-value="max_${scaling}">–</td><td data-value="gradient_${scaling}">–</td></tr>`;

export const MARKUP = `
  <div class="stage">
    <div class="curves-part">
      <p class="caption" data-i18n="sharpness.curves"></p>
      <div class="chart curves"></div>
    </div>
    <div class="run-part">
      <div class="controls">
        <button type="button" class="primary" data-action="run" data-i18n="sharpness.run"></button>
        <button type="button" data-action="reset" data-i18n="sharpness.reset"></button>
        <div class="progress">
          <progress max="1" value="0" data-i18n-label="sharpness.progress"></progress>
          <output class="drawn"></output>
        </div>
      </div>
      ${D}
    </div>
    <div class="histogram-part">
      <p class="caption histogram-caption"></p>
      <div class="chart histogram"></div>
    </div>
    <div class="sample-part">
      <p class="caption sample-caption"></p>
      <div class="chart sample"></div>
    </div>
  </div>
  <table class="numbers">
    <caption></caption>
    <thead>
      <tr><td></td><th scope="col" data-i18n="sharpness.variance"></th><th scope="col" data-i18n="sharpness.largest"></th><th scope="col" data-i18n="sharpness.gradient"></th></tr>
    </thead>
    <tbody>
      ${row('raw', 'sharpness.raw')}${row('scaled', 'sharpness.scaled')}${row('over_d', 'sharpness.over_d')}
    </tbody>
  </table>
  <p class="caption" data-i18n="sharpness.meaning"></p>
  <div class="printed">
    <div><p class="caption" data-i18n="sharpness.here"></p><pre class="own" lang="zh-Hant" tabindex="0" role="group" data-i18n-label="sharpness.here"></pre></div>
    <div><p class="caption" data-i18n="sharpness.lesson"></p><pre class="lesson" lang="zh-Hant" tabindex="0" role="group" data-i18n-label="sharpness.lesson"></pre></div>
  </div>
  <p class="line verdict"></p>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">
      ${SEED}
    </div>
  </details>
`;

export const CSS = `${PRINTED_CSS}
.curves { height: 29rem; }
.histogram, .sample { height: 13rem; }
.histogram-caption, .sample-caption { min-height: 1.5em; }
.progress { flex: 1 1 11rem; display: grid; }
.progress progress { width: 100%; accent-color: var(--query); }
.drawn { font-size: 0.8125rem; color: var(--muted); min-height: 1.5em; }
.numbers { width: 100%; margin-block: 0.5rem; border-block-start: 1px solid var(--rule); }
.numbers caption { height: 2.25rem; text-align: start; color: var(--muted); padding-block: 0.375rem 0.125rem; }
.numbers th[scope='col'], .numbers td { text-align: end; }
.numbers td { font-size: 1rem; }
.printed pre { height: 7rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict { min-height: 3em; }

@container (min-width: 28rem) {
  .stage { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .curves-part, .run-part { grid-column: 1 / -1; }
  .histogram-caption, .sample-caption { min-height: 3em; align-content: end; }
  .printed pre { height: 3.5rem; }
  .verdict { min-height: 1.5em; }
}
`;
