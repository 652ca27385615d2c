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
 * A number of any size as a multiple of a power of ten: 2.4 × 10⁻⁷.
 *
 * @param {number} value
 * @returns {string}
 */
export function writeSmall(value) {
  if (value === 0) return '0';
  const [digits, exponent] = value.toExponential(1).split('e');
  const superscript = [...exponent.replace('+', '')]
    .map((sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(sign)]))
    .join('');
  return `${digits} × 10${superscript}`;
}
