import type { OptionTable } from './cli/options.ts';
import type { Output } from './cli/output.ts';

/** A command: its entry for `--help`, completion and the configuration file, and its implementation. */
export type Command = {
  /** Its line in `tabnode --help`. */
  readonly summary: string;
  /** The text of its own `--help`, which lists each of `options`. */
  readonly help: string;
  /** For `parseArgs`. */
  readonly options: OptionTable;
  run(argv: readonly string[], output: Output): Promise<void>;
};

/** Keyed by name, which has two words for a command of a group, such as `key sign`. */
export type Commands = Readonly<Record<string, Command>>;

/** Options of every command, handled by `runCommand`. */
export const commonOptions = {
  config: { by: 'any', type: 'string' },
  help: { by: 'any', type: 'boolean', short: 'h' },
} as const satisfies OptionTable;
