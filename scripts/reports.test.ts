import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { countPlaywright, countReport, countsLine, countVitest, sumCounts } from './reports.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-reports-'));

const vitestReport = {
  numPassedTests: 4,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [
    { status: 'failed', assertionResults: [{}] },
    { status: 'failed', assertionResults: [] },
    { status: 'passed', assertionResults: [{}] },
  ],
};

describe('sum of the reports', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('counts a file that could not be loaded as failed', () => {
    expect(countVitest(vitestReport)).toEqual({ passed: 4, failed: 2, skipped: 3 });
  });

  it('counts a flaky test as passed and an error outside tests as failed', () => {
    const report = { stats: { expected: 3, flaky: 1, unexpected: 0, skipped: 1 }, errors: [{}] };
    expect(countPlaywright(report)).toEqual({ passed: 4, failed: 1, skipped: 1 });
  });

  it('counts a missing report as a failure, and a failing exit code that the report does not explain', () => {
    const path = join(folder, 'check.json');
    expect(countReport('check', 0, path).failed).toBe(1);
    writeFileSync(path, '{"passed": 5, "failed": 0}');
    expect(countReport('check', 0, path)).toEqual({ passed: 5, failed: 0, skipped: 0 });
    expect(countReport('check', 1, path)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('writes one line', () => {
    const sum = sumCounts([countVitest(vitestReport), { passed: 1, failed: 0, skipped: 0 }]);
    expect(countsLine(sum)).toBe('5 passed, 2 failed, 3 skipped');
  });
});
