import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { nodeEndpoint } from '../src/protocol/port.ts';
import { type NodeOptions, startNodeIn, type TabNode } from '../src/start.ts';

const root = new URL('../', import.meta.url);
// Next to dist/node, so that the bundle finds public/ where it expects it.
const built = new URL('dist/bench/main-node.js', root);

/** Bundles the worker as shipped, because users do not wait for a hundred TypeScript files to load. */
export const buildWorker = (): void => {
  const vite = fileURLToPath(new URL('node_modules/vite/bin/vite.js', root));
  const options = ['build', '--logLevel', 'error', '--mode', 'node-threads', '--outDir', 'dist/bench'];
  const { status } = spawnSync(process.execPath, [vite, ...options], {
    cwd: fileURLToPath(root),
    stdio: 'inherit',
  });
  if (status !== 0 || !existsSync(built)) throw new Error('The worker could not be built');
  // The bundler leaves this URL unchanged.
  copyFileSync(new URL('worker/crypto/crypto-core.wasm', root), new URL('crypto-core.wasm', built));
};

/** `startNode` with a thread instead of the browser's worker; `onThread` receives it. */
export const startInThread = (
  options: NodeOptions,
  onThread?: (thread: Worker) => void,
): Promise<TabNode> => {
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(built, {
    workerData: { port: port2 },
    transferList: [port2],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  onThread?.(thread);
  return startNodeIn(
    {
      endpoint: nodeEndpoint(port1),
      onDeath: (listener) => {
        thread.once('error', (error: unknown) => listener(String(error)));
        thread.once('exit', (code) => listener(`The thread ended with code ${code}`));
      },
      terminate: () => {
        port1.close();
        void thread.terminate();
      },
    },
    options,
  );
};
