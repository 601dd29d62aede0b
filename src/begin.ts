import { type Endpoint, proxy, transfer, wrap } from 'comlink';
import { servePageMethods } from './custom-methods.ts';
import type { CustomMethods } from './protocol/custom.ts';
import { dataToError, NodeError } from './protocol/errors.ts';
import { readFinality } from './protocol/finality.ts';
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
  StatePruning,
  StorageSource,
} from './protocol/node.ts';

/** A running worker: the end to talk to, and how to end it. */
export type WorkerHost = {
  readonly endpoint: Endpoint;
  /** Called at most once, when the worker failed to load or died. */
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
  readonly storage?: 'memory' | StorageSource;
  readonly seal?: 'manual' | 'instant' | 'slots' | SealMode;
  /**
   * How blocks become final: `delayed` (1.5 s after clients heard of them, or `{ kind: 'delayed', ms }` or `{
   * kind: 'delayed', blocks }`), `instant` or `manual`. Default: `delayed`, with `seal: 'manual'` `instant`.
   */
  readonly finality?: FinalityMode['kind'] | FinalityMode;
  readonly dialect?: Dialect;
  readonly keys?: readonly string[];
  /** Where chain time comes from: `chain` (default), `wall`, or a moment at which a new chain begins. */
  readonly clock?: 'chain' | 'wall' | Date;
  readonly pool?: PoolSettings;
  /** Default: on a node that holds keys. */
  readonly offchainWorkers?: OffchainWorkerMode;
  readonly offchainIndexing?: boolean;
  /** Origins that offchain workers may send http requests to; default none. */
  readonly offchainHttp?: readonly string[];
  /**
   * `archive` keeps the blocks of lost branches; default `archive-canonical`: they go when a branch is lost
   * to finality.
   */
  readonly blocksPruning?: BlocksPruning;
  /**
   * Which states are kept: `archive` (default), `archive-canonical`, or those of the last so many finalized
   * blocks. Chosen when a chain is made: later only the number may change.
   */
  readonly statePruning?: StatePruning;
  /**
   * Takes the signature 0xdeadbeef, then 0xcd to the end, for every account, as `dev_impersonate` does for
   * one; default no.
   */
  readonly mockSignatures?: boolean;
  /** Accepts blocks without verifying who sealed them, for damaged recordings; default no. */
  readonly trustBlocks?: boolean;
  /** JSON-RPC methods of the page's own, by name; listed in `rpc_methods` beside the node's. */
  readonly rpcMethods?: CustomMethods;
  /** Modules that the worker imports for their `rpcMethods`. */
  readonly rpcModules?: readonly (string | URL)[];
  readonly signal?: AbortSignal;
};

const loadChain = async (
  chain: NodeOptions['chain'],
  signal: AbortSignal | undefined,
): Promise<ChainSource> => {
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
  const text = "finality: expected delayed, { kind: 'delayed', ms or blocks }, instant or manual";
  throw new NodeError('BadConfig', text);
};

const createConfig = async (options: NodeOptions): Promise<NodeConfig> => {
  const { storage, seal, finality, clock } = options;
  return {
    chain: await loadChain(options.chain, options.signal),
    storage: storage === undefined || storage === 'memory' ? { kind: 'memory' } : storage,
    seal: typeof seal === 'string' ? { kind: seal } : (seal ?? { kind: 'instant' }),
    finality: finality === undefined ? undefined : toFinality(finality),
    dialect: options.dialect ?? 'psp-6',
    keys: options.keys ?? ['//Alice'],
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
  };
};

/** The port to the page's methods goes over, not a copy of it. */
const withPort = (config: NodeConfig): NodeConfig =>
  config.rpcPage === undefined ? config : transfer(config, [config.rpcPage.port]);

/**
 * Settles as the promise does, or rejects when the signal of the worker's end comes first: Comlink alone
 * would wait for ever.
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

/** A node on its way. */
export type Begun = {
  readonly control: NodeControl;
  /** Rejects as `startNode` does. */
  readonly started: Promise<Started>;
  /** Aborted with the reason once the worker is gone. */
  readonly ended: AbortSignal;
  /** Ends the worker, once. */
  end(reason: NodeError): void;
};

/** Starts a node in the worker. A page does this first, before it loads the client and its method table. */
export const beginNodeIn = (host: WorkerHost, options: NodeOptions = {}): Begun => {
  const ended = new AbortController();
  const end = (reason: NodeError): void => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    host.terminate();
  };
  host.onDeath((why) => end(new NodeError('Disconnected', why)));
  options.signal?.addEventListener('abort', () => end(new NodeError('Aborted')), { once: true });
  // All of its functions are asynchronous already, so that the remote has the same type.
  const control = wrap<NodeControl>(host.endpoint) as unknown as NodeControl;
  const start = async (): Promise<Started> => {
    if (options.signal?.aborted === true) throw new NodeError('Aborted');
    const config = await createConfig(options);
    const defaults: ConnectOptions = { dialect: config.dialect, denyUnsafe: false };
    const starting = control.start(withPort(config));
    // Sent along, for right after the start the worker is busy with the runtime.
    const opening = openPortOf(control, defaults, ended.signal);
    opening.catch(() => undefined);
    const info = unwrap(await orAborted(starting, ended.signal));
    return { info, defaults, port: await opening };
  };
  const started = start().catch((error: unknown) => {
    end(error instanceof NodeError ? error : new NodeError('Disconnected', undefined, { cause: error }));
    throw error;
  });
  // Whoever awaits it tells; until then nobody hears.
  started.catch(() => undefined);
  return { control, started, ended: ended.signal, end };
};

/**
 * Repairs the chain of these options in a worker of its own, which ends with it, or tells what a repair would
 * do. Rejects with `ChainInUse` while a node runs on it, and with `StorageBroken` when no block of it is
 * whole.
 */
export const repairIn = async (
  host: WorkerHost,
  options: Pick<NodeOptions, 'chain' | 'storage'>,
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
