import type { NodeConfig } from '../src/protocol/node.ts';
import type { GivenSpec } from './chain/genesis/spec.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { StartSignatureWorker } from './crypto/signature-helper.ts';
import type { Database } from './db/database.ts';
import type { Salvage } from './db/salvage.ts';
import type { Unzstd } from './executor/code-blob.ts';
import type { PrepareDeps } from './fork/open.ts';

/** What the environment provides. Only this differs between the entries for browsers and Node.js. */
export type Platform = {
  loadCrypto(): Promise<Crypto>;
  openDatabase(config: Pick<NodeConfig, 'storage' | 'seizes'>): Promise<Database>;
  /** Opens a database that may be damaged, for a repair. */
  openDamaged(storage: NodeConfig['storage']): Promise<Salvage>;
  /** The code blob of the default runtime. */
  loadRuntime(): Promise<Uint8Array>;
  /** Opens the file of a chain specification, if the platform has files. Throws `BadSpec`. */
  readonly openSpec?: (path: string) => Promise<GivenSpec>;
  /** The text of docs/openrpc.json. */
  loadOpenRpc(): Promise<string>;
  /** Locks the database for writing. Returns the function that releases it; throws `ChainInUse`. */
  lock(config: Pick<NodeConfig, 'storage' | 'seizes'>): Promise<() => void>;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  /** The platform's own zstd, if it has a synchronous one. */
  readonly unzstd?: Unzstd;
  /** Compresses at the level of native nodes, if the platform has libzstd. */
  readonly zstd?: (bytes: Uint8Array) => Uint8Array;
  onError(error: unknown): void;
  /** Starts the helper that verifies signatures. Null: there is no second core. Default: that of a browser. */
  readonly startSignatureWorker?: StartSignatureWorker;
  /** Memory limit for trie nodes that have not been moved out of their journals. */
  readonly journalBytes?: number;
  /** Opens the live chain of a fork. Default: over the network. */
  readonly openOrigin?: PrepareDeps['openOrigin'];
  /** How to open what all forks beside a chain's storage share; null if there is none. Default: there is none. */
  readonly nodeStoreOf?: (storage: NodeConfig['storage']) => PrepareDeps['openNodeStore'];
  /** Keeps the thread awake for a moment. Called after each message of a client. */
  readonly stayAwake?: () => void;
};
