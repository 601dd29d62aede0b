import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { defaultBasePath } from '../files/chain-source.ts';
import { bad } from './arguments.ts';
import type { Commands, OptionTable } from './command.ts';

const fileName = 'tabnode.toml';

/** `--yes` confirms a destructive action, so it must be passed on each run. */
const neverFromFile: readonly string[] = ['yes', 'config', 'help'];

type Config = { readonly path: string; readonly isNamed: boolean; readonly text: string };
type Table = Readonly<Record<string, unknown>>;

const readOrNull = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR') return null;
    throw bad(`${path} cannot be read`, cause);
  });

/** The file given by `--config`, or else one in the working folder, or else one in the base path. */
const findConfig = async (named: string | undefined, basePath: string): Promise<Config | null> => {
  const paths = named === undefined ? [fileName, join(basePath, fileName)] : [named];
  for (const path of paths) {
    const text = await readOrNull(path);
    if (text !== null) return { path, isNamed: named !== undefined, text };
  }
  if (named !== undefined) throw bad(`${named} cannot be read`);
  return null;
};

/** Loads the TOML library only if there is a file. */
const parseToml = async ({ path, text }: Config): Promise<Table> => {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const [what] = cause.message.split('\n');
    throw bad(`${path}:${cause.line}: ${what}`, cause);
  }
};

/**
 * The line of a key in a section or at the top level; the section's line if the key is written in another
 * syntax.
 */
const lineOf = (text: string, section: string | null, key: string | null): number => {
  let current: string | null = null;
  let found = 1;
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[\s*"?([^\]"]+?)"?\s*\]/.exec(line)?.[1];
    if (header !== undefined) current = header;
    if (header !== undefined && header === section) found = index + 1;
    if (current === section && /^\s*"?([\w-]+)"?\s*=/.exec(line)?.[1] === key) return index + 1;
  }
  return found;
};

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const toText = (value: unknown): string | null => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;
};

/** The arguments equivalent to a setting; null if its value does not have the option's type. */
const toArguments = (
  name: string,
  { type, multiple }: ParseArgsOptionsConfig[string],
  value: unknown,
): readonly string[] | null => {
  if (type === 'boolean') return typeof value !== 'boolean' ? null : value ? [`--${name}`] : [];
  const texts = (Array.isArray(value) && multiple === true ? value : [value]).map(toText);
  return texts.includes(null) ? null : texts.map((text) => `--${name}=${text}`);
};

type Section = { readonly name: string | null; readonly table: Table };

/** The arguments of one section. Throws `BadConfig` with the line of the error. */
const readSection = (
  config: Config,
  { name: section, table }: Section,
  options: OptionTable,
  isKnown: (name: string) => boolean,
): Map<string, readonly string[]> => {
  const found = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(table)) {
    if (section === null && isTable(value)) continue;
    const refuse = (why: string): never => {
      throw bad(`${config.path}:${lineOf(config.text, section, name)}: ${why}`);
    };
    if (neverFromFile.includes(name)) refuse(`"${name}" can only be given on the command line`);
    if (!isKnown(name))
      refuse(section === null ? `there is no option "${name}"` : `${section} has no option "${name}"`);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) continue;
    const args = toArguments(name, option, value);
    if (args === null)
      refuse(`"${name}" takes ${option.type === 'boolean' ? 'true or false' : 'a string or a number'}`);
    else if (!config.isNamed && option.by === 'named' && args.length > 0)
      refuse(
        `"${name}" gives others access, runs code or checks less: pass --config ${config.path} if you trust the file`,
      );
    else found.set(name, args);
  }
  return found;
};

/** A file's settings for a command: the top-level ones, then those of the command's section. */
const readSettings = async (
  config: Config,
  name: string,
  commands: Commands,
): Promise<Map<string, readonly string[]>> => {
  const all = await parseToml(config);
  const options = commands[name]?.options ?? {};
  const isAnywhere = (option: string): boolean =>
    Object.values(commands).some((one) => Object.hasOwn(one.options, option));
  const settings = readSection(config, { name: null, table: all }, options, isAnywhere);
  for (const [section, table] of Object.entries(all)) {
    if (!isTable(table)) continue;
    const own = Object.hasOwn(commands, section) ? commands[section]?.options : undefined;
    if (own === undefined)
      throw bad(`${config.path}:${lineOf(config.text, section, null)}: there is no command "${section}"`);
    const found = readSection(config, { name: section, table }, own, (option) => Object.hasOwn(own, option));
    if (section === name) for (const [option, args] of found) settings.set(option, args);
  }
  return settings;
};

/**
 * A command's arguments merged with a file's settings, and the file's path if it has settings for this
 * command.
 */
export type Configured = { readonly argv: readonly string[]; readonly path: string | null };

/**
 * The file of the last `--config`, and the other arguments. A command with a `config` of its own takes all files that are
 * not TOML.
 */
const takeConfig = (
  argv: readonly string[],
  hasOwn: boolean,
): { readonly named: string | undefined; readonly rest: string[] } => {
  const rest: string[] = [];
  let named: string | undefined;
  const isOurs = (path = ''): boolean => !hasOwn || path.endsWith('.toml');
  for (let at = 0; at < argv.length; at++) {
    const arg = argv[at] ?? '';
    if (arg === '--') return { named, rest: [...rest, ...argv.slice(at)] };
    if (arg.startsWith('--config=') && isOurs(arg)) named = arg.slice('--config='.length);
    else if (arg === '--config' && isOurs(argv[at + 1])) {
      at += 1;
      named = argv[at] ?? '';
    } else rest.push(arg);
  }
  if (named === '') throw bad('--config needs a file');
  return { named, rest };
};

/** Flags override the file's settings, even where a flag may be repeated. Throws `BadConfig`. */
export const withConfigFile = async (
  name: string,
  argv: readonly string[],
  commands: Commands,
): Promise<Configured> => {
  const options = commands[name]?.options ?? {};
  const { named, rest } = takeConfig(argv, Object.hasOwn(options, 'config'));
  const { tokens, values } = parseArgs({
    args: rest,
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const basePath = values['base-path'];
  const config = await findConfig(named, typeof basePath === 'string' ? basePath : defaultBasePath());
  if (config === null) return { argv: rest, path: null };
  const settings = await readSettings(config, name, commands);
  for (const token of tokens) if (token.kind === 'option') settings.delete(token.name);
  const args = [...settings.values()].flat();
  return { argv: [...args, ...rest], path: args.length === 0 ? null : config.path };
};
