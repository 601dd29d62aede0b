import { MessageChannel, Worker } from 'node:worker_threads';
import { transfer, wrap } from 'comlink';
import { dataToError, NodeError } from '../src/protocol/errors.ts';
import { nodeEndpoint } from '../src/protocol/hear.ts';
import type { ConnectOptions, NodeConfig, NodeControl, Outcome, StartInfo } from '../src/protocol/node.ts';

/** A node in a thread of its own. Every pending call rejects with `Disconnected` when the thread ends. */
export type NodeThread = {
  readonly info: StartInfo;
  readonly control: Pick<NodeControl, 'status' | 'importBlock'>;
  /** A fresh port to the node's JSON-RPC. */
  openPort(options: ConnectOptions): Promise<MessagePort>;
  /** Called once when the thread ends without having been asked to. */
  onDeath(callback: (error: NodeError) => void): void;
  /** Flushes, closes the database and ends the thread. */
  stop(): Promise<void>;
};

/** The value of an outcome; its error thrown as `NodeError`. */
export const unwrap = <T>(outcome: Outcome<T>): T => {
  if (!outcome.ok) throw dataToError(outcome.error);
  return outcome.value;
};

// Beside this file lies the source or, once built, the bundle.
const entry = import.meta.url.endsWith('.ts') ? '../worker/main-node.ts' : './main-node.js';

const spawnThread = () => {
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(new URL(entry, import.meta.url), {
    workerData: { port: port2 },
    transferList: [port2],
    execArgv: ['--disable-warning=ExperimentalWarning'], // node:sqlite
  });
  const control = wrap<NodeControl>(nodeEndpoint(port1)) as unknown as NodeControl;
  return { thread, port: port1, control };
};

/** Comlink's calls never settle once the other side is gone: each is raced against the thread's end. */
const createLife = (thread: Worker) => {
  let stopping = false;
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => undefined);
  const fail = (message: string, cause?: unknown): void =>
    end.reject(new NodeError('Disconnected', message, { cause }));
  thread.once('error', (cause: unknown) =>
    fail(`The node's thread failed: ${cause instanceof Error ? cause.message : String(cause)}`, cause),
  );
  thread.once('exit', (code) => fail(`The node's thread ended with code ${code}`));
  return {
    race: <T>(call: Promise<T>): Promise<T> => Promise.race([call, end.promise]),
    expectEnd: (): void => {
      stopping = true;
    },
    onDeath: (callback: (error: NodeError) => void): void => {
      end.promise.catch((error: NodeError) => {
        if (!stopping) callback(error);
      });
    },
  };
};

/** Starts a thread with a node in it. Throws the node's own error when the node cannot start. */
export const startNodeThread = async (config: NodeConfig): Promise<NodeThread> => {
  const { thread, port, control } = spawnThread();
  const life = createLife(thread);
  const end = async (): Promise<void> => {
    life.expectEnd();
    port.close();
    await thread.terminate();
  };
  let info: StartInfo;
  try {
    info = unwrap(await life.race(control.start(config)));
  } catch (error) {
    await end();
    throw error;
  }
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    life.expectEnd();
    await life.race(control.stop()).catch((error: unknown) => {
      if (!(error instanceof NodeError && error.code === 'Disconnected')) throw error;
    });
    await end();
  };
  return {
    info,
    control: {
      status: () => life.race(control.status()),
      importBlock: (block) => life.race(control.importBlock(block)),
    },
    openPort: async (options) => {
      const { port1, port2 } = new MessageChannel();
      const far = port2 as unknown as MessagePort;
      unwrap(await life.race(control.connect(transfer(far, [far]), options)));
      return port1 as unknown as MessagePort;
    },
    onDeath: life.onDeath,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
