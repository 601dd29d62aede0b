import { findLiveChain, liveChainNames } from '../../src/live-chains.ts';
import { nameEndpoint } from '../../src/protocol/endpoint-name.ts';
import type { ExpectedChain } from '../../src/protocol/fork-source.ts';
import type { FollowChoice } from '../../src/protocol/replay.ts';
import { bad, nodeOptions, read, type ServeArguments, toServeArguments } from './arguments.ts';
import { chopsticksFlags } from './chopsticks-flags.ts';
import { type OptionTable, switches, texts } from './command.ts';
import { nearestName } from './nearest-name.ts';

export type SaveArguments = {
  /** The file into which a pack is written at the end; null: none. */
  readonly save: string | null;
  /** Whether that file may be replaced. */
  readonly yes: boolean;
};

export type LiveArguments = {
  readonly endpoints: readonly string[];
  /** The chain that they must be of, if it was named. */
  readonly expected: ExpectedChain | undefined;
};

export type RunBlockArguments = SaveArguments &
  LiveArguments & {
    /** The file of a pack whose block is executed, without endpoints. */
    readonly pack: string | null;
    /** A hash, a number, `best` or `finalized`. */
    readonly block: string;
    readonly json: boolean;
  };

export type FollowArguments = FollowChoice &
  SaveArguments &
  LiveArguments & {
    readonly json: boolean;
  };

export const saveOptions = {
  ...texts('any', 'save'),
  yes: { by: 'any', type: 'boolean', short: 'y' },
} as const satisfies OptionTable;

export const runBlockOptions = {
  ...texts('any', 'block', 'pack'),
  ...saveOptions,
  ...switches('any', 'json'),
} as const satisfies OptionTable;

export const followOptions = {
  ...texts('any', 'count'),
  ...switches('any', 'best', 'finalized', 'stop', 'json'),
  ...saveOptions,
} as const satisfies OptionTable;

/** What does not fit a chain whose genesis and states are those of a live chain. */
const {
  chain: _chain,
  preset: _preset,
  dev: _dev,
  'state-pruning': _pruning,
  ...forkedOptions
} = nodeOptions;

export const ownForkOptions = {
  ...forkedOptions,
  block: { by: 'any', type: 'string', short: 'b' },
  ...texts('any', 'pack', 'shared-mib'),
  ...saveOptions,
  ...switches('any', 'offline'),
} as const satisfies OptionTable;

/** With those of chopsticks, which are translated before the rest is parsed. */
export const forkOptions = { ...ownForkOptions, ...chopsticksFlags } as const satisfies OptionTable;

/** No endpoints: only a fork that is stored can be opened, and nothing is read. */
export type ForkArguments = ServeArguments &
  SaveArguments &
  LiveArguments & {
    readonly block: string | undefined;
    /** The file of a pack to open. */
    readonly pack: string | null;
    /** Whether the network is forbidden. */
    readonly offline: boolean;
    /** Limit of what all forks of the base path share; undefined: the default. */
    readonly sharedBytes: number | undefined;
  };

/** As many as an origin may have. */
const maxEndpoints = 16;

/** Of a text that is no URL. */
const longestShown = 200;

/** What was probably meant: a chain whose name is mistyped, or a host and port without `ws://`. */
const wrongEndpoint = (text: string): string => {
  const name = nearestName(text, liveChainNames);
  const url = /^[\w.-]+:\d{1,5}(\/.*)?$/.test(text) ? `ws://${text}` : null;
  const meant = name ?? (url === null ? null : nameEndpoint(url));
  if (meant !== null)
    return `${nameEndpoint(text)} is no known chain and not the URL of a node. Did you mean ${meant}?`;
  return `${nameEndpoint(text).slice(0, longestShown)} is not the URL of a node: write ws://, wss://, http:// or https:// and a host, or one of ${liveChainNames.join(', ')}`;
};

const notAnEndpoint = (file: string): string =>
  `${nameEndpoint(file)} is not the URL of a node. To open a pack, write --pack ${nameEndpoint(file)}`;

/** The name of a chain stands for its public nodes, unless others are named, which must be of it. */
export const toEndpoints = (
  command: string,
  texts: readonly string[],
  takesPack = command !== 'follow',
): LiveArguments => {
  if (texts.length === 0)
    throw bad(
      `${command} takes the name of a chain, such as polkadot, or the URL of a node, such as wss://rpc.polkadot.io${takesPack ? ', or a --pack' : ''}`,
    );
  const names = texts.filter((text) => findLiveChain(text) !== null);
  if (names.length > 1) throw bad(`${command} takes one chain, not ${names.join(' and ')}`);
  const urls = texts.filter((text) => !names.includes(text));
  if (urls.length > maxEndpoints) throw bad(`${command} takes at most ${maxEndpoints} endpoints`);
  const wrong = urls.find((text) => !/^(wss?|https?):\/\//i.test(text) || !URL.canParse(text));
  if (wrong !== undefined)
    throw bad(takesPack && /\.pack$/i.test(wrong) ? notAnEndpoint(wrong) : wrongEndpoint(wrong));
  const chain = findLiveChain(names[0] ?? '');
  if (chain === null) return { endpoints: urls, expected: undefined };
  const { title, genesisHash, endpoints } = chain;
  return { endpoints: urls.length === 0 ? endpoints : urls, expected: { title, genesisHash } };
};

export const nowhere: LiveArguments = { endpoints: [], expected: undefined };

/** Block numbers are 32 bits. */
const maxNumber = 0xffff_ffff;

export const parseBlock = (text: string): string => {
  if (text === 'best' || text === 'finalized' || /^0x[0-9a-f]{64}$/i.test(text)) return text;
  if (/^\d{1,10}$/.test(text) && Number(text) <= maxNumber) return text;
  throw bad(`--block ${text}: expected a number, a hash with 0x, best or finalized`);
};

const parseCount = (text: string): number => {
  const count = Number(text);
  if (/^\d{1,9}$/.test(text) && count > 0) return count;
  throw bad(`--count ${text}: expected a number of blocks of 1 or more`);
};

/** The largest limit, 1 TiB. */
const maxMib = 1024 * 1024;

const parseMib = (text: string): number => {
  if (/^\d{1,7}$/.test(text) && Number(text) <= maxMib) return Number(text) * 1024 * 1024;
  throw bad(`--shared-mib ${text}: expected a number of MiB up to ${maxMib}, or 0 for none`);
};

export const parseRunBlockArguments = (args: readonly string[]): RunBlockArguments => {
  const { values, positionals } = read(args, runBlockOptions, true);
  const { block, pack = null, save = null, yes = false, json = false } = values;
  if (pack !== null && (positionals.length > 0 || block !== undefined || save !== null))
    throw bad('--pack has its block and all that it reads: leave out endpoints, --block and --save');
  return {
    ...(pack === null ? toEndpoints('run-block', positionals) : nowhere),
    block: parseBlock(block ?? 'finalized'),
    ...{ pack, save, yes, json },
  };
};

export const parseForkArguments = (args: readonly string[]): ForkArguments => {
  const { values, positionals } = read(args, ownForkOptions, true);
  const { block, pack = null, save = null, yes = false, offline = false, ...rest } = values;
  if (rest.clock !== undefined && rest.clock !== 'chain' && rest.clock !== 'wall')
    throw bad(`--clock ${rest.clock}: a fork continues at the time of its base; expected chain or wall`);
  const isStored = values['base-path'] !== undefined;
  if (positionals.length === 0 && !isStored && pack === null)
    throw bad(
      'fork takes the name of a chain, such as polkadot, the URL of a node, such as wss://rpc.polkadot.io, a --pack, or the --base-path of a fork that is stored',
    );
  if (offline && !isStored && pack === null)
    throw bad('--offline needs the --base-path of what was read before, or a --pack');
  if (pack !== null && block !== undefined) throw bad('--pack has its block: leave out --block');
  // What is sealed is asked for, and the keys of the live chain's authorities are not here.
  const names = ['alice', 'bob', 'charlie', 'dave', 'eve', 'ferdie'] as const;
  const hasKeys = names.some((name) => rest[name] === true);
  const serve = toServeArguments({ ...rest, seal: rest.seal ?? 'instant' });
  return {
    ...serve,
    // A fork is kept in memory unless a folder is named.
    basePath: isStored ? serve.basePath : null,
    keys: hasKeys ? serve.keys : [],
    ...(positionals.length === 0 ? nowhere : toEndpoints('fork', positionals)),
    block: block === undefined ? undefined : parseBlock(block),
    pack,
    save,
    yes,
    offline,
    sharedBytes: values['shared-mib'] === undefined ? undefined : parseMib(values['shared-mib']),
  };
};

export const parseFollowArguments = (args: readonly string[]): FollowArguments => {
  const { values, positionals } = read(args, followOptions, true);
  if (values.best && values.finalized) throw bad('--best and --finalized cannot be combined');
  const { stop = false, save = null, yes = false, json = false } = values;
  if (save !== null && !stop) throw bad('--save writes the block at which --stop ends: add --stop');
  return {
    ...toEndpoints('follow', positionals),
    head: values.finalized === true ? 'finalized' : 'best',
    count: values.count === undefined ? null : parseCount(values.count),
    stopsAtDifference: stop,
    ...{ save, yes, json },
  };
};
