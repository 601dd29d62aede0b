import { MessageChannel } from 'node:worker_threads';
import { proxy, transfer, wrap } from 'comlink';
import type { NodeError } from '../../src/protocol/errors.ts';
import type {
  ConnectOptions,
  NodeConfig,
  NodeControl,
  Outcome,
  RepairOptions,
  RepairReport,
  StartInfo,
} from '../../src/protocol/node.ts';
import type { Offline } from '../../src/protocol/offline.ts';
import { nodeEndpoint } from '../../src/protocol/port.ts';
import type { Live } from '../../src/protocol/replay.ts';
import { createLife, spawnThread, unwrap, workerEntry } from './thread.ts';

/** A node in its own thread. Every pending call rejects with `Disconnected` when the thread ends. */
export type NodeThread = {
  readonly info: StartInfo;
  readonly control: Pick<NodeControl, 'status' | 'importBlocks'>;
  /** Opens a new port to the node's JSON-RPC. */
  openPort(options: ConnectOptions): Promise<MessagePort>;
  /** The callback is called once if the thread ends unexpectedly. */
  onDeath(callback: (error: NodeError) => void): void;
  /** Flushes, closes the database and ends the thread. */
  stop(): Promise<void>;
};

const startThread = () => {
  const { port1: port, port2 } = new MessageChannel();
  const thread = spawnThread(workerEntry, { workerData: { port: port2 }, transferList: [port2] });
  const control = wrap(nodeEndpoint(port)) as unknown as NodeControl & {
    readonly offline: Offline;
    readonly live: Live;
  };
  const life = createLife(thread);
  const end = async (last: () => Promise<void>): Promise<void> => {
    await life.finish(last);
    port.close();
    await thread.terminate();
  };
  return { control, life, end };
};

/**
 * Repairs a chain in a separate thread, or reports what a repair would do. Throws the errors of
 * `NodeControl.repair`.
 */
export const repairInThread = async (
  config: Pick<NodeConfig, 'chain' | 'storage'>,
  options: RepairOptions,
  onProgress: (nodes: number) => void,
): Promise<RepairReport> => {
  const { control, life, end } = startThread();
  try {
    return unwrap(await life.race(control.repair(config, options, proxy(onProgress))));
  } finally {
    await end(async () => undefined);
  }
};

const runInThread = async <T>(
  work: (parts: { readonly offline: Offline; readonly live: Live }) => Promise<Outcome<T>>,
): Promise<T> => {
  const { control, life, end } = startThread();
  try {
    return unwrap(await life.race(work(control)));
  } finally {
    await end(async () => undefined);
  }
};

/** Works on stored chains in a separate thread, without a node. Rethrows errors of the work. */
export const runOffline = <T>(work: (offline: Offline) => Promise<Outcome<T>>): Promise<T> =>
  runInThread(({ offline }) => work(offline));

/** Works on live chains in a separate thread, without a node. Rethrows errors of the work. */
export const runLive = <T>(work: (live: Live) => Promise<Outcome<T>>): Promise<T> =>
  runInThread(({ live }) => work(live));

/** Starts a thread with a node. Throws the node's own error if the node cannot start. */
export const startNodeThread = async (config: NodeConfig): Promise<NodeThread> => {
  const { control, life, end } = startThread();
  let info: StartInfo;
  try {
    info = unwrap(await life.race(control.start(config)));
  } catch (error) {
    await end(async () => undefined);
    throw error;
  }
  let stopped: Promise<void> | null = null;
  return {
    info,
    control: {
      status: () => life.race(control.status()),
      importBlocks: (...request) => life.race(control.importBlocks(...request)),
    },
    openPort: async (options) => {
      const { port1, port2 } = new MessageChannel();
      const far = port2 as unknown as MessagePort;
      unwrap(await life.race(control.connect(transfer(far, [far]), options)));
      return port1 as unknown as MessagePort;
    },
    onDeath: life.onDeath,
    stop: () => {
      stopped ??= end(() => control.stop());
      return stopped;
    },
  };
};

type IdleConfig = Pick<NodeConfig, 'chain' | 'storage' | 'finality' | 'trustBlocks' | 'statePruning'>;

/** A node that does not seal blocks on its own, for commands that read or write its blocks. */
export const startIdleNode = (config: IdleConfig): Promise<NodeThread> =>
  startNodeThread({ ...config, seal: { kind: 'manual' }, dialect: 'psp-6', keys: [] });
