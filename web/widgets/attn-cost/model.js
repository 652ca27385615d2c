/** What a layer costs over the length of its sequence; pure functions. */

/** @import { Point } from '../../charts/line-chart.js' */
/** @import { CostKind } from '../../engine/protocol.js' */

/** @type {readonly CostKind[]} */
export const KINDS = ['lstm', 'attention', 'self_attention'];

/** The lengths that are counted and timed: powers of two, and the lesson's. */
export const LENGTHS = [4, 8, 10, 16, 32, 64, 128, 256, 512];

/** How often every layer is timed, 25 ms each time. */
export const ROUNDS = 3;

/** Multiply-adds, or milliseconds, of each kind, by length. @typedef {Record<CostKind, Map<number, number>>} Costs */

/** @returns {Costs} */
export function noCosts() {
  return { lstm: new Map(), attention: new Map(), self_attention: new Map() };
}

/**
 * Where attention costs as many multiply-adds as the LSTM: 2n²d = 8nd², and with the projections
 * 2n²d + 4nd² = 8nd².
 *
 * @param {number} d
 * @returns {{attention: number, self_attention: number}}
 */
export function crossings(d) {
  return { attention: 4 * d, self_attention: 2 * d };
}

/** @param {Map<number, number>} costs @returns {Point[]} by length, ascending */
export function curve(costs) {
  return [...costs].map(([x, y]) => ({ x, y })).sort((a, b) => a.x - b.x);
}

/**
 * By what a cost is multiplied when the longest sequence was half as long before; undefined where
 * that is not known.
 *
 * @param {Map<number, number>} costs
 */
export function doubling(costs) {
  const longest = LENGTHS[LENGTHS.length - 1];
  const [half, whole] = [costs.get(longest / 2), costs.get(longest)];
  return half === undefined || whole === undefined ? undefined : whole / half;
}

/**
 * Where one cost comes to exceed another for good, on straight lines between the lengths in
 * logarithmic scales: 0 where it does at every length, infinity where it does at none.
 *
 * @param {Map<number, number>} rising
 * @param {Map<number, number>} other
 */
export function crossingOf(rising, other) {
  const points = curve(rising).filter(({ x }) => other.has(x));
  const excess = points.map(({ x, y }) => Math.log(y / Number(other.get(x))));
  const last = excess.map((value) => value <= 0).lastIndexOf(true);
  if (last === points.length - 1) return Number.POSITIVE_INFINITY;
  if (last < 0) return 0;
  const [low, high] = [Math.log(points[last].x), Math.log(points[last + 1].x)];
  const share = -excess[last] / (excess[last + 1] - excess[last]);
  return Math.exp(low + (high - low) * share);
}

/**
 * Whether times grow with the length, as they do where nothing else keeps the machine busy.
 *
 * @param {Costs} times
 */
export function areSteady(times) {
  return Object.values(times).every((costs) =>
    curve(costs).every(({ y }, i, points) => i === 0 || y > 0.9 * points[i - 1].y),
  );
}

/**
 * A time with three digits and its unit.
 *
 * @param {number} ms
 */
export function writeTime(ms) {
  // What would be written as 1000 µs is 1.00 ms.
  const [value, unit] = ms >= 0.9995 ? [ms, 'ms'] : [ms * 1000, 'µs'];
  return `${value < 999.5 ? value.toPrecision(3) : Math.round(value)} ${unit}`;
}

/** Positions that the schedule has room for. */
export const SCHEDULED = 16;

/**
 * When each position is computed: step s needs every step before it. A recurrent network computes
 * one position a step, attention all of them in the first.
 *
 * @param {'recurrent' | 'attention'} network
 * @param {number} n positions
 * @returns {number[]} the step of each position, from 0
 */
export function schedule(network, n) {
  return Array.from({ length: n }, (_, t) => (network === 'recurrent' ? t : 0));
}

/**
 * The schedule as a picture: a square at its step and position, and what must wait for what.
 *
 * @param {number[]} steps
 * @returns {string} SVG
 */
export function schedulePicture(steps) {
  const n = steps.length;
  const share = (/** @type {number} */ cells) => `${((cells / n) * 100).toFixed(3)}%`;
  const waits = steps
    .slice(1)
    .map((step, t) =>
      step === steps[t]
        ? ''
        : `<line x1="${share(steps[t] + 0.5)}" y1="${share(t + 0.5)}" x2="${share(step + 0.5)}" y2="${share(t + 1.5)}"/>`,
    );
  const squares = steps.map(
    (step, t) =>
      `<rect x="${share(step + 0.1)}" y="${share(t + 0.1)}" width="${share(0.8)}" height="${share(0.8)}"/>`,
  );
  return waits.join('') + squares.join('');
}
