import { describe, expect, it } from 'vitest';
import { commands } from '../commands.ts';
import { parseServeArguments } from './arguments.ts';
import { overviewText } from './help.ts';

/**
 * The options listed in a command's help: at the start of a line, with the short form next to it. `--x-…`
 * stands for all options with that prefix.
 */
const listedIn = (help: string, options: readonly string[]): ReadonlySet<string> => {
  const heads = [...help.matchAll(/^ {2}(-.*)$/gm)].map(([, line]) => line?.split(/ {2,}/)[0] ?? '');
  const range = heads.some((head) => head.includes('--alice … --ferdie'))
    ? ['--bob', '--charlie', '--dave', '--eve']
    : [];
  const written = heads.flatMap((head) => head.match(/(?<![\w-])--?[a-z][\w-]*…?/g) ?? []);
  const all = written.flatMap((one) =>
    one.endsWith('…') ? options.filter((option) => option.startsWith(one.slice(0, -1))) : [one],
  );
  return new Set([...range, ...all]);
};

const onDisk = [
  'export-blocks',
  'build-spec',
  'export-state',
  'chain-info',
  'check-block',
  'revert',
  'purge-chain',
  'repair',
];

/** Options that are accepted without effect, or refused with a message of their own. */
const unlisted: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(onDisk.map((name) => [name, ['--tmp', '--dev']])),
  bridge: [
    '--rpc-module',
    '--validator',
    '--unsafe-rpc-external',
    '--unsafe-ws-external',
    '--rpc-message-buffer-capacity-per-connection',
    '--rpc-disable-batch-requests',
  ],
};

describe.each(Object.keys(commands))('%s --help', (name) => {
  const { help = '', options = {} } = commands[name] ?? {};

  it('lists exactly the options of the command', () => {
    const accepted = Object.entries(options).flatMap(([option, { short }]) =>
      short === undefined ? [`--${option}`] : [`--${option}`, `-${short}`],
    );
    const wanted = accepted.filter((option) => !unlisted[name]?.includes(option));
    expect([...listedIn(help, accepted)].sort()).toEqual(wanted.sort());
  });

  it('begins with its usage, and fits into 120 columns', () => {
    expect(help).toMatch(new RegExp(`^Usage: tabnode ${name}( |$)`, 'm'));
    expect(help.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });

  it('has an example', () => {
    expect(help).toMatch(new RegExp(`^Examples?:(.|\\n  )*tabnode ${name} `, 'm'));
  });
});

it('the overview has each command with its summary, and fits into 120 columns', () => {
  const text = overviewText(commands);
  for (const [name, { summary }] of Object.entries(commands))
    expect(text).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  expect(text.split('\n').filter((line) => line.length > 120)).toEqual([]);
});

it.each([
  ['--seal=sometimes', 'expected one of manual, instant, slots, interval, interval:MS'],
  ['--clock=soon', 'expected chain, wall or a date'],
  ['--rpc-methods=some', 'expected one of auto, safe, unsafe'],
])('serve %s is refused with a message that names the accepted values', (flag, text) => {
  expect(() => parseServeArguments([flag])).toThrow(text);
});
