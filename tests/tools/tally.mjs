/**
 * How the runners' results become numbers: {passed, failed, skipped} each.
 *
 * @typedef {{passed: number, failed: number, skipped: number}} Tally
 */

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/**
 * @param {Tally} tally
 * @returns {string}
 */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * A cmocka program under CMOCKA_MESSAGE_OUTPUT=TAP. Tests that it announced and never reported
 * have failed: the program died. So has a program that ends badly after its last test (a leak).
 *
 * @param {string} output
 * @param {boolean} ended_well exit status 0
 * @returns {Tally}
 */
export function tallyTap(output, ended_well) {
  const tally = { passed: 0, failed: 0, skipped: 0 };
  let announced = 0;
  for (const line of output.split('\n')) {
    announced += Number(/^1\.\.(\d+)$/.exec(line)?.[1] ?? 0);
    if (/^(not )?ok \d+ # SKIP/.test(line)) tally.skipped++;
    else if (/^ok \d+/.test(line)) tally.passed++;
    else if (/^not ok \d+/.test(line)) tally.failed++;
  }
  const silent = announced - tally.passed - tally.failed - tally.skipped;
  tally.failed += Math.max(0, silent);
  if (tally.failed === 0 && (!ended_well || announced === 0)) tally.failed = 1;
  return tally;
}

/**
 * Jest's --json report; undefined where Jest wrote none. A suite that could not run is a failure.
 *
 * @param {{numPassedTests: number, numFailedTests: number, numPendingTests: number,
 *   numTodoTests: number, numRuntimeErrorTestSuites: number} | undefined} report
 * @param {boolean} ended_well exit status 0
 * @returns {Tally}
 */
export function tallyJest(report, ended_well) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed, failed: failed === 0 && !ended_well ? 1 : failed, skipped };
}
