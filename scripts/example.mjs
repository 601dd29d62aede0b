// `npm run example -- NAME`: runs one of the examples, and installs what is missing.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

/** The commands of each folder of examples/, which run side by side until Ctrl+C. */
const examples = {
  dapp: [
    ['node', ['bridge/tabnode.ts', 'serve', '--dev', '--seal', 'instant', '--dialect', 'polkadot-sdk']],
    ['vite', ['examples/dapp']],
  ],
  fork: [['vitest', ['run', '--project', 'node', 'examples/fork']]],
  'shared-node': [['vite', ['examples/shared-node']]],
};

const name = process.argv[2];
const commands = examples[name];
if (commands === undefined) {
  const names = readdirSync(join(root, 'examples'), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  console.error(`Usage: npm run example -- NAME. Names: ${names.join(', ')}`);
  process.exit(2);
}
await bootstrap({ chromium: false });
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
const codes = commands.map(async ([command, args]) => {
  const code = await run(command, args, { signal: stop.signal });
  // One without the other is no example.
  stop.abort();
  return code;
});
process.exitCode = Math.max(...(await Promise.all(codes)));
