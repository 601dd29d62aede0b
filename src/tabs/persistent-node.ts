import { type Begun, beginNodeIn, type NodeOptions, prepareIn, type WorkerHost } from '../begin.ts';
import { NodeError } from '../protocol/errors.ts';
import { type TabNode, toBeginOptions } from '../start.ts';
import { openShared, type Shared } from './open-shared.ts';
import { keepStandby, type Standby } from './standby.ts';

/** Whether the chain continues: the tab that ran it is gone, or another one runs it now. */
const continuesElsewhere = ({ isElsewhere, ended }: Shared): boolean =>
  isElsewhere || (ended.reason as NodeError).code === 'ChainInUse';

/**
 * Milliseconds between attempts to continue a chain. Another tab may still be letting go of it, or of the
 * memory or storage that a start needs.
 */
const pausesMs: readonly number[] = [100, 200, 400, 800, 1600, 3200];

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
  });

const gaveUp = (attempts: number, cause: unknown): NodeError => {
  const { code, message } = cause instanceof NodeError ? cause : new NodeError('Disconnected', String(cause));
  const text = `This tab could not continue the chain in ${attempts} attempts: ${message}`;
  return new NodeError(code, text, { cause });
};

/** Opens until it works. After the last pause it rejects with the last error. */
const openAgain = async (
  open: () => Promise<Shared>,
  pauses: readonly number[],
  stopped: AbortSignal,
): Promise<Shared> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await open();
    } catch (fault) {
      stopped.throwIfAborted();
      const ms = pauses[attempts - 1];
      if (ms === undefined) throw gaveUp(attempts, fault);
      await pause(ms, stopped);
    }
  }
};

/**
 * A node of several tabs that outlasts each of them. When the tab that runs it ends, connections end with `Disconnected`, and
 * `connect`, `openPort` and `status` wait for the next one; `rpc` and `connection` are those of the tab that runs it now.
 * If the next one cannot be opened, that is retried after each of the pauses; then those calls reject with the last error.
 */
export const openPersistent = async (
  chain: string,
  options: NodeOptions,
  createHost: () => WorkerHost,
  pauses: readonly number[] = pausesMs,
): Promise<TabNode> => {
  const begins = toBeginOptions(options);
  let standby: Standby | null = null;
  const stopping = new AbortController();
  const stopped = options.signal ? AbortSignal.any([stopping.signal, options.signal]) : stopping.signal;
  const begin = (host: WorkerHost, seizes: boolean): Begun => beginNodeIn(host, begins, seizes);
  const prepare = (): WorkerHost => prepareIn(createHost(), begins);
  const open = async (): Promise<Shared> => {
    const { host, seizes } = standby?.take() ?? { host: createHost(), seizes: false };
    const begun = begin(host, seizes);
    const shared = await openShared(begun, chain, () => begin(createHost(), true));
    standby = shared.isElsewhere ? keepStandby(chain, shared.ended, prepare) : null;
    shared.ended.addEventListener('abort', () => {
      if (stopped.aborted || !continuesElsewhere(shared)) return;
      current = openAgain(open, pauses, stopped).then((next) => {
        now = next;
        return next;
      });
      // Callers of `connect` get the error.
      current.catch(() => undefined);
    });
    return shared;
  };
  let now = await open();
  let current = Promise.resolve(now);
  const use = async <T>(call: (node: TabNode) => Promise<T>): Promise<T> => {
    // Connections may report their end before the next node is begun.
    await null;
    const shared = await current;
    try {
      return await call(shared.node);
    } catch (fault) {
      // Its tab was already closing.
      if (stopped.aborted || !shared.ended.aborted || !continuesElsewhere(shared)) throw fault;
      return use(call);
    }
  };
  return {
    info: now.node.info,
    get connection() {
      return now.node.connection;
    },
    get rpc() {
      return now.node.rpc;
    },
    connect: (choice) => use((node) => node.connect(choice)),
    openPort: (choice) => use((node) => node.openPort(choice)),
    openLink: (port) => use((node) => node.openLink(port)),
    snapshot: (name) => now.node.snapshot(name),
    restore: (snapshot) => now.node.restore(snapshot),
    status: () => use((node) => node.status()),
    stop: async () => {
      stopping.abort(new NodeError('Disconnected', 'The node was stopped'));
      standby?.take()?.host.terminate();
      await (await current.catch(() => null))?.node.stop();
    },
  };
};
