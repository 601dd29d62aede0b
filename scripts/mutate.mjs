// `npm run mutate`: changes one thing at a time in a copy of the sources, and verifies that the corpus tests
// then fail.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bootstrap, root, run } from './bootstrap.mjs';

const corpusTests = ['worker/chain/genesis/genesis', 'worker/chain/replay', 'worker/trie/fixtures'];
const copied = ['src', 'worker', 'test', 'public', 'package.json', 'tsconfig.json', 'vitest.config.ts'];

const mutations = [
  {
    name: 'one bit in the header of a trie branch',
    file: 'worker/trie/node-codec.ts',
    from: '[0xc0, 6]',
    to: '[0xc1, 6]',
  },
  {
    name: 'twox_128 answers with one bit flipped',
    file: 'worker/executor/host/hashing.ts',
    from: '(hashes, data) => hashes.twox128(data)',
    to: '(hashes, data) => hashes.twox128(data).map((byte, i) => (i === 0 ? byte ^ 1 : byte))',
  },
  {
    name: 'storage_clear does nothing',
    file: 'worker/executor/host/storage.ts',
    from: 'host.call.overlay.clear(name);',
    to: 'void name;',
  },
];

/** A copy of the repository that shares node_modules and the fixtures next to the original. */
const makeCopy = () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-mutate-'));
  const copy = join(folder, 'repo');
  mkdirSync(join(copy, 'scripts'), { recursive: true });
  for (const name of copied) cpSync(join(root, name), join(copy, name), { recursive: true });
  cpSync(join(root, 'scripts', 'chromium.mjs'), join(copy, 'scripts', 'chromium.mjs'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  symlinkSync(resolve(root, '..', 'shared'), join(folder, 'shared'), 'junction');
  return { copy, remove: () => rmSync(folder, { recursive: true }) };
};

const corpusPasses = async (cwd) =>
  (await run('vitest', ['run', '--project', 'node', ...corpusTests], { cwd, stdio: 'ignore' })) === 0;

const survives = async (copy, { file, from, to }) => {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new RangeError(`${file} does not hold "${from}" exactly once`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    return await corpusPasses(copy);
  } finally {
    writeFileSync(path, text);
  }
};

await bootstrap({ chromium: false });
const { copy, remove } = makeCopy();
let faults = 0;
try {
  const intact = await corpusPasses(copy);
  console.log(`${intact ? 'ok    ' : 'FAILED'} the corpus passes unaltered`);
  if (!intact) faults += 1;
  for (const mutation of mutations) {
    const survived = await survives(copy, mutation);
    console.log(`${survived ? 'FAILED' : 'ok    '} noticed: ${mutation.name}`);
    if (survived) faults += 1;
  }
} finally {
  remove();
}
process.exitCode = faults === 0 ? 0 : 1;
