import { bad } from '../cli/arguments.ts';
import { chopsticksFlags } from '../cli/chopsticks-flags.ts';
import { type OptionTable, readTokens } from '../cli/command.ts';
import { parsePort } from '../cli/rpc-settings.ts';
import { readConfigFile } from './config-file.ts';
import { buildModes, type ChopsticksOptions, readOptions } from './options.ts';

/** The options of `tabnode fork` that mean the same, and what is left to do once the node has started. */
export type Translated = {
  readonly argv: readonly string[];
  readonly rest: ChopsticksOptions;
  /** What is not as with chopsticks, in words. */
  readonly notices: readonly string[];
  /** Whether defaults are those of chopsticks. */
  readonly isFile: boolean;
};

/** The port of chopsticks. */
const defaultPort = '8000';

/** Options that have no effect here, and why. */
const withoutEffect: readonly (readonly [keyof ChopsticksOptions, string])[] = [
  ['registered-types', 'types are those of the metadata of the runtime'],
  ['max-memory-block-count', 'blocks are stored, and caches have limits of their own'],
  ['save-blocks', 'blocks are always stored where the chain is'],
  ['process-queued-messages', 'no extra block is built; dev_newBlock builds one'],
  ['rpc-timeout', 'each request has a deadline, after which another endpoint is asked'],
];

/** The folder for what chopsticks keeps in a file, whose format is its own. */
export const folderOf = (db: string): string => `${db}.tabnode`;

const levels = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** The flag of each option that has one here. */
const toFlags = (options: ChopsticksOptions): string[] => {
  const { block, port, db } = options;
  const mode = options['build-block-mode'];
  const level = options['runtime-log-level'];
  const worker = options['offchain-worker'];
  return [
    ...(block === undefined ? [] : [`--block=${block}`]),
    ...(port === undefined ? [] : [`--ws-port=${port}`, `--rpc-port=${port}`]),
    ...(mode === undefined ? [] : [`--seal=${buildModes[mode]}`]),
    ...(options['mock-signature-host'] === true ? ['--mock-signatures'] : []),
    ...(db === undefined ? [] : [`--base-path=${folderOf(db)}`]),
    ...(worker === undefined ? [] : [`--offchain-worker=${worker ? 'always' : 'never'}`]),
    // Calls of clients, which have the same levels, are not logged.
    ...(level === undefined ? [] : [`--log=${levels[level]},rpc=off`]),
  ];
};

const has = (argv: readonly string[], names: readonly string[]): boolean =>
  argv.some((one) => names.some((name) => one === `--${name}` || one.startsWith(`--${name}=`)));

const loopback: readonly unknown[] = ['localhost', '127.0.0.1', '::1', undefined];
const external = ['rpc-external', 'ws-external', 'unsafe-rpc-external', 'unsafe-ws-external'];

/** Throws `BadConfig` for what cannot be done here. */
const refuseOthers = (options: ChopsticksOptions, own: readonly string[]): void => {
  const name = options.host === undefined ? 'addr' : 'host';
  const host = options[name];
  if (options.db !== undefined && has(own, ['base-path']))
    throw bad('"db" and --base-path both say where the fork is stored: leave out one of them');
  for (const other of ['genesis', 'chain-spec'] as const)
    if (options[other] !== undefined)
      throw bad(`"${other}" starts a chain of its own, which is no fork: run tabnode serve --chain FILE`);
  if (!loopback.includes(host) && !has(own, external))
    throw bad(
      `"${name}: ${host}" lets others reach this node, who could change its chain: add --ws-external, or remove it`,
    );
  if (options.resume !== undefined && options.resume !== false && options.db === undefined)
    throw bad('"resume" continues what "db" names: add "db", or remove "resume"');
};

const notesOf = (options: ChopsticksOptions): string[] => [
  ...withoutEffect.flatMap(([name, why]) =>
    options[name] === undefined ? [] : [`${name}: no effect here: ${why}`],
  ),
  ...(options.db === undefined
    ? []
    : [
        `db: blocks and what is read are kept in the folder ${folderOf(options.db)}; a database of chopsticks is not read`,
      ]),
];

type Value = string | boolean | undefined | readonly (string | boolean)[];

/** A flag's text as YAML has it: numbers and true or false, but paths stay texts. */
const fromText = (name: string, value: Value): unknown => {
  if (typeof value !== 'string' || ['db', 'wasm-override', 'import-storage'].includes(name)) return value;
  if (value === 'true' || value === 'false') return value === 'true';
  return /^\d{1,16}$/.test(value) ? Number(value) : value;
};

type Split = { readonly given: Record<string, Value>; readonly own: string[]; readonly places: string[] };

/** Separates flags of chopsticks from our own, which may not be repeated as such. */
const split = (argv: readonly string[], options: OptionTable): Split => {
  const all = { ...options, ...chopsticksFlags };
  const given: Record<string, Value> = {};
  const own: string[] = [];
  const places: string[] = [];
  for (const token of readTokens(argv, all)) {
    if (token.kind === 'positional') places.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(chopsticksFlags, name)) own.push(value === undefined ? rawName : `--${name}=${value}`);
    else if (name === 'endpoint') given[name] = [...((given[name] ?? []) as string[]), value ?? ''];
    else if (value === undefined && chopsticksFlags[name as keyof typeof chopsticksFlags].type === 'string')
      throw bad(`${rawName} needs a value`);
    else given[name] = value ?? true;
  }
  return { given, own, places };
};

/** Options of the command line, each under the name of its flag. */
const readFlags = (given: Split['given']): ChopsticksOptions => {
  const { config: _, port, ...others } = given;
  const values = Object.entries(others).map(([name, value]) => [name, fromText(name, value)]);
  const known = port === undefined ? [] : [['port', parsePort('port', `${port}`)]];
  return readOptions(Object.fromEntries([...values, ...known]), 'command line');
};

/** What a file of chopsticks stands for, where flags are not given: its port, blocks that are final at once, and so on. */
const defaults = [
  `--ws-port=${defaultPort}`,
  `--rpc-port=${defaultPort}`,
  '--finality=instant',
  '--dialect=polkadot-sdk',
];

const combine = (
  all: ChopsticksOptions,
  isFile: boolean,
  { own, places }: Pick<Split, 'own' | 'places'>,
): Translated => {
  refuseOthers(all, own);
  return {
    argv: [...(isFile ? defaults : []), ...toFlags(all), ...own, '--', ...places],
    rest: all,
    notices: notesOf(all),
    isFile,
  };
};

/** The same for a configuration of a test, with further flags of our own. Throws `BadConfig`. */
export const translateConfig = (options: ChopsticksOptions, own: readonly string[]): Translated =>
  combine(options, true, { own: [...own], places: [...(options.endpoint ?? [])] });

/**
 * Turns the options of chopsticks, of a file (`-c FILE`) and of the command line, into those of `tabnode fork`. Flags
 * override the file, as do our own. With a file, the defaults are those of chopsticks as well. Throws `BadConfig`.
 */
export const translateArguments = async (
  argv: readonly string[],
  options: OptionTable,
): Promise<Translated> => {
  const { given, own, places } = split(argv, options);
  if (Object.keys(given).length === 0) return { argv, rest: {}, notices: [], isFile: false };
  const path = given['config'];
  const isFile = typeof path === 'string';
  const file = isFile ? readOptions(await readConfigFile(path), path) : {};
  const flags = readFlags(given);
  const named = [...places, ...(flags.endpoint ?? [])];
  const isPack = has(own, ['pack']) && named.length === 0;
  const ofFile = isPack || named.length > 0 ? [] : (file.endpoint ?? []);
  const all = combine({ ...file, ...flags }, isFile, { own, places: [...named, ...ofFile] });
  if (!isPack || file.endpoint === undefined) return all;
  const note =
    'endpoint: nothing is read from it, because --pack has the fork; add --endpoint URL for what it lacks';
  return { ...all, notices: [...all.notices, note] };
};
