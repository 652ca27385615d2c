/**
 * What is left of the drawings of all figures of a page, done a part after the other within a share
 * of each frame: charts made all at once would keep the page from answering, of one figure or of
 * several that begin together.
 */

/** @typedef {() => void} Part */

/** After so long the parts that are left wait for the next frame, ms. */
export const FRAME_SHARE = 8;

/** By figure, in the order in which they asked. @type {Map<object, Part[]>} */
const waiting = new Map();
let frame = 0;

function schedule() {
  if (frame !== 0 || waiting.size === 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    const end = performance.now() + FRAME_SHARE;
    try {
      do drawNext();
      while (waiting.size > 0 && performance.now() < end);
    } finally {
      schedule();
    }
  });
}

/** The next part of the figure that has waited longest. */
function drawNext() {
  const [next] = waiting;
  if (!next) return;
  const [figure, parts] = next;
  const part = parts.shift();
  if (parts.length === 0) waiting.delete(figure);
  part?.();
}

/** @param {object} figure that has none waiting @param {Part[]} parts */
export function leaveParts(figure, parts) {
  if (parts.length > 0) waiting.set(figure, [...parts]);
  schedule();
}

/**
 * What was left of a figure's drawing is not drawn any more.
 *
 * @param {object} figure
 * @returns {Part[]}
 */
export function dropParts(figure) {
  const parts = waiting.get(figure) ?? [];
  waiting.delete(figure);
  return parts;
}

/** Draws at once what is left, as before printing. @param {object} figure */
export function finishParts(figure) {
  for (const part of dropParts(figure)) part();
}
