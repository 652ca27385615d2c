/** One circle with its hands for every (sin, cos) pair. */
import { t } from '../../i18n/index.js';
import { writeNumber } from '../figure-settings.js';
import { arc, tip, writeDegrees } from './model.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Radii in the units of a circle's picture. */
const RIM = 22;
const ARC = 11;
const DOT = 3.5;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function createPart(name, attributes) {
  const part = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) {
    part.setAttribute(attribute, String(value));
  }
  return part;
}

function createCircle() {
  const svg = createPart('svg', { viewBox: '-28 -28 56 56' });
  const parts = {
    turn: createPart('path', { class: 'turn' }),
    to: createPart('line', { class: 'to' }),
    from: createPart('line', { class: 'from' }),
    target: createPart('circle', { class: 'target', r: DOT }),
  };
  svg.append(
    createPart('circle', { class: 'rim', r: RIM }),
    parts.turn,
    parts.to,
    parts.from,
    parts.target,
  );
  const element = document.createElement('div');
  element.className = 'hand';
  const angle = document.createElement('span');
  element.append(svg, angle);
  return { element, angle, ...parts };
}

export class Hands {
  #container;
  #circles;

  /**
   * @param {HTMLElement} container
   * @param {number} n_pairs
   */
  constructor(container, n_pairs) {
    this.#container = container;
    this.#circles = Array.from({ length: n_pairs }, createCircle);
    // A line of its own for the angle, before there is one.
    for (const { angle } of this.#circles) angle.textContent = '\u00a0';
    container.replaceChildren(...this.#circles.map(({ element }) => element));
  }

  /**
   * Draws PE(p), the arc k w, the hand that the matrix turned, and the place of PE(p + k), where
   * it must end.
   *
   * @param {{p: number, k: number, frequencies: number[], turned: Float64Array | null}} state
   *   `turned`: R_k PE(p); null between two positions, where the hand is turned by its angle
   */
  draw({ p, k, frequencies, turned }) {
    for (const [i, { angle, turn, to, from, target }] of this.#circles.entries()) {
      const w = frequencies[i];
      const end = turned ? Math.atan2(turned[2 * i], turned[2 * i + 1]) : (p + k) * w;
      point(from, p * w);
      point(to, end);
      const { x, y } = tip((p + k) * w);
      target.setAttribute('cx', (RIM * x).toFixed(3));
      target.setAttribute('cy', (RIM * y).toFixed(3));
      turn.setAttribute('d', k === 0 ? '' : arc(p * w, k * w, ARC));
      const text = writeDegrees(k * w);
      if (angle.textContent !== text) angle.textContent = text;
    }
    this.#container.setAttribute(
      'aria-label',
      t('rotation.hands.label', {
        p: Math.floor(p),
        target: writeNumber(Math.floor(p) + k),
        angles: frequencies.map((w) => writeDegrees(k * w)).join(' '),
      }),
    );
  }
}

/** @param {Element} hand @param {number} angle */
function point(hand, angle) {
  const { x, y } = tip(angle);
  hand.setAttribute('x2', (RIM * x).toFixed(3));
  hand.setAttribute('y2', (RIM * y).toFixed(3));
}
