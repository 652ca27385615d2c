import { expect, test } from '@jest/globals';
import { compareLines } from '../../web/widgets/printed-lines.js';

test('lines are compared place by place', () => {
  expect(compareLines('0.30', '0.45')).toEqual([
    { text: '0.', same: true },
    { text: '30', same: false },
  ]);
  expect(compareLines('ab', 'a')).toEqual([
    { text: 'a', same: true },
    { text: 'b', same: false },
  ]);
  expect(compareLines('位置', '位置')).toEqual([{ text: '位置', same: true }]);
  expect(compareLines('a')).toEqual([{ text: 'a', same: false }]);
});
