import { bad } from './arguments.ts';
import { chopsticksFlags } from './chopsticks-flags.ts';
import { type OptionTable, readTokens, switches, texts } from './command.ts';

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
    if (!Object.hasOwn(options, name)) throw bad(`Unknown option '${rawName}'`);
    if (value === undefined && options[name]?.type === 'string') throw bad(`${rawName} needs a value`);
    if (own.includes(name)) values[name] = value ?? '';
    else rest.push(value === undefined ? `--${name}` : `--${name}=${value}`);
  }
  return { values, positionals, rest };
};

const isHex = (text: string): boolean => /^0x([0-9a-f]{2})+$/i.test(text);

const needHex = (name: string, text: string | undefined): string | null => {
  if (text === undefined) return null;
  if (isHex(text)) return text;
  if (/^0x$/i.test(text)) throw bad(`${name}: 0x has no bytes; write two digits for each byte after it`);
  throw bad(`${name}: ${text.slice(0, 40)} is not hex; write 0x and two digits for each byte`);
};

/** An address of any network, or an account of 32 or 20 bytes. The node knows its checksum and its network. */
const accountForm = /^(0x([0-9a-f]{64}|[0-9a-f]{40})|[1-9A-HJ-NP-Za-km-z]{46,50})$/i;

export type DryRunArguments = {
  readonly extrinsic: string | null;
  readonly address: string | null;
  /** The call of a preimage, which is dispatched as root. */
  readonly preimage: string | null;
  readonly at: string | null;
  readonly fork: readonly string[];
};

export const parseDryRunArguments = (argv: readonly string[]): DryRunArguments => {
  const { values, positionals, rest } = take(argv, dryRunOptions, Object.keys(dryRunOwn));
  const extrinsic = needHex('--extrinsic', values['extrinsic']);
  const preimage = needHex('--preimage', values['preimage']);
  const { address = null, at = null } = values;
  if (extrinsic === null && preimage === null)
    throw bad(
      'dry-run takes --extrinsic with an extrinsic, or a call and --address, or --preimage with a call',
    );
  if (address !== null && extrinsic === null)
    throw bad('--address is the account of a call: add --extrinsic');
  if (address !== null && !accountForm.test(address))
    throw bad(
      `--address ${address.slice(0, 70)}: expected an address, such as 5Grwva…, or an account of 32 bytes as hex`,
    );
  if (at !== null && !/^0x[0-9a-f]{64}$/i.test(at)) throw bad(`--at ${at}: expected the hash of a block`);
  if (at !== null && preimage !== null)
    throw bad('--preimage runs on the block that is forked: write --block in place of --at');
  return { extrinsic, address, preimage, at, fork: [...rest, ...positionals] };
};

export type ItemsArguments = { readonly items: readonly string[]; readonly fork: readonly string[] };

/** Positionals are parts of the state; the chain is named by options. */
export const parseFetchArguments = (argv: readonly string[]): ItemsArguments => {
  const { positionals, rest } = take(argv, fetchStoragesOptions, []);
  return { items: positionals, fork: rest };
};

export const parseDecodeKeyArguments = (
  argv: readonly string[],
): { key: string; fork: readonly string[] } => {
  const { positionals, rest } = take(argv, decodeKeyOptions, []);
  const [key, ...more] = positionals;
  if (key === undefined || more.length > 0) throw bad('decode-key takes one storage key, as hex');
  return { key: needHex('decode-key', key)?.toLowerCase() ?? '', fork: rest };
};

const headModes: Readonly<Record<string, string>> = { Latest: '--best', Finalized: '--finalized' };

/** The same command line for `tabnode follow`. */
export const toFollowArguments = (argv: readonly string[]): readonly string[] => {
  const { values, positionals, rest } = take(argv, followChainOptions, ['head-mode']);
  const mode = values['head-mode'] ?? 'Latest';
  const flag = Object.hasOwn(headModes, mode) ? headModes[mode] : undefined;
  if (flag === undefined) throw bad(`--head-mode ${mode}: expected Latest or Finalized`);
  const isEndpoint = (one: string): boolean => one.startsWith('--endpoint=');
  const named = rest.filter(isEndpoint).map((one) => one.slice('--endpoint='.length));
  return [flag, ...rest.filter((one) => !isEndpoint(one)), ...positionals, ...named];
};
