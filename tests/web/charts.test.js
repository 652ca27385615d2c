/** What charts of every kind share with the page's colours, and the charts' own options. */
import { describe, expect, test } from '@jest/globals';
import { barChartConfiguration } from '../../web/charts/bar-chart.js';
import {
  colourOf,
  contrast,
  divergingMap,
  MAP_SIZE,
  mixColours,
  paintCells,
  parseColour,
  toOklab,
} from '../../web/charts/colour.js';
import { colourBarConfiguration } from '../../web/charts/colour-bar.js';
import { colourRange } from '../../web/charts/heatmap.js';
import { lineChartConfiguration } from '../../web/charts/line-chart.js';
import { THEME } from './theme.js';

describe.each([
  ['light', '#fcfcfa'],
  ['dark', '#14171b'],
  ['projector', '#ffffff'],
])('the map of signed values on a %s page', (_, ground) => {
  const map = divergingMap(parseColour(ground));
  const colourAt = (/** @type {number} */ entry) => toOklab(colourOf(map, entry / (MAP_SIZE - 1)));

  test('is the page’s ground at 0', () => {
    const [below, above] = [127, 128].map((entry) => colourOf(map, entry / 255));
    expect(below).toEqual(parseColour(ground));
    expect(above).toEqual(below);
  });

  test('has values of one size equally light on both sides', () => {
    for (const step of [16, 48, 80, 112, 127]) {
      const difference = colourAt(128 + step)[0] - colourAt(127 - step)[0];
      expect(Math.abs(difference)).toBeLessThan(0.01);
    }
  });

  test('has ends that differ in hue from each other, and from the ground in lightness', () => {
    const [low, high] = [colourAt(0), colourAt(255)];
    expect(Math.hypot(low[1] - high[1], low[2] - high[2])).toBeGreaterThan(0.12);
    for (const end of [0, 1]) {
      expect(contrast(colourOf(map, end), parseColour(ground))).toBeGreaterThan(7);
    }
  });

  test('grows away from 0 without a step back', () => {
    const [zero] = colourAt(128);
    for (let step = 8; step < 128; step += 8) {
      for (const entry of [128 + step, 127 - step]) {
        const before = entry > 128 ? entry - 8 : entry + 8;
        const [now, last] = [colourAt(entry)[0], colourAt(before)[0]];
        expect(Math.abs(now - zero)).toBeGreaterThan(Math.abs(last - zero));
      }
    }
  });
});

describe('cells of signed values', () => {
  const map = divergingMap(parseColour(THEME.bg));
  const range = colourRange({ max: 2, signed: true });
  const pixels = paintCells([-2, 0, 2, 5, -9, Number.NaN, -Infinity], map, range);
  const pixel = (/** @type {number} */ i) => [...pixels.subarray(4 * i, 4 * i + 4)];

  test('take the colours of their range, and its ends beyond it', () => {
    expect(range).toEqual({ min: -2, max: 2 });
    expect(pixel(0)).toEqual([...colourOf(map, 0), 255]);
    expect(pixel(1)).toEqual([...parseColour(THEME.bg), 255]);
    expect(pixel(2)).toEqual([...colourOf(map, 1), 255]);
    expect(pixel(3)).toEqual(pixel(2));
    expect(pixel(4)).toEqual(pixel(0));
  });

  test('are left empty where there is no number, as under a mask', () => {
    expect(pixel(5)).toEqual([0, 0, 0, 0]);
    expect(pixel(6)).toEqual([0, 0, 0, 0]);
  });
});

test('weights keep their range from 0 to 1', () => {
  expect(colourRange({})).toEqual({ min: 0, max: 1 });
  expect(colourRange({ max: 4 })).toEqual({ min: 0, max: 4 });
});

test('a colour bar has the ends and the middle of its map', () => {
  const scaleOf = (/** @type {object} */ options) =>
    /** @type {any} */ (colourBarConfiguration(THEME, options).options?.scales?.x);
  const signed = scaleOf({ signed: true, max: 3 });
  expect(signed).toMatchObject({ min: -3, max: 3, ticks: { stepSize: 1.5 } });
  expect(signed.ticks.callback(-1.5)).toBe('−1.5');
  expect(scaleOf({})).toMatchObject({ min: 0, max: 1, ticks: { stepSize: 0.5 } });
});

describe('a line chart', () => {
  const panel = { id: 'y', title: '', format: String };
  const series = [{ label: 'a', panel: 'y', colour: /** @type {const} */ ('query'), width: 3 }];
  const scalesOf = (/** @type {object} */ options) =>
    /** @type {any} */ (
      lineChartConfiguration(
        { xTitle: 'd', xMax: 1024, panels: [panel], series, ...options },
        THEME,
      ).options?.scales
    );

  test('has a linear axis from 0 with a true minus sign', () => {
    const { x } = scalesOf({});
    expect(x).toMatchObject({ type: 'linear', min: 0, max: 1024 });
    expect(x.ticks.callback(-24)).toBe('−24');
  });

  test('has a logarithmic axis labelled where it is told', () => {
    const { x } = scalesOf({ xLogarithmic: true, xMin: 1, xTicks: [1, 32, 1024] });
    expect(x).toMatchObject({ type: 'logarithmic', min: 1 });
    const scale = { ticks: [{ value: 5 }] };
    x.afterBuildTicks(scale);
    expect(scale.ticks).toEqual([{ value: 1 }, { value: 32 }, { value: 1024 }]);
  });

  test('may have a logarithmic panel, and shows no title that is empty', () => {
    const y = scalesOf({ panels: [{ ...panel, logarithmic: true }] })['y-y'];
    expect(y).toMatchObject({ type: 'logarithmic', title: { display: false } });
  });

  test('draws series of their own width, thicker for the projector', () => {
    const options = { xTitle: '', xMax: 1, panels: [panel], series };
    const { datasets } = lineChartConfiguration(options, { ...THEME, line: 2 }).data;
    expect(datasets[0].borderWidth).toBe(6);
  });
});

describe('a bar chart', () => {
  const configuration = barChartConfiguration(
    {
      categories: ['j0', 'j1'],
      yTitle: 'weight',
      yMax: 1,
      format: (value) => `${value * 100}%`,
      series: [
        { label: 'raw', colour: 'key' },
        { label: 'scaled', colour: 'query', pattern: 'hollow' },
        { label: 'over d', colour: 'text', pattern: 'hatched' },
      ],
    },
    THEME,
    (colour, ground) => `${colour} on ${ground}`,
  );

  test('tells its series apart by pattern and colour', () => {
    const looks = configuration.data.datasets.map((dataset) => dataset.backgroundColor);
    expect(looks).toEqual([THEME.key, THEME.surface, `${THEME.text} on ${THEME.surface}`]);
    expect(configuration.data.datasets.map((dataset) => dataset.borderColor)).toEqual([
      THEME.key,
      THEME.query,
      THEME.text,
    ]);
  });

  test('begins at 0, where bars must', () => {
    const { x, y } = /** @type {any} */ (configuration.options?.scales ?? {});
    expect(y).toMatchObject({ min: 0, max: 1 });
    expect(y.ticks.callback(0.5)).toBe('50%');
    expect(x.title.display).toBe(false);
    expect(configuration.options?.plugins?.legend?.display).toBe(true);
  });
});

test('a faint line is a share of the text’s colour on the ground', () => {
  expect(mixColours('#000000', '#ffffff', 0.15)).toBe('rgb(217 217 217)');
  expect(mixColours('rgb(231, 233, 236)', 'rgb(29 33 38)', 0)).toBe('rgb(29 33 38)');
});
