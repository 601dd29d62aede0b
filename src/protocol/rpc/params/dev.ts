import { readFinality } from '../../finality-mode.ts';
import type { NetworkConfig } from '../../network.ts';
import type { FinalityMode } from '../../node.ts';
import { refuse, wrongType } from '../decoder-text.ts';
import type { Param } from '../define.ts';
import { type BytesInput, param, parseBytes } from './params.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hashText = /^0x[0-9a-fA-F]{64}$/;

const readHash = (value: unknown, where: string): string =>
  typeof value === 'string' && hashText.test(value)
    ? value.toLowerCase()
    : refuse(`${where} is not a block hash`);

const readU32 = (value: unknown, where: string): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff
    ? value
    : refuse(`${where} is not a u32`);

/**
 * Which blocks `dev_newBlock` builds. The names are those of chopsticks, except `parent`, `finalize` and
 * `report`.
 */
export type NewBlock = {
  readonly count: number | null;
  readonly to: number | null;
  /** Blocks without transactions are built below this number, and the others from it on. */
  readonly unsafeBlockHeight: number | null;
  readonly parent: string | null;
  readonly transactions: readonly Uint8Array[] | null;
  readonly finalize: boolean;
  /** Return what the last block left in the pool, in addition to its hash. */
  readonly report: boolean;
};

export type NewBlockInput = {
  readonly count?: number;
  readonly to?: number;
  readonly unsafeBlockHeight?: number;
  readonly parent?: string;
  readonly transactions?: readonly BytesInput[];
  readonly finalize?: boolean;
  readonly report?: boolean;
};

/** Maximum number of blocks per `dev_newBlock` call; more would block the seal mode for minutes. */
export const maxBlocks = 10_000;

/** Parachain inputs that chopsticks supports; here there is no relay chain. */
const relayMembers = ['hrmp', 'ump', 'dmp', 'relayChainStateOverrides', 'relayParentNumber'];

const otherText = (name: string): string =>
  relayMembers.includes(name)
    ? `\`${name}\` is for a parachain's messages: this chain stands alone`
    : `unknown field \`${name}\``;

const refuseOthers = (rest: Json): void => {
  for (const name of Object.keys(rest)) refuse(otherText(name));
};

const readNewBlock = (value: unknown): NewBlock => {
  if (!isObject(value)) return wrongType(value, 'a map');
  const { count, to, unsafeBlockHeight: height, parent, transactions, finalize, report, ...rest } = value;
  refuseOthers(rest);
  if (transactions !== undefined && !Array.isArray(transactions)) refuse('`transactions` is not a list');
  if (finalize !== undefined && typeof finalize !== 'boolean') refuse('`finalize` is not a boolean');
  if (report !== undefined && typeof report !== 'boolean') refuse('`report` is not a boolean');
  const blocks = count === undefined ? null : readU32(count, '`count`');
  if (blocks !== null && (blocks < 1 || blocks > maxBlocks)) refuse(`\`count\` is not in 1..=${maxBlocks}`);
  return {
    count: blocks,
    to: to === undefined ? null : readU32(to, '`to`'),
    unsafeBlockHeight: height === undefined ? null : readU32(height, '`unsafeBlockHeight`'),
    parent: parent === undefined ? null : readHash(parent, '`parent`'),
    transactions:
      transactions === undefined ? null : (transactions as unknown[]).map((item) => parseBytes(item)),
    finalize: finalize === true,
    report: report === true,
  };
};

export const newBlock = (): Param<NewBlock, NewBlockInput> => param('newBlock', readNewBlock);

/** What `dev_dryRun` runs, and on which block; the names are those of chopsticks. */
export type DryRun = {
  /** A complete extrinsic, or a bare call and the account it runs as. */
  readonly extrinsic: Uint8Array | { readonly call: Uint8Array; readonly address: string };
  readonly at: string | null;
  readonly raw: boolean;
  /** Whether the changes of the block's initialization and finalization are returned, too. */
  readonly hooks: boolean;
};

export type DryRunInput = {
  readonly extrinsic: BytesInput | { readonly call: BytesInput; readonly address: string };
  readonly at?: string | null;
  readonly raw?: boolean;
  readonly hooks?: boolean;
};

const readCallOrExtrinsic = (value: unknown): DryRun['extrinsic'] => {
  if (typeof value === 'string') return parseBytes(value);
  if (!isObject(value)) return refuse('`extrinsic` is neither hex nor {call, address}');
  const { call, address } = value;
  if (typeof address !== 'string') return refuse('`address` of `extrinsic` is not a string');
  return { call: parseBytes(call), address };
};

const readDryRun = (value: unknown): DryRun => {
  if (!isObject(value)) return wrongType(value, 'a map');
  const { extrinsic, at, raw, hooks, html, ...rest } = value;
  refuseOthers(rest);
  if (html === true) refuse('`html` is not made here: without it the answer has the states before and after');
  if (raw !== undefined && typeof raw !== 'boolean') refuse('`raw` is not a boolean');
  if (hooks !== undefined && typeof hooks !== 'boolean') refuse('`hooks` is not a boolean');
  if (raw === true && hooks === true)
    refuse('`raw` has only the changes of the extrinsic: leave out `hooks`');
  return {
    extrinsic: readCallOrExtrinsic(extrinsic),
    at: at === undefined || at === null ? null : readHash(at, '`at`'),
    raw: raw === true,
    hooks: hooks === true,
  };
};

export const dryRunParam = (): Param<DryRun, DryRunInput> => param('dryRun', readDryRun);

/** A block by hash, by number, or as an offset from the best one, a number that is 0 or less. */
export type HeadTarget = string | number;

export const headTarget = (): Param<HeadTarget, HeadTarget> =>
  param('headTarget', (value) => {
    if (typeof value === 'string') return readHash(value, 'the parameter');
    const fits = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 0xffff_ffff;
    return fits ? value : wrongType(value, 'a block hash or number');
  });

/** Milliseconds since 1970, or a date as text that `Date.parse` accepts. */
export const moment = (): Param<number, number | string> =>
  param('moment', (value) => {
    const ms = typeof value === 'string' ? Date.parse(value) : value;
    const fits = typeof ms === 'number' && Number.isInteger(ms) && ms >= 0 && ms <= 8.64e15;
    return fits ? ms : refuse('not a date nor milliseconds since 1970');
  });

/** A balance in the chain's smallest unit: a number, or decimal or hex digits as text. */
export const amount = (): Param<bigint, number | bigint | string> =>
  param('amount', (value) => {
    const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    const isText = typeof value === 'string' && /^(0x[0-9a-fA-F]{1,32}|[0-9]{1,39})$/.test(value);
    const parsed = isNumber || isText ? BigInt(value as string | number | bigint) : -1n;
    return parsed >= 0n && parsed < 2n ** 128n
      ? parsed
      : refuse('expected a whole number below 2^128, in the smallest unit');
  });

/** How a fork changes: the block of the live chain that it continues from, as `startNode` takes it. */
export type ForkChange = { readonly rebase: string };
export type ForkChangeInput = { readonly rebase: string | number };

export const forkChange = (): Param<ForkChange, ForkChangeInput> =>
  param('forkChange', (value) => {
    if (!isObject(value)) return wrongType(value, 'a map');
    const { rebase, ...rest } = value;
    refuseOthers(rest);
    if (typeof rebase === 'number') return { rebase: `${readU32(rebase, '`rebase`')}` };
    if (rebase === 'best' || rebase === 'finalized') return { rebase };
    return typeof rebase === 'string' && hashText.test(rebase)
      ? { rebase: rebase.toLowerCase() }
      : refuse('`rebase` is not the hash or number of a block, best or finalized');
  });

/** What a node does about its network: takes part in one, leaves it, dials a node, or bans one. */
export type NetworkChange =
  | { readonly join: Pick<NetworkConfig, 'bootNodes' | 'reservedNodes' | 'reservedOnly'> }
  | { readonly leave: true }
  | { readonly dial: string }
  | { readonly ban: string };

type AnyNetworkChange = { join: unknown; leave: unknown; dial: unknown; ban: unknown };

/** Only which of them; the handler reads the rest, with the code of the network. */
export const networkChange = (): Param<Partial<Record<keyof AnyNetworkChange, unknown>>, NetworkChange> =>
  param('networkChange', (value) =>
    /^(join|leave|dial|ban)$/.test(Object.keys(value ?? {}).join())
      ? (value as Json)
      : refuse('expected one of `join`, `leave`, `dial`, `ban`'),
  );

/** The formats of an exported chain. */
export type ChainFormat = 'json' | 'binary';

export const chainFormat = (): Param<ChainFormat, ChainFormat> =>
  param('chainFormat', (value) =>
    value === 'json' || value === 'binary' ? value : refuse('expected `json` or `binary`'),
  );

/** How blocks are finalized, by name or as an object. */
export const finalityMode = (): Param<FinalityMode, FinalityMode | FinalityMode['kind']> =>
  param(
    'finalityMode',
    (value) =>
      readFinality(value) ??
      refuse(
        'expected `delayed`, `instant`, `manual`, `grandpa`, or an object of kind `delayed` with `ms` or `blocks`, whole numbers from 1 on',
      ),
  );

/** Storage changes: by full keys, or by names with values encoded by the runtime's metadata. */
export type StorageEdits =
  | { readonly kind: 'keys'; readonly pairs: readonly (readonly [Uint8Array, Uint8Array | null])[] }
  | { readonly kind: 'names'; readonly storage: Readonly<Record<string, Readonly<Record<string, unknown>>>> };

export type StorageInput =
  | readonly (readonly [key: BytesInput, value: BytesInput | null])[]
  | Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const readPair = (pair: unknown): readonly [Uint8Array, Uint8Array | null] => {
  if (!Array.isArray(pair) || pair.length !== 2)
    return refuse('a pair of storage key and value was expected');
  const [key, value] = pair as unknown[];
  return [parseBytes(key), value === null ? null : parseBytes(value)];
};

/**
 * Pairs of key and SCALE value, or `{Pallet: {Item: value, Map: [[[key], value]], $removePrefix: ["Map"]}}`.
 */
export const storageEdits = (): Param<StorageEdits, StorageInput> =>
  param('storage', (value) => {
    if (Array.isArray(value)) return { kind: 'keys', pairs: value.map(readPair) };
    if (!isObject(value)) return wrongType(value, 'pairs or a map');
    const wrong = Object.keys(value).find((pallet) => !isObject(value[pallet]));
    if (wrong !== undefined) refuse(`\`${wrong}\` is not a map of items`);
    return { kind: 'names', storage: value as Record<string, Json> };
  });

/** The name of a snapshot: 1 to 100 characters. */
export const snapshotName = (): Param<string, string> =>
  param('text', (value) =>
    typeof value === 'string' && value.length >= 1 && value.length <= 100
      ? value
      : refuse('a name of 1 to 100 characters was expected'),
  );

/** Log levels, most severe first. */
export const logLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The least severe level to include. */
export const logLevel = (): Param<LogLevel, LogLevel> =>
  param('text', (value) => {
    const level = logLevels.find((name) => name === value);
    return (
      level ?? refuse(`unknown level, expected one of ${logLevels.map((name) => `\`${name}\``).join(', ')}`)
    );
  });
