import { describe, expect, test } from '@jest/globals';
import { curveRows, toCsv, toTsv } from '../../web/widgets/download-panel.js';

describe('a table for the clipboard', () => {
  test('has its headings first, cells apart by tabs', () => {
    const columns = ['步數', '損失'];
    expect(
      toTsv({
        columns,
        rows: [
          ['0', '–'],
          ['50', '1.25'],
        ],
      }),
    ).toBe('步數\t損失\n0\t–\n50\t1.25');
  });

  test('has no tab or line end inside a cell', () => {
    expect(toTsv({ columns: ['a\tb'], rows: [['1\r\n2']] })).toBe('a b\n1 2');
  });
});

describe('comma separated values', () => {
  test('end their lines as RFC 4180 wants, and leave cells empty', () => {
    expect(
      toCsv([
        ['step', 'loss'],
        [0, undefined],
        [1, 2.5],
      ]),
    ).toBe('step,loss\r\n0,\r\n1,2.5\r\n');
  });

  test('quote what would break a cell', () => {
    expect(toCsv([['a,b', 'say "no"', 'two\nlines', 'plain']])).toBe(
      '"a,b","say ""no""","two\nlines",plain\r\n',
    );
  });

  test('keep every digit of a number', () => {
    const value = Math.fround(0.1);
    expect(Number(toCsv([[value]]))).toBe(value);
  });
});

test('curves share one x, each with its own places', () => {
  const rows = curveRows('step', [
    {
      name: 'loss',
      points: [
        { x: 1, y: 2 },
        { x: 2, y: 1 },
      ],
    },
    {
      name: 'test',
      points: [
        { x: 0, y: 0.1 },
        { x: 2, y: 0.5 },
      ],
    },
  ]);
  expect(rows).toEqual([
    ['step', 'loss', 'test'],
    [0, undefined, 0.1],
    [1, 2, undefined],
    [2, 1, 0.5],
  ]);
});
