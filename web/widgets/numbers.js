/** How figures write numbers. */

/**
 * Fixed decimals, with a true minus sign and never a minus zero.
 *
 * @param {number} value
 * @param {number} digits
 */
export function writeFixed(value, digits) {
  const text = Math.abs(value).toFixed(digits);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value < 0 ? '−∞' : '∞';
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * A count with its thousands apart: 81,920. Not by the browser's own writing of numbers, whose first
 * use keeps a page from answering for longer than any figure's drawing.
 *
 * @param {number} count rounded
 */
export function writeCount(count) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * A power of ten: 10⁻³.
 *
 * @param {number} exponent
 * @returns {string}
 */
export function writePowerOfTen(exponent) {
  const superscript = [...String(exponent)]
    .map((sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]))
    .join('');
  return `10${superscript}`;
}

/**
 * A number of any size as a multiple of a power of ten: 2.4 × 10⁻⁷.
 *
 * @param {number} value
 * @param {number} [digits]
 * @returns {string}
 */
export function writeSmall(value, digits = 2) {
  if (value === 0) return '0';
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  return `${mantissa} × ${writePowerOfTen(Number(exponent))}`;
}

/**
 * A size with so many digits, as a multiple of a power of ten only where it is small: 0.13,
 * 2.4 × 10⁻⁷.
 *
 * @param {number} value not negative
 * @param {number} [digits]
 */
export function writeSize(value, digits = 2) {
  return value >= 0.01 && value < 10 ** digits
    ? value.toPrecision(digits)
    : writeSmall(value, digits);
}

/**
 * A logarithmic axis around these values: whole powers of ten, of which at most six are labelled.
 *
 * @param {number[]} values positive
 * @returns {{min: number, max: number, ticks: number[]}}
 */
export function logarithmicRange(values) {
  const logarithms = values.map(Math.log10);
  const first = Math.floor(Math.min(...logarithms));
  const last = Math.max(first + 1, Math.ceil(Math.max(...logarithms)));
  const stride = Math.ceil((last - first) / 5);
  const n_ticks = Math.floor((last - first) / stride) + 1;
  return {
    min: 10 ** first,
    max: 10 ** last,
    ticks: Array.from({ length: n_ticks }, (_, i) => 10 ** (first + i * stride)),
  };
}

/**
 * The end of a scale that holds every value: rounded up to half a unit of its first digit.
 *
 * @param {{data: Float32Array}[]} tensors
 */
export function rangeOf(tensors) {
  let largest = 0;
  for (const { data } of tensors) {
    for (const value of data) largest = Math.max(largest, Math.abs(value));
  }
  const unit = 10 ** Math.floor(Math.log10(largest || 1));
  return Number((((Math.ceil((2 * largest) / unit) || 2) / 2) * unit).toPrecision(2));
}
