import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Block,
  fileOf,
  pages,
  placeOf,
  read,
  readBlocks,
  root,
  sources,
  writeBlocks,
} from './docs/blocks.fixture.ts';

// The TypeScript of the README and of the guide is compiled, and what needs no page and no network is run.

const all = pages.flatMap(readBlocks);
const code = all.filter(({ language }) => language === 'ts' || language === 'js');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tabnode-blocks-')));
afterAll(() => rmSync(folder, { recursive: true }));

// Declarations that the blocks leave out.
const given = `declare const node: import('tabnode').TabNode;
declare const element: HTMLElement;
declare const tabnode: import('tabnode').TabNode;`;

beforeAll(() => {
  writeBlocks(folder, code);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      lib: ['es2024', 'dom', 'dom.iterable'],
      noUnusedLocals: false,
      allowJs: true,
      paths: Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, [file]])),
    },
    include: ['.'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'given.d.ts'), given);
  const test = { include: ['*/*.test.ts'], testTimeout: 60_000 };
  const vitest = { resolve: { alias: aliases() }, test };
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(vitest)}`);
});

/** The longer names first: Vite takes the first that begins like the module. */
const aliases = () =>
  Object.entries(sources)
    .map(([find, replacement]) => ({ find, replacement }))
    .sort((one, other) => other.find.length - one.find.length);

/** What a program printed, and its exit code. */
const run = (script: string, ...args: readonly string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', VITEST: undefined };
    execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });

it('the pages have blocks', () => {
  expect(pages).toContain('docs/fork.md');
  expect(code.length).toBeGreaterThan(25);
  const lines = pages.flatMap((page) => read(page).split('\n'));
  expect(all.length * 2).toBe(lines.filter((line) => line.startsWith('```')).length);
});

it('the blocks are correct TypeScript', async () => {
  const { output } = await run(join(root, 'node_modules/@typescript/native/bin/tsc'), '-p', folder);
  expect(output).toBe('');
});

const needsNode = (text: string): boolean => /\bnode\b/.test(text) && !/\bconst node\b/.test(text);
const scripts = code.filter(({ isRun, name, language }) => isRun && name === null && language === 'ts');
const runner = fileURLToPath(new URL('docs/run-block.fixture.ts', import.meta.url));

describe('a block runs', () => {
  it.each(scripts.map((block) => [placeOf(block), block] as const))('%s', async (_place, block: Block) => {
    const more = needsNode(block.code) ? ['node'] : [];
    const { code, output } = await run(runner, join(folder, fileOf(block)), JSON.stringify(sources), ...more);
    expect(code, output).toBe(0);
  });
});

it('the tests in the blocks pass', async () => {
  const left = code.filter(({ name, isRun }) => isRun && name?.endsWith('.test.ts'));
  expect(left.length).toBeGreaterThan(1);
  const config = ['--root', folder, '--config', join(folder, 'vitest.config.mjs')];
  const files = left.map(fileOf);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { code: exit, output } = await run(vitest, 'run', '--reporter=verbose', ...config, ...files);
  expect(exit, output).toBe(0);
  for (const file of files) expect(output).toContain(`✓ ${file}`);
}, 120_000);

it('the wallet of the dApp chapter is that of examples/dapp', () => {
  const files = readBlocks('docs/dapp.md').filter(({ name }) => name !== null && !/config/.test(name));
  expect(files.map(({ name }) => name)).toHaveLength(6);
  const modules = Object.entries(sources).map(([name, file]) => [file.replace(`${root}`, '../../'), name]);
  for (const { name, code: text } of files) {
    // The example imports the sources, and is served by the repository's tests.
    const lines = read(`examples/dapp/${name}`).split('\n');
    const own = lines.filter((line) => !/e2eUrl|In a project of your own/.test(line)).join('\n');
    const named = modules.reduce(
      (so, [file = '', module = '']) => so.replace(`'${file}'`, `'${module}'`),
      own,
    );
    expect(sortImports(text)).toBe(sortImports(named.replace("'../../src/start.ts'", "'tabnode'")));
  }
});

/** The names of modules sort differently than their paths. */
const sortImports = (text: string): string => {
  const lines = text.trim().split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  return [...lines.filter(isImport).sort(), ...lines.filter((line) => !isImport(line))].join('\n').trim();
};
