/**
 * Every figure of the lesson, by its tag. A page loads those it has.
 *
 * @type {Record<string, () => Promise<unknown>>}
 */
export const FIGURES = {
  'attn-block': () => import('../widgets/attn-block/element.js'),
  'attn-check': () => import('../widgets/attn-check/element.js'),
  'attn-cost': () => import('../widgets/attn-cost/element.js'),
  'attn-distance': () => import('../widgets/attn-distance/element.js'),
  'attn-heads': () => import('../widgets/attn-heads/element.js'),
  'attn-order': () => import('../widgets/attn-order/element.js'),
  'attn-peek': () => import('../widgets/attn-peek/element.js'),
  'attn-positions': () => import('../widgets/attn-positions/element.js'),
  'attn-race': () => import('../widgets/attn-race/element.js'),
  'attn-reverse': () => import('../widgets/attn-reverse/element.js'),
  'attn-rotation': () => import('../widgets/attn-rotation/element.js'),
  'attn-sharpness': () => import('../widgets/attn-sharpness/element.js'),
};

/**
 * Resolves once all of them are defined.
 *
 * @param {ParentNode} root
 */
export async function loadFigures(root) {
  const used = Object.entries(FIGURES).filter(([tag]) => root.querySelector(tag));
  await Promise.all(used.map(([, load]) => load()));
}
