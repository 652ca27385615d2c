/** Lines that the lesson's scripts print, beside those computed here. */

/**
 * A line in pieces that are, or are not, what another line has in the same places.
 *
 * @param {string} line
 * @param {string} [other]
 * @returns {{text: string, same: boolean}[]}
 */
export function compareLines(line, other = '') {
  /** @type {{text: string, same: boolean}[]} */
  const pieces = [];
  for (const [i, character] of [...line].entries()) {
    const same = character === [...other][i];
    const last = pieces.at(-1);
    if (last?.same === same) last.text += character;
    else pieces.push({ text: character, same });
  }
  return pieces;
}

/**
 * Shows lines as they are printed, what differs from the other lines underlined.
 *
 * @param {HTMLElement} box
 * @param {string[]} lines
 * @param {string[]} others
 */
export function showLines(box, lines, others) {
  const pieces = lines.flatMap((line, i) => [
    ...compareLines(line, others[i]),
    { text: '\n', same: true },
  ]);
  box.replaceChildren(
    ...pieces.map(({ text, same }) => {
      const element = document.createElement(same ? 'span' : 'mark');
      element.textContent = text;
      return element;
    }),
  );
}

/** The look of two listings, the computed one above the lesson's. */
export const PRINTED_CSS = `
.printed { display: grid; gap: 0.5rem; grid-template-columns: minmax(0, 1fr); margin-block: 0.5rem; }
.printed pre {
  margin: 0;
  overflow: auto;
  /* The lesson's rows of five weights fit a phone. */
  font: clamp(0.625rem, 2.9cqi, 0.75rem) / 1.5 var(--font-code, ui-monospace, monospace);
  font-variant-ligatures: none;
}
.printed mark { background: none; color: inherit; text-decoration: underline; }
`;
