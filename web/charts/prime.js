/** What the first chart of a page needs besides itself. */
import { LineChart } from './line-chart.js';

/** @import { Theme } from './theme.js' */

let isPrimed = false;

/**
 * Once a page, makes a chart that nobody sees: it has Chart.js compiled, which together with the
 * making of a real one would keep the page from answering. A figure waits for its numbers meanwhile.
 *
 * @param {Theme} theme
 */
export function primeCharts(theme) {
  if (isPrimed) return;
  isPrimed = true;
  const container = document.createElement('div');
  container.style.cssText = 'position: fixed; width: 100px; height: 100px; visibility: hidden';
  document.body.append(container);
  const chart = new LineChart(
    container,
    {
      xTitle: 'x',
      xMax: 1,
      panels: [{ id: 'y', title: 'y', format: String }],
      series: [{ label: 'y', panel: 'y', colour: 'text' }],
    },
    theme,
  );
  chart.update([
    [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ],
  ]);
  chart.destroy();
  container.remove();
}
