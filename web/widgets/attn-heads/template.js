/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { OFFSETS, SEQ_LEN } from './model.js';

/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { Setting } from '../figure-settings.js' */

/** The networks that can be trained here, by their number of heads. */
export const HEADS = [1, 2, 4, 8];
export const MOST_HEADS = 8;
const SHOWN_HEADS = 4;

/** By how much the score of the next place is lower in the heads that are made. */
export const MARGINS = [0, 0.5, 1, 2, 3, 4, 6, 8];

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'part',
    label: 'heads.part',
    default: 'made',
    options: { made: 'heads.part.made', trained: 'heads.part.trained' },
    free: true,
    drawn: true,
  },
  {
    name: 'row',
    label: 'heads.row',
    default: 5,
    min: 0,
    max: SEQ_LEN - 1,
    free: true,
    drawn: true,
  },
  {
    name: 'margin',
    label: 'heads.margin',
    default: 4,
    min: 0,
    max: 8,
    step: 0.5,
    stops: MARGINS,
    only: true,
    free: true,
    drawn: true,
  },
  {
    name: 'n_heads',
    label: 'setting.n_heads',
    default: SHOWN_HEADS,
    min: 1,
    max: MOST_HEADS,
    stops: HEADS,
    only: true,
    free: true,
    drawn: true,
  },
  {
    name: 'n_steps',
    label: 'setting.n_steps',
    default: 1500,
    min: 1,
    max: 5000,
    stops: [100, 200, 300, 600, 1000, 1500, 3000],
    drawn: true,
  },
  { name: 'init_seed', label: 'setting.init_seed', default: 0, min: 0, max: 20 },
];

const [, ROW, MARGIN, N_HEADS, N_STEPS, SEED] = SETTINGS.map(controlMarkup);

/** What each head that is made does. @type {MessageKey[]} */
export const RELATIONS = ['heads.before', 'heads.after', 'heads.self', 'heads.third'];

/** R with its offset below it, as the lesson would write it. @param {number} k */
function rotationName(k) {
  const sign = k < 0 ? '−' : k > 0 ? '+' : '';
  return `R<sub>${sign}${Math.abs(k)}</sub>`;
}

const MADE = OFFSETS.map(
  (k, h) => `
    <div class="tile">
      <p class="caption">${rotationName(k)} <span data-i18n="${RELATIONS[h]}"></span></p>
      <div class="chart made-map" tabindex="0" role="group" data-i18n-label="${RELATIONS[h]}"></div>
    </div>`,
).join('');

const PLACES = OFFSETS.map(
  (k) => `<li><span class="rotation">${rotationName(k)}</span> <span class="place"></span></li>`,
).join('');

const TRAINED = Array.from(
  { length: MOST_HEADS },
  (_, h) => `
    <div class="tile"${h < SHOWN_HEADS ? '' : ' hidden'}>
      <p class="caption name"></p>
      <div class="chart trained-map" tabindex="0" role="group"></div>
      <p class="caption reversing"></p>
      <button type="button" data-action="mute ${h}" data-i18n="heads.mute"></button>
      <p class="caption without"></p>
    </div>`,
).join('');

export const MARKUP = `
  <div class="controls parts" role="group" data-i18n-label="heads.part">
    <button type="button" data-action="made" data-i18n="heads.part.made"></button>
    <button type="button" data-action="trained" data-i18n="heads.part.trained"></button>
  </div>
  <div class="stage">
    <div class="part made">
      <p class="explanation" data-i18n="heads.made"></p>
      <div class="tiles">${MADE}</div>
      <div class="beside">
        <div class="tile">
          <p class="caption" data-i18n="heads.single"></p>
          <div class="chart single-map" tabindex="0" role="group" data-i18n-label="heads.single"></div>
          <div class="chart bar made-bar"></div>
        </div>
        <div>
          ${ROW}
          <p class="caption" data-i18n="heads.places"></p>
          <ol class="places">${PLACES}</ol>
          ${MARGIN}
        </div>
      </div>
      <dl class="readout">
        <div><dt data-i18n="heads.together"></dt><dd data-value="together"></dd></div>
        <div><dt data-i18n="heads.alone"></dt><dd data-value="alone"></dd></div>
      </dl>
      <p class="sense" data-i18n="heads.made.sense"></p>
      <p class="caption" data-i18n="heads.made.edges"></p>
    </div>
    <div class="part trained">
      <div class="controls">
        <button type="button" class="primary" data-action="train" data-i18n="heads.train"></button>
        <button type="button" data-action="reset" data-i18n="heads.reset"></button>
        ${N_HEADS}
      </div>
      <div class="run">
        <progress max="1" value="0" data-i18n-label="heads.progress"></progress>
        <span data-value="step"></span>
      </div>
      <div class="maps-head">
        <p class="caption maps-caption"></p>
        <div class="chart bar trained-bar"></div>
      </div>
      <div class="tiles trained-tiles" data-heads="${SHOWN_HEADS}">${TRAINED}</div>
      <div class="products">
        <div class="tile">
          <p class="caption" data-i18n="heads.concatenation"></p>
          <div class="framed concatenation">
            <div class="chart concatenation-map" tabindex="0" role="group" data-i18n-label="heads.concatenation"></div>
            <div class="groups" aria-hidden="true"></div>
          </div>
          <div class="chart bar concatenation-bar"></div>
        </div>
        <div class="tile">
          <p class="caption" data-i18n="heads.projection"></p>
          <div class="framed projection">
            <div class="chart projection-map" tabindex="0" role="group" data-i18n-label="heads.projection"></div>
            <div class="groups" aria-hidden="true"></div>
          </div>
          <div class="chart bar projection-bar"></div>
        </div>
      </div>
      <dl class="readout">
        <div><dt data-i18n="heads.accuracy"></dt><dd data-value="accuracy"></dd></div>
        <div><dt data-i18n="heads.distance"></dt><dd data-value="distance"></dd></div>
        <div><dt data-i18n="heads.parameters"></dt><dd data-value="parameters"></dd></div>
      </dl>
      <p class="sense verdict"></p>
    </div>
  </div>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">${N_STEPS}${SEED}</div>
  </details>
`;

export const CSS = `
.parts button[aria-pressed='true'] { border-color: var(--query); box-shadow: inset 0 0 0 1px var(--query); color: var(--query); font-weight: 600; }

/* Both parts take the same place, so that changing between them moves nothing else. */
.part { grid-area: 1 / 1; min-width: 0; }
.part[inert] { visibility: hidden; }

.explanation { margin: 0 0 0.5rem; text-wrap: pretty; }
.tiles { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem; }
.tile { min-width: 0; }
.tile .caption { line-height: 1.4; }
.made-map { height: 8.5rem; }
.beside { display: grid; gap: 0.5rem 1.25rem; grid-template-columns: minmax(0, 1fr); margin-block-start: 0.5rem; }
.single-map { height: 10rem; }
.bar { height: 2rem; }
.places { margin: 0.25rem 0; padding: 0; list-style: none; }
.places li { min-height: 1.5em; }
.rotation { display: inline-block; min-width: 2.25em; font-weight: 600; }
sub { font-size: 0.75em; line-height: 1; }

.run { display: flex; align-items: center; gap: 0.75rem; min-height: 1.5em; }
.run [data-value] { min-width: 8em; }
progress { appearance: none; flex: 1; height: 0.5rem; border: 0; border-radius: 4px; overflow: hidden; background: var(--rule); }
progress::-webkit-progress-bar { background: var(--rule); }
progress::-webkit-progress-value { background: var(--query); }
progress::-moz-progress-bar { background: var(--query); }
.maps-head { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 7rem); gap: 1rem; margin-block: 0.25rem; }
.maps-caption { min-height: 4.5em; }
.trained-tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); }
.trained-tiles button { width: 100%; padding-inline: 0; }
.trained-tiles .muted button { border-color: var(--bad); color: var(--bad); }
.trained-tiles .muted .chart { opacity: 0.35; }
.trained-tiles .caption { min-height: 1.4em; }
.trained-tiles .without { min-height: 2.8em; }
.trained-map { height: 5.5rem; }
.name { white-space: nowrap; overflow: hidden; }
[data-heads='1'] { grid-template-columns: minmax(0, 18rem); }
[data-heads='2'] { grid-template-columns: repeat(2, minmax(0, 1fr)); }
[data-heads='1'] .trained-map { height: 16rem; }
[data-heads='2'] .trained-map { height: 10rem; }

.products { display: grid; gap: 0.5rem 1.25rem; grid-template-columns: repeat(2, minmax(0, 1fr)); margin-block-start: 0.5rem; }
.framed { position: relative; height: 10rem; }
.framed .chart { height: 100%; }
/* The frames of the heads lie over the cells, which leave 4 px above and at the right. */
.groups { position: absolute; inset: 4px 4px 0 0; display: grid; pointer-events: none; font-size: 0.75rem; line-height: 1.2; }
.concatenation .groups { grid-auto-flow: column; grid-auto-columns: 1fr; }
.projection .groups { grid-auto-rows: 1fr; }
.groups span { border: 1px solid var(--muted); margin: -0.5px; overflow: hidden; }
.groups b { padding-inline: 0.25em; color: var(--text); background: var(--bg); }
.sense { margin: 0.5rem 0; text-wrap: pretty; }
.verdict { min-height: 9em; }
/* English takes more lines. */
.figure:lang(en) .maps-caption { min-height: 6em; }
.figure:lang(en) .verdict { min-height: 12em; }

@container (min-width: 30rem) {
  .made .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .made-map { height: 7.5rem; }
  .beside { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
  .trained-map { height: 7rem; }
  [data-heads='2'] .trained-map { height: 14rem; }
  .trained-tiles .without { min-height: 1.4em; }
  .maps-caption { min-height: 3em; }
  .verdict { min-height: 6em; }
  .figure:lang(en) .maps-caption { min-height: 4.5em; }
  .figure:lang(en) .verdict { min-height: 9em; }
}
@container (min-width: 40rem) {
  .made-map { height: 10rem; }
  .trained-map { height: 9.5rem; }
  [data-heads='2'] .trained-map { height: 18rem; }
  .verdict { min-height: 4.5em; }
  .figure:lang(en) .maps-caption { min-height: 3em; }
  .figure:lang(en) .verdict { min-height: 6em; }
}
`;
