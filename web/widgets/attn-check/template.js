/** The figure's settings, markup and look. */
import { controlMarkup, numberMarkup } from '../figure-settings.js';
import { PRINTED_CSS } from '../printed-lines.js';
import { COLDEST } from './model.js';

/** @import { Setting } from '../figure-settings.js' */

/** @param {number} inverse */
function writeTemperature(inverse) {
  if (inverse === 0) return '∞';
  return inverse >= COLDEST ? '→ 0' : String(Number((1 / inverse).toPrecision(4)));
}

/** @type {Setting[]} */
export const SETTINGS = [
  { name: 'seed', label: 'check.seed', default: 0, min: 0, max: 4_294_967_295 },
  { name: 'n', label: 'check.n', default: 5, min: 2, max: 12 },
  { name: 'd', label: 'check.d', default: 16, min: 2, max: 64 },
  { name: 'causal', label: 'check.causal', default: true, free: true, drawn: true },
  { name: 'scaled', label: 'check.scaled', default: true },
  {
    name: 'inverse_temperature',
    label: 'check.temperature',
    default: 1,
    min: 0,
    max: COLDEST,
    step: 0,
    stops: [0, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, COLDEST],
    write: writeTemperature,
  },
  { name: 'row', label: 'check.row', default: 3, min: 0, max: 11, free: true, drawn: true },
  { name: 'column', label: 'check.column', default: 1, min: 0, max: 11, free: true, drawn: true },
];

const [, N, D, CAUSAL, SCALED, TEMPERATURE] = SETTINGS.map(controlMarkup);
const SEED = numberMarkup(SETTINGS[0]);

/** @param {string} name @param {string} label of the tensor in words @param {string} [focus] */
const map = (name, label, focus = 'tabindex="0" role="group"') => `
    <div class="map-part ${name}-part">
      <p class="caption ${name}-caption"></p>
      <div class="chart map ${name}" ${focus} data-i18n-label="${label}"></div>
    </div>`;

export const MARKUP = `
  <div class="stage">
    ${map('query', 'check.query.map')}
    ${map('key', 'check.key.map')}
    ${map('value', 'check.value.map')}
    ${map('scores', 'check.scores.map')}
    ${map('weights', 'check.weights.map')}
    ${map('output', 'check.output.map')}
    <div class="bar-part"><p class="caption" data-i18n="check.bar.signed"></p><div class="chart bar signed-bar"></div></div>
    <div class="bar-part"><p class="caption" data-i18n="check.bar.scores"></p><div class="chart bar scores-bar"></div></div>
    <div class="bar-part"><p class="caption" data-i18n="check.bar.weights"></p><div class="chart bar weights-bar"></div></div>
  </div>
  <div class="controls">
    ${CAUSAL}${SCALED}
    <div class="temperature">
      ${TEMPERATURE}
      <div class="ends"><span data-i18n="check.uniform"></span><span data-i18n="check.exact"></span></div>
    </div>
  </div>
  <div class="hand">
    <p id="hand-title" class="hand-title" aria-live="polite"></p>
    <div class="steps" role="region" tabindex="0" aria-labelledby="hand-title"><ol></ol></div>
  </div>
  <dl class="readout">
    <div><dt data-i18n="check.sum"></dt><dd data-value="sum"></dd></div>
    <div><dt data-i18n="check.largest"></dt><dd data-value="largest"></dd></div>
    <div><dt data-i18n="check.distance"></dt><dd data-value="distance"></dd></div>
    <div><dt class="reference" data-i18n="check.loops"></dt><dd data-value="difference"></dd></div>
  </dl>
  <div class="printed">
    <div><p class="caption" data-i18n="check.here"></p><pre class="own" lang="zh-Hant" tabindex="0" role="group" data-i18n-label="check.here"></pre></div>
    <div><p class="caption" data-i18n="check.lesson"></p><pre class="lesson" lang="zh-Hant" tabindex="0" role="group" data-i18n-label="check.lesson"></pre></div>
  </div>
  <p class="line verdict"></p>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">
      ${SEED}
      ${N}${D}
    </div>
  </details>
`;

export const CSS = `${PRINTED_CSS}
.stage { gap: 0.5rem 1rem; grid-template-columns: repeat(6, minmax(0, 1fr)); }
.map-part { grid-column: span 3; }
.scores-part, .weights-part { grid-column: span 6; }
.value-part { order: 1; }
.output-part { order: 2; }
.bar-part { order: 3; grid-column: span 2; display: grid; align-content: end; }
.map-part .caption { white-space: nowrap; min-height: 1.5em; }
.map { height: 7.5rem; }
.scores, .weights { height: 11.5rem; }
.bar { height: 2rem; }
.temperature { flex: 1 1 15rem; }
.ends { display: flex; justify-content: space-between; gap: 0.5rem; margin-block-start: -0.5rem; font-size: 0.8125rem; color: var(--muted); }

.hand { margin-block-start: 0.5rem; padding-block-start: 0.5rem; border-block-start: 1px solid var(--rule); }
.hand-title { margin: 0; font-size: 0.875rem; font-weight: 600; min-height: 1.5em; }
.steps { height: 17rem; overflow-y: auto; }
.steps ol { margin: 0.25rem 0; padding: 0; list-style: none; }
.steps li { padding-block: 0.125rem; overflow-wrap: anywhere; }
.steps b { font-weight: 600; }
.steps .name { color: var(--muted); margin-inline-end: 0.5em; }
.steps sub { line-height: 0; }
.q { color: var(--query); }
.k { color: var(--key); }
.v { color: var(--value); }

.readout { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.readout dt { min-height: 1.5em; }
.printed pre { height: 10rem; }
.verdict { min-height: 3em; }

@container (min-width: 28rem) {
  .scores-part, .weights-part { grid-column: span 3; }
  .scores, .weights { height: 12rem; }
  .steps { height: 12.5rem; }
}
@container (min-width: 38rem) {
  .map-part, .scores-part, .weights-part { grid-column: span 2; }
  .value-part, .output-part, .bar-part { order: 0; }
  .readout { grid-template-columns: repeat(4, auto); }
  .scores, .weights, .output { height: 12.5rem; }
  .steps { height: 11.5rem; }
}
`;
