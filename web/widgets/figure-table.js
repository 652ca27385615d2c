/**
 * What a picture shows, in numbers.
 *
 * @typedef {object} Table
 * @property {string} caption
 * @property {string[]} columns headings, the first one, or '', over the names of the rows
 * @property {[name: string, ...values: string[]][]} rows
 */

/** A heading; an empty one is a plain cell. @param {string} text @param {'col' | 'row'} scope */
function createHeader(text, scope) {
  if (text === '') return document.createElement('td');
  const header = document.createElement('th');
  header.scope = scope;
  header.textContent = text;
  return header;
}

/**
 * @param {Table} table
 * @returns {HTMLTableElement}
 */
export function createTable({ caption, columns, rows }) {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  table
    .createTHead()
    .insertRow()
    .append(...columns.map((text) => createHeader(text, 'col')));
  const body = table.createTBody();
  for (const [name, ...values] of rows) {
    const row = body.insertRow();
    row.append(createHeader(name, 'row'));
    for (const value of values) row.insertCell().textContent = value;
  }
  return table;
}
