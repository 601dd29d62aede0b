// The last line of .ci/run: the total of the checks' and tests' reports. Exit code 1 if anything failed.
import { existsSync, readFileSync } from 'node:fs';
import { countReport, countsLine, reportPath, sumCounts } from './reports.mjs';

const [checkCode, testCode] = process.argv.slice(2).map(Number);
const tests = existsSync(reportPath('test-sum'))
  ? JSON.parse(readFileSync(reportPath('test-sum'), 'utf8'))
  : { passed: 0, failed: 1, skipped: 0 };
const sum = sumCounts([countReport('check', checkCode), tests]);
if (testCode !== 0 && sum.failed === 0) sum.failed = 1;
console.log(countsLine(sum));
process.exitCode = sum.failed === 0 ? 0 : 1;
