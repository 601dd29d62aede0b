// Looks in the given folders for state that stays set for ever if what is waited for throws.
import { globSync, readFileSync } from 'node:fs';
import { findResets, scriptsOf } from './resets.ts';

let count = 0;
for (const folder of process.argv.slice(2)) {
  const paths = globSync(`${folder}/**/*.{ts,svelte}`).filter((path) => !/\.(test|fixture)\.ts$/.test(path));
  if (paths.length === 0) throw new Error(`No modules in ${folder}`);
  for (const path of paths)
    for (const fault of findResets(scriptsOf(path, readFileSync(path, 'utf8')))) {
      count += 1;
      const { target, setLine, waitLine, resetLine } = fault;
      console.log(
        `${path}:${resetLine}: ${target}, which line ${setLine} sets, is not reset if line ${waitLine} throws: use finally`,
      );
    }
}
process.exitCode = count === 0 ? 0 : 1;
