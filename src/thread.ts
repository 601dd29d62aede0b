import { type NodePort, nodeEndpoint } from '../protocol/hear.ts';
import { type NodeOptions, startNodeIn, type TabNode } from '../start.ts';

/** What is used of `node:worker_threads`; this folder is type-checked without Node.js. */
type Thread = {
  once(event: 'error' | 'exit', listener: (value: unknown) => void): unknown;
  terminate(): Promise<number>;
};
type Threads = {
  readonly MessageChannel: typeof MessageChannel;
  readonly Worker: new (url: URL, options: object) => Thread;
};

// Beside this folder lies the source; once built, dist/node beside dist/lib.
const entry = import.meta.url.endsWith('.ts') ? '../../worker/main-node.ts' : '../node/main-node.js';

const loadThreads = (name: string): Promise<Threads> => import(/* @vite-ignore */ name) as Promise<Threads>;

/** Starts a node in a thread of Node.js, for tests that run there. In a browser it is `startNode`. */
export const startNodeInThread = async (options: NodeOptions = {}): Promise<TabNode> => {
  const { MessageChannel, Worker } = await loadThreads('node:worker_threads');
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(new URL(/* @vite-ignore */ entry, import.meta.url), {
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
