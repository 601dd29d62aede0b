import { nameEndpoint } from '../../src/protocol/endpoint-name.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { hexToBytes } from '../bytes/hex.ts';
import type { Origin, OriginStats } from '../chain/origin.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { type AskDeps, type AskTimes, ask } from './ask.ts';
import { createBlocks } from './blocks.ts';
import { createEndpoint, type Endpoint } from './endpoint.ts';
import type { EndpointTimes } from './endpoint-record.ts';
import { type FollowTimes, followHeads } from './follow.ts';
import { createGenesis } from './genesis.ts';
import { createHints } from './hints.ts';
import { createHttpLine } from './http-line.ts';
import type { Line } from './line.ts';
import { createNewerStates } from './newer-states.ts';
import { probe } from './probe.ts';
import { good, type Outcome } from './problem.ts';
import { createProofs } from './proofs.ts';
import { openSessionLine } from './session-line.ts';
import { type Provider, portWire, providerWire, webSocketWire } from './wire.ts';

/** The URL of a node (`ws:`, `wss:`, `http:`, `https:`), a JSON-RPC provider, or a port. */
export type OriginEndpoint = string | ProviderEndpoint | PortEndpoint;

export type ProviderEndpoint = {
  /** As errors and statistics show it. */
  readonly name: string;
  readonly provider: Provider;
  /** Whether the provider takes messages as JSON texts or as objects. Default: texts. */
  readonly messages?: 'text' | 'object';
};

/**
 * A page's end of a port over which it passes JSON-RPC texts, opened again after it has ended: a node of another tab,
 * or a WebSocket where only the page may open it.
 */
export type PortEndpoint = { readonly name: string; openPort(): Promise<MessagePort> };

export type OriginOptions = {
  /** 1 to 16, in the order of preference while nothing else is known of them. */
  readonly endpoints: readonly OriginEndpoint[];
  /** The genesis hash that the chain is known to have. Default: what most endpoints claim. */
  readonly genesisHash?: Uint8Array;
  /** The name of that chain, for errors. */
  readonly title?: string;
  /** Requests to one endpoint per second. Default: as many as it allows, learned from its refusals. */
  readonly requestsPerSecond?: number;
  readonly times?: Partial<OriginTimes>;
};

/** In milliseconds. */
export type OriginTimes = EndpointTimes & AskTimes & FollowTimes;

export type OriginDeps = {
  readonly blake2b256: Hash256;
  /** Milliseconds since 1970, which never go back. */
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  readonly fetch: typeof globalThis.fetch;
  readonly WebSocket: typeof globalThis.WebSocket;
  /** A listener has thrown. */
  onError(error: unknown): void;
};

const defaultTimes: OriginTimes = {
  openMs: 10_000,
  requestMs: 15_000,
  confirmMs: 60_000,
  coolMs: 30_000,
  hedgeMs: 2000,
  patienceMs: 90_000,
  pollMs: 3000,
  watchMs: 30_000,
};
const maxEndpoints = 16;
/** Calls that wait for their result. */
const maxCalls = 1024;

const readUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(wss?|https?):$/.test(url.protocol))
    throw new NodeError(
      'BadConfig',
      `“${nameEndpoint(text)}” is not an endpoint: write a URL such as wss://rpc.polkadot.io or http://127.0.0.1:9944.`,
    );
  // A WebSocket refuses a URL with a fragment.
  url.hash = '';
  return url;
};

type Opening = (count: (characters: number) => void, signal: AbortSignal) => Promise<Outcome<Line>>;

type Transport = { readonly name: string; readonly hasFeeds: boolean; readonly open: Opening };

const transportOf = (given: OriginEndpoint, deps: OriginDeps): Transport => {
  if (typeof given !== 'string') {
    const wire =
      'openPort' in given ? portWire(given.openPort) : providerWire(given.provider, given.messages ?? 'text');
    return {
      name: given.name,
      hasFeeds: true,
      open: (count, signal) => openSessionLine(wire, { count }, signal),
    };
  }
  const url = readUrl(given);
  if (url.protocol.startsWith('http'))
    return {
      name: nameEndpoint(given),
      hasFeeds: false,
      open: async (count) => good(createHttpLine(url, { ...deps, count })),
    };
  const wire = webSocketWire(deps.WebSocket, url.href);
  return {
    name: nameEndpoint(given),
    hasFeeds: true,
    open: (count, signal) => openSessionLine(wire, { count }, signal),
  };
};

/** Calls listeners back after changes, once per turn. */
const createNotifier = (onError: (error: unknown) => void) => {
  const listeners = new Set<() => void>();
  let isDue = false;
  const notify = (): void => {
    isDue = false;
    for (const listener of [...listeners]) {
      try {
        listener();
      } catch (error) {
        onError(error);
      }
    }
  };
  const add = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    add,
    addOnce: (listener: () => void): (() => void) => {
      const remove = add(() => {
        remove();
        listener();
      });
      return remove;
    },
    changed: (): void => {
      if (isDue) return;
      isDue = true;
      queueMicrotask(notify);
    },
    clear: (): void => listeners.clear(),
  };
};

const checkOptions = ({ endpoints, requestsPerSecond, genesisHash }: OriginOptions): void => {
  if (endpoints.length < 1 || endpoints.length > maxEndpoints)
    throw new NodeError('BadConfig', `A fork has 1 to ${maxEndpoints} endpoints, not ${endpoints.length}.`);
  if (requestsPerSecond !== undefined && !(requestsPerSecond > 0 && requestsPerSecond <= 1_000_000))
    throw new NodeError('BadConfig', 'The number of requests per second must be greater than 0.');
  if (genesisHash !== undefined && genesisHash.length !== 32)
    throw new NodeError('BadConfig', 'A genesis hash has 32 bytes.');
};

type Notifier = ReturnType<typeof createNotifier>;

const createEndpoints = (deps: OriginDeps, options: OriginOptions, notifier: Notifier) => {
  const { endpoints: given, requestsPerSecond: perSecond = null } = options;
  const times = { ...defaultTimes, ...options.times };
  const { now, schedule } = deps;
  const transports = given.map((one) => transportOf(one, deps));
  const expected = options.genesisHash ?? null;
  const heads = { highest: 0 };
  const genesis = createGenesis({
    expected,
    title: options.title ?? null,
    endpoints: given.length,
    schedule,
  });
  const endpoints = transports.map(({ name, hasFeeds, open }, index) =>
    createEndpoint(name, {
      now,
      schedule,
      perSecond,
      times,
      heads,
      hasFeeds,
      open,
      agree: (hash, isFirst) => genesis.claim(index, hash, isFirst),
      absent: () => genesis.absent(index),
      onChange: notifier.changed,
    }),
  );
  return { endpoints, genesis, times };
};

const statsOf = (endpoints: readonly Endpoint[]): OriginStats => {
  const all = endpoints.map((one) => one.stats());
  const sum = (of: 'requests' | 'bytes' | 'lies'): number => all.reduce((total, one) => total + one[of], 0);
  return { requests: sum('requests'), bytes: sum('bytes'), lies: sum('lies'), endpoints: all };
};

/** Limits how many calls are open, and ends them when the origin closes. */
const createGate = (closing: AbortSignal) => {
  let open = 0;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (closing.aborted) throw new NodeError('Aborted');
    if (open >= maxCalls) throw new NodeError('QueueFull');
    open += 1;
    const closed = Promise.withResolvers<never>();
    const end = (): void => closed.reject(new NodeError('Aborted'));
    closing.addEventListener('abort', end, { once: true });
    try {
      return await Promise.race([call(), closed.promise]);
    } finally {
      closing.removeEventListener('abort', end);
      open -= 1;
    }
  };
};

/**
 * A live chain behind one or more endpoints. Its endpoints are probed at once, so that the first calls find them
 * ranked. Throws `BadConfig`.
 */
export const createOrigin = (deps: OriginDeps, options: OriginOptions): Origin => {
  checkOptions(options);
  const { blake2b256, now, schedule, onError } = deps;
  const closer = new AbortController();
  const notifier = createNotifier(onError);
  const { endpoints, genesis, times } = createEndpoints(deps, options, notifier);
  const closing = closer.signal;
  const asking: AskDeps = { endpoints, times, closing, now, schedule, onceChanged: notifier.addOnce };
  const run: Parameters<typeof createHints>[0]['ask'] = (job) => ask(asking, job);
  const genesisHash = (): Uint8Array | null => {
    const hash = genesis.hash();
    return hash === null ? null : hexToBytes(hash);
  };
  const blocks = createBlocks({ blake2b256, ask: run }, genesisHash);
  const atOrNewer = createNewerStates(blocks);
  const proofs = createProofs({ blake2b256, ask: run, atOrNewer });
  const hints = createHints({ atOrNewer, ask: run, schedule });
  const gated = createGate(closing);
  for (const endpoint of endpoints)
    probe(blake2b256, endpoint, endpoints.length === 1, closing).catch(onError);
  return {
    facts: (known) => gated(() => blocks.facts(known)),
    hashAt: (number) => gated(() => blocks.hashAt(number)),
    latest: (which) => gated(async () => (await blocks.latest(which)).hash),
    block: (...request) => gated(() => blocks.block(...request)),
    header: (hash) => gated(() => blocks.header(hash)),
    body: (hash) => gated(() => blocks.body(hash)),
    nodes: (...request) => gated(() => proofs.nodes(...request)),
    keysPaged: (...request) => gated(() => hints.keysPaged(...request)),
    diff: (at) => gated(() => hints.diff(at)),
    follow: (...request) => followHeads({ blocks, endpoints, closing, times, schedule, onError }, ...request),
    stats: () => statsOf(endpoints),
    onProgress: notifier.add,
    close: () => {
      closer.abort();
      for (const endpoint of endpoints) endpoint.close();
      notifier.clear();
    },
  };
};
