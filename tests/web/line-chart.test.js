import { expect, test } from '@jest/globals';
import { lineChartConfiguration, pointLooks } from '../../web/charts/line-chart.js';
import { THEME } from './theme.js';

const configuration = lineChartConfiguration(
  {
    xTitle: 'step',
    xMax: 1500,
    panels: [
      { id: 'loss', title: 'loss', min: 0, suggestedMax: 2.5, format: String },
      { id: 'accuracy', title: 'accuracy', min: 0, max: 1, format: (share) => `${share * 100}%` },
    ],
    series: [
      { label: 'loss', panel: 'loss', colour: 'query', legend: false },
      { label: 'digits', panel: 'accuracy', colour: 'query' },
      { label: 'sequences', panel: 'accuracy', colour: 'query', dash: [5, 3] },
      { label: 'test', panel: 'accuracy', colour: 'query', marker: 'circle', legend: false },
    ],
  },
  THEME,
);

test('long curves are cheap: parsed before, thinned out, not animated', () => {
  expect(configuration.options).toMatchObject({
    parsing: false,
    normalized: true,
    animation: false,
    plugins: { decimation: { enabled: true } },
  });
});

test('each panel has a scale of its own over one x axis, the first on top', () => {
  const scales = configuration.options?.scales ?? {};
  expect(scales['y-loss']).toMatchObject({ stack: 'panels', weight: 2, suggestedMax: 2.5 });
  expect(scales['y-accuracy']).toMatchObject({ stack: 'panels', weight: 1, min: 0, max: 1 });
  expect(scales['y-above-accuracy']).toMatchObject({ display: false, weight: 1.5 });
  expect(scales.x).toMatchObject({ min: 0, max: 1500 });
});

test('series of one colour differ by dash or marker', () => {
  const looks = configuration.data.datasets
    .filter(({ yAxisID }) => yAxisID === 'y-accuracy')
    .map(({ borderDash, showLine, pointStyle }) =>
      JSON.stringify([borderDash, showLine, pointStyle]),
    );
  expect(new Set(looks).size).toBe(looks.length);
});

test('markers are seen at every point, a line’s points only where it has one', () => {
  const seen = { pointRadius: expect.any(Number), clip: false };
  expect(pointLooks('circle', 30)).toEqual(seen);
  expect(pointLooks(undefined, 1)).toEqual(seen);
  for (const n of [0, 2, 1500]) {
    expect(pointLooks(undefined, n)).toEqual({ pointRadius: 0, clip: undefined });
  }
});

test('the legend keeps the dash and leaves out what is explained elsewhere', () => {
  const labels = configuration.options?.plugins?.legend?.labels;
  const items = labels?.generateLabels?.(/** @type {any} */ ({}));
  expect(items?.map(({ text, lineDash }) => [text, lineDash])).toEqual([
    ['digits', []],
    ['sequences', [5, 3]],
  ]);
});
