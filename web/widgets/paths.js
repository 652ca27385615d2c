/** The ways from one position of a sequence to another, as positions on them. */

/**
 * The states that an input passes on its way to an output of a recurrent network, its own first:
 * forward in time or, in the other direction of a bidirectional one, backward.
 *
 * @param {number} input position j
 * @param {number} output position i
 * @returns {number[]}
 */
export function recurrentPath(input, output) {
  const direction = Math.sign(output - input);
  const n_steps = Math.abs(output - input);
  return Array.from({ length: n_steps + 1 }, (_, step) => input + direction * step);
}

/**
 * The same with attention: the output looks at the input itself, wherever that is.
 *
 * @param {number} input position j
 * @param {number} output position i
 * @returns {number[]}
 */
export function attentionPath(input, output) {
  return [input, output];
}

/** Steps that each need the one before. @param {number[]} path */
export function stepsOf(path) {
  return path.length - 1;
}
