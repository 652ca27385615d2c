import { describe, expect, test } from '@jest/globals';
import {
  colourOf,
  contrast,
  MAP_SIZE,
  paintCells,
  parseColour,
  sequentialMap,
  toOklab,
} from '../../web/charts/colour.js';
import { cellAt, heatMapConfiguration, moveCell, snapBox } from '../../web/charts/heatmap.js';
import { THEME } from './theme.js';

const LIGHT = '#fcfcfa';
const DARK = '#14171b';

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
  ['projector', '#ffffff'],
])('the map of weights on a %s page', (_, ground) => {
  const map = sequentialMap(parseColour(ground));
  const colours = Array.from({ length: MAP_SIZE }, (__, i) => toOklab(colourOf(map, i / 255)));

  test('begins with the page’s ground', () => {
    expect(colourOf(map, 0)).toEqual(parseColour(ground));
  });

  test('ends where it is told from the ground', () => {
    expect(contrast(colourOf(map, 1), parseColour(ground))).toBeGreaterThan(12);
  });

  test('lightness alone tells more from less, so that hue is not needed', () => {
    const direction = Math.sign(colours[255][0] - colours[0][0]);
    for (let i = 8; i < MAP_SIZE; i += 8) {
      expect((colours[i][0] - colours[i - 8][0]) * direction).toBeGreaterThan(0.01);
    }
  });

  test('is perceptually uniform: equal steps look equal within a tenth', () => {
    const steps = [];
    for (let i = 16; i < MAP_SIZE; i += 16) {
      steps.push(Math.hypot(...colours[i].map((part, k) => part - colours[i - 16][k])));
    }
    const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
    for (const step of steps) expect(Math.abs(step / mean - 1)).toBeLessThan(0.1);
  });
});

describe('cells', () => {
  const map = sequentialMap(parseColour(LIGHT));

  test('each value is one opaque pixel, on a fixed range', () => {
    const pixels = paintCells([0, 1, 2, Number.NaN], map);
    expect(pixels).toHaveLength(16);
    expect([...pixels.subarray(0, 4)]).toEqual([...parseColour(LIGHT), 255]);
    expect([...pixels.subarray(4, 7)]).toEqual(colourOf(map, 1));
    expect([...pixels.subarray(8, 11)]).toEqual(colourOf(map, 1));
    expect([...pixels.subarray(12, 15)]).toEqual(parseColour(LIGHT));
  });

  test('a point is in the cell it lies over, or in none', () => {
    const area = { left: 10, top: 20, right: 110, bottom: 70 };
    const size = { rows: 5, columns: 10 };
    expect(cellAt(area, size, 10, 20)).toEqual({ row: 0, column: 0 });
    expect(cellAt(area, size, 109.9, 69.9)).toEqual({ row: 4, column: 9 });
    expect(cellAt(area, size, 35, 45)).toEqual({ row: 2, column: 2 });
    expect(cellAt(area, size, 9.9, 45)).toBeNull();
    expect(cellAt(area, size, 110, 45)).toBeNull();
  });

  test('arrow keys go from cell to cell and leave the page the key at the edge', () => {
    const size = { rows: 3, columns: 3 };
    expect(moveCell(null, 'ArrowRight', size)).toEqual({ row: 0, column: 0 });
    expect(moveCell({ row: 0, column: 0 }, 'ArrowRight', size)).toEqual({ row: 0, column: 1 });
    expect(moveCell({ row: 0, column: 0 }, 'ArrowDown', size)).toEqual({ row: 1, column: 0 });
    expect(moveCell({ row: 0, column: 0 }, 'ArrowUp', size)).toBeNull();
    expect(moveCell({ row: 1, column: 1 }, 'End', size)).toEqual({ row: 1, column: 2 });
    expect(moveCell({ row: 1, column: 1 }, 'PageDown', size)).toEqual({ row: 2, column: 1 });
    expect(moveCell({ row: 1, column: 1 }, 'Tab', size)).toBeNull();
  });

  test('edges lie on device pixels', () => {
    const area = { left: 10.3, top: 0, right: 99.9, bottom: 50.26 };
    expect(snapBox(area, 2)).toEqual({ left: 10.5, top: 0, right: 100, bottom: 50.5 });
  });
});

describe('axes', () => {
  const options = {
    rows: 2,
    columns: 3,
    rowLabels: ['7', '8'],
    columnLabels: ['4', '5', '6'],
    rowTitle: 'query i',
    columnTitle: 'key j',
  };

  test('bear the digit near the map and the position outside it', () => {
    const scales = heatMapConfiguration(options, THEME).options?.scales ?? {};
    expect(scales.x).toMatchObject({ labels: ['4', '5', '6'] });
    expect(scales.xPosition).toMatchObject({
      labels: ['0', '1', '2'],
      weight: 1,
      title: { text: 'key j' },
    });
    expect(scales.y).toMatchObject({ labels: ['7', '8'] });
    expect(scales.yPosition).toMatchObject({ labels: ['0', '1'], title: { text: 'query i' } });
  });

  test('label every position of the lesson’s map, and some of a large one', () => {
    const skips = (/** @type {number} */ n) =>
      heatMapConfiguration({ ...options, rows: n, columns: n }, THEME).options?.scales?.x?.ticks;
    expect(skips(10)).toMatchObject({ autoSkip: false });
    expect(skips(40)).toMatchObject({ autoSkip: true });
  });
});

test('computed colours are read in every form browsers give them', () => {
  expect(parseColour('rgb(11, 92, 173)')).toEqual([11, 92, 173]);
  expect(parseColour('rgba(11, 92, 173, 0.5)')).toEqual([11, 92, 173]);
  expect(parseColour('#0b5cad')).toEqual([11, 92, 173]);
});
