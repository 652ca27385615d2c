/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { SEQ_LEN } from './model.js';

/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'p',
    label: 'positions.p',
    default: 24,
    min: 0,
    max: SEQ_LEN - 1,
    free: true,
    drawn: true,
  },
  {
    name: 'dimension',
    label: 'positions.dimension',
    default: 4,
    min: 0,
    max: 127,
    free: true,
    drawn: true,
  },
  { name: 'd_model', label: 'positions.d_model', default: 32, min: 4, max: 128, step: 2 },
  {
    name: 'base',
    label: 'positions.base',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    step: 0,
    stops: [10, 100, 1000, 10_000, 100_000, 1_000_000],
  },
];

const [P, DIMENSION, D_MODEL, BASE] = SETTINGS.map(controlMarkup);

export const MARKUP = `
  <div class="stage">
    <div class="map-part">
      <p class="caption map-caption"></p>
      <div class="chart map" tabindex="0" role="group" aria-labelledby="title"></div>
      <div class="chart bar"></div>
    </div>
    <div class="wave-part">
      <p class="caption wave-caption"></p>
      <div class="chart wave"></div>
      <p class="line cell"></p>
      ${DIMENSION}
    </div>
    <div class="curve-part">
      <p class="caption" data-i18n="positions.curve"></p>
      <div class="chart curve"></div>
      <p class="caption legend">
        <span class="own" data-i18n="positions.curve.p"></span>
        <span class="all" data-i18n="positions.curve.all"></span>
      </p>
    </div>
  </div>
  <div class="controls">
    <button type="button" class="primary" data-action="play" data-i18n="positions.play"></button>
    ${P}
  </div>
  <dl class="readout">
    <div><dt data-i18n="positions.spread"></dt><dd data-value="spread"></dd></div>
    <div><dt data-i18n="positions.greatest"></dt><dd data-value="greatest"></dd></div>
  </dl>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">${D_MODEL}${BASE}</div>
  </details>
`;

export const CSS = `
.map { height: 17rem; }
.bar { height: 2rem; }
.wave { height: 9rem; }
.curve { height: 10rem; }
.map-caption, .wave-caption { min-height: 1.5em; }
.legend { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.legend span::before { content: ''; display: inline-block; vertical-align: middle; margin-inline-end: 0.375rem; }
.legend .own::before { width: 0.5rem; height: 0.5rem; border: 1px solid var(--query); border-radius: 50%; }
.legend .all::before { width: 1.5rem; border-block-start: 2px solid var(--muted); }

@container (min-width: 28rem) {
  .stage { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
  .curve-part { grid-column: 1 / -1; }
}
`;
