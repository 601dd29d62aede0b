import { core } from './early.ts';

// Imported first, so that its work runs while the other modules are evaluated.

import { channel } from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type MessagePort, Worker, workerData } from 'node:worker_threads';
import * as zlib from 'node:zlib';
import { expose } from 'comlink';
import { errorToLog, NodeError } from '../src/protocol/errors.ts';
import type { NodeConfig, NodeControl, StorageSource } from '../src/protocol/node.ts';
import { nodeEndpoint } from '../src/protocol/port.ts';
import type { Live } from '../src/protocol/replay.ts';
import { createAwake } from './awake.ts';
import { openSpecFile } from './chain/genesis/spec-file.ts';
import { createControl } from './control.ts';
import { loadCrypto } from './crypto/crypto.ts';
import type { SignatureWorker } from './crypto/signature-helper.ts';
import type { Database } from './db/database.ts';
import { createMemoryDatabase } from './db/memory.ts';
import { openSqliteDatabase } from './db/sqlite.ts';
import { openSqliteSalvage } from './db/sqlite-salvage.ts';
import type { Unzstd } from './executor/code-blob.ts';
import type { Platform } from './node.ts';
import { createOffline } from './offline.ts';

const openDatabase = async ({ storage }: Pick<NodeConfig, 'storage'>): Promise<Database> => {
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

/** In the base path of the command, whose chains are `DIR/chains/ID/tabnode.sqlite`; elsewhere beside the database. */
const nodeStorePath = (path: string): string => {
  const folder = dirname(path);
  const chains = dirname(folder);
  return join(basename(chains) === 'chains' ? dirname(chains) : folder, 'nodes.sqlite');
};

/** Null: the chain shares nothing. */
const sharedPathOf = (storage: StorageSource): string | null => {
  if (storage.kind === 'memory') return storage.nodesPath ?? null;
  return storage.kind === 'sqlite' && storage.path !== ':memory:' ? nodeStorePath(storage.path) : null;
};

// As source this file is in worker/, once built in dist/node/.
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

// Unlike `slice` of a Uint8Array, that of a Buffer does not copy.
const plain = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, length);

// Available since Node.js 22.15.
const unzstd: { readonly unzstd?: Unzstd } =
  zlib.zstdDecompressSync === undefined
    ? {}
    : { unzstd: (frames, maxOutputLength) => plain(zlib.zstdDecompressSync(frames, { maxOutputLength })) };

const zstd: Pick<Platform, 'zstd'> =
  zlib.zstdCompressSync === undefined ? {} : { zstd: (bytes) => plain(zlib.zstdCompressSync(bytes)) };

// On a single core it would compete with its client.
const awake =
  availableParallelism() > 1 ? { stayAwake: createAwake(setImmediate, () => performance.now()) } : {};

const signatureThread = import.meta.url.endsWith('.ts')
  ? './crypto/signature-thread.ts'
  : './signature-thread.js';
const startSignatureWorker: Platform['startSignatureWorker'] = () => {
  if (availableParallelism() === 1) return null;
  return new Worker(new URL(signatureThread, import.meta.url), {
    execArgv: [],
  }) as unknown as SignatureWorker;
};

const errors = channel('tabnode:error');

const platform: Platform = {
  loadCrypto: () => loadCrypto(core),
  openDatabase,
  openDamaged: async (storage) => {
    if (storage.kind !== 'sqlite') throw new NodeError('BadConfig', 'There is no SQLite file to repair');
    return openSqliteSalvage(storage.path, (await loadCrypto(core)).blake2b256);
  },
  nodeStoreOf: (storage) => {
    const path = sharedPathOf(storage);
    return path === null
      ? null
      : async () => (await import('./db/node-store-sqlite.ts')).openSqliteNodeStore(path);
  },
  loadRuntime,
  openSpec: openSpecFile,
  loadOpenRpc,
  startSignatureWorker,
  // SQLite's exclusive file lock already keeps other processes out.
  lock: async () => () => undefined,
  ...unzstd,
  ...zstd,
  ...awake,
  now: () => Date.now(),
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  // `tabnode serve --log` subscribes to this channel. Otherwise, an error with a code is printed without its
  // stack, which does not help an operator.
  onError: (error) =>
    errors.hasSubscribers
      ? errors.publish(error)
      : // biome-ignore lint/suspicious/noConsole: a thread's console is the process's stderr
        console.error(errorToLog(error)),
};

/** The node of this thread. Code in the same thread may call it directly. */
export const control: NodeControl = createControl(platform);

/**
 * Loads what a running node imports only when it is needed, because later the process may have no file left to open
 * it with. Late, so that the start is not delayed.
 */
const loadRest = (): void => {
  const rest = [
    import('./consensus/grandpa/voting.ts'),
    import('./consensus/grandpa/prove.ts'),
    import('./consensus/report-equivocation.ts'),
    import('./executor/batched-signatures.ts'),
  ];
  for (const one of rest) one.catch(() => undefined);
};
setTimeout(loadRest, 1000).unref();

const { port } = (workerData ?? {}) as { readonly port?: MessagePort };
/** Loaded by the commands that need it. */
const live: Live = {
  runBlock: async (...request) => (await import('./live.ts')).createLive(platform).runBlock(...request),
  runPack: async (...request) => (await import('./live.ts')).createLive(platform).runPack(...request),
  follow: async (...request) => (await import('./live.ts')).createLive(platform).follow(...request),
  rehearse: async (...request) => (await import('./live.ts')).createLive(platform).rehearse(...request),
};

if (port !== undefined) expose({ ...control, offline: createOffline(platform), live }, nodeEndpoint(port));
