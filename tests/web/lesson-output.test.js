import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  allClose,
  attentionCheckLines,
  percentOfMean,
  pythonFixed,
  pythonRepr,
  reverseJson,
  reverseLine,
} from '../../web/engine/lesson-output.js';

/** @param {string} path from the project's folder */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const LESSON_LINES = read('web/lesson/source/lesson.zh-Hant.txt').split('\n');
const CHECK = JSON.parse(read('tests/golden/attention_check.json'));

/** @param {{shape: number[], data: number[]}} golden */
const tensor = ({ shape, data }) => ({ shape, data: Float32Array.from(data) });

test.each([
  [0.5, 0, '0'],
  [1.5, 0, '2'],
  [2.5, 0, '2'],
  [0.25, 1, '0.2'],
  [0.75, 1, '0.8'],
  [0.125, 2, '0.12'],
  [0.375, 2, '0.38'],
  [-0.125, 2, '-0.12'],
  [2.675, 2, '2.67'],
  [1.005, 2, '1.00'],
  [9.995, 2, '9.99'],
  [99.95, 1, '100.0'],
  [-0.04, 1, '-0.0'],
  [1e22, 1, '10000000000000000000000.0'],
  [5e-324, 2, '0.00'],
  [Infinity, 1, 'inf'],
  [NaN, 1, 'nan'],
])('Python writes %p with %i digits as %s', (x, digits, text) => {
  expect(pythonFixed(x, digits)).toBe(text);
});

test.each([
  [1, '1.0'],
  [-0, '-0.0'],
  [0.1, '0.1'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [0.000012345, '1.2345e-05'],
  [Math.fround(0.1), '0.10000000149011612'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [1.5e300, '1.5e+300'],
])('repr of %p is %s', (x, text) => {
  expect(pythonRepr(x)).toBe(text);
});

test('percentages come from 32-bit means', () => {
  expect(percentOfMean(1221, 2000)).toBe('61.0%');
  expect(pythonFixed((1221 / 2000) * 100, 1)).toBe('61.1');
  expect(percentOfMean(1227, 2000)).toBe('61.3%');
  expect(percentOfMean(19010, 20000)).toBe('95.1%');
  expect(percentOfMean(20000, 20000)).toBe('100.0%');
});

test("attention_check's lines are the lesson's where the numbers are PyTorch's", () => {
  const lines = attentionCheckLines({
    same: true,
    same_causal: true,
    causal_weights: tensor(CHECK.A_c),
    sharpness: [4, 64, 512].map((d) => {
      const { var: variance, max_raw, max_scaled } = CHECK.stats[`d_${d}`];
      return { d, variance, max_raw, max_scaled };
    }),
  });
  const start = LESSON_LINES.indexOf(lines[0]);
  expect(start).toBeGreaterThan(0);
  expect(lines).toEqual(LESSON_LINES.slice(start, start + lines.length));
  expect(lines).toHaveLength(11);
});

test('the comparison with PyTorch says True, False, or that there is nothing to compare', () => {
  const numbers = { causal_weights: tensor(CHECK.A_c), sharpness: [] };
  const lines = attentionCheckLines({ ...numbers, same: false, same_causal: null });
  expect(lines.slice(0, 2)).toEqual([
    '自己寫的 = PyTorch 內建： False',
    '因果遮罩也相同： 沒有 PyTorch 的紀錄',
  ]);
});

test('whole weights are printed as PyTorch prints whole numbers', () => {
  const causal_weights = { shape: [2, 2], data: Float32Array.from([1, 0, 0.001, 0.999]) };
  const lines = attentionCheckLines({
    same: true,
    same_causal: true,
    causal_weights,
    sharpness: [],
  });
  expect(lines.slice(3)).toEqual([' tensor([[1., 0.],', '        [0., 1.]])']);
});

test('a row too long for a line goes on in the next, as PyTorch breaks it', () => {
  const causal_weights = { shape: [2, 10], data: new Float32Array(20).fill(0.1) };
  const [label, , , ...rows] = attentionCheckLines({
    label: '與逐項迴圈的獨立實作相同',
    same: true,
    same_causal: true,
    causal_weights,
    sharpness: [],
  });
  expect(label).toBe('與逐項迴圈的獨立實作相同： True');
  const nine = Array(9).fill('0.1000').join(', ');
  expect(rows).toEqual([
    ` tensor([[${nine},`,
    '         0.1000],',
    `        [${nine},`,
    '         0.1000]])',
  ]);
});

test("reverse_seq's lines are the lesson's, names padded by characters", () => {
  const transformer = { digits: 20000, n_digits: 20000, sequences: 2000, n_sequences: 2000 };
  const lstm = { digits: 19000, n_digits: 20000, sequences: 1222, n_sequences: 2000 };
  const lines = [
    reverseLine('Transformer', 9194, transformer),
    reverseLine('雙向 LSTM', 32778, lstm),
  ];
  const start = LESSON_LINES.indexOf(lines[0]);
  expect(start).toBeGreaterThan(0);
  expect(lines).toEqual(LESSON_LINES.slice(start, start + 2));
});

test("the map's file is laid out as json.dumps does it", () => {
  const map = { shape: [2, 2], data: Float32Array.from([0.75, 0.25, 1, 1e-5]) };
  expect(reverseJson(map, [3, 0])).toBe(
    '{"att": [[0.75, 0.25], [1.0, 9.999999747378752e-06]], "x": [3, 0]}',
  );
});

test('allClose is torch.allclose with atol 1e-6 and rtol 1e-5', () => {
  expect(allClose([1 + 1.05e-5, 0], [1, 0])).toBe(true);
  expect(allClose([1 + 1.15e-5], [1])).toBe(false);
  expect(allClose([9e-7], [0])).toBe(true);
  expect(allClose([1.1e-6], [0])).toBe(false);
  expect(allClose([NaN], [NaN])).toBe(false);
  expect(allClose([1, 2], [1])).toBe(false);
});
