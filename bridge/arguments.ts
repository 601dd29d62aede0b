import { pathToFileURL } from 'node:url';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { NodeError } from '../src/protocol/errors.ts';
import { readFinality } from '../src/protocol/finality.ts';
import type {
  BlocksPruning,
  ClockMode,
  Dialect,
  FinalityMode,
  PoolSettings,
  SealMode,
  StatePruning,
} from '../src/protocol/node.ts';
import { type OffchainSettings, offchainOptions, toOffchainSettings } from './offchain-settings.ts';
import { poolOptions, toPoolSettings } from './pool-settings.ts';
import { type RpcSettings, type RpcValues, rpcOptions, toRpcSettings } from './rpc-settings.ts';

const developmentNames = ['alice', 'bob', 'charlie', 'dave', 'eve', 'ferdie'] as const;

const bad = (message: string, cause?: unknown): NodeError => new NodeError('BadConfig', message, { cause });

/** What `serve` and `import-blocks` share: which chain, and where it is kept. */
export type ChainArguments = {
  /** A preset's name, or the path of a specification or of a runtime. */
  readonly chain: string;
  readonly preset: string | null;
  /** Null: in memory only. */
  readonly basePath: string | null | undefined;
  /** Undefined: as the seal mode has it. */
  readonly finality: FinalityMode | undefined;
  readonly json: boolean;
  /** Takes blocks without a look at who sealed them. */
  readonly trustBlocks: boolean;
  /** Undefined: as the chain was made. */
  readonly statePruning: StatePruning | undefined;
};

export type ServeArguments = ChainArguments & {
  readonly keys: readonly string[];
  readonly seal: SealMode;
  readonly clock: ClockMode;
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  /** Addresses of modules that add JSON-RPC methods. */
  readonly rpcModules: readonly string[];
  readonly pool: PoolSettings;
  readonly offchain: OffchainSettings;
  readonly blocksPruning: BlocksPruning;
  readonly mockSignatures: boolean;
};

export type FileArguments = ChainArguments & { readonly file: string };

export type McpArguments = {
  /** Of a running node; null: one of its own is started. */
  readonly url: string | null;
  readonly allowWrites: boolean;
  readonly node: ChainArguments & Pick<ServeArguments, 'keys' | 'seal' | 'clock'>;
};

export type RepairArguments = ChainArguments & { readonly dryRun: boolean; readonly yes: boolean };

const chainOptions = {
  chain: { type: 'string' },
  preset: { type: 'string' },
  'base-path': { type: 'string', short: 'd' },
  tmp: { type: 'boolean' },
  dev: { type: 'boolean' },
  finality: { type: 'string' },
  json: { type: 'boolean' },
  'trust-blocks': { type: 'boolean' },
  'state-pruning': { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

const authoringOptions = {
  alice: { type: 'boolean' },
  bob: { type: 'boolean' },
  charlie: { type: 'boolean' },
  dave: { type: 'boolean' },
  eve: { type: 'boolean' },
  ferdie: { type: 'boolean' },
  seal: { type: 'string' },
  clock: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

const mcpOptions = {
  ...chainOptions,
  ...authoringOptions,
  url: { type: 'string' },
  'allow-writes': { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const serveOptions = {
  ...chainOptions,
  ...authoringOptions,
  dialect: { type: 'string' },
  'blocks-pruning': { type: 'string' },

  'mock-signatures': { type: 'boolean' },
  ...rpcOptions,
  ...poolOptions,
  ...offchainOptions,
} as const satisfies ParseArgsOptionsConfig;

const repairOptions = {
  ...chainOptions,
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
} as const satisfies ParseArgsOptionsConfig;

/** `manual`, `instant`, `slots`, `interval` (2 s) or `interval:MS`. */
export const parseSeal = (text: string): SealMode => {
  if (text === 'manual' || text === 'instant' || text === 'slots') return { kind: text };
  const found = /^interval(?::(\d{1,9}))?$/.exec(text);
  const ms = Number(found?.[1] ?? 2000);
  if (found === null || ms === 0) {
    throw bad(`--seal ${text}: there are manual, instant, slots, interval and interval:MS`);
  }
  return { kind: 'interval', ms };
};

/** `chain`, `wall`, or a date (ISO 8601) at which a new chain begins. */
export const parseClock = (text: string): ClockMode => {
  if (text === 'chain' || text === 'wall') return text;
  const startMs = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!(startMs >= 0))
    throw bad(`--clock ${text}: there are chain, wall and dates such as 2025-06-30T12:00:00Z`);
  return { startMs };
};

/** `delayed`, `delayed:MS`, `delayed:Nb` (under so many blocks), `instant` or `manual`. */
const parseFinality = (text: string): FinalityMode => {
  const found = /^delayed:(\d{1,10})(b?)$/.exec(text);
  const delay = { kind: 'delayed', [found?.[2] === 'b' ? 'blocks' : 'ms']: Number(found?.[1]) };
  const mode = readFinality(found === null ? text : delay);
  if (mode !== null) return mode;
  throw bad(`--finality ${text}: there are delayed, delayed:MS, delayed:Nb (blocks), instant and manual`);
};

export const parseDialect = (text: string): Dialect => {
  if (text === 'psp-6' || text === 'polkadot-sdk') return text;
  throw bad(`dialect ${text}: there are psp-6 and polkadot-sdk`);
};

const parseBlocksPruning = (text: string): BlocksPruning => {
  if (text === 'archive' || text === 'archive-canonical') return text;
  throw bad(`--blocks-pruning ${text}: there are archive and archive-canonical`);
};

const parseStatePruning = (text: string | undefined): StatePruning | undefined => {
  if (text === undefined || text === 'archive' || text === 'archive-canonical') return text;
  const blocks = Number(text);
  if (/^\d{1,9}$/.test(text) && blocks > 0) return blocks;
  throw bad(`--state-pruning ${text}: there are archive, archive-canonical and a number of blocks from 1 on`);
};

const externalFlags = [
  'rpc-external',
  'ws-external',
  'unsafe-rpc-external',
  'unsafe-ws-external',
] as const satisfies (keyof typeof rpcOptions)[];

/** Whoever reaches such a node may act as any account: it stays on this machine. */
const parseMockSignatures = (
  values: RpcValues & { readonly 'mock-signatures'?: boolean | undefined },
): boolean => {
  const isOn = values['mock-signatures'] === true;
  const external = externalFlags.find((flag) => values[flag] === true);
  if (isOn && external !== undefined)
    throw bad(
      `--mock-signatures and --${external} exclude each other: anybody on the network could act as any account`,
    );
  return isOn;
};

const read = <T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: T,
  positionals: boolean,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: positionals, strict: true });
  } catch (cause) {
    throw bad(cause instanceof Error ? cause.message : String(cause), cause);
  }
};

type ChainValues = {
  readonly [name in keyof typeof chainOptions]?: (typeof chainOptions)[name]['type'] extends 'string'
    ? string | undefined
    : boolean | undefined;
};

const toChainArguments = (values: ChainValues): ChainArguments => {
  const basePath = values['base-path'];
  const isDev = values.dev === true;
  if (values.tmp && basePath !== undefined) throw bad('--tmp and --base-path exclude each other');
  if (isDev && values.chain !== undefined && values.chain !== 'development') {
    throw bad('--dev stands for the development chain: leave out --chain');
  }
  // As in the SDK, --dev keeps nothing unless it is told where to.
  const inMemory = values.tmp === true || (isDev && basePath === undefined);
  return {
    chain: values.chain ?? 'development',
    preset: values.preset ?? null,
    basePath: inMemory ? null : basePath,
    finality: values.finality === undefined ? undefined : parseFinality(values.finality),
    json: values.json === true,
    trustBlocks: values['trust-blocks'] === true,
    statePruning: parseStatePruning(values['state-pruning']),
  };
};

type Named = { readonly [name in (typeof developmentNames)[number]]?: boolean | undefined };

const toKeys = (values: Named): readonly string[] => {
  const named = developmentNames.filter((name) => values[name] === true);
  return (named.length > 0 ? named : (['alice'] as const)).map(
    (name) => `//${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
  );
};

export const parseServeArguments = (args: readonly string[]): ServeArguments => {
  const { values } = read(args, serveOptions, false);
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
  };
};

const parseUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === 'ws:' || url?.protocol === 'wss:') return url.href;
  throw bad(`--url ${text}: the address of a node's WebSocket was expected, such as ws://127.0.0.1:9944`);
};

/** A node that nobody may write to builds no blocks by itself either. */
export const parseMcpArguments = (args: readonly string[]): McpArguments => {
  const { values } = read(args, mcpOptions, false);
  const { url, 'allow-writes': allowWrites = false, json: _, ...own } = values;
  const [other] = Object.keys(own);
  if (url !== undefined && other !== undefined)
    throw bad(`--url means a running node, and --${other} one to start: leave out one of them`);
  return {
    url: url === undefined ? null : parseUrl(url),
    allowWrites,
    node: {
      ...toChainArguments(values),
      keys: toKeys(values),
      seal: parseSeal(values.seal ?? (allowWrites ? 'instant' : 'manual')),
      clock: parseClock(values.clock ?? 'chain'),
    },
  };
};

const parseFileArguments = (command: string, args: readonly string[]): FileArguments => {
  const { values, positionals } = read(args, chainOptions, true);
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw bad(`${command} takes one FILE`);
  return { ...toChainArguments(values), file };
};

export const parseImportArguments = (args: readonly string[]): FileArguments =>
  parseFileArguments('import-blocks', args);
export const parseExportArguments = (args: readonly string[]): FileArguments =>
  parseFileArguments('export-blocks', args);

export const parseRepairArguments = (args: readonly string[]): RepairArguments => {
  const { values } = read(args, repairOptions, false);
  const chain = toChainArguments(values);
  if (chain.basePath === null)
    throw bad('repair is for chains that are kept: leave out --tmp, or say --base-path');
  return { ...chain, dryRun: values['dry-run'] === true, yes: values.yes === true };
};
