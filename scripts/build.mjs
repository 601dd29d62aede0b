// Builds what is asked for: app (the page), lib (the npm package's browser side), node (the command), types. All by default.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bootstrap, root, run } from './bootstrap.mjs';

const builds = {
  app: ['vite', ['build', '--logLevel', 'warn']],
  lib: ['vite', ['build', '--logLevel', 'warn', '--mode', 'lib']],
  node: ['vite', ['build', '--logLevel', 'warn', '--mode', 'node']],
  types: ['node', ['node_modules/@typescript/native/bin/tsc', '-p', 'src/tsconfig.build.json']],
};

export const build = async (names) => {
  for (const name of names) {
    const entry = builds[name];
    if (!entry) {
      console.error(`There is no build "${name}"; there are ${Object.keys(builds).join(', ')}.`);
      return 2;
    }
    // vite empties its folder itself.
    if (name === 'types') rmSync(join(root, 'dist', 'types'), { recursive: true, force: true });
    const code = await run(...entry);
    if (code !== 0) return code;
  }
  return 0;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bootstrap({ chromium: false });
  const asked = process.argv.slice(2);
  process.exitCode = await build(asked.length > 0 ? asked : Object.keys(builds));
}
