/** @import { Chart } from 'chart.js' */

/** Pixels of a picture to one of the page's, at least: sharp on any screen and on paper. */
const PIXEL_RATIO = 3;

/**
 * What a chart shows, as an image file: its size on the page, its ground and colours, more pixels.
 *
 * @param {Chart<any, any>} chart
 * @returns {Promise<Blob>}
 */
export function chartPicture(chart) {
  const { canvas, options } = chart;
  const copy = document.createElement('canvas');
  // The chart draws itself large and back again before the screen is painted.
  options.devicePixelRatio = Math.max(PIXEL_RATIO, devicePixelRatio);
  chart.resize();
  chart.draw();
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')?.drawImage(canvas, 0, 0);
  delete (/** @type {{devicePixelRatio?: number}} */ (options).devicePixelRatio);
  chart.resize();
  chart.draw();
  return new Promise((resolve, reject) => {
    copy.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('the chart has no size'));
    }, 'image/png');
  });
}
