import { bad } from './arguments.ts';
import { chopsticksFlags } from './chopsticks-flags.ts';
import { type OptionTable, readTokens, switches, texts } from './command.ts';
import { unknownOption } from './nearest-name.ts';

const { config, endpoint, db } = chopsticksFlags;

/** How the tools find the chain and its state. */
const placeOptions = {
  config,
  endpoint,
  db,
  block: { by: 'any', type: 'string', short: 'b' },
  'base-path': { by: 'any', type: 'string', short: 'd' },
  pack: { by: 'any', type: 'string' },
  ...switches('any', 'offline', 'json'),
} as const satisfies OptionTable;

const dryRunOwn = texts('any', 'extrinsic', 'address', 'preimage', 'at');

export const dryRunOptions = {
  ...dryRunOwn,
  ...placeOptions,
  'import-storage': chopsticksFlags['import-storage'],
  'wasm-override': chopsticksFlags['wasm-override'],
} as const satisfies OptionTable;

export const fetchStoragesOptions = placeOptions;
export const decodeKeyOptions = placeOptions;

export const followChainOptions = {
  endpoint,
  ...texts('any', 'head-mode', 'count'),
  ...switches('any', 'stop', 'json'),
} as const satisfies OptionTable;

type Taken = {
  readonly values: Readonly<Record<string, string>>;
  readonly positionals: readonly string[];
  /** The options that are not the command's own, for `tabnode fork`. */
  readonly rest: readonly string[];
};

/** Splits a command line into the command's own options, its positionals, and options of a fork. Throws `BadConfig`. */
const take = (argv: readonly string[], options: OptionTable, own: readonly string[]): Taken => {
  const values: Record<string, string> = {};
  const rest: string[] = [];
  const positionals: string[] = [];
  for (const token of readTokens(argv, options)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) throw bad(unknownOption(rawName, Object.keys(options)));
    if (value === undefined && options[name]?.type === 'string') throw bad(`${rawName} needs a value`);
    if (own.includes(name)) values[name] = value ?? '';
    else rest.push(value === undefined ? `--${name}` : `--${name}=${value}`);
  }
  return { values, positionals, rest };
};

/** Options that say where the chain is, or what was read of it. */
const places = ['endpoint', 'config', 'base-path', 'db', 'pack'];

/** The options of a fork, which has to be one of something. Throws `BadConfig`. */
const needPlace = (
  command: string,
  { rest }: Taken,
  endpoints: readonly string[] = [],
): readonly string[] => {
  const isNamed = rest.some((one) => places.some((place) => one.startsWith(`--${place}=`)));
  if (isNamed || endpoints.length > 0) return [...rest, ...endpoints];
  throw bad(
    `${command} reads a live chain: name it with --endpoint, such as -e wss://rpc.polkadot.io or -e polkadot, or name a --pack`,
  );
};

const isHex = (text: string): boolean => /^0x([0-9a-f]{2})+$/i.test(text);

/** In form: the node knows whether it is an account of the chain. */
const isAddress = (text: string): boolean => isHex(text) || /^[1-9A-HJ-NP-Za-km-z]{45,50}$/.test(text);

const needHex = (name: string, text: string | undefined): string | null => {
  if (text === undefined) return null;
  if (isHex(text)) return text;
  throw bad(`${name}: ${text.slice(0, 40)} is not hex; write 0x and two digits for each byte`);
};

export type DryRunArguments = {
  readonly extrinsic: string | null;
  readonly address: string | null;
  /** The call of a preimage, which is dispatched as root. */
  readonly preimage: string | null;
  readonly at: string | null;
  readonly fork: readonly string[];
};

export const parseDryRunArguments = (argv: readonly string[]): DryRunArguments => {
  const taken = take(argv, dryRunOptions, Object.keys(dryRunOwn));
  const { values } = taken;
  const extrinsic = needHex('--extrinsic', values['extrinsic']);
  const preimage = needHex('--preimage', values['preimage']);
  const { address = null, at = null } = values;
  if (extrinsic === null && preimage === null)
    throw bad(
      'dry-run takes --extrinsic with an extrinsic, or a call and --address, or --preimage with a call',
    );
  if (address !== null && extrinsic === null)
    throw bad('--address is the account of a call: add --extrinsic');
  if (address !== null && !isAddress(address))
    throw bad(`--address ${address}: expected an SS58 address, or 0x and the bytes of an account`);
  if (at !== null && !/^0x[0-9a-f]{64}$/i.test(at)) throw bad(`--at ${at}: expected the hash of a block`);
  if (at !== null && preimage !== null)
    throw bad('--preimage runs on the block that is forked: write --block in place of --at');
  return { extrinsic, address, preimage, at, fork: needPlace('dry-run', taken, taken.positionals) };
};

export type ItemsArguments = { readonly items: readonly string[]; readonly fork: readonly string[] };

/** Positionals are parts of the state; the chain is named by options. */
export const parseFetchArguments = (argv: readonly string[]): ItemsArguments => {
  const taken = take(argv, fetchStoragesOptions, []);
  return { items: taken.positionals, fork: needPlace('fetch-storages', taken) };
};

export const parseDecodeKeyArguments = (
  argv: readonly string[],
): { key: string; fork: readonly string[] } => {
  const taken = take(argv, decodeKeyOptions, []);
  const [key, ...more] = taken.positionals;
  if (key === undefined || more.length > 0)
    throw bad('decode-key takes one storage key, as hex, and the chain with --endpoint');
  const hex = needHex('decode-key', key)?.toLowerCase() ?? '';
  return { key: hex, fork: needPlace('decode-key', taken) };
};

const headModes: Readonly<Record<string, string>> = { latest: '--best', finalized: '--finalized' };

/** The same command line for `tabnode follow`. */
export const toFollowArguments = (argv: readonly string[]): readonly string[] => {
  const taken = take(argv, followChainOptions, ['head-mode']);
  const { values, positionals, rest } = taken;
  const mode = values['head-mode'] ?? 'latest';
  const lower = mode.toLowerCase();
  const flag = Object.hasOwn(headModes, lower) ? headModes[lower] : undefined;
  if (flag === undefined) throw bad(`--head-mode ${mode}: expected Latest or Finalized`);
  if (positionals.length === 0 && !rest.some((one) => one.startsWith('--endpoint=')))
    throw bad('follow-chain follows a live chain: name it with --endpoint, such as -e wss://rpc.polkadot.io');
  const isEndpoint = (one: string): boolean => one.startsWith('--endpoint=');
  const named = rest.filter(isEndpoint).map((one) => one.slice('--endpoint='.length));
  return [flag, ...rest.filter((one) => !isEndpoint(one)), ...positionals, ...named];
};
