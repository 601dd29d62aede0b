import { chainLock, sharedNodes } from '../src/protocol/chain-id.ts';
import { NodeError } from '../src/protocol/errors.ts';
import type { NodeControl } from '../src/protocol/node.ts';
import { createControl } from './control.ts';
import { loadCrypto } from './crypto/crypto.ts';
import { openIdbDatabase, openIdbEngine } from './db/idb.ts';
import { createMemoryDatabase } from './db/memory.ts';
import type { Platform } from './node.ts';

const openDatabase: Platform['openDatabase'] = async ({ storage, seizes = false }) => {
  switch (storage.kind) {
    case 'memory':
      return createMemoryDatabase();
    case 'indexeddb':
      if (storage.name === sharedNodes)
        throw new NodeError('BadConfig', `storage: "${sharedNodes}" is what forks have read, and no chain`);
      return openIdbDatabase(storage.name, { seizes });
    case 'sqlite':
      throw new NodeError('BadConfig', 'SQLite storage is for Node.js; use indexeddb or memory in a browser');
    default:
      return storage satisfies never;
  }
};

const openDamaged: Platform['openDamaged'] = async (storage) => {
  if (storage.kind !== 'indexeddb') throw new NodeError('BadConfig', 'There is no IndexedDB to repair');
  const { salvageInPlace } = await import('./db/salvage.ts');
  return salvageInPlace(await openIdbEngine(storage.name));
};

/** How long to wait for the lock. After a reload, the previous worker may still hold it for a moment. */
const lockPatienceMs = 1500;

/**
 * Only one tab or worker may write to a chain. The browser releases the lock when its worker ends. If the
 * lock is stolen, the database refuses this worker's writes until its page notices and terminates it.
 */
const lock: Platform['lock'] = ({ storage, seizes = false }) => {
  if (storage.kind !== 'indexeddb') return Promise.resolve(() => undefined);
  const { name } = storage;
  const options = seizes ? { steal: true } : { signal: AbortSignal.timeout(lockPatienceMs) };
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(chainLock(name), options, () => new Promise<void>((release) => resolve(release)))
      .catch((cause: DOMException) =>
        // A browser that keeps no data for the page denies locks too.
        reject(
          cause.name === 'SecurityError'
            ? new NodeError('StorageDenied', `Web Locks: ${cause.message}`)
            : new NodeError('ChainInUse', `Another tab already runs the chain "${name}"`),
        ),
      );
  });
};

const loadOpenRpc = async (): Promise<string> => {
  const response = await globalThis.fetch(new URL('../docs/openrpc.json', import.meta.url));
  if (!response.ok) throw new NodeError('BadConfig', 'The OpenRPC document could not be loaded');
  return response.text();
};

/** Downloads that the entry script has started, or can start. */
export type Begun = {
  readonly core: Promise<WebAssembly.Module>;
  readonly loadRuntime: Platform['loadRuntime'];
};

/** Starts after the first blocks. */
const lateAfterMs = 3000;

/**
 * Loads rarely used parts once the node runs, so that nothing is missing offline. A call that needs one
 * sooner loads it itself.
 */
const loadLate = (): void => {
  setTimeout(() => void import('./dev/dry-run.ts').catch(() => undefined), lateAfterMs);
};

export const createBrowserControl = ({ core, loadRuntime }: Begun): NodeControl => {
  const control = createControl({
    loadCrypto: () => loadCrypto(core),
    openDatabase,
    openDamaged,
    nodeStoreOf: ({ kind }) =>
      kind === 'indexeddb' ? async () => (await import('./db/node-store-idb.ts')).openIdbNodeStore() : null,
    loadRuntime,
    loadOpenRpc,
    lock,
    now: () => Date.now(),
    schedule: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    // biome-ignore lint/suspicious/noConsole: internal errors belong in the browser's console
    onError: (error) => console.error(error),
  });
  return {
    ...control,
    start: (config) => {
      loadLate();
      return control.start(config);
    },
  };
};
