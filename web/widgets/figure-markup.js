/** The frame of every figure, and how it looks. */

/** @import { FigureDefinition } from './figure-element.js' */

/** The buttons of a figure's foot. @param {{downloads?: boolean}} [options] */
export function footMarkup({ downloads } = {}) {
  const download = downloads
    ? '<button type="button" class="plain" data-action="download" data-i18n="figure.download" aria-expanded="false"></button>'
    : '';
  return `
  <footer>
    <button type="button" class="plain" data-action="lesson" data-i18n="figure.lesson"></button>
    <button type="button" class="plain" data-action="table" data-i18n="figure.table" aria-expanded="false"></button>
    <button type="button" class="plain" data-action="source" data-i18n="figure.source" aria-expanded="false"></button>
    <button type="button" class="plain" data-action="link" data-i18n="figure.link"></button>
    ${download}
    <span class="copied" role="status"></span>
    <textarea class="link" rows="1" readonly hidden data-i18n-label="figure.copy.field"></textarea>
  </footer>`;
}

/** What the foot opens besides the data table. @param {{downloads?: boolean}} [options] */
export function panelsMarkup({ downloads } = {}) {
  const files = downloads
    ? '<div class="downloads" role="region" tabindex="0" data-i18n-label="figure.download" hidden></div>'
    : '';
  return `
  <div class="source" role="region" tabindex="0" data-i18n-label="figure.source" hidden></div>
  ${files}`;
}

/** @param {Pick<FigureDefinition, 'title' | 'look' | 'markup' | 'downloads'>} definition */
export function figureMarkup({ title, look, markup, downloads }) {
  return `
<section class="figure" aria-labelledby="title">
  <h3 id="title" data-i18n="${title}"></h3>
  <p class="look" data-i18n="${look}"></p>
  <div class="alert" role="alert"></div>
  ${markup}
  <p class="departure" aria-live="polite"></p>
  ${footMarkup({ downloads })}
  <div class="data" role="region" tabindex="0" data-i18n-label="figure.table" hidden></div>
  ${panelsMarkup({ downloads })}
  <p class="visually-hidden" aria-live="polite" data-live></p>
</section>
`;
}

/** The look of a foot and what it opens. */
export const FOOT_CSS = `
footer { align-items: center; border-block-start: 1px solid var(--rule); }
.copied { color: var(--muted); }
.link { flex: 1 1 12rem; min-width: 0; font-size: 0.8125rem; white-space: pre; resize: vertical; }

.data, .source { overflow: auto; max-height: 24rem; padding-block-end: 0.75rem; }
.data table { font-size: 0.75rem; margin-block-end: 0.75rem; }
.data th, .data td { white-space: nowrap; }
.data td { text-align: end; }
.data caption { text-align: start; color: var(--muted); }
.source pre {
  margin: 0.25rem 0 0.75rem;
  font: 0.75rem / 1.55 var(--font-code, ui-monospace, monospace);
  font-variant-ligatures: none;
}
.source code { font: inherit; }
.hljs-comment { color: var(--muted); }
.hljs-keyword, .hljs-type { color: var(--code-keyword, inherit); }
.hljs-string, .hljs-number, .hljs-meta { color: var(--code-string, inherit); }

.files { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.5rem 0; }
.downloads > p { margin: 0.25rem 0; }
.downloads .table { overflow: auto; max-height: 24rem; padding-block-end: 0.75rem; }
.downloads table { font-size: 0.75rem; }
.downloads td { text-align: end; }
.downloads :is(th, td) { white-space: nowrap; }
.downloads caption { text-align: start; color: var(--muted); }
@media print {
  .downloads, .source { display: none; }
}
`;

export const ELEMENT_CSS = `
/* Quotation marks around English are as narrow as its letters. */
:lang(en) { font-variant-east-asian: proportional-width; }
.figure { padding-block-end: 0.25rem; }
canvas { display: block; }
.chart { position: relative; min-width: 0; }
.chart:focus-visible { outline-offset: 0; }
.stage { display: grid; gap: 0.75rem 1.25rem; grid-template-columns: minmax(0, 1fr); }

.setting { display: grid; grid-template-columns: auto minmax(0, 1fr); max-width: 100%; align-items: center; column-gap: 0.5rem; }
.setting label { color: var(--muted); }
.setting output { font-weight: 600; }
.setting.slider { flex: 1 1 12rem; }
.setting.slider input { grid-column: 1 / -1; width: 100%; margin-block-start: -0.375rem; }
.setting.number input { width: 9em; }
.setting.number p { grid-column: 1 / -1; margin: 0; }
.setting.switch { min-height: 44px; }
.setting.switch label { padding-block: 0.625rem; color: var(--text); }

.readout { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.5rem 0; padding-block-start: 0.375rem; border-block-start: 1px solid var(--rule); }
.readout dt { font-size: 0.8125rem; color: var(--muted); }
.readout dd { margin: 0; font-size: 1.125rem; line-height: 1.35; }
.readout dd:empty::before { content: '–'; }
.readout small { font-size: 0.8125rem; color: var(--muted); }
.line { margin: 0.25rem 0; min-height: 1.5em; }
.same { color: var(--value); font-weight: 600; }
.departure { margin: 0.25rem 0; min-height: 1.5em; color: var(--muted); }

${FOOT_CSS}
@container (max-width: 31.99rem) {
  .figure { padding-inline: 1rem; }
}
@media print {
  canvas { max-width: 100%; height: auto !important; }
  .figure { break-inside: avoid; }
}
`;
