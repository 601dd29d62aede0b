import { core } from './early.ts';

// Before all others: what it begins goes on while they are evaluated.

import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { type MessagePort, workerData } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import { expose } from 'comlink';
import { NodeError } from '../src/protocol/errors.ts';
import { nodeEndpoint } from '../src/protocol/hear.ts';
import type { NodeConfig, NodeControl } from '../src/protocol/node.ts';
import { createAwake } from './awake.ts';
import { createControl } from './control.ts';
import { loadCrypto } from './crypto/crypto.ts';
import type { Database } from './db/database.ts';
import { createMemoryDatabase } from './db/memory.ts';
import { openSqliteDatabase } from './db/sqlite.ts';
import { openSqliteSalvage } from './db/sqlite-salvage.ts';
import type { Unzstd } from './executor/code-blob.ts';

const openDatabase = async (storage: NodeConfig['storage']): Promise<Database> => {
  switch (storage.kind) {
    case 'memory':
      return createMemoryDatabase();
    case 'sqlite':
      return openSqliteDatabase(storage.path);
    case 'indexeddb':
      throw new NodeError('BadConfig', 'IndexedDB storage is for browsers; use sqlite or memory in Node.js');
    default:
      return storage satisfies never;
  }
};

// This file lies in worker/ as source and in dist/node/ once built.
const publicFolder = import.meta.url.endsWith('.ts') ? '../public/' : '../../public/';

const loadRuntime = async (): Promise<Uint8Array> => {
  const url = new URL(`${publicFolder}tabnode-runtime.compact.compressed.wasm`, import.meta.url);
  try {
    return new Uint8Array(await readFile(url));
  } catch (cause) {
    throw new NodeError('BadCode', 'The default runtime could not be read', { cause });
  }
};

const openRpcFile = import.meta.url.endsWith('.ts') ? '../docs/openrpc.json' : './openrpc.json';
const loadOpenRpc = (): Promise<string> => readFile(new URL(openRpcFile, import.meta.url), 'utf8');

// A Buffer's `slice` does not copy, as that of a Uint8Array does.
const plain = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length);

// Node.js has it since 22.15.
const unzstd: { readonly unzstd?: Unzstd } =
  zlib.zstdDecompressSync === undefined
    ? {}
    : { unzstd: (frames, maxOutputLength) => plain(zlib.zstdDecompressSync(frames, { maxOutputLength })) };

// On a single core it would only be in its client's way.
const awake =
  availableParallelism() > 1 ? { stayAwake: createAwake(setImmediate, () => performance.now()) } : {};

/** The node of this thread: who runs in the thread too may call it straight. */
export const control: NodeControl = createControl({
  loadCrypto: () => loadCrypto(core),
  openDatabase,
  openDamaged: async (storage) => {
    if (storage.kind !== 'sqlite') throw new NodeError('BadConfig', 'There is no SQLite file to repair');
    return openSqliteSalvage(storage.path, (await loadCrypto(core)).blake2b256);
  },
  loadRuntime,
  loadOpenRpc,
  // SQLite's exclusive lock on the file keeps a second process out.
  lock: async () => () => undefined,
  ...unzstd,
  ...awake,
  now: () => Date.now(),
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  // What has a code is told in its words; where in the program it was found helps nobody who runs a node.
  onError: (error) =>
    // biome-ignore lint/suspicious/noConsole: a thread's console is the process's stderr
    console.error(error instanceof NodeError ? `${error.code}: ${error.message}` : error),
});

const { port } = (workerData ?? {}) as { readonly port?: MessagePort };
if (port !== undefined) expose(control, nodeEndpoint(port));
