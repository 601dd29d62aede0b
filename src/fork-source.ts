import { type LiveChain, type LiveChainName, needLiveChain } from './live-chains.ts';
import { NodeError } from './protocol/errors.ts';
import type { ForkProgress, ForkSource, ProviderSource } from './protocol/fork-source.ts';
import { writeGivenJson } from './protocol/json.ts';
import { onPortMessage, type PortNote } from './protocol/port.ts';

/**
 * A JSON-RPC provider as polkadot-api, smoldot's wrapper and browser extensions define it. It is called once for each
 * connection.
 */
export type ForkProvider = (
  onMessage: (message: unknown) => void,
  onClose: (why: string) => void,
) => {
  send(message: never): void;
  disconnect(): void;
};

/** A node of the live chain that this program reaches by itself. */
export type NamedProvider = {
  /** As errors and `dev_status` show it. */
  readonly name: string;
  readonly provider: ForkProvider;
  /** Whether it takes messages as JSON texts, the default, or as objects. It may return either. */
  readonly messages?: 'text' | 'object';
};

type ForkEndpoint = string | URL | NamedProvider;

/** Which live chain is continued, from where on, and how it is reached. */
export type ForkOptions = (
  | {
      /** A public chain that is known by name, reached by its public nodes, or by these, which must be of it. */
      readonly chain: LiveChainName;
      readonly endpoint?: ForkEndpoint;
      readonly endpoints?: readonly ForkEndpoint[];
      readonly provider?: undefined;
    }
  | { readonly endpoint: ForkEndpoint; readonly endpoints?: undefined; readonly provider?: undefined }
  | {
      /** 1 to 16 nodes of the chain, the preferred one first; none to open a stored fork without a network. */
      readonly endpoints: readonly ForkEndpoint[];
      readonly endpoint?: undefined;
      readonly provider?: undefined;
    }
  | {
      /** What `dev_exportFork` or `tabnode fork --save` has written: opens without a network, or reads on from `endpoints`. */
      readonly pack: Uint8Array;
      readonly endpoints?: readonly ForkEndpoint[];
      readonly endpoint?: undefined;
      readonly provider?: undefined;
    }
  | {
      readonly provider: ForkProvider;
      /** Whether the provider takes messages as JSON texts, the default, or as objects. */
      readonly messages?: 'text' | 'object';
      readonly endpoint?: undefined;
      readonly endpoints?: undefined;
    }
) & {
  /**
   * The block to continue from: a hash, a number, `best` or `finalized`. Default: `finalized`, or the base of the fork that
   * the storage holds.
   */
  readonly block?: string | number;
  /**
   * Forbids the network: what was read before is there, of this fork or of any other of this browser or base path, and the
   * rest is `NotCached`. The endpoints only say which chain is meant. Default: no.
   */
  readonly offline?: boolean;
  /**
   * Limit in bytes of what all forks of this browser or base path have read and share; 0 does without. Default: 256 MiB. A
   * fork in memory shares nothing.
   */
  readonly sharedBytes?: number;
  /** Called while the live chain is read, at most ten times per second. */
  readonly onProgress?: (progress: ForkProgress) => void;
};

const wrong = (text: string): NodeError => new NodeError('BadConfig', `fork: ${text}`);

/** The chain that is named. Throws `BadConfig`. */
const chainOf = ({ chain }: { readonly chain?: unknown }): LiveChain | null => {
  if (chain === undefined) return null;
  if (typeof chain !== 'string') throw wrong('chain: expected the name of a chain');
  return needLiveChain(chain);
};

/** The endpoints, in one form. Throws `BadConfig`. */
const endpointsOf = (
  given: Readonly<Record<string, unknown>>,
  chain: LiveChain | null,
): readonly ForkEndpoint[] => {
  const named = ['endpoint', 'endpoints', 'provider'].filter((name) => given[name] !== undefined);
  if (named.length === 0 && given['pack'] !== undefined) return [];
  if (named.length === 0 && chain !== null) return chain.endpoints;
  if (named.length !== 1) throw wrong('expected one of chain, endpoint, endpoints and provider');
  const { endpoint, endpoints, provider, messages = 'text' } = given;
  const all: unknown =
    provider === undefined ? (endpoints ?? [endpoint]) : [{ name: 'provider', provider, messages }];
  if (!Array.isArray(all)) throw wrong('endpoints: expected a list of URLs and providers');
  for (const one of all as unknown[]) checkEndpoint(one);
  return all as readonly ForkEndpoint[];
};

const checkEndpoint = (given: unknown): void => {
  if (typeof given === 'string' || given instanceof URL) return;
  const { name, provider, messages = 'text' } = (given ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || name === '' || typeof provider !== 'function')
    throw wrong('expected the URL of a node, or { name, provider } with a function');
  if (messages !== 'text' && messages !== 'object') throw wrong('messages: expected text or object');
};

const blockOf = (block: unknown): { readonly block?: string } => {
  if (block === undefined) return {};
  const isNumber = typeof block === 'number' ? Number.isSafeInteger(block) && block >= 0 : false;
  if (isNumber || (typeof block === 'string' && /^(best|finalized|\d{1,15}|0x[0-9a-f]{64})$/i.test(block)))
    return { block: String(block) };
  throw wrong('block: expected the hash or number of a block, best or finalized');
};

const options: readonly string[] = [
  'chain',
  'endpoint',
  'endpoints',
  'provider',
  'pack',
  'messages',
  'block',
  'offline',
  'sharedBytes',
  'onProgress',
];

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Connects one port of the worker with the provider. Each side may end the connection. */
const connect = ({ provider, messages = 'text' }: NamedProvider, port: MessagePort): void => {
  let isOver = false;
  let connection: ReturnType<ForkProvider> | null = null;
  const end = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    port.postMessage({ note: 'bye', reason } satisfies PortNote);
    port.close();
  };
  const disconnect = (): void => {
    isOver = true;
    port.close();
    connection?.disconnect();
  };
  const receive = (message: unknown): void => {
    if (!isOver) port.postMessage(typeof message === 'string' ? message : writeGivenJson(message));
  };
  onPortMessage(port, (data) => {
    if (isOver) return;
    if (typeof data !== 'string') return disconnect();
    try {
      const send = connection?.send as ((message: unknown) => void) | undefined;
      send?.call(connection, messages === 'text' ? data : JSON.parse(data));
    } catch (error) {
      end(wordsOf(error));
    }
  });
  try {
    connection = provider(receive, end);
  } catch (error) {
    end(wordsOf(error));
  }
};

/** The provider as the worker reaches it: through ports that the worker opens, one for each connection. */
const serveProvider = (given: NamedProvider): ProviderSource => {
  const { port1, port2 } = new MessageChannel();
  onPortMessage(port1, (port) => connect(given, port as MessagePort));
  return { name: given.name, port: port2 };
};

const serveProgress = (onProgress: (progress: ForkProgress) => void): MessagePort => {
  const { port1, port2 } = new MessageChannel();
  onPortMessage(port1, (progress) => onProgress(progress as ForkProgress));
  return port2;
};

/** The source of a fork as the worker receives it. Throws `BadConfig` for what the types would refuse. */
export const toForkSource = (given: ForkOptions): ForkSource => {
  const other = Object.keys(given).find((name) => !options.includes(name));
  if (other !== undefined) throw wrong(`${other}: no such option; expected one of ${options.join(', ')}`);
  const { onProgress } = given;
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw wrong('onProgress: expected a function');
  const { pack } = given as { readonly pack?: unknown };
  if (pack !== undefined && !(pack instanceof Uint8Array)) throw wrong('pack: expected bytes');
  const { offline, sharedBytes } = given as { readonly offline?: unknown; readonly sharedBytes?: unknown };
  if (offline !== undefined && typeof offline !== 'boolean') throw wrong('offline: expected true or false');
  if (sharedBytes !== undefined && !(Number.isSafeInteger(sharedBytes) && (sharedBytes as number) >= 0))
    throw wrong('sharedBytes: expected a whole number of bytes');
  const block = blockOf(given.block);
  const chain = chainOf(given as { readonly chain?: unknown });
  const endpoints = endpointsOf(given, chain).map((one) => {
    if (typeof one === 'string') return one;
    return one instanceof URL ? one.href : serveProvider(one);
  });
  return {
    endpoints,
    ...block,
    ...(chain === null ? {} : { expected: { title: chain.title, genesisHash: chain.genesisHash } }),
    ...(pack === undefined ? {} : { pack }),
    ...(offline === undefined ? {} : { offline }),
    ...(sharedBytes === undefined ? {} : { sharedBytes: sharedBytes as number }),
    ...(onProgress === undefined ? {} : { progress: serveProgress(onProgress) }),
  };
};
