/**
 * Links to a figure as it stands: `?figure=attn-positions&p=12#positions`. The parameters are the
 * names of its attributes.
 */
import { attributeOf } from './figure-settings.js';

/**
 * @param {string} href of the page
 * @param {Pick<Element, 'localName' | 'getAttribute' | 'closest'>} figure
 * @param {readonly {name: string}[]} settings
 * @returns {string}
 */
export function figureLink(href, figure, settings) {
  const url = new URL(href);
  url.search = '';
  url.searchParams.set('figure', figure.localName);
  for (const name of settings.map((setting) => attributeOf(setting.name))) {
    const value = figure.getAttribute(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  url.hash = figure.closest('[id]')?.id ?? '';
  return url.href;
}

/**
 * Sets the attributes a link asks for, on the first figure of its kind.
 *
 * @param {string} search
 * @param {ParentNode} root
 */
export function followLink(search, root) {
  const { figure: tag, ...wanted } = Object.fromEntries(new URLSearchParams(search));
  const element = /^attn-[a-z-]+$/.test(tag ?? '') && root.querySelector(tag);
  if (!element) return;
  // Of a link from anywhere only what the figure itself reads is taken.
  const { observedAttributes = [] } = /** @type {{observedAttributes?: string[]}} */ (
    /** @type {unknown} */ (element.constructor)
  );
  for (const [name, value] of Object.entries(wanted)) {
    if (observedAttributes.includes(name)) element.setAttribute(name, value);
  }
}
