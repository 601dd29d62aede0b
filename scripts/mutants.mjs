// Shows that the corpus tests would notice: each mutant changes one bit of the trie or one host function in a copy of the
// repository, and the tests on the fixtures must fail there. The working tree is never touched.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolEnvironment } from './bootstrap.mjs';

const help = `Usage: node scripts/mutants.mjs [--list | --help] [NAME…]

Copies the repository to a temporary folder, checks that the corpus tests pass there, then changes one thing at a time
and checks that they fail. Exits 0 only when every mutant is caught. With names, only those mutants run.

  --list    names the mutants and ends
  --help    this text

Needs ../shared/fixtures beside the repository.
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const fixtures = join(root, '../shared');

/** What runs over the recorded tries, chains and blocks. */
const corpus = [
  'worker/trie/fixtures.test.ts',
  'worker/chain/genesis.browser.test.ts',
  'worker/chain/replay.browser.test.ts',
  'worker/executor/replay.test.ts',
];

const mutants = [
  {
    name: 'trie: the header bit of a hashed leaf',
    file: 'worker/trie/node-codec.ts',
    find: 'node.valueKind === hashedValue ? [0x20, 5] : [0x40, 6]',
    replace: 'node.valueKind === hashedValue ? [0x30, 5] : [0x40, 6]',
  },
  {
    name: 'trie: the header bit of a branch with a value',
    file: 'worker/trie/node-codec.ts',
    find: 'node.valueKind === inlineValue ? [0xc0, 6] : [0x80, 6]',
    replace: 'node.valueKind === inlineValue ? [0xc0, 6] : [0xc0, 6]',
  },
  {
    name: 'trie: one bit of the child bitmap',
    file: 'worker/trie/node-codec.ts',
    find: 'out[at++] = node.bitmap >> 8;',
    replace: 'out[at++] = (node.bitmap >> 8) ^ 1;',
  },
  {
    name: 'trie: a child of 32 bytes inline',
    file: 'worker/trie/node-codec.ts',
    find: 'encoded.length < 32 ? encoded',
    replace: 'encoded.length <= 32 ? encoded',
  },
  {
    name: 'host: twox_128 has one bit else',
    file: 'worker/executor/host/hashing.ts',
    find: 'hashes.twox128(data)',
    replace: 'hashes.twox128(data).map((byte, at) => (at === 15 ? byte ^ 1 : byte))',
  },
  {
    name: 'host: blake2_256 has one bit else',
    file: 'worker/executor/host/hashing.ts',
    find: 'hashes.blake2b256(data)',
    replace: 'hashes.blake2b256(data).map((byte, at) => (at === 0 ? byte ^ 128 : byte))',
  },
  {
    name: 'host: storage_append appends nothing',
    file: 'worker/executor/host/storage.ts',
    find: 'host.call.overlay.append(host.memory.take(key), host.memory.take(item))',
    replace: 'void [host.memory.take(key), host.memory.take(item)]',
  },
  {
    name: 'host: storage_exists is always false',
    file: 'worker/executor/host/storage.ts',
    find: 'host.call.overlay.exists(host.memory.view(key)) ? 1 : 0',
    replace: 'host.call.overlay.exists(host.memory.view(key)) ? 0 : 0',
  },
  {
    name: 'host: storage_clear clears nothing',
    file: 'worker/executor/host/storage.ts',
    find: 'if (!startsWithBytes(name, childStorage)) host.call.overlay.clear(name);',
    replace: 'if (startsWithBytes(name, childStorage)) host.call.overlay.clear(name);',
  },
];

/** Everything tracked and everything new, without what is installed or built; fixtures and packages as links. */
const copyRepository = (folder) => {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  const copy = join(folder, 'repository');
  mkdirSync(copy);
  for (const path of listed.stdout.split('\0'))
    if (path !== '' && existsSync(join(root, path))) cpSync(join(root, path), join(copy, path));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  symlinkSync(fixtures, join(folder, 'shared'), 'junction');
  return copy;
};

/** Whether the corpus passes; anything but a run with tests in it is an error of this script. */
const corpusPasses = (copy) => {
  const report = join(copy, 'corpus.json');
  rmSync(report, { force: true });
  const args = ['run', '--project', 'node', '--reporter', 'json', '--outputFile', report, ...corpus];
  const run = spawnSync('vitest', args, {
    cwd: copy,
    env: toolEnvironment(),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    shell: process.platform === 'win32',
  });
  if (!existsSync(report)) throw new Error(`vitest wrote no report:\n${run.stdout}\n${run.stderr}`);
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  process.stdout.write(`  ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
  if (numPassedTests + numFailedTests === 0) throw new Error(`no test ran:\n${run.stdout}\n${run.stderr}`);
  return run.status === 0 && numFailedTests === 0;
};

const tryMutant = (copy, { name, file, find, replace }) => {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) throw new Error(`${name}: ${file} does not have exactly one "${find}"`);
  process.stdout.write(`${name}\n`);
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    return !corpusPasses(copy);
  } finally {
    writeFileSync(path, text);
  }
};

const runAll = (chosen) => {
  if (!existsSync(join(fixtures, 'fixtures'))) throw new Error('../shared/fixtures is not there');
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-mutants-'));
  try {
    const copy = copyRepository(folder);
    process.stdout.write('unchanged\n');
    if (!corpusPasses(copy)) throw new Error('the corpus fails without any change');
    const survivors = chosen.filter((mutant) => !tryMutant(copy, mutant));
    for (const { name } of survivors) process.stdout.write(`not noticed: ${name}\n`);
    process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} mutants caught\n`);
    return survivors.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const main = (args) => {
  if (args.includes('--help')) process.stdout.write(help);
  else if (args.includes('--list')) process.stdout.write(`${mutants.map(({ name }) => name).join('\n')}\n`);
  else {
    const unknown = args.filter((arg) => !mutants.some(({ name }) => name === arg));
    if (unknown.length > 0) throw new Error(`There is no mutant "${unknown[0]}"; --list names them`);
    return runAll(args.length === 0 ? mutants : mutants.filter(({ name }) => args.includes(name)));
  }
  return 0;
};

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
