import { expose } from 'comlink';
import { NodeError } from '../src/protocol/errors.ts';
import type { NodeControl } from '../src/protocol/node.ts';
import { core } from './early.ts';

// A small script of its own, so that what is fetched is under way while the large one is fetched and compiled. V8 also
// parses a whole script again to say where in it `fetch` was called from: in the large one that took 20 ms.

const fetchRuntime = async (): Promise<Uint8Array> => {
  const url = new URL('../public/tabnode-runtime.compact.compressed.wasm', import.meta.url);
  const response = await globalThis.fetch(url);
  if (!response.ok)
    throw new NodeError('BadCode', `The default runtime could not be loaded (${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
};

/** The default runtime, when the start that wants it came before the node's own script. */
let runtime: Promise<Uint8Array> | null = null;

const loadRuntime = (): Promise<Uint8Array> => {
  const begun = runtime ?? fetchRuntime();
  runtime = null;
  return begun;
};

const loading = import('./browser.ts').then(({ createBrowserControl }) =>
  createBrowserControl({ core, loadRuntime }),
);

// What did not load ends the worker, as if it had been in the first script.
loading.catch(reportError);

expose(
  Object.freeze<NodeControl>({
    start: async (config) => {
      if (typeof config.chain === 'string') {
        runtime = fetchRuntime();
        // Prevents an unhandled rejection; the awaiting caller reports the error.
        runtime.catch(() => undefined);
      }
      return (await loading).start(config);
    },
    repair: async (...request) => (await loading).repair(...request),
    stop: async () => (await loading).stop(),
    status: async () => (await loading).status(),
    connect: async (...request) => (await loading).connect(...request),
    importBlock: async (...request) => (await loading).importBlock(...request),
  }),
);
