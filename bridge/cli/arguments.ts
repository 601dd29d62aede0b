import { pathToFileURL } from 'node:url';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { NodeError } from '../../src/protocol/errors.ts';
import { readFinality } from '../../src/protocol/finality-mode.ts';
import type {
  BlocksPruning,
  ClockMode,
  Dialect,
  FinalityMode,
  PoolSettings,
  SealMode,
  StatePruning,
} from '../../src/protocol/node.ts';
import { type LogSettings, logOptions, toLogSettings } from '../thread/node-log.ts';
import { type OptionTable, switches, texts } from './command.ts';
import { optionFault } from './nearest-name.ts';
import { type NetworkSettings, networkOptions, toNetworkSettings } from './network-arguments.ts';
import {
  type OffchainSettings,
  offchainOptions,
  poolOptions,
  toOffchainSettings,
  toPoolSettings,
} from './node-settings.ts';
import { type RpcSettings, type RpcValues, rpcOptions, toRpcSettings } from './rpc-settings.ts';

const developmentNames = ['alice', 'bob', 'charlie', 'dave', 'eve', 'ferdie'] as const;

export const bad = (message: string, cause?: unknown): NodeError =>
  new NodeError('BadConfig', message, { cause });

/** Which chain to use, and where it is stored. */
export type PlaceArguments = {
  /** A preset's name, or the path of a specification or a runtime. */
  readonly chain: string;
  readonly preset: string | null;
  /** Null: in memory only. */
  readonly basePath: string | null | undefined;
  readonly json: boolean;
};

/** Options shared by `serve` and `import-blocks`. */
export type ChainArguments = PlaceArguments & {
  /** Undefined: follows the seal mode. */
  readonly finality: FinalityMode | undefined;
  /** Accepts blocks without verifying who sealed them. */
  readonly trustBlocks: boolean;
  /** Undefined: the mode the chain was created with. */
  readonly statePruning: StatePruning | undefined;
};

export type ServeArguments = ChainArguments & {
  readonly keys: readonly string[];
  readonly seal: SealMode;
  readonly clock: ClockMode;
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  /** URLs of modules that add JSON-RPC methods. */
  readonly rpcModules: readonly string[];
  readonly pool: PoolSettings;
  readonly offchain: OffchainSettings;
  readonly blocksPruning: BlocksPruning;
  readonly mockSignatures: boolean;
  /** Undefined for a fork, which has no network. */
  readonly network?: NetworkSettings;
  /** `NodeConfig.likeChopsticks`. No flag: it comes with a configuration of chopsticks. */
  readonly likeChopsticks?: boolean;
  /** Whether the chain is kept in memory if another process has the stored one. No flag either. */
  readonly mayFallBack?: boolean;
  /** `ForkSource.allowUnresolvedImports`. No flag either. */
  readonly allowUnresolvedImports?: boolean;
  /** Null: only errors are printed. */
  readonly log: LogSettings | null;
};

export type RepairArguments = PlaceArguments & { readonly dryRun: boolean; readonly yes: boolean };

export const placeOptions = {
  ...texts('any', 'chain', 'preset'),
  'base-path': { by: 'any', type: 'string', short: 'd' },
  ...switches('any', 'tmp', 'dev', 'json'),
} as const satisfies OptionTable;

export const chainOptions = {
  ...placeOptions,
  ...texts('any', 'finality', 'state-pruning'),
  ...switches('named', 'trust-blocks'),
} as const satisfies OptionTable;

export const authoringOptions = {
  ...switches('any', ...developmentNames),
  ...texts('any', 'seal', 'clock'),
} as const satisfies OptionTable;

/** Of a node that is served. */
export const nodeOptions = {
  ...chainOptions,
  ...authoringOptions,
  ...texts('any', 'dialect', 'blocks-pruning'),
  ...switches('named', 'mock-signatures'),
  ...rpcOptions,
  ...poolOptions,
  ...offchainOptions,
  ...logOptions,
} as const satisfies OptionTable;

export const serveOptions = { ...nodeOptions, ...networkOptions } as const satisfies OptionTable;

export const repairOptions = {
  ...placeOptions,
  ...switches('any', 'dry-run'),
  yes: { by: 'any', type: 'boolean', short: 'y' },
} as const satisfies OptionTable;

/** `manual`, `instant`, `slots`, `interval` (2 s) or `interval:MS`. */
export const parseSeal = (text: string): SealMode => {
  if (text === 'manual' || text === 'instant' || text === 'slots') return { kind: text };
  const found = /^interval(?::(\d{1,9}))?$/.exec(text);
  const ms = Number(found?.[1] ?? 2000);
  if (found === null || ms === 0) {
    throw bad(`--seal ${text}: expected one of manual, instant, slots, interval, interval:MS`);
  }
  return { kind: 'interval', ms };
};

/** `chain`, `wall`, or the date (ISO 8601) at which a new chain starts. */
export const parseClock = (text: string): ClockMode => {
  if (text === 'chain' || text === 'wall') return text;
  const startMs = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(startMs >= 0))
    throw bad(`--clock ${text}: expected chain, wall or a date such as 2025-06-30T12:00:00Z`);
  return { startMs };
};

/** `delayed`, `delayed:MS`, `delayed:Nb` (once N blocks follow), `instant`, `manual` or `grandpa`. */
const parseFinality = (text: string): FinalityMode => {
  const found = /^delayed:(\d{1,10})(b?)$/.exec(text);
  const delay = { kind: 'delayed', [found?.[2] === 'b' ? 'blocks' : 'ms']: Number(found?.[1]) };
  const mode = readFinality(found === null ? text : delay);
  if (mode !== null) return mode;
  throw bad(
    `--finality ${text}: expected one of delayed, delayed:MS, delayed:Nb (blocks), instant, manual, grandpa`,
  );
};

export const parseDialect = (text: string): Dialect => {
  if (text === 'psp-6' || text === 'polkadot-sdk') return text;
  throw bad(`dialect ${text}: expected psp-6 or polkadot-sdk`);
};

const parseBlocksPruning = (text: string): BlocksPruning => {
  if (text === 'archive' || text === 'archive-canonical') return text;
  throw bad(`--blocks-pruning ${text}: expected archive or archive-canonical`);
};

const parseStatePruning = (text: string | undefined): StatePruning | undefined => {
  if (text === undefined || text === 'archive' || text === 'archive-canonical') return text;
  const blocks = Number(text);
  if (/^\d{1,9}$/.test(text) && blocks > 0) return blocks;
  throw bad(
    `--state-pruning ${text}: expected archive, archive-canonical or a number of blocks of 1 or more`,
  );
};

const externalFlags = [
  'rpc-external',
  'ws-external',
  'unsafe-rpc-external',
  'unsafe-ws-external',
] as const satisfies (keyof typeof rpcOptions)[];

/** Anyone who can reach such a node can act as any account, so it must stay on this machine. */
const parseMockSignatures = (
  values: RpcValues & { readonly 'mock-signatures'?: boolean | undefined },
): boolean => {
  const isOn = values['mock-signatures'] === true;
  const external = externalFlags.find((flag) => values[flag] === true);
  if (isOn && external !== undefined)
    throw bad(
      `--mock-signatures and --${external} cannot be combined: anybody on the network could act as any account`,
    );
  return isOn;
};

export const read = <T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  positionals: boolean,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: positionals, strict: true });
  } catch (cause) {
    throw bad(optionFault(cause, Object.keys(options)), cause);
  }
};

type ValuesOf<T extends ParseArgsOptionsConfig> = {
  readonly [name in keyof T]?: T[name]['type'] extends 'string' ? string | undefined : boolean | undefined;
};

export const toPlaceArguments = (values: ValuesOf<typeof placeOptions>): PlaceArguments => {
  const basePath = values['base-path'];
  const isDev = values.dev === true;
  if (values.tmp && basePath !== undefined) throw bad('--tmp and --base-path cannot be combined');
  if (isDev && values.chain !== undefined && values.chain !== 'development') {
    throw bad('--dev selects the development chain: leave out --chain');
  }
  // As in the SDK, --dev stores nothing unless a base path is given.
  const inMemory = values.tmp === true || (isDev && basePath === undefined);
  return {
    chain: values.chain ?? 'development',
    preset: values.preset ?? null,
    basePath: inMemory ? null : basePath,
    json: values.json === true,
  };
};

export const toChainArguments = (values: ValuesOf<typeof chainOptions>): ChainArguments => ({
  ...toPlaceArguments(values),
  finality: values.finality === undefined ? undefined : parseFinality(values.finality),
  trustBlocks: values['trust-blocks'] === true,
  statePruning: parseStatePruning(values['state-pruning']),
});

/** For commands that work on an existing chain. */
export const toKeptPlace = (command: string, values: ValuesOf<typeof placeOptions>): PlaceArguments => {
  const place = toPlaceArguments(values);
  if (place.basePath !== null) return place;
  throw bad(`${command} needs a chain on disk: leave out --tmp, or add --base-path`);
};

type Named = { readonly [name in (typeof developmentNames)[number]]?: boolean | undefined };

export const toKeys = (values: Named): readonly string[] => {
  const named = developmentNames.filter((name) => values[name] === true);
  return (named.length > 0 ? named : (['alice'] as const)).map(
    (name) => `//${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  );
};

type NodeValues = ReturnType<typeof readNode>['values'];

const readNode = (args: readonly string[]) => read(args, nodeOptions, false);

/** Several nodes of one network with Alice's keys would punish each other, so there a key must be named. */
export const parseServeArguments = (args: readonly string[]): ServeArguments => {
  const { values } = read(args, serveOptions, false);
  const settings = toNetworkSettings(values);
  const serve = toServeArguments(values);
  if (settings.network === null) return { ...serve, network: settings };
  const hasKeys = developmentNames.some((name) => values[name] === true);
  const seal: SealMode = values.seal === undefined ? { kind: hasKeys ? 'slots' : 'manual' } : serve.seal;
  return { ...serve, seal, keys: hasKeys ? serve.keys : [], network: settings };
};

export const toServeArguments = (values: NodeValues): ServeArguments => {
  const dialect = parseDialect(values.dialect ?? 'psp-6');
  return {
    ...toChainArguments(values),
    keys: toKeys(values),
    seal: parseSeal(values.seal ?? 'interval'),
    clock: parseClock(values.clock ?? 'chain'),
    dialect,
    rpc: toRpcSettings(values, dialect),
    rpcModules: (values['rpc-module'] ?? []).map((file) => pathToFileURL(file).href),
    pool: toPoolSettings(values),
    offchain: toOffchainSettings(values),
    blocksPruning: parseBlocksPruning(values['blocks-pruning'] ?? 'archive-canonical'),
    mockSignatures: parseMockSignatures(values),
    log: toLogSettings(values),
  };
};

export const parseRepairArguments = (args: readonly string[]): RepairArguments => {
  const { values } = read(args, repairOptions, false);
  const place = toKeptPlace('repair', values);
  return { ...place, dryRun: values['dry-run'] === true, yes: values.yes === true };
};
