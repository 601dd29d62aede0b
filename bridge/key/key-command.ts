import { bad, read } from '../cli/arguments.ts';
import type { Output } from '../cli/output.ts';
import { createProcessIo, type KeyIo } from './io.ts';
import { keyOptions } from './options.ts';

export type KeyCommandName = keyof typeof keyOptions;

/** The values of a key command's options, and its other arguments. */
export type KeyArguments<Name extends KeyCommandName> = ReturnType<typeof read<(typeof keyOptions)[Name]>>;

export type KeyCommand = (argv: readonly string[], output: Output, io?: KeyIo) => Promise<void>;

/** A key command: `run` gets its arguments parsed. */
export const keyCommand =
  <Name extends KeyCommandName>(
    name: Name,
    run: (given: KeyArguments<Name>, output: Output, io: KeyIo) => Promise<void>,
  ): KeyCommand =>
  async (argv, output, io = createProcessIo()) =>
    run(read(argv, keyOptions[name], true), output, io);

/**
 * Throws if a command that takes options only was given an argument. It may be a secret; the parser would
 * print it, so it is refused here.
 */
export const refuseArguments = (name: KeyCommandName, positionals: readonly string[], instead = ''): void => {
  if (positionals.length > 0) throw bad(`key ${name} takes no arguments${instead}`);
};
