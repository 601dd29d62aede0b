import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { expect, it, onTestFinished } from 'vitest';
import { commonOptions, readTokens } from '../bridge/cli/command.ts';
import { commands } from '../bridge/commands.ts';
import { type Block, pages, placeOf, read, readBlocks, root } from './docs/blocks.fixture.ts';

// The commands, data and patches of the README and of the guide.

const all = pages.flatMap(readBlocks);
const shell = all.filter(({ language }) => language === 'sh');
const rows = (blocks: readonly Block[]) => blocks.map((block) => [placeOf(block), block] as const);
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Record<string, string> };

/** The commands of a block, without comments. A backslash continues a line. */
const linesOf = ({ code }: Block): readonly string[] =>
  code
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^| +)#.*/, '').trim())
    .filter((line) => line !== '');

/** The arguments of the package's command, however it is started; null: another command. */
const argumentsOf = (line: string): readonly string[] | null => {
  const words = /^(?:npm run tabnode(?: --)?|npx tabnode|tabnode)(?: (.*))?$/.exec(line);
  return words === null ? null : (words[1] ?? '').split(/ +/).filter((word) => word !== '');
};

/** Options that the named command does not have. */
const unknownOptions = (argv: readonly string[]): readonly string[] => {
  const [first = '', second = ''] = argv;
  const isOption = argv.length === 0 || first.startsWith('-');
  const name = isOption ? 'develop' : first === 'key' ? `${first} ${second}` : first;
  const command = commands[name];
  if (command === undefined) return [`no command ${name}`];
  const options = { ...commonOptions, ...command.options, version: { by: 'any', type: 'boolean' } } as const;
  return readTokens(argv, options).flatMap((token) =>
    token.kind === 'option' && !Object.hasOwn(options, token.name) ? [token.rawName] : [],
  );
};

/** Why a line would fail that begins with npm or node; null: it would not, or it is no such line. */
const scriptFault = (line: string): string | null => {
  const [, name] = /^npm run ([\w:-]+)/.exec(line) ?? [];
  const [, file] = /^node ([\w./-]+)/.exec(line) ?? [];
  // The project of the dApp chapter has scripts of its own.
  if (name !== undefined && scripts[name] === undefined && name !== 'dev') return `no script ${name}`;
  return file === undefined || existsSync(join(root, file)) ? null : `no file ${file}`;
};

it.each(rows(shell))('the commands of %s exist, with their options', (_place, block) => {
  for (const line of linesOf(block)) {
    const argv = argumentsOf(line);
    if (argv === null) expect(scriptFault(line), line).toBeNull();
    else expect(unknownOptions(argv), line).toEqual([]);
  }
});

it.each(rows(shell.filter(({ isRun }) => isRun)))('the commands of %s run', async (_place, block) => {
  const cwd = mkdtempSync(join(tmpdir(), 'tabnode-commands-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const line of linesOf(block)) {
    const argv = argumentsOf(line);
    expect(argv, `"${line}" cannot be run: add no_run`).not.toBeNull();
    await new Promise<void>((resolve, reject) => {
      const tabnode = join(root, 'bridge/tabnode.ts');
      execFile(process.execPath, [tabnode, ...(argv ?? [])], { cwd, maxBuffer: 1 << 26 }, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  }
});

it.each(rows(all.filter(({ language }) => language === 'json')))(
  'the data of %s is JSON',
  (_place, { code }) => {
    expect(() => JSON.parse(code)).not.toThrow();
  },
);

it.each(rows(all.filter(({ language }) => language === 'toml')))(
  'the file of %s is TOML',
  (_place, { code }) => {
    for (const [name, value] of Object.entries(parseToml(code)))
      if (typeof value === 'object') {
        const known = Object.keys(commands[name]?.options ?? {});
        expect(known).toEqual(expect.arrayContaining(Object.keys(value)));
      }
  },
);

const patches = all.filter(({ language, code }) => language === 'diff' && code.startsWith('diff --git'));

it('the guide has a patch', () => {
  expect(patches.length).toBeGreaterThan(0);
});

it.each(rows(patches))('the patch of %s applies', (_place, { code }) => {
  expect(() => execFileSync('git', ['apply', '--check'], { cwd: root, input: code })).not.toThrow();
});

it('a block has a language, so that a page shows it in color and a test can look at it', () => {
  expect(all.filter(({ language }) => language === '').map(placeOf)).toEqual([]);
});
