import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Runs the tests of ecosystem/ with chopsticks' own testing package, against the same live chain and the same snapshots. The package is
// installed beside the benchmarks (bench/chopsticks/package.json) on the first run. `--update` records the snapshots anew.

const folder = fileURLToPath(new URL('../../bench/chopsticks', import.meta.url));
const entry = `${folder}/node_modules/@acala-network/chopsticks-testing/dist/esm/index.js`;
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

if (!existsSync(entry)) {
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', '--prefix', folder, ...flags], { stdio: ['ignore', 2, 2] });
}
const args = ['run', '--project', 'node', '--retry', '0', 'test/chopsticks/ecosystem', '--silent'];
const { status } = spawnSync(process.execPath, [vitest, ...args, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CHOPSTICKS_TESTING: entry, LOG_LEVEL: 'error' },
});
process.exitCode = status ?? 1;
