import { describe, expect, it } from 'vitest';
import { parseRepairArguments, parseServeArguments } from './arguments.ts';
import { parseExportArguments, parseImportArguments } from './block-arguments.ts';
import {
  parseBlockArguments,
  parseInfoArguments,
  parsePresetsArguments,
  parsePurgeArguments,
  parseRevertArguments,
  parseSpecArguments,
  parseStateArguments,
} from './chain-arguments.ts';
import { helpTexts } from './help.ts';
import { parseMcpArguments } from './mcp-arguments.ts';

const parsers = {
  serve: parseServeArguments,
  'import-blocks': parseImportArguments,
  'export-blocks': parseExportArguments,
  'build-spec': parseSpecArguments,
  'list-presets': parsePresetsArguments,
  'export-state': parseStateArguments,
  'chain-info': parseInfoArguments,
  'check-block': (args: readonly string[]) => parseBlockArguments([...args, '1']),
  revert: parseRevertArguments,
  'purge-chain': parsePurgeArguments,
  repair: parseRepairArguments,
  mcp: parseMcpArguments,
} as const;

const commands = Object.keys(parsers) as (keyof typeof parsers)[];

describe.each(commands)('%s --help', (name) => {
  const text = helpTexts[name];

  it('lists only options of the command', () => {
    const flags = [...text.matchAll(/^ {2}(?:--[\w-]+.*)$/gm)].flatMap(
      ([line]) => line.split(/ {2,}/)[1]?.match(/--[\w-]+/g) ?? [],
    );
    expect(flags).toContain(name === 'list-presets' ? '--chain' : '--base-path');
    for (const flag of flags)
      try {
        parsers[name]([`${flag}`]);
      } catch (error) {
        expect((error as Error).message).not.toMatch(/^Unknown option/);
      }
  });
});

const onDisk = [
  'export-blocks',
  'export-state',
  'chain-info',
  'check-block',
  'revert',
  'purge-chain',
] as const;

it.each(['list-presets', 'build-spec', 'import-blocks', ...onDisk] as const)(
  '%s --help has an example',
  (name) => {
    expect(helpTexts[name]).toContain(`\nExample: tabnode ${name} `);
  },
);

it('the overview lists every command', () => {
  for (const name of commands) expect(helpTexts.overview).toMatch(new RegExp(`^  ${name} {2,}\\w`, 'm'));
});

it.each(['repair', ...onDisk] as const)('%s --help leaves out what does nothing there', (name) => {
  for (const flag of ['--finality', '--trust-blocks', '--state-pruning', '--tmp', '--dev'])
    expect(helpTexts[name]).not.toContain(flag);
});

it.each(Object.entries(helpTexts))('the lines of %s fit into 120 columns', (_name, text) => {
  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

it.each([
  ['--seal=sometimes', 'expected one of manual, instant, slots, interval, interval:MS'],
  ['--clock=soon', 'expected chain, wall or a date'],
  ['--rpc-methods=some', 'expected one of auto, safe, unsafe'],
])('serve %s is refused with a message that says what it takes', (flag, text) => {
  expect(() => parseServeArguments([flag])).toThrow(text);
});
