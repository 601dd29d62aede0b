import { type Endpoint, transfer, wrap } from 'comlink';
import { createClient, type RpcClient } from './client.ts';
import { type Connection, createConnection } from './connection.ts';
import { servePageMethods } from './custom-methods.ts';
import type { CustomMethods } from './protocol/custom.ts';
import { dataToError, NodeError } from './protocol/errors.ts';
import type {
  ChainSource,
  ConnectOptions,
  Dialect,
  FinalityMode,
  NodeConfig,
  NodeControl,
  NodeStatus,
  OffchainWorkerMode,
  Outcome,
  PoolSettings,
  SealMode,
  StartInfo,
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
  /** A preset, a parsed specification, the URL of one, or a runtime with a genesis preset or patch. Default: `development`. */
  readonly chain?: ChainSource | ChainSpecJson | URL;
  readonly storage?: 'memory' | StorageSource;
  readonly seal?: 'manual' | 'instant' | 'slots' | SealMode;
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
  /** JSON-RPC methods of the page's own, by name; listed in `rpc_methods` beside the node's. */
  readonly rpcMethods?: CustomMethods;
  /** Modules that the worker imports for their `rpcMethods`. */
  readonly rpcModules?: readonly (string | URL)[];
  readonly signal?: AbortSignal;
};

/** A moment to go back to; made by `snapshot`. */
export type Snapshot = Awaited<ReturnType<RpcClient['dev_snapshot']>>;

export type TabNode = {
  readonly info: StartInfo;
  /** Every method of the node, typed. */
  readonly rpc: RpcClient;
  /** The connection behind `rpc`, for methods by name. */
  readonly connection: Connection;
  /** Another connection, with its own dialect, subscriptions and limits. */
  connect(options?: Partial<ConnectOptions>): Promise<Connection>;
  /** The bare end of a connection, for what carries JSON-RPC texts elsewhere; an item is a text or a list of them. */
  openPort(options?: Partial<ConnectOptions>): Promise<MessagePort>;
  /** Keeps head, pool and clock under a name (`dev_snapshot`). */
  snapshot(name: string): Promise<Snapshot>;
  /** Goes back to a snapshot, or to the one of this name: what happened since is gone. */
  restore(snapshot: Snapshot | string): Promise<void>;
  status(): Promise<NodeStatus>;
  /** Closes the node and its connections; may be called twice. */
  stop(): Promise<void>;
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

const createConfig = async (options: NodeOptions): Promise<NodeConfig> => {
  const { storage, seal, finality, clock } = options;
  return {
    chain: await loadChain(options.chain, options.signal),
    storage: storage === undefined || storage === 'memory' ? { kind: 'memory' } : storage,
    seal: typeof seal === 'string' ? { kind: seal } : (seal ?? { kind: 'instant' }),
    finality: typeof finality === 'string' ? { kind: finality } : (finality ?? { kind: 'instant' }),
    dialect: options.dialect ?? 'psp-6',
    keys: options.keys ?? ['//Alice'],
    ...(clock === undefined ? {} : { clock: clock instanceof Date ? { startMs: clock.getTime() } : clock }),
    ...(options.rpcModules === undefined ? {} : { rpcModules: options.rpcModules.map(String) }),
    ...(options.rpcMethods === undefined ? {} : { rpcPage: servePageMethods(options.rpcMethods) }),
    pool: options.pool ?? {},
    offchainWorkers: options.offchainWorkers ?? 'when-authority',
    offchainIndexing: options.offchainIndexing ?? false,
    offchainHttp: options.offchainHttp ?? [],
  };
};

/** The port to the page's methods goes over, not a copy of it. */
const withPort = (config: NodeConfig): NodeConfig =>
  config.rpcPage === undefined ? config : transfer(config, [config.rpcPage.port]);

/** Settles as the promise does, or rejects when the signal of the worker's end comes first: Comlink alone would wait for ever. */
const orAborted = <T>(work: Promise<T>, ended: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(ended.reason);
    if (ended.aborted) abort();
    ended.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', abort));
  });

const unwrap = <T>(outcome: Outcome<T>): T => {
  if (outcome.ok) return outcome.value;
  throw dataToError(outcome.error);
};

type Alive = {
  readonly control: NodeControl;
  readonly ended: AbortController;
  readonly connections: Set<Connection>;
};

const openPort = async ({ control, ended }: Alive, options: ConnectOptions): Promise<MessagePort> => {
  const { port1, port2 } = new MessageChannel();
  unwrap(await orAborted(control.connect(transfer(port2, [port2]), options), ended.signal));
  return port1;
};

const connectTo = async (alive: Alive, options: ConnectOptions): Promise<Connection> => {
  const { connections } = alive;
  const connection = createConnection(await openPort(alive, options));
  connections.add(connection);
  connection.onClose(() => connections.delete(connection));
  return connection;
};

/** Starts a node in the given worker. `startNode` is this with the browser's worker. */
export const startNodeIn = async (host: WorkerHost, options: NodeOptions = {}): Promise<TabNode> => {
  const ended = new AbortController();
  const connections = new Set<Connection>();
  const end = (reason: NodeError): void => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    for (const connection of [...connections]) connection.close(reason);
    host.terminate();
  };
  host.onDeath((why) => end(new NodeError('Disconnected', why)));
  options.signal?.addEventListener('abort', () => end(new NodeError('Aborted')), { once: true });
  // All of its functions are asynchronous already, so that the remote has the same type.
  const control = wrap<NodeControl>(host.endpoint) as unknown as NodeControl;
  const alive: Alive = { control, ended, connections };
  try {
    if (options.signal?.aborted === true) throw new NodeError('Aborted');
    const config = await createConfig(options);
    const defaults: ConnectOptions = { dialect: config.dialect, denyUnsafe: false };
    const info = unwrap(await orAborted(control.start(withPort(config)), ended.signal));
    const connection = await connectTo(alive, defaults);
    const rpc = createClient(connection);
    return {
      info,
      connection,
      rpc,
      openPort: (choice = {}) => openPort(alive, { ...defaults, ...choice }),
      snapshot: (name) => rpc.dev_snapshot({ name }),
      restore: async (snapshot) => {
        await rpc.dev_restore({ name: typeof snapshot === 'string' ? snapshot : snapshot.name });
      },
      connect: (choice = {}) => connectTo(alive, { ...defaults, ...choice }),
      status: async () => unwrap(await orAborted(control.status(), ended.signal)),
      stop: async () => {
        if (ended.signal.aborted) return;
        for (const open of [...connections]) open.close();
        await orAborted(control.stop(), ended.signal).catch(() => undefined);
        end(new NodeError('Disconnected', 'The node was stopped'));
      },
    };
  } catch (error) {
    end(error instanceof NodeError ? error : new NodeError('Disconnected', undefined, { cause: error }));
    throw error;
  }
};
