import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Output } from './terminal.ts';

/**
 * Which configuration file may set an option. `any`: also one that is merely found in the working folder or the
 * base path, which may belong to somebody else, such as the author of a cloned project. `named`: only the one that
 * `--config` names, because the option gives others more access, runs code or checks less.
 */
export type SettableBy = 'any' | 'named';

/** Options for `parseArgs`, each with the files that may set it. */
export type OptionTable = {
  readonly [name: string]: ParseArgsOptionsConfig[string] & { readonly by: SettableBy };
};

type All<Names extends string, Type, By> = {
  readonly [name in Names]: { readonly type: Type; readonly by: By };
};

const all = <Names extends string, Type extends 'string' | 'boolean', By extends SettableBy>(
  type: Type,
  by: By,
  names: readonly Names[],
) => Object.fromEntries(names.map((name) => [name, { type, by }])) as All<Names, Type, By>;

/** Options that take a value. */
export const texts = <Names extends string, By extends SettableBy>(
  by: By,
  ...names: readonly Names[]
): All<Names, 'string', By> => all('string', by, names);

/** Options that take none. */
export const switches = <Names extends string, By extends SettableBy>(
  by: By,
  ...names: readonly Names[]
): All<Names, 'boolean', By> => all('boolean', by, names);

/** A command: its entry for `--help`, completion and the configuration file, and its implementation. */
export type Command = {
  /** Its line in `tabnode --help`. */
  readonly summary: string;
  /** The text of its own `--help`, which lists each of `options`. */
  readonly help: string;
  /** For `parseArgs`. */
  readonly options: OptionTable;
  /** Resolves to the exit code; without one, to 0. */
  run(argv: readonly string[], output: Output): Promise<number | undefined> | Promise<void>;
};

/** Keyed by name, which has two words for a command of a group, such as `key sign`. */
export type Commands = Readonly<Record<string, Command>>;

/** Options of every command, handled by `runCommand`. */
export const commonOptions = {
  config: { by: 'any', type: 'string' },
  help: { by: 'any', type: 'boolean', short: 'h' },
} as const satisfies OptionTable;

/** The parts of a command line, also of options that are not in the table. */
export const readTokens = (argv: readonly string[], options: OptionTable) =>
  parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
