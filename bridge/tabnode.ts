#!/usr/bin/env node
import { requireNodeVersion } from '../src/node-version.ts';
import { NodeError } from '../src/protocol/errors.ts';
import { version } from '../src/protocol/version.ts';
import type { Commands } from './cli/command.ts';
import { withConfigFile } from './cli/config-file.ts';
import { overviewText } from './cli/help.ts';
import { nearestName } from './cli/nearest-name.ts';
import { notice, type Output, processOutput } from './cli/terminal.ts';
import { commands } from './commands.ts';

/** The commands of a group, such as those of `tabnode key`. */
const groupOf = (name: string): Commands =>
  Object.fromEntries(Object.entries(commands).filter(([full]) => full.startsWith(`${name} `)));

/** The command name at the start of a line. Throws `BadConfig`. */
const nameOf = ([first = '', second = '']: readonly string[], isGroup: boolean): string => {
  const name = isGroup ? `${first} ${second}` : first;
  if (Object.hasOwn(commands, name)) return name;
  const meant = nearestName(first, Object.keys(commands));
  // The word after a group name may be a misplaced secret, so it is not repeated.
  throw new NodeError(
    'BadConfig',
    isGroup
      ? `There is no such command of "${first}"; see tabnode ${first} --help`
      : `There is no command "${name}"${meant === null ? '; see tabnode --help' : `. Did you mean ${meant}?`}`,
  );
};

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h';

/** Runs a command with the settings of its configuration file. Returns the exit code. */
const runNamed = async (name: string, argv: readonly string[], output: Output): Promise<number> => {
  const configured = await withConfigFile(name, argv, commands);
  const { path } = configured;
  if (path !== null)
    notice(`With the settings of ${path}; flags override them.`, configured.argv.includes('--json'));
  return (await commands[name]?.run(configured.argv, output)) ?? 0;
};

/** Parses and runs a command line. Returns the exit code. */
const runCommand = async (line: readonly string[], output: Output): Promise<number> => {
  const [first, second] = line;
  try {
    if (isHelp(first) || first === 'help') {
      output.line(overviewText(commands));
      return 0;
    }
    if (first === '--version' || first === '-V') {
      output.line(line.includes('--json') ? JSON.stringify({ version }) : `tabnode ${version}`);
      return 0;
    }
    // Without a command, possibly with options.
    if (first === undefined || first.startsWith('-')) return await runCommand(['develop', ...line], output);
    const group = groupOf(first);
    const isGroup = Object.keys(group).length > 0;
    if (isGroup && (second === undefined || isHelp(second))) {
      output.line(overviewText(group, first));
      return second === undefined ? 2 : 0;
    }
    const name = nameOf(line, isGroup);
    const argv = line.slice(isGroup ? 2 : 1);
    if (argv.some(isHelp)) {
      output.line(commands[name]?.help ?? '');
      return 0;
    }
    requireNodeVersion(process.versions.node);
    return await runNamed(name, argv, output);
  } catch (error) {
    output.error(error, line.includes('--json'));
    return 1;
  }
};

// A server must not stop because the reader of its stdout has, such as `head -1`.
process.stdout.on('error', () => undefined);

process.exitCode = await runCommand(process.argv.slice(2), processOutput);
