// What the built page loads before anything is painted, and what its panels load later, gzipped, against the budgets of
// the design. Fails when the shell is over; the later code is told with its budget.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './bootstrap.mjs';

const shellBudget = 60_000;
const lazyBudget = 250_000;
const folder = join(root, 'dist', 'app');
const shell = new Set(
  [...readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/assets\/([^"]+\.(?:js|css))/g)].map(
    ([, name]) => name,
  ),
);
const code = readdirSync(join(folder, 'assets')).filter(
  (name) => /\.(js|css)$/.test(name) && !name.startsWith('worker-'),
);
// Keys come from @polkadot/util-crypto in one chunk, which is counted apart.
const isApart = (name) => name.startsWith('keys-');
const sizeOf = (names) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length, 0);
const text = (bytes, budget) => `${(bytes / 1000).toFixed(1)} kB of ${budget / 1000} kB`;

const shellSize = sizeOf(code.filter((name) => shell.has(name)));
const lazySize = sizeOf(code.filter((name) => !shell.has(name) && !isApart(name)));
console.log(`page shell: ${text(shellSize, shellBudget)}`);
console.log(
  `loaded later: ${text(lazySize, lazyBudget)}; keys apart: ${(sizeOf(code.filter(isApart)) / 1000).toFixed(1)} kB`,
);
if (shellSize > shellBudget) process.exitCode = 1;
