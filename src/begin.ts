import { type Endpoint, proxy, transfer, wrap } from 'comlink';
import { servePageMethods } from './custom-methods.ts';
import type { ForkOptions } from './fork-source.ts';
import { leaveWithPage } from './leave-with-page.ts';
import type { CustomMethods } from './protocol/custom.ts';
import { dataToError, NodeError } from './protocol/errors.ts';
import { readFinality } from './protocol/finality-mode.ts';
import type { ForkSource } from './protocol/fork-source.ts';
import type { NetworkConfig } from './protocol/network.ts';
import type {
  BlocksPruning,
  ChainSource,
  ConnectOptions,
  Dialect,
  FinalityMode,
  NodeConfig,
  NodeControl,
  OffchainWorkerMode,
  Outcome,
  PoolSettings,
  RepairOptions,
  RepairReport,
  SealMode,
  StartInfo,
  StatePruningChoice,
  StorageSource,
} from './protocol/node.ts';

/** A running worker: the endpoint to talk to, and how to end it. */
export type WorkerHost = {
  readonly endpoint: Endpoint;
  /** Called at most once, if the worker failed to load or died. */
  onDeath(listener: (why: string) => void): void;
  terminate(): void;
};

/** A chain specification as parsed JSON. */
export type ChainSpecJson = { readonly name: string; readonly id: string; readonly genesis: object };

export type NodeOptions = {
  /**
   * A preset, a parsed specification, the URL of one, or a runtime with a genesis preset or patch. Default:
   * `development`.
   */
  readonly chain?: ChainSource | ChainSpecJson | URL;
  /** Instead of `chain`: a live chain, continued here from one of its blocks on (docs/fork.md). */
  readonly fork?: ForkOptions;
  readonly storage?: 'memory' | StorageSource;
  /** Default: `instant`; with `network`, `slots` if there are keys, otherwise `manual`. */
  readonly seal?: 'manual' | 'instant' | 'slots' | SealMode;
  /**
   * How blocks are finalized: `grandpa` (by the votes of the authorities whose keys the node has), `delayed`
   * (1.5 s after clients were notified of them, or `{ kind: 'delayed', ms }` or `{ kind: 'delayed', blocks }`),
   * `instant` or `manual`. Default: `grandpa` if the node has the keys of all authorities, otherwise `delayed`;
   * `instant` with `seal: 'manual'`.
   */
  readonly finality?: FinalityMode['kind'] | FinalityMode;
  readonly dialect?: Dialect;
  readonly keys?: readonly string[];
  /** Where chain time comes from: `chain` (default), `wall`, or a date at which a new chain starts. */
  readonly clock?: 'chain' | 'wall' | Date;
  readonly pool?: PoolSettings;
  /** Default: `when-authority`, that is, on a node that holds keys. */
  readonly offchainWorkers?: OffchainWorkerMode;
  readonly offchainIndexing?: boolean;
  /** Origins that offchain workers may send HTTP requests to; default none. */
  readonly offchainHttp?: readonly string[];
  /**
   * `archive` keeps the blocks of abandoned forks; the default `archive-canonical` deletes them once finality
   * abandons the fork.
   */
  readonly blocksPruning?: BlocksPruning;
  /**
   * Which states are kept: `archive` (default), `archive-canonical`, or the number of finalized blocks whose
   * states are kept. Set when a chain is created; later only the number may change. `{ ifNew: 4096 }` applies to a
   * new chain only, and opens one that exists whatever it keeps.
   */
  readonly statePruning?: StatePruningChoice;
  /** Memory limit for decoded trie nodes, in bytes; default 64 MiB. */
  readonly cacheBytes?: number;
  /**
   * Accepts 0xdeadbeef followed by 0xcd bytes as a signature for every account, as `dev_impersonate` does for
   * one; default no.
   */
  readonly mockSignatures?: boolean;
  /**
   * Takes part in the network of the chain: dials its nodes, syncs with them, and exchanges transactions and votes
   * (docs/network.md). No keys by default then, and finality by votes alone.
   */
  readonly network?: NetworkConfig;
  /** The secret of the node's peer id: 32 bytes as hex with `0x`. Default: made once, and stored with the chain. */
  readonly nodeKey?: string;
  /**
   * Whether blocks are sealed by slots also while the node, one of several authorities in a network, has no peer, or is far behind
   * its peers. Default: no.
   */
  readonly forceAuthoring?: boolean;
  /** Accepts blocks without verifying who sealed them, for damaged recordings; default no. */
  readonly trustBlocks?: boolean;
  /** The page's own JSON-RPC methods, by name; listed in `rpc_methods` together with the node's. */
  readonly rpcMethods?: CustomMethods;
  /** Modules that the worker imports for their `rpcMethods`. */
  readonly rpcModules?: readonly (string | URL)[];
  readonly signal?: AbortSignal;
};

/**
 * The options of a start. A fork is given as what makes its source: each start transfers ports of its own, and the page
 * loads the code for them with the first fork.
 */
export type BeginOptions = Omit<NodeOptions, 'fork'> & {
  readonly forkSource?: (() => ForkSource | Promise<ForkSource>) | undefined;
};

const loadChain = async ({ chain, forkSource, signal }: BeginOptions): Promise<ChainSource> => {
  if (forkSource !== undefined) {
    if (chain !== undefined) throw new NodeError('BadConfig', 'fork: leave out chain, which a fork replaces');
    return { fork: await forkSource() };
  }
  if (chain === undefined) return 'development';
  if (chain instanceof URL) {
    const response = await globalThis.fetch(chain, signal === undefined ? {} : { signal });
    if (!response.ok)
      throw new NodeError('BadSpec', `The chain specification could not be loaded (${response.status})`);
    return { specJson: await response.text() };
  }
  return typeof chain === 'object' && 'genesis' in chain ? { specJson: JSON.stringify(chain) } : chain;
};

const toFinality = (given: FinalityMode['kind'] | FinalityMode): FinalityMode => {
  const mode = readFinality(given);
  if (mode !== null) return mode;
  const text = "finality: expected delayed, { kind: 'delayed', ms or blocks }, instant, manual or grandpa";
  throw new NodeError('BadConfig', text);
};

/** In a network a block is not sealed whenever there is a transaction: authorities have their slots. */
const defaultSeal = ({ network, keys = [] }: BeginOptions): SealMode => {
  if (network === undefined) return { kind: 'instant' };
  return { kind: keys.length > 0 ? 'slots' : 'manual' };
};

const createConfig = async (options: BeginOptions): Promise<NodeConfig> => {
  const { storage, seal, finality, clock } = options;
  return {
    chain: await loadChain(options),
    storage: storage === undefined || storage === 'memory' ? { kind: 'memory' } : storage,
    seal: typeof seal === 'string' ? { kind: seal } : (seal ?? defaultSeal(options)),
    finality: finality === undefined ? undefined : toFinality(finality),
    dialect: options.dialect ?? 'psp-6',
    // Several nodes of one network with Alice's keys would punish each other.
    keys: options.keys ?? (options.network === undefined ? ['//Alice'] : []),
    ...(clock === undefined ? {} : { clock: clock instanceof Date ? { startMs: clock.getTime() } : clock }),
    ...(options.rpcModules === undefined ? {} : { rpcModules: options.rpcModules.map(String) }),
    ...(options.rpcMethods === undefined ? {} : { rpcPage: servePageMethods(options.rpcMethods) }),
    pool: options.pool ?? {},
    offchainWorkers: options.offchainWorkers ?? 'when-authority',
    offchainIndexing: options.offchainIndexing ?? false,
    offchainHttp: options.offchainHttp ?? [],
    blocksPruning: options.blocksPruning ?? 'archive-canonical',
    statePruning: options.statePruning,
    mockSignatures: options.mockSignatures ?? false,
    trustBlocks: options.trustBlocks ?? false,
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
    ...(options.network === undefined ? {} : { network: options.network }),
    ...(options.nodeKey === undefined ? {} : { nodeKey: options.nodeKey }),
    ...(options.forceAuthoring === undefined ? {} : { forceAuthoring: options.forceAuthoring }),
  };
};

/** Transfers ports instead of copying them: that of the page's methods, and those of a fork. */
const withPorts = (config: NodeConfig): NodeConfig => {
  const { chain, rpcPage } = config;
  const isFork = typeof chain === 'object' && 'fork' in chain;
  const ofFork = isFork ? [...chain.fork.endpoints, { port: chain.fork.progress }] : [];
  const ports = [rpcPage, ...ofFork].flatMap((one) =>
    typeof one === 'object' && one.port ? [one.port] : [],
  );
  return ports.length === 0 ? config : transfer(config, ports);
};

/**
 * Settles like the promise, or rejects if the worker ends first (`ended`), because with Comlink alone it
 * would stay pending forever.
 */
export const orAborted = <T>(work: Promise<T>, ended: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(ended.reason);
    if (ended.aborted) abort();
    ended.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', abort));
  });

export const unwrap = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  throw dataToError(outcome.error);
};

type Started = {
  readonly info: StartInfo;
  readonly defaults: ConnectOptions;
  /** The page's end of a connection with the defaults. */
  readonly port: MessagePort;
};

/** The page's end of a new connection. */
export const openPortOf = async (
  control: NodeControl,
  options: ConnectOptions,
  ended: AbortSignal,
): Promise<MessagePort> => {
  const { port1, port2 } = new MessageChannel();
  unwrap(await orAborted(control.connect(transfer(port2, [port2]), options), ended));
  return port1;
};

/** A node that is starting. */
export type Begun = {
  readonly control: NodeControl;
  /** Rejects as `startNode` does. */
  readonly started: Promise<Started>;
  /** Aborted with the reason once the worker is gone. */
  readonly ended: AbortSignal;
  /** Ends the worker, once. */
  end(reason: NodeError): void;
  /** Ends only the worker: callers that wait for it wait until `end`. */
  suspend(): void;
};

/**
 * Has a worker load and compile what a start of the chain will need. Start the node in the returned host:
 * when the last remote of a worker is garbage-collected, Comlink closes its end, and the worker receives
 * nothing more.
 */
export const prepareIn = (
  host: WorkerHost,
  options: BeginOptions,
): WorkerHost & { readonly control: NodeControl } => {
  const control = wrap<NodeControl>(host.endpoint) as unknown as NodeControl;
  // Nothing of a live chain is read before the start.
  const source = options.forkSource === undefined ? loadChain(options) : { fork: { endpoints: [] } };
  // The start reports anything that fails to load.
  Promise.resolve(source)
    .then((chain) => control.prepare(chain))
    .catch(() => undefined);
  return { ...host, control };
};

/**
 * Starts a node in the worker. A page does this first, before it loads the client and its method table. `seizes`: takes
 * the chain from a tab that does not respond.
 */
export const beginNodeIn = (host: WorkerHost, options: BeginOptions = {}, seizes = false): Begun => {
  const ended = new AbortController();
  const end = (reason: NodeError): void => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    host.terminate();
  };
  host.onDeath((why) => end(new NodeError('Disconnected', why)));
  options.signal?.addEventListener('abort', () => end(new NodeError('Aborted')), { once: true });
  // All of its functions are already asynchronous, so the remote has the same type.
  const control = wrap<NodeControl>(host.endpoint) as unknown as NodeControl;
  const start = async (): Promise<Started> => {
    if (options.signal?.aborted === true) throw new NodeError('Aborted');
    const config = await createConfig(options);
    const defaults: ConnectOptions = { dialect: config.dialect, denyUnsafe: false };
    const starting = control.start(withPorts({ ...config, seizes }));
    // Requested together with the start, because the worker compiles the runtime right after it.
    const opening = openPortOf(control, defaults, ended.signal);
    opening.catch(() => undefined);
    const info = unwrap(await orAborted(starting, ended.signal));
    return { info, defaults, port: await opening };
  };
  const started = start().catch((error: unknown) => {
    end(error instanceof NodeError ? error : new NodeError('Disconnected', undefined, { cause: error }));
    throw error;
  });
  // Callers handle the rejection when they await it; until then it must not count as unhandled.
  started.catch(() => undefined);
  if (options.network !== undefined) leaveWithPage(host, end, ended.signal);
  return { control, started, ended: ended.signal, end, suspend: host.terminate };
};

/**
 * Repairs the chain of these options in a separate worker, which ends afterwards, or reports what a repair
 * would do. Rejects with `ChainInUse` while a node uses the chain, and with `StorageBroken` if no block of it
 * is intact.
 */
export const repairIn = async (
  host: WorkerHost,
  options: Pick<BeginOptions, 'chain' | 'storage'>,
  repair: RepairOptions,
  onProgress: (nodes: number) => void = () => undefined,
): Promise<RepairReport> => {
  const ended = new AbortController();
  host.onDeath((why) => ended.abort(new NodeError('Disconnected', why)));
  const control = wrap<NodeControl>(host.endpoint) as unknown as NodeControl;
  try {
    const { chain, storage } = await createConfig(options);
    return unwrap(
      await orAborted(control.repair({ chain, storage }, repair, proxy(onProgress)), ended.signal),
    );
  } finally {
    host.terminate();
  }
};
