/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { LARGEST_K, SEQ_LEN } from './model.js';

/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  { name: 'p', label: 'rotation.p', default: 5, min: 0, max: SEQ_LEN - 1, free: true, drawn: true },
  { name: 'k', label: 'rotation.k', default: -1, min: -LARGEST_K, max: LARGEST_K },
  {
    name: 'sharpness',
    label: 'rotation.sharpness',
    default: 40,
    min: 0,
    max: 1000,
    step: 0,
    stops: [0, 1, 2, 5, 10, 20, 40, 80, 160],
    free: true,
  },
];

const [P, K, SHARPNESS] = SETTINGS.map(controlMarkup);

export const MARKUP = `
  <div class="stage">
    <div class="hands-part">
      <p class="caption" data-i18n="rotation.hands"></p>
      <div class="hands" role="img" data-i18n-label="rotation.hands"></div>
      <p class="caption legend">
        <span class="from" data-i18n="rotation.hands.from"></span>
        <span class="to" data-i18n="rotation.hands.to"></span>
        <span class="target" data-i18n="rotation.hands.target"></span>
      </p>
    </div>
    <div class="controls">
      <button type="button" class="primary" data-action="play" data-i18n="rotation.play"></button>
      ${P}${K}
    </div>
    <div class="matrix-part">
      <p class="caption matrix-caption"></p>
      <div class="chart matrix" tabindex="0" role="group" aria-labelledby="title"></div>
      <div class="chart bar matrix-bar"></div>
      <p class="cell" data-i18n="rotation.cell.hint"></p>
    </div>
    <div class="map-part">
      <p class="caption"><span data-i18n="rotation.map"></span>W<sub>Q</sub> = c R(<span class="offset"></span>)<span data-i18n="rotation.comma"></span>W<sub>K</sub> = I</p>
      <div class="chart map" tabindex="0" role="group" aria-labelledby="title"></div>
      <div class="chart bar map-bar"></div>
      ${SHARPNESS}
    </div>
  </div>
  <dl class="readout">
    <div><dt data-i18n="rotation.error"></dt><dd data-value="error"></dd></div>
    <div><dt class="hits-name"></dt><dd data-value="hits"></dd></div>
  </dl>
  <p class="line outside"></p>
`;

export const CSS = `
.hands { max-width: 34rem; display: grid; grid-template-columns: repeat(8, minmax(0, 1fr)); gap: 0.25rem; }
.hand { text-align: center; font-size: 0.6875rem; line-height: 1.4; color: var(--muted); }
.hand svg { display: block; width: 100%; aspect-ratio: 1; overflow: visible; }
.hand .rim { fill: var(--bg); stroke: var(--rule); }
.hand .turn { fill: none; stroke: var(--muted); }
.hand .from { stroke: var(--query); stroke-width: 2.5; stroke-linecap: round; }
.hand .to { stroke: var(--key); stroke-width: 2.5; stroke-dasharray: 3.5 3.5; }
.hand .target { fill: var(--surface); stroke: var(--key); stroke-width: 2; }

.legend { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-block-start: 0.25rem; }
.legend span::before { content: ''; display: inline-block; vertical-align: middle; margin-inline-end: 0.375rem; }
.legend .from::before { width: 1.5rem; border-block-start: 3px solid var(--query); }
.legend .to::before { width: 1.5rem; border-block-start: 3px dashed var(--key); }
.legend .target::before { width: 0.625rem; height: 0.625rem; border: 2px solid var(--key); border-radius: 50%; }

.stage .controls { margin: 0; }
.matrix, .map { height: 16rem; max-width: 18rem; }
.bar { height: 2rem; max-width: 18rem; }
.matrix-caption { min-height: 1.5em; }
sub { line-height: 0; }
.cell { margin: 0.25rem 0 0; min-height: 3em; }
.stage .setting.slider { flex-basis: 9rem; }
.readout > div { flex: 1 1 12rem; }
.readout dt { min-height: 1.5em; }
.outside { min-height: 3em; }

@container (min-width: 28rem) {
  .stage { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .hands-part, .stage .controls { grid-column: 1 / -1; }
  .outside { min-height: 1.5em; }
}
`;
