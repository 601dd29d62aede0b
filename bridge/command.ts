import type { ParseArgsOptionsConfig } from 'node:util';
import type { Output } from './output.ts';

/** A command: what `--help`, completion and the configuration file know of it, and how it runs. */
export type Command = {
  /** Its line in `tabnode --help`. */
  readonly summary: string;
  /** The text of its own `--help`, which lists each of `options`. */
  readonly help: string;
  /** For `parseArgs`. */
  readonly options: ParseArgsOptionsConfig;
  run(argv: readonly string[], output: Output): Promise<void>;
};

/** By name; of two words if it belongs to a group, such as `key sign`. */
export type Commands = Readonly<Record<string, Command>>;

/** Options that every command has. `runCommand` handles them. */
export const commonOptions = {
  config: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;
