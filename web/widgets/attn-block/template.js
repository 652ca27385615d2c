/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { LESSON_TOKENS } from './model.js';
import { STAGE_NAMES } from './words.js';

/** @import { Setting } from '../figure-settings.js' */

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'stage',
    label: 'block.stage',
    default: 'emb',
    free: true,
    drawn: true,
    options: STAGE_NAMES,
  },
  { name: 'layer', label: 'block.layer', default: 1, min: 1, max: 6, free: true, drawn: true },
  { name: 'head', label: 'block.head', default: 1, min: 1, max: 16, free: true, drawn: true },
  {
    name: 'tokens',
    label: 'block.tokens',
    default: LESSON_TOKENS,
    min: 0,
    max: 9_999_999_999,
    allowed: 'block.allowed',
    free: true,
  },
  {
    name: 'source',
    label: 'block.source',
    default: 'untrained',
    free: true,
    options: { untrained: 'block.source.untrained', trained: 'block.source.trained' },
  },
  { name: 'norm_first', label: 'block.norm_first', default: false },
  {
    name: 'activation',
    label: 'setting.activation',
    default: 'relu',
    options: { relu: 'setting.activation.relu', gelu: 'setting.activation.gelu' },
  },
  { name: 'causal', label: 'setting.causal', default: false },
  { name: 'n_layers', label: 'setting.n_layers', default: 1, min: 1, max: 4 },
  {
    name: 'n_heads',
    label: 'setting.n_heads',
    default: 1,
    min: 1,
    max: 8,
    stops: [1, 2, 4, 8],
    only: true,
  },
  { name: 'init_seed', label: 'setting.init_seed', default: 0, min: 0, max: 99 },
];

/** The controls that a trained network decides. */
export const ARCHITECTURE = [
  'norm_first',
  'activation',
  'causal',
  'n_layers',
  'n_heads',
  'init_seed',
];

/** @param {string} name */
const control = (name) =>
  controlMarkup(/** @type {Setting} */ (SETTINGS.find((setting) => setting.name === name)));

/** Most pictures of a stage: queries, keys and values. */
export const MOST_MAPS = 3;

const SLOTS = Array.from(
  { length: MOST_MAPS },
  (_, i) => `
    <div class="slot slot-${i}">
      <p class="caption" id="slot-${i}"></p>
      <div class="chart map" tabindex="0" role="group" aria-labelledby="slot-${i}"></div>
      <div class="chart bar" hidden></div>
    </div>`,
).join('');

export const MARKUP = `
  <div class="stage">
    <div class="diagram" role="group" data-i18n-label="block.diagram"></div>
    <div class="detail">
      <p class="name"></p>
      <p class="formula"></p>
      <p class="why"></p>
      <div class="slots">${SLOTS}</div>
      <p class="line cell"></p>
      <div class="controls places">${control('layer')}${control('head')}</div>
      <div class="controls">
        <button type="button" class="primary" data-action="play" data-i18n="block.play"></button>
        <button type="button" data-action="back" data-i18n="block.back"></button>
        <button type="button" data-action="on" data-i18n="block.on"></button>
      </div>
      <dl class="readout">
        <div><dt data-i18n="block.shape"></dt><dd data-value="shape"></dd></div>
        <div><dt data-i18n="block.range"></dt><dd data-value="range"></dd></div>
        <div><dt data-i18n="block.zeros"></dt><dd data-value="zeros"></dd></div>
        <div><dt data-i18n="block.deviation"></dt><dd data-value="deviation"></dd></div>
        <div><dt data-i18n="block.parameters"></dt><dd><span data-value="parameters"></span> <small class="lesson"></small></dd></div>
      </dl>
    </div>
  </div>
  <p class="line answer"></p>
  <form class="controls question" novalidate>
    <label for="question" data-i18n="block.tokens"></label>
    <input id="question" inputmode="numeric" autocomplete="off" spellcheck="false" aria-describedby="question-problem">
    <button type="submit" data-i18n="block.ask"></button>
    <p id="question-problem" class="bad-text" aria-live="polite"></p>
  </form>
  <div class="controls">${['source', 'norm_first', 'causal', 'activation'].map(control).join('')}</div>
  <div class="controls">${['n_layers', 'n_heads', 'init_seed'].map(control).join('')}</div>
  <p class="line network"></p>
`;

export const CSS = `
.stage { align-items: start; }
.name { margin: 0; font-size: 1rem; font-weight: 600; min-height: 1.5em; }
.formula { margin: 0; font-family: var(--font-code, ui-monospace, monospace); font-size: 0.8125rem; min-height: 1.5em; }
.why { margin: 0.25rem 0; min-height: 3em; color: var(--muted); text-wrap: pretty; }
.slots { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; height: 24rem; }
.slots[data-wide] { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.75rem; align-items: start; }
.slot { display: flex; flex-direction: column; min-height: 0; }
.slot .map { flex: 1; min-height: 0; }
.slots[data-count='3'] { grid-template-rows: repeat(2, calc((100% - 2.5rem) / 3)) minmax(0, 1fr); }
.slots[data-wide] .slot { height: 100%; }
.bar { height: 2rem; flex: none; }
.readout { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); margin-block-end: 0; }
.readout dd { font-size: 1rem; min-height: 1.35em; }
.places:not(:has(:not([hidden]))) { display: none; }
.answer { min-height: 3em; margin-block-start: 0.75rem; font-weight: 600; }
.network { min-height: 3em; color: var(--muted); text-wrap: pretty; }
.question input { flex: 0 1 10em; letter-spacing: 0.1em; }
.question p { flex-basis: 100%; margin: 0; }
.question p:empty { display: none; }

.diagram { display: grid; grid-template-columns: minmax(0, 1fr) 2.75rem; grid-auto-rows: auto; row-gap: 0.5rem; align-content: start; min-height: 37rem; }
.diagram button {
  grid-column: 1; position: relative; min-height: 2rem; padding: 0.125rem 0.5rem; display: flex;
  justify-content: space-between; align-items: center; gap: 0.5rem; text-align: start; background: var(--surface);
  line-height: 1.25;
}
.diagram button.sum { border-radius: 1rem; }
.diagram button small { color: var(--muted); white-space: nowrap; font-size: 0.75rem; }
.diagram button:not(:first-of-type)::before {
  content: ''; position: absolute; inset-block: calc(-0.5rem - 1px) 100%; inset-inline-start: 1.5rem; border-inline-start: 1px solid var(--muted);
}
.diagram button[aria-current] { background: var(--query); border-color: var(--query); color: var(--bg); }
.diagram button[aria-current] small { color: inherit; }
.frame {
  grid-column: 1 / -1; margin: -0.25rem -0.375rem; border: 1px dashed var(--muted); border-radius: 8px; pointer-events: none;
}
.frame { position: relative; }
.frame span { position: absolute; right: 0.25rem; bottom: 0; transform: translateY(50%); padding-inline: 0.125rem; background: var(--surface); font-size: 0.6875rem; line-height: 1; color: var(--muted); }
.path {
  grid-column: 2; margin-block: 1rem; margin-inline-end: 1rem; border: 1px solid var(--muted); border-inline-start: 0;
  border-start-end-radius: 8px; border-end-end-radius: 8px; position: relative; pointer-events: none;
}
.path::before { content: ''; position: absolute; inset-block-end: -4px; inset-inline-start: 0; border: 4px solid transparent; border-inline-end-color: var(--muted); border-inline-start: 0; }
.path span { position: absolute; top: 50%; right: 0; transform: translate(50%, -50%); writing-mode: vertical-rl; background: var(--surface); font-size: 0.75rem; color: var(--muted); padding-block: 0.25rem; }

@container (min-width: 40rem) {
  .stage { grid-template-columns: minmax(0, 15rem) minmax(0, 1fr); gap: 0.75rem 1.5rem; }
}
@container (min-width: 60rem) {
  .stage { grid-template-columns: minmax(0, 20rem) minmax(0, 1fr); }
  .slots { height: 27rem; }
}
@container (max-width: 39.99rem) {
  .detail { order: -1; }
  .why { min-height: 4.5em; }
  .slots { height: 22rem; }
  .answer, .network { min-height: 4.5em; }
  .cell { min-height: 3em; }
}
`;
