// `npm test`: installs what is missing, including Chromium, runs every test runner and ends with the total of
// their reports.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';
import { countReport, countsLine, reportPath, resetReport, sumCounts, writeReport } from './reports.mjs';

await bootstrap({ chromium: true });

const runVitest = () =>
  run('vitest', [
    'run',
    '--project=!nightly',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath('vitest')}`,
  ]);

const runPlaywright = () => {
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = reportPath('playwright');
  return run('playwright', ['test', '--reporter=list,json']);
};

const runners = { vitest: runVitest };
if (readdirSync(join(root, 'e2e')).some((name) => name.endsWith('.spec.ts')))
  runners.playwright = runPlaywright;

const counts = [];
for (const [name, start] of Object.entries(runners)) {
  resetReport(name);
  const count = countReport(name, await start());
  console.log(`${name}: ${countsLine(count)}`);
  counts.push(count);
}
const sum = sumCounts(counts);
writeReport('test-sum', sum);
console.log(countsLine(sum));
process.exitCode = sum.failed === 0 ? 0 : 1;
