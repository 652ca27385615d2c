/** The original text of the lesson as the yardstick of what the page shows. */
import { readFileSync } from 'node:fs';

export const LESSON = readFileSync(
  new URL('../../web/lesson/source/lesson.zh-Hant.txt', import.meta.url),
  'utf8',
);

/**
 * Where figures stood, the text file has their labels run together. For the beginning of each such
 * piece: the sentences among the labels, which the page must show in this order.
 *
 * @type {[string, string[]][]}
 */
const FIGURES = [
  [
    ' 位置編碼 PE（48 個位置 × 32 維）',
    ['位置編碼 PE（48 個位置 × 32 維）', '內積只取決於位置差，k = 0 時最大'],
  ],
  [
    '輸入：字元（詞元）向量＋位置編碼層正規化',
    [
      '多頭自注意力：每個位置去看所有位置，依相關程度加權取資訊',
      '前饋網路：每個位置各自做一次兩層全連接（ReLU／GELU）',
      '語言模型（GPT）再加上因果遮罩：只能看前面的位置',
    ],
  ],
  [
    '1000951118220233184481552066817759880199',
    [
      '亮處＝注意力權重大',
      '第 i 個輸出幾乎只看輸入的第 9 − i 個位置：形成反對角線',
      '反對角線上的權重平均 0.62（每一列加總為 1）',
    ],
  ],
];

/**
 * Every line of the lesson in order: headings, paragraphs, formulas, code, output, rows of the
 * table (their cells without anything between) and the sentences of the figures.
 *
 * @returns {string[]}
 */
export function lessonLines() {
  return LESSON.split('\n')
    .flatMap((line) => {
      const figure = FIGURES.find(([beginning]) => line.includes(beginning));
      if (figure === undefined) return [line];
      const [beginning, sentences] = figure;
      return [line.slice(0, line.indexOf(beginning)), ...sentences];
    })
    .filter((line) => line !== '');
}

/**
 * The lines of the lesson that a page lacks, or has in another place or form. Lines of the page's
 * own between them do not matter; every character of a line does.
 *
 * @param {string[]} page lines, formulas as LaTeX
 * @returns {string[]}
 */
export function missingLines(page) {
  let next = 0;
  return lessonLines().filter((line) => {
    const found = page.indexOf(line, next);
    if (found >= 0) next = found + 1;
    return found < 0;
  });
}
