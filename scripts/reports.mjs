// Reads the JSON reports that the test runners write to reports/ and adds them up.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

export const reportsFolder = join(root, 'reports');
export const reportPath = (name) => join(reportsFolder, `${name}.json`);

const zero = { passed: 0, failed: 0, skipped: 0 };
const add = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** A test file that could not be loaded has no tests to count, so it counts as one failure. */
export const countVitest = (report) => {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
};

export const countPlaywright = ({ stats, errors }) => ({
  passed: stats.expected + stats.flaky,
  failed: stats.unexpected + errors.length,
  skipped: stats.skipped,
});

const ofChecks = (report) => ({ ...zero, passed: report.passed, failed: report.failed });

const readers = { vitest: countVitest, chromium: countVitest, playwright: countPlaywright, check: ofChecks };

export const resetReport = (name) => {
  mkdirSync(reportsFolder, { recursive: true });
  rmSync(reportPath(name), { force: true });
};

export const writeReport = (name, report) => {
  mkdirSync(reportsFolder, { recursive: true });
  writeFileSync(reportPath(name), `${JSON.stringify(report, null, 2)}\n`);
};

/**
 * A runner without a report, or one that failed although its report shows no failure, counts as one failure.
 */
export const countReport = (name, exitCode, path = reportPath(name)) => {
  if (!existsSync(path)) return { ...zero, failed: 1 };
  const counts = readers[name](JSON.parse(readFileSync(path, 'utf8')));
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
};

export const sumCounts = (all) => all.reduce(add, zero);
export const countsLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
