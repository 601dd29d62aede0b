// `npm test`: installs what is missing, including Chromium, runs every test runner and ends with the total of
// their reports.
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, run } from './bootstrap.mjs';
import {
  countReport,
  countsLine,
  reportPath,
  reportsFolder,
  resetReport,
  sumCounts,
  writeReport,
} from './reports.mjs';

await bootstrap({ chromium: true });

const runVitest = (name, projects, options) =>
  run(
    'vitest',
    ['run', ...projects, '--reporter=default', '--reporter=json', `--outputFile.json=${reportPath(name)}`],
    options,
  );

/**
 * In one run, Vitest would start the page only after all tests in Node.js, which leave the processor idle while they wait for
 * blocks and processes. What this run prints follows when it has ended.
 */
const runChromium = async () => {
  const path = join(reportsFolder, 'chromium.log');
  const log = openSync(path, 'w');
  const code = await runVitest('chromium', ['--project=chromium'], { stdio: ['ignore', log, log] });
  closeSync(log);
  process.stdout.write(readFileSync(path));
  return code;
};

const runPlaywright = () => {
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = reportPath('playwright');
  return run('playwright', ['test', '--reporter=list,json']);
};

const countRun = async (name, start) => {
  resetReport(name);
  const count = countReport(name, await start());
  console.log(`${name}: ${countsLine(count)}`);
  return count;
};

const building = run('node', ['e2e/serve.ts', '--build-only']);
const counts = await Promise.all([
  countRun('vitest', () => runVitest('vitest', ['--project=!chromium', '--project=!nightly'])),
  countRun('chromium', runChromium),
]);
// Meanwhile the pages of the end-to-end tests were built. If they were not, Playwright says why.
await building;
counts.push(await countRun('playwright', runPlaywright));
const sum = sumCounts(counts);
writeReport('test-sum', sum);
console.log(countsLine(sum));
process.exitCode = sum.failed === 0 ? 0 : 1;
