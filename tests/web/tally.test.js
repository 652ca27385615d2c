import { describe, expect, test } from '@jest/globals';
import { closingLine, sum, tallyJest, tallyTap } from '../tools/tally.mjs';

describe('a cmocka program in TAP', () => {
  test('counts what passed, failed and was skipped', () => {
    const output = '1..3\nok 1 - a\nnot ok 2 - b\n# b.c:8: error: Failure!\nnot ok 3 # SKIP c\n';
    expect(tallyTap(output, false)).toEqual({ passed: 1, failed: 1, skipped: 1 });
  });

  test('sums several groups', () => {
    expect(tallyTap('1..1\nok 1 - a\n# ok - tests\n1..1\nok 1 - b\n', true)).toEqual({
      passed: 2,
      failed: 0,
      skipped: 0,
    });
  });

  test('that died counts every test it still owed as failed', () => {
    expect(tallyTap('1..4\nok 1 - a\n', false)).toEqual({ passed: 1, failed: 3, skipped: 0 });
  });

  test('that never began, tested nothing or ended badly has failed', () => {
    expect(tallyTap('', false).failed).toBe(1);
    expect(tallyTap('1..0\n', true).failed).toBe(1);
    expect(tallyTap('1..1\nok 1 - a\n', false)).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });
});

describe("Jest's report", () => {
  const clean = {
    numPassedTests: 5,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 0,
  };

  test('is counted as it stands', () => {
    expect(tallyJest(clean, true)).toEqual({ passed: 5, failed: 0, skipped: 1 });
  });

  test('counts a suite that could not run as a failure', () => {
    const broken = { ...clean, numFailedTests: 2, numRuntimeErrorTestSuites: 1 };
    expect(tallyJest(broken, false).failed).toBe(3);
  });

  test('that is missing, or clean from a runner that ended badly, is a failure', () => {
    expect(tallyJest(undefined, false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(tallyJest(clean, false).failed).toBe(1);
  });
});

test('the closing line sums all runners and names skipped tests only where there are any', () => {
  const total = sum([
    { passed: 3, failed: 0, skipped: 0 },
    { passed: 4, failed: 1, skipped: 0 },
  ]);
  expect(closingLine(total)).toBe('7 passed, 1 failed');
  expect(closingLine({ ...total, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped');
});
