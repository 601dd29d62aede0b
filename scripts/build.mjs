// Builds the given targets: app (the page), lib (the npm package's browser side), node (the command), types.
// All by default.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrap, root, run } from './bootstrap.mjs';

// The page then says how the command of the package is run (ui/kit/text/tabnode-command.ts).
if (process.env['npm_lifecycle_event'] === 'prepack') process.env['VITE_PACKAGED'] = '1';

const vite = (...mode) => ['vite', ['build', '--logLevel', 'warn', ...mode]];

/** The commands of each build, run in this order. */
const builds = {
  app: [vite()],
  lib: [vite('--mode', 'lib')],
  node: [vite('--mode', 'node-threads'), vite('--mode', 'node-command')],
  types: [['node', ['node_modules/@typescript/native/bin/tsc', '-p', 'src/tsconfig.build.json']]],
};

export const build = async (names) => {
  for (const name of names) {
    const commands = builds[name];
    if (!commands) {
      console.error(`There is no build "${name}"; there are ${Object.keys(builds).join(', ')}.`);
      return 2;
    }
    // vite empties its folder itself.
    if (name === 'types') rmSync(join(root, 'dist', 'types'), { recursive: true, force: true });
    for (const command of commands) {
      const code = await run(...command);
      if (code !== 0) return code;
    }
  }
  return 0;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bootstrap({ chromium: false });
  const asked = process.argv.slice(2);
  process.exitCode = await build(asked.length > 0 ? asked : Object.keys(builds));
}
