import { LIGHT } from '../../web/charts/theme.js';

/** @import { Theme } from '../../web/charts/theme.js' */

/** The page's light theme, as charts are given it. @type {Theme} */
export const THEME = { ...LIGHT, faint: '#d3d5d3', font: 'sans-serif', size: 12, line: 1 };
