/** The figure's settings, markup and look. */
import { controlMarkup } from '../figure-settings.js';
import { isOrder, SEQ_LEN } from './model.js';

/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { Setting } from '../figure-settings.js' */

/** How many of the lesson's test sequences there are to choose. */
export const N_SAMPLES = 20;

/** @type {Setting[]} */
export const SETTINGS = [
  {
    name: 'order',
    label: 'order.order',
    default: '0823456719',
    accepts: isOrder,
    allowed: 'order.allowed',
    free: true,
  },
  {
    name: 'layer',
    label: 'order.layer',
    default: 'att',
    options: { att: 'order.layer.att', logits: 'order.layer.logits' },
    free: true,
    drawn: true,
  },
  { name: 'causal', label: 'setting.causal', default: false },
  { name: 'sample', label: 'order.sample', default: 1, min: 1, max: N_SAMPLES },
  { name: 'init_seed', label: 'setting.init_seed', default: 0, min: 0, max: 20 },
];

const [, LAYER, CAUSAL, SAMPLE, SEED] = SETTINGS.map(controlMarkup);

/** The two networks. @type {{without: MessageKey, with: MessageKey}} */
export const NETWORKS = { without: 'order.without', with: 'order.with' };

/** @param {keyof typeof NETWORKS} name */
function panel(name) {
  return `
    <section class="panel ${name}" aria-labelledby="${name}-title">
      <div class="head">
        <h4 id="${name}-title" data-i18n="${NETWORKS[name]}"></h4>
        <p class="verdict"></p>
        <div class="chart bar"></div>
      </div>
      <div class="pair" aria-hidden="true">
        <span></span><span class="caption" data-i18n="order.before"></span><span></span>
        <span class="caption" data-i18n="order.after"></span><span></span>
      </div>
      <div class="pair maps">
        <div class="names old" aria-hidden="true"></div>
        <div class="chart before" tabindex="0" role="group" data-i18n-label="order.before"></div>
        <svg viewBox="0 0 1 ${SEQ_LEN}" preserveAspectRatio="none" aria-hidden="true"></svg>
        <div class="chart after" tabindex="0" role="group" data-i18n-label="order.after"></div>
        <div class="names new" aria-hidden="true"></div>
      </div>
      <p class="line cell"></p>
    </section>`;
}

export const MARKUP = `
  <div class="input">
    <p class="caption" id="input-title" data-i18n="order.input"></p>
    <div class="tokens" role="group" aria-labelledby="input-title" aria-describedby="input-help"></div>
    <p class="caption" id="input-help" data-i18n="order.help"></p>
  </div>
  <div class="controls">
    <button type="button" class="primary" data-action="shuffle" data-i18n="order.shuffle"></button>
    <button type="button" data-action="restore" data-i18n="order.restore"></button>
    ${LAYER}
  </div>
  <div class="stage">
    ${panel('without')}
    ${panel('with')}
  </div>
  <p class="caption line-key">
    <span class="sample same" aria-hidden="true"></span><span data-i18n="order.key.same"></span>
    <span class="sample different" aria-hidden="true"></span><span data-i18n="order.key.different"></span>
  </p>
  <p class="sense"></p>
  <dl class="readout">
    <div><dt data-i18n="order.without.output"></dt><dd data-value="without"></dd></div>
    <div><dt data-i18n="order.with.output"></dt><dd data-value="with"></dd></div>
    <div><dt data-i18n="order.scores"></dt><dd data-value="scores"></dd></div>
  </dl>
  <p class="caption rounding" data-i18n="order.rounding"></p>
  <details class="more">
    <summary data-i18n="figure.more"></summary>
    <div class="controls">${CAUSAL}${SAMPLE}${SEED}</div>
  </details>
`;

export const CSS = `
h4 { margin: 0; font-size: 0.9375rem; line-height: 1.5; }

.tokens { display: grid; grid-template-columns: repeat(5, 1fr); gap: 0.375rem; margin-block: 0.25rem; }
.tokens button {
  display: grid;
  justify-items: center;
  padding: 0.125rem 0;
  line-height: 1.2;
  /* A finger drags sideways and still scrolls the page up and down. */
  touch-action: pan-y;
  cursor: grab;
  user-select: none;
}
.tokens b { font-size: 1.125rem; }
.tokens small { font-size: 0.6875rem; color: var(--muted); }
.tokens .moved b { color: var(--query); }
.tokens [aria-pressed='true'], .tokens .target { border-color: var(--query); box-shadow: inset 0 0 0 2px var(--query); }
.tokens .dragged { position: relative; z-index: 1; cursor: grabbing; }

.stage { margin-block-start: 0.5rem; }
.pair { display: grid; grid-template-columns: 1.75rem minmax(0, 1fr) 3.5rem minmax(0, 1fr) 1.75rem; }
.pair > .caption { text-align: center; }
.maps { height: 10.5rem; grid-template-rows: minmax(0, 1fr); }
/* The maps leave 4 px above and at the right of their cells. */
.names { display: grid; grid-template-rows: repeat(${SEQ_LEN}, 1fr); padding-block-start: 4px; font-size: 0.8125rem; line-height: 1; }
.names span { align-self: center; }
.names sub { font-size: 0.625rem; color: var(--muted); }
.names .moved { color: var(--query); font-weight: 700; }
.old { text-align: end; padding-inline-end: 0.25rem; }
.maps svg { width: 100%; height: calc(100% - 4px); margin-block-start: 4px; overflow: visible; }
path { fill: none; stroke: var(--value); stroke-width: 1.5px; vector-effect: non-scaling-stroke; }
path.moved { stroke-width: 2.5px; }
path.different { stroke: var(--bad); stroke-dasharray: 4 3; }
.head { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 8rem); column-gap: 1rem; align-items: center; min-height: 3rem; }
.head .bar { grid-column: 2; grid-row: 1 / span 2; height: 2rem; }
.verdict { margin: 0; font-weight: 600; min-height: 1.5em; }
.verdict.good { color: var(--value); }
.cell { font-size: 0.8125rem; color: var(--muted); margin: 0; min-height: 3em; }

.line-key { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.375rem; }
.line-key .sample { width: 1.75rem; border-block-start: 2.5px solid var(--value); }
.line-key .sample.different { border-block-start: 2.5px dashed var(--bad); margin-inline-start: 0.75rem; }
.sense { margin: 0.5rem 0; min-height: 7.5em; text-wrap: pretty; }

@container (min-width: 32rem) {
  .tokens { grid-template-columns: repeat(${SEQ_LEN}, 1fr); }
  .sense { min-height: 4.5em; }
  .stage { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .maps { height: 13rem; }
  .pair { grid-template-columns: 1.5rem minmax(0, 1fr) 2.5rem minmax(0, 1fr) 1.5rem; }
}
@container (min-width: 32rem) and (max-width: 41.99rem) {
  .head { grid-template-columns: minmax(0, 1fr); }
  .head .bar { grid-column: 1; grid-row: 3; }
}
`;
