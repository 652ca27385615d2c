import { expect, test } from '@jest/globals';
import { TEST_SEQUENCES, testSequences } from '../../web/widgets/training-pace.js';

test('the lesson’s networks are tested with its 2000 sequences, at every length the page offers', () => {
  for (const [n_parameters, seq_len] of [
    [9194, 10],
    [32778, 10],
    [9194, 64],
    [32778, 32],
  ]) {
    expect(testSequences({ seq_len, n_parameters })).toBe(TEST_SEQUENCES);
  }
});

test('a large network is tested with fewer, never with fewer than 100', () => {
  const [large, huge] = [800_000, 4_000_000].map((n_parameters) =>
    testSequences({ seq_len: 32, n_parameters }),
  );
  expect(large).toBe(156);
  expect(huge).toBe(100);
});
