// `npm run check`: types, lint and format, layers, dead code, resets, size. The output of a check is only shown if it
// fails, except warnings.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root, toolEnvironment } from './bootstrap.mjs';
import { resetReport, writeReport } from './reports.mjs';

const tsc = (project) => `node node_modules/@typescript/native/bin/tsc -p ${project}`;

// Two lanes, because two cores are common: the build, which the size check needs, runs in parallel with the
// rest.
const lanes = [
  [
    ['types: worker', tsc('.')],
    ['types: src', tsc('src')],
    ['types: bridge', tsc('bridge')],
    ['types: e2e', tsc('e2e')],
    ['types: test', tsc('test')],
    ['types: examples', tsc('examples')],
    ['types: bench', tsc('bench')],
    ['layers', 'depcruise --config .dependency-cruiser.mjs src worker ui bridge test'],
    ['dead code', 'knip --treat-config-hints-as-errors'],
    ['resets', 'node scripts/checks/check-resets.mjs src worker ui bridge'],
  ],
  [
    ['format and lint', 'biome ci --colors=off --error-on-warnings --max-diagnostics=200'],
    ['types: ui', 'svelte-check --tsconfig ui/tsconfig.json --fail-on-warnings'],
    ['size', 'node scripts/build.mjs app && node scripts/page-size.mjs'],
    ['lockfile', 'node scripts/checks/check-lockfile.mjs'],
  ],
];

const runQuietly = (command) =>
  new Promise((resolve) => {
    const child = spawn(command, { cwd: root, env: toolEnvironment(), shell: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => {
        output += part;
      });
    }
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });

const runLane = async (lane, results) => {
  for (const [name, command] of lane) {
    const from = performance.now();
    const { code, output } = await runQuietly(command);
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    results.push({ name, ok: code === 0 });
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
    const warnings = output.split('\n').filter((line) => line.startsWith('warning: '));
    if (code !== 0) console.log(output.trimEnd());
    else if (warnings.length > 0) console.log(warnings.join('\n'));
  }
};

await bootstrap({ chromium: false });
resetReport('check');
const only = process.argv.slice(2);
const chosen = lanes.map((lane) =>
  lane.filter(([name, command]) => {
    if (only.length > 0 && !only.some((word) => name.includes(word))) return false;
    return !command.includes('ui/tsconfig.json') || existsSync(join(root, 'ui', 'tsconfig.json'));
  }),
);
const results = [];
await Promise.all(chosen.map((lane) => runLane(lane, results)));
const failed = results.filter(({ ok }) => !ok).length;
writeReport('check', { passed: results.length - failed, failed, results });
console.log(`checks: ${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
