import { requireNodeVersion } from './node-version.ts';
import { NodeError } from './protocol/errors.ts';
import { type NodePort, nodeEndpoint } from './protocol/port.ts';
import { type NodeOptions, startNodeIn, type TabNode } from './start.ts';

/** The parts of `node:worker_threads` that are used; this folder is type-checked without Node.js. */
type Thread = {
  once(event: 'error' | 'exit', listener: (value: unknown) => void): unknown;
  terminate(): Promise<number>;
};
type Threads = {
  readonly MessageChannel: typeof MessageChannel;
  readonly Worker: new (url: URL, options: object) => Thread;
};

// Assigned to a variable first, because bundlers read `new URL(…, import.meta.url)` as an asset.
const here = import.meta.url;
// In the source, it is next to this folder; once built, dist/node is next to dist/lib.
const entry = here.endsWith('.ts') ? '../worker/main-node.ts' : '../node/main-node.js';

type Process = {
  readonly versions: { readonly node?: string };
  getBuiltinModule(name: string): unknown;
};

/** Node.js's threads, without an import that browser bundlers would follow. */
const loadThreads = (): Threads => {
  const { process } = globalThis as { readonly process?: Process };
  const version = process?.versions?.node;
  if (process === undefined || version === undefined)
    throw new NodeError(
      'BadConfig',
      'A node runs in a worker of a browser or in a thread of Node.js: here is neither',
    );
  requireNodeVersion(version);
  return process.getBuiltinModule('node:worker_threads') as Threads;
};

/** Starts a node in a Node.js thread. In a browser it is the same as `startNode`. */
export const startNodeInThread = async (options: NodeOptions = {}): Promise<TabNode> => {
  const threads = loadThreads();
  const { port1, port2 } = new threads.MessageChannel();
  const thread = new threads.Worker(new URL(entry, here), {
    workerData: { port: port2 },
    transferList: [port2],
    execArgv: ['--disable-warning=ExperimentalWarning'], // node:sqlite
  });
  return startNodeIn(
    {
      endpoint: nodeEndpoint(port1 as unknown as NodePort),
      onDeath: (listener) => {
        thread.once('error', (error) => listener(`The thread failed: ${String(error)}`));
        thread.once('exit', () => listener('The thread ended'));
      },
      terminate: () => {
        port1.close();
        void thread.terminate();
      },
    },
    options,
  );
};
