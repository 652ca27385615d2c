/** The figure's markup and its own look; words come by `data-i18n`. */
import { footMarkup, panelsMarkup } from '../figure-markup.js';

export const MARKUP = `
<section class="figure" aria-labelledby="title">
  <h3 id="title"></h3>
  <p class="look"></p>
  <div class="alert" role="alert"></div>
  <p class="note" hidden></p>
  <div class="stage">
    <div class="map-part">
      <p class="caption"><span class="map-caption"></span> <select class="layer" data-i18n-label="reverse.layer.label" hidden></select></p>
      <div class="maps"></div>
      <div class="bar-row"><span class="caption bar-title"></span><div class="bar"></div></div>
      <p class="cell"></p>
    </div>
    <div class="run-part">
      <div class="progress">
        <output></output>
        <div class="scrub">
          <progress max="1" value="0" data-i18n-label="reverse.progress"></progress>
          <input type="range" min="0" value="0" step="1" disabled data-i18n-label="reverse.scrub">
        </div>
        <span class="rate"></span>
      </div>
      <div class="controls">
        <button type="button" class="primary" data-action="train" disabled></button>
        <button type="button" data-action="step" data-i18n="reverse.single" disabled></button>
        <button type="button" data-action="reset" data-i18n="reverse.reset" disabled></button>
        <label class="speed"><span data-i18n="reverse.speed"></span><select name="speed" data-i18n-label="reverse.speed"></select></label>
      </div>
    </div>
    <div class="curves-part">
      <div class="curves"></div>
      <p class="caption marks" data-i18n="reverse.marks"></p>
      <p class="caption strip-title" data-i18n="reverse.strip"></p>
      <div class="strip"></div>
    </div>
  </div>
  <dl class="readout">
    <div><dt data-i18n="reverse.loss"></dt><dd data-value="loss"></dd></div>
    <div><dt data-i18n="reverse.digits"></dt><dd data-value="digits"></dd></div>
    <div><dt data-i18n="reverse.sequences"></dt><dd data-value="sequences"></dd></div>
    <div><dt data-i18n="reverse.anti_diagonal"></dt><dd><span data-value="anti_diagonal"></span> <small></small></dd></div>
  </dl>
  <p class="caption tested"></p>
  <dl class="lines">
    <div><dt data-i18n="reverse.lesson"></dt><dd><code class="lesson-line" lang="zh-Hant"></code></dd></div>
    <div><dt data-i18n="reverse.here"></dt><dd><code class="own-line" lang="zh-Hant"></code></dd></div>
  </dl>
  <p class="verdict"></p>
  <div class="stuck" aria-live="polite"></div>
  <form class="ask" novalidate>
    <label for="tokens"></label>
    <input id="tokens" inputmode="numeric" autocomplete="off" spellcheck="false" aria-describedby="tokens-problem">
    <button type="submit" data-i18n="reverse.ask" disabled></button>
    <p id="tokens-problem" class="bad-text" aria-live="polite"></p>
  </form>
  <div class="answer" hidden>
    <div class="answer-table" role="region" tabindex="0" data-i18n-label="reverse.answer"></div>
    <button type="button" class="plain" data-action="sample" data-i18n="reverse.sample"></button>
  </div>
  <div class="foot">
    <details class="more">
      <summary data-i18n="figure.more"></summary>
      <div class="settings settings-grid"></div>
    </details>
    ${footMarkup({ downloads: true })}
  </div>
  <div class="data visually-hidden" role="region" data-i18n-label="figure.table"></div>
  ${panelsMarkup({ downloads: true })}
  <p class="visually-hidden" aria-live="polite" data-live></p>
</section>
`;

export const CSS = `
.stage.empty, .stage.empty ~ * { display: none; }
.maps:empty::before { content: ''; aspect-ratio: 1 / 1; }
.figure { position: relative; }
.stage { display: grid; gap: 0.5rem 1.25rem; grid-template-columns: minmax(0, 1fr); }
.maps { display: grid; gap: 0.5rem; grid-template-columns: minmax(0, 1fr); }
.maps[data-count='2'], .maps[data-count='4'] { grid-template-columns: repeat(2, minmax(0, 1fr)); }
.maps[data-count='8'], .maps[data-count='16'] { grid-template-columns: repeat(4, minmax(0, 1fr)); }
.maps[data-count='many'] { grid-template-columns: repeat(3, minmax(0, 1fr)); }
.map { position: relative; aspect-ratio: 1 / 1; min-width: 0; }
.map:focus-visible { outline-offset: 0; }
.bar-row { display: flex; align-items: center; gap: 0.25rem; }
.bar { position: relative; height: 2rem; flex: 1; min-width: 0; }
.cell { margin: 0; min-height: 1.5em; }
.curves { position: relative; height: 17rem; }
.strip { position: relative; height: 3rem; }
.strip-title { margin-block-start: 0.25rem; }
canvas { display: block; }
.own-line:empty::before { content: attr(data-room); visibility: hidden; }
/* Lines that training fills keep their height while they are empty. */
:is(output, dd, .cell, .verdict, .tested, .map-caption, [data-value]):empty::before { content: '\\200b'; }

.scrub { display: grid; align-items: center; }
.scrub > * { grid-area: 1 / 1; }
.scrub input { width: 100%; background: none; position: relative; appearance: none; }
.scrub input::-webkit-slider-runnable-track { background: none; }
.scrub input::-webkit-slider-thumb {
  appearance: none; width: 20px; height: 20px; border-radius: 50%;
  background: var(--query); border: 3px solid var(--surface);
}
.scrub input::-moz-range-track { background: none; }
.scrub input::-moz-range-thumb {
  width: 20px; height: 20px; border-radius: 50%;
  background: var(--query); border: 3px solid var(--surface); box-sizing: border-box;
}
.scrub input:disabled { opacity: 0; }
.scrub progress {
  appearance: none; width: calc(100% - 20px); margin-inline: 10px; height: 6px;
  border: 0; border-radius: 3px; overflow: hidden; background: var(--rule); color: var(--query);
}
.scrub progress::-webkit-progress-bar { background: var(--rule); }
.scrub progress::-webkit-progress-value { background: var(--query); }
.scrub progress::-moz-progress-bar { background: var(--query); }
.progress { display: flex; align-items: center; gap: 0.5rem; }
.progress output { min-width: 8em; }
.progress .scrub { flex: 1; min-width: 8rem; }
.rate { min-width: 5.5em; text-align: end; color: var(--muted); }
.speed { display: flex; align-items: center; gap: 0.5rem; margin-inline-start: auto; color: var(--muted); }

.readout {
  display: grid; grid-template-columns: repeat(3, minmax(0, 3fr)) minmax(0, 4fr); gap: 0.25rem 1rem;
  margin: 0.5rem 0 0; border-block-start: 1px solid var(--rule); padding-block-start: 0.375rem;
}
.readout dt { font-size: 0.8125rem; color: var(--muted); }
.readout dd { margin: 0; font-size: 1.125rem; line-height: 1.35; }
.readout small { font-size: 0.8125rem; color: var(--muted); white-space: nowrap; }
.lines { display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: 0.5rem; align-items: baseline; margin: 0.5rem 0 0; }
.lines div { display: contents; }
.lines dt { font-size: 0.75rem; color: var(--muted); }
.lines dd { margin: 0; min-width: 0; }
.lines code { font-family: var(--font-code, ui-monospace, monospace); font-size: 0.75rem; white-space: pre-wrap; }
.verdict { margin: 0.125rem 0 0.5rem; min-height: 1.5em; }
/* English takes more lines. */
.figure:lang(en) .verdict { min-height: 3em; }
.verdict.same { color: var(--value); font-weight: 600; }

.ask {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem;
  border-block-start: 1px solid var(--rule); padding-block: 0.5rem;
}
.ask input { flex: 1 1 9em; min-width: 0; max-width: 22em; letter-spacing: 0.1em; }
.ask input::placeholder { letter-spacing: 0; color: var(--muted); opacity: 1; }
#tokens-problem { flex-basis: 100%; margin: 0; }
#tokens-problem:empty { display: none; }
.answer-table { overflow-x: auto; }
.answer caption { text-align: start; }
.answer td { min-width: 1.75em; text-align: center; line-height: 1.2; }
.answer th { padding-inline-start: 0; white-space: nowrap; }
.answer .right { color: var(--value); }
.answer .wrong { color: var(--bad); }
.answer td span { display: block; font-size: 0.75rem; line-height: 1; }

.foot {
  display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 1.25rem;
  border-block-start: 1px solid var(--rule);
}
.foot footer { border: 0; }
.foot details[open] { flex-basis: 100%; }
.settings-grid { display: grid; gap: 0.5rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); padding-block-end: 0.75rem; }
.setting { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; column-gap: 0.5rem; }
.setting > :is(input:not([type='checkbox']), select), .setting > .bad-text { grid-column: 1 / -1; }
.setting > .bad-text { margin: 0; }
.setting > .bad-text:empty { display: none; }
.setting.switch { grid-template-columns: auto minmax(0, 1fr); min-height: 44px; }
.setting.changed > label { font-weight: 600; }

.data.visually-hidden { overflow: hidden; padding: 0; }

@container (min-width: 32rem) {
  .stage { grid-template-columns: minmax(0, 7fr) minmax(0, 5fr); }
  .run-part { grid-row: 2; grid-column: 1 / -1; }
  .curves-part { display: flex; flex-direction: column; }
  .curves { flex: 1; height: auto; min-height: 12rem; }
  .figure:lang(en) .map-part > .caption { min-height: 3em; }
}
@container (min-width: 40rem) {
  .figure:lang(en) .map-part > .caption { min-height: 0; }
  .figure:lang(en) .verdict { min-height: 1.5em; }
}
@container (max-width: 31.99rem) {
  .readout { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .progress { flex-wrap: wrap; }
  .progress .scrub { flex-basis: 100%; order: 1; margin-block-start: -0.75rem; }
  .progress output { flex: 1; }
  .figure { padding-inline: 1rem; }
  .speed { flex: 1; justify-content: end; }
  .speed span { display: none; }
  .speed select { padding-inline: 0.5rem; }
  .controls .primary { min-width: 5em; padding-inline: 0.5rem; }
}
@media print {
  canvas { max-width: 100%; height: auto !important; }
  .figure { break-inside: avoid; }
  .run-part .scrub { display: none; }
}
`;
