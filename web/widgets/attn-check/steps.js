/** The computation of a weight by hand, as lines to read. */
import { t } from '../../i18n/index.js';
import { writeFixed } from '../numbers.js';
import { COLDEST } from './model.js';

/** @import { MessageKey } from '../../i18n/index.js' */
/** @import { Hand } from './model.js' */

/** @typedef {string | HTMLElement} Part */

/** @param {number} value */
const write = (value) => writeFixed(value, 4);

/** Exponentials range widely. @param {number} value */
function writeExponential(value) {
  return value !== 0 && (value < 1e-4 || value >= 1e5)
    ? value.toExponential(3).replace('e+', 'e').replace('-', '−')
    : write(value);
}

/**
 * @param {string} className a colour: q, k, v; or '' for what is computed
 * @param {string} text
 */
function part(className, text) {
  const element = document.createElement(className === '' ? 'b' : 'span');
  if (className !== '') element.className = className;
  element.textContent = text;
  return element;
}

/** @param {string} className @param {string} letter @param {number | string} index */
function symbol(className, letter, index) {
  const element = part(className, letter);
  const sub = document.createElement('sub');
  sub.textContent = String(index);
  element.append(sub);
  return element;
}

/** @param {MessageKey} name @param {Part[]} parts */
function line(name, parts) {
  const item = document.createElement('li');
  item.append(part('name', t(name)), ...parts);
  return item;
}

/** @param {string} sign @param {Part[][]} groups */
function join(sign, groups) {
  return groups.flatMap((group, i) => (i === 0 ? group : [sign, ...group]));
}

/**
 * @param {Hand} hand
 * @param {{d: number, scaled: boolean, inverse_temperature: number}} settings
 * @param {{row: number, column: number}} cell
 * @returns {HTMLElement[]}
 */
export function writeSteps(hand, settings, cell) {
  return [
    dotStep(hand, cell),
    scaleStep(hand, settings),
    exponentialStep(hand, settings, cell),
    sumStep(hand, cell),
    quotientStep(hand, cell),
    outputStep(hand, cell),
  ];
}

/** @param {Hand} hand @param {{row: number, column: number}} cell */
function dotStep({ terms, n_rest, rest, dot }, { row, column }) {
  const products = terms.map(({ q, k }) => [
    part('q', `(${write(q)})`),
    part('k', `(${write(k)})`),
  ]);
  const more = n_rest > 0 ? [[t('check.rest', { n: n_rest, rest: write(rest) })]] : [];
  return line('check.step.dot', [
    symbol('q', 'q', row),
    ' · ',
    symbol('k', 'k', column),
    ' = ',
    ...join(' + ', [...products, ...more]),
    ' = ',
    part('', write(dot)),
  ]);
}

/** @param {Hand} hand @param {{d: number, scaled: boolean}} settings */
function scaleStep({ dot, score, masked }, { d, scaled }) {
  if (masked) return line('check.step.scale', [t('check.masked'), ' ', part('', '−∞')]);
  if (!scaled) return line('check.step.scale', [t('check.unscaled'), ' ', part('', write(score))]);
  return line('check.step.scale', [`${write(dot)} ÷ √${d} = `, part('', write(score))]);
}

/**
 * @param {Hand} hand
 * @param {{inverse_temperature: number}} settings
 * @param {{row: number, column: number}} cell
 */
function exponentialStep({ score, masked, shift, exponentials }, settings, { column }) {
  const { inverse_temperature: inverse } = settings;
  if (masked) return line('check.step.exp', ['exp(−∞) = ', part('', '0')]);
  const above = shift === null ? write(score) : `(${write(score)} − ${brace(shift)})`;
  const cooled =
    inverse === 1
      ? above
      : `${above} ÷ ${inverse === 0 ? '∞' : inverse >= COLDEST ? '0⁺' : 1 / inverse}`;
  const parts = [`exp(${cooled}) = `, part('', writeExponential(exponentials[column]))];
  if (shift !== null) parts.push(' ', part('name', t('check.shifted')));
  return line('check.step.exp', parts);
}

/** A negative number after a sign stands in brackets. @param {number} value */
function brace(value) {
  return value < 0 ? `(${write(value)})` : write(value);
}

/** @param {Hand} hand @param {{column: number}} cell */
function sumStep({ exponentials, sum }, { column }) {
  const terms = exponentials.map((e, j) => [
    j === column ? part('', writeExponential(e)) : writeExponential(e),
  ]);
  return line('check.step.sum', [...join(' + ', terms), ' = ', part('', writeExponential(sum))]);
}

/** @param {Hand} hand @param {{row: number, column: number}} cell */
function quotientStep({ exponentials, masked, sum, weights }, { row, column }) {
  const top = masked ? '0' : writeExponential(exponentials[column]);
  return line('check.step.quotient', [
    symbol('', 'α', `${row}${row > 9 || column > 9 ? ',' : ''}${column}`),
    ` = ${top} ÷ ${writeExponential(sum)} = `,
    part('', write(weights[column])),
  ]);
}

/** @param {Hand} hand @param {{row: number}} cell */
function outputStep({ weights, exponentials }, { row }) {
  const terms = exponentials.map((_, j) => [writeFixed(weights[j], 2), ' ', symbol('v', 'v', j)]);
  return line('check.step.output', [symbol('q', 'out', row), ' = ', ...join(' + ', terms)]);
}
