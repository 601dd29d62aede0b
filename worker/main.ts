import { expose } from 'comlink';
import { NodeError } from '../src/protocol/errors.ts';
import type { NodeControl } from '../src/protocol/node.ts';
import * as early from './early.ts';

// A small separate script, so that downloads start while the large script is still being fetched and
// compiled. Also, V8 parses a whole script again to record the location of a `fetch` call, which took 20 ms
// in the large script.

const fetchRuntime = async (): Promise<Uint8Array> => {
  const url = new URL('../public/tabnode-runtime.compact.compressed.wasm', import.meta.url);
  const response = await globalThis.fetch(url);
  if (!response.ok)
    throw new NodeError('BadCode', `The default runtime could not be loaded (${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
};

/** The default runtime, requested by a start that arrived before the node's script was loaded. */
let runtime: Promise<Uint8Array> | null = null;

let isPrepared = false;

const loadRuntime = (): Promise<Uint8Array> => {
  const begun = runtime ?? fetchRuntime();
  runtime = null;
  return begun;
};

const loading = import('./browser.ts').then(({ createBrowserControl }) =>
  createBrowserControl({ core: early.core, loadRuntime }),
);

// If the script cannot be loaded, the worker fails as if its own script had not loaded.
loading.catch(reportError);

const control = Object.freeze<NodeControl>({
  start: async (config) => {
    if (typeof config.chain === 'string' && !isPrepared) {
      runtime = fetchRuntime();
      // Prevents an unhandled rejection; the awaiting caller reports the error.
      runtime.catch(() => undefined);
    }
    return (await loading).start(config);
  },
  prepare: async (chain) => {
    isPrepared = true;
    return (await loading).prepare(chain);
  },
  repair: async (...request) => (await loading).repair(...request),
  stop: async () => (await loading).stop(),
  status: async () => (await loading).status(),
  connect: async (...request) => (await loading).connect(...request),
  link: async (port) => (await loading).link(port),
  unlink: async (link) => (await loading).unlink(link),
  acceptPeer: async (...peer) => (await loading).acceptPeer(...peer),
  listensOn: async (addresses) => (await loading).listensOn(addresses),
  importBlocks: async (...request) => (await loading).importBlocks(...request),
});

// WebKit evaluates this script again when another script of the worker imports it. A second control, without
// a node, would answer every call with an error too, sometimes first. What marks the first evaluation is a namespace
// object because the bundler then puts its helper for namespaces, which the other scripts need, into this script. It
// would otherwise be a file that the worker requests only after it has compiled the large script.
const scope = globalThis as { tabnodeServed?: typeof early | undefined };
if (scope.tabnodeServed === undefined) expose(control);
scope.tabnodeServed = early;
