import { describe, expect, it } from 'vitest';
import { read } from './arguments.ts';

const options = {
  runtime: { type: 'string' },
  block: { type: 'string', short: 'b' },
  json: { type: 'boolean' },
} as const;

describe('a command line that cannot be read', () => {
  it.each([
    [['--runtim', 'x'], "Unknown option '--runtim'. Did you mean --runtime?"],
    [['--validators'], "Unknown option '--validators': --help lists those of the command"],
    [['-x'], "Unknown option '-x': --help lists those of the command"],
    [['--block'], '--block needs a value'],
    [['-b'], '--block needs a value'],
    [['--block', '-1'], '--block needs a value; if it begins with a dash, write --block=VALUE'],
    [['--json=yes'], '--json takes no value'],
    [['polkadot'], "Unexpected argument 'polkadot'. This command does not take positional arguments"],
  ])('%j is told in one sentence', (args, message) => {
    expect(() => read(args, options, false)).toThrow(
      expect.objectContaining({ code: 'BadConfig', message }) as Error,
    );
  });
});
