/** Where a row of weights looks most. */

/**
 * The place of the largest of several numbers; null where no single one is the largest.
 *
 * @param {ArrayLike<number>} values
 * @returns {number | null}
 */
export function indexOfPeak(values) {
  const all = Array.from(values);
  const largest = Math.max(...all);
  const first = all.indexOf(largest);
  return all.lastIndexOf(largest) === first ? first : null;
}
