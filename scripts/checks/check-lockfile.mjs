// The lockfile must not name a download host other than the public default, and package.json must not contain
// open version ranges.
//   node scripts/checks/check-lockfile.mjs [FOLDER]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

const folder = process.argv[2] ?? root;
const readJson = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const lock = readJson('package-lock.json');
const { dependencies, devDependencies } = readJson('package.json');
const faults = [];

for (const [path, entry] of Object.entries(lock.packages)) {
  if (entry.resolved && !entry.resolved.startsWith('https://registry.npmjs.org/'))
    faults.push(`${path}: ${entry.resolved}`);
  if (path !== '' && !entry.link && !entry.integrity) faults.push(`${path}: no integrity`);
}
for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
  if (!/^(npm:.+@)?\d+\.\d+\.\d+$/.test(version))
    faults.push(`package.json: ${name} is not pinned (${version})`);
  const locked = lock.packages[`node_modules/${name}`]?.version;
  if (!version.endsWith(locked)) faults.push(`package.json: ${name} ${version}, locked ${locked}`);
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
