/** @import { Theme } from '../../web/charts/theme.js' */

/** The page's light theme, as charts are given it. @type {Theme} */
export const THEME = {
  bg: '#fcfcfa',
  surface: '#f3f4f1',
  rule: '#d9dcd6',
  text: '#1c2126',
  muted: '#5a636d',
  query: '#0b5cad',
  key: '#a34a00',
  value: '#00704f',
  bad: '#b3261e',
  faint: '#d3d5d3',
  font: 'sans-serif',
  size: 12,
  line: 1,
};
