import type { EquivocationStatus } from './equivocations.ts';
import type { ErrorData } from './errors.ts';
import type { ForkSource } from './fork-source.ts';
import type { ForkStatus } from './fork-status.ts';
import type { NetworkConfig } from './network.ts';

/** When blocks are sealed. `interval` in milliseconds; `slots` follows the wall clock. */
export type SealMode =
  | { readonly kind: 'manual' }
  | { readonly kind: 'instant' }
  | { readonly kind: 'interval'; readonly ms: number }
  | { readonly kind: 'slots' };

/**
 * Where chain time comes from. `chain`, the default: each block takes the next slot after its parent's, so a
 * chain that was closed for a while resumes where it stopped. `wall`: follows the wall clock; past slots are
 * not used, so epochs may be skipped. A start: a new chain starts at that time, in ms since 1970, and
 * continues as with `chain`.
 */
export type ClockMode = 'chain' | 'wall' | { readonly startMs: number };

/**
 * How blocks that the node seals are finalized. `delayed`: after a time since clients were notified of them,
 * or after a number of blocks, so that clients first see them as best blocks. `instant`: on import. `manual`:
 * only on request. `grandpa`: by the votes of the GRANDPA authorities.
 */
export type FinalityMode =
  | { readonly kind: 'delayed'; readonly ms: number }
  | { readonly kind: 'delayed'; readonly blocks: number }
  | { readonly kind: 'instant' }
  | { readonly kind: 'manual' }
  | { readonly kind: 'grandpa' };

/** The format of JSON-RPC responses. */
export type Dialect = 'psp-6' | 'polkadot-sdk';

/**
 * A chain: a preset by name, a chain specification as parsed JSON, a bare runtime with a genesis preset or
 * patch, or a fork of a live chain.
 */
export type ChainSource =
  | 'development'
  | 'local_testnet'
  | { readonly wasm: Uint8Array; readonly preset?: string; readonly patch?: string }
  | { readonly specJson: string }
  /** Of a node in Node.js: the file of a chain specification, by its path. */
  | { readonly specFile: string }
  | { readonly fork: ForkSource };

export type StorageSource =
  | {
      readonly kind: 'memory';
      /** Of a fork in Node.js: the file of what all forks of a base path have read. Default: none. */
      readonly nodesPath?: string;
    }
  | { readonly kind: 'indexeddb'; readonly name: string }
  | { readonly kind: 'sqlite'; readonly path: string };

/** Limits of the transaction pool, like the SDK's `--pool-limit`, `--pool-kbytes` and `--tx-ban-seconds`. */
export type PoolSettings = {
  /** Ready transactions, 8192 by default; the future queue gets a tenth of it. */
  readonly limit?: number;
  /** Their size in units of 1024 bytes, 20480 by default; the future queue gets a tenth of it. */
  readonly kbytes?: number;
  /**
   * How long a refused transaction is banned, in seconds; 1800 by default, 0 (never) on the development
   * preset.
   */
  readonly banSeconds?: number;
};

/**
 * When offchain workers run; `when-authority`: on a node that holds keys (`--offchain-worker` of the SDK).
 */
export type OffchainWorkerMode = 'always' | 'never' | 'when-authority';

/**
 * Which blocks below the finalized one are kept: all, or only those of the finalized chain
 * (`--blocks-pruning` of the SDK).
 */
export type BlocksPruning = 'archive' | 'archive-canonical';

/**
 * Which states are kept: all, those of blocks that are not deleted, or those of the last N finalized blocks
 * (`--state-pruning` of the SDK).
 */
export type StatePruning = 'archive' | 'archive-canonical' | number;

/**
 * A mode that the chain must have, or one that applies only if the chain is created now: a chain that exists keeps the
 * mode it was created with.
 */
export type StatePruningChoice = StatePruning | { readonly ifNew: StatePruning };

/** What the worker knows about a method whose handler lives in the page. */
export type CustomInfo = {
  readonly name: string;
  readonly doc: string;
  readonly safety: 'safe' | 'unsafe';
};

export type NodeConfig = {
  readonly chain: ChainSource;
  readonly storage: StorageSource;
  readonly seal: SealMode;
  /** Default: `delayed` by 1.5 s, or `instant` while the seal mode is `manual`. */
  readonly finality?: FinalityMode | undefined;
  readonly dialect: Dialect;
  /** Secret URIs of the keys the node uses for authoring. */
  readonly keys: readonly string[];
  readonly pool?: PoolSettings;
  /** URLs of modules that the worker imports; each exports `rpcMethods`. */
  readonly rpcModules?: readonly string[];
  /** JSON-RPC methods whose handlers run at the other end of a port. */
  readonly rpcPage?: { readonly port: MessagePort; readonly methods: readonly CustomInfo[] };
  /** Default: `when-authority`. */
  readonly offchainWorkers?: OffchainWorkerMode;
  /** Whether blocks may write to the offchain database when they are imported. Default: no. */
  readonly offchainIndexing?: boolean;
  /**
   * Origins that offchain workers may send HTTP requests to, such as `https://example.com`. Default: none.
   */
  readonly offchainHttp?: readonly string[];
  /** Default: `archive-canonical`. */
  readonly blocksPruning?: BlocksPruning;
  /**
   * Set when a chain is created; only the number may change later. Default: the mode the chain was created
   * with, `archive` for a new one.
   */
  readonly statePruning?: StatePruningChoice | undefined;
  /**
   * Whether blocks are sealed by slots also while the node, one of several authorities, has no peer, or is far behind its peers
   * (`--force-authoring`). Default: no.
   */
  readonly forceAuthoring?: boolean;
  /** Takes part in a network of other nodes (docs/network.md). Default: none. */
  readonly network?: NetworkConfig;
  /** Where TCP connections are requested, in Node.js; without it, only WebSockets are dialed. */
  readonly sockets?: MessagePort;
  /**
   * The secret of the key by which other nodes know this one: 32 bytes as hex with `0x` (`--node-key` of the SDK). Default:
   * made once, and stored with the chain.
   */
  readonly nodeKey?: string;
  /** For tests: our own blocks are executed a second time and their roots compared again. */
  readonly verifyOwnBlocks?: boolean;
  /**
   * Whether blocks are accepted without verifying who sealed them, for damaged recordings (decision 23).
   * Default: no.
   */
  readonly trustBlocks?: boolean;
  /**
   * Whether a mock signature is valid for every account, as if all were impersonated (decision 7). Default:
   * no.
   */
  readonly mockSignatures?: boolean;
  /**
   * Whether clients see what chopsticks shows them (decision 80): watchers of a transaction are told 100 ms after `inBlock`
   * that its block is final, and not at once; `dev_setHead` leaves the transactions of a block behind with it. Default: no.
   */
  readonly likeChopsticks?: boolean;
  /** Default: `chain`. */
  readonly clock?: ClockMode;
  /** Seizes the chain from a tab that does not respond; that tab cannot write to it again. Default: no. */
  readonly seizes?: boolean;
  /** Memory limit for cached trie nodes, in bytes. Walks over whole states may take half of it. Default: 64 MiB. */
  readonly cacheBytes?: number;
};

export type StartInfo = {
  readonly chainName: string;
  readonly genesisHash: string;
  readonly bestNumber: number;
  readonly bestHash: string;
  readonly finalizedNumber: number;
  /** Of a fork: the block of the live chain from which it continues. */
  readonly base?: { readonly hash: string; readonly number: number };
  /** Of a fork: the storage held it already, so that a pack was only compared with it. Only at the start. */
  readonly wasStored?: true;
};

export type NodeStatus = Omit<StartInfo, 'wasStored'> & {
  readonly finalizedHash: string;
  readonly ready: number;
  readonly future: number;
  readonly seal: SealMode;
  /**
   * Why the seal mode's last block was not sealed, as code and text; null once one is, or another mode is
   * set.
   */
  readonly sealFault: { readonly code: string; readonly message: string } | null;
  readonly finality: FinalityMode;
  /** Whether the operator chose it; otherwise it follows the seal mode. */
  readonly finalityChosen: boolean;
  /**
   * True until a node that has just started knows which keys of GRANDPA's authorities it has: a default mode may become
   * `grandpa` then.
   */
  readonly finalityUndecided: boolean;
  readonly storage: StorageSource['kind'];
  /**
   * Why the database cannot be used, as code and text: the browser has closed it and does not open it again, or
   * someone else has deleted it or taken it over. Null if it can be used.
   */
  readonly storageFault: { readonly code: string; readonly message: string } | null;
  readonly specName: string;
  readonly specVersion: number;
  /**
   * Whether the best chain may contain something that no other node would accept: a state set by
   * `dev_setStorage`, or mock signatures.
   */
  readonly modified: boolean;
  /** Hashes of the blocks whose state was set by `dev_setStorage`, forks included. */
  readonly edited: readonly string[];
  /** Public keys of the accounts enabled by `dev_impersonate`. */
  readonly impersonated: readonly string[];
  /** Whether the node was started with mock signatures valid for every account. */
  readonly mockSignatures: boolean;
  /** Whether blocks are accepted without verifying who sealed them. */
  readonly trustBlocks: boolean;
  /** Fields of the chain specification that no node of the SDK knows, and which have no effect. */
  readonly ignoredSpecFields: readonly string[];
  /** Which states the chain keeps. */
  readonly statePruning: StatePruning;
  /** The earliest time of the next block since `dev_timeTravel`, in ms since 1970; 0 if the clock was not moved. */
  readonly clockMovedToMs: number;
  readonly equivocations: EquivocationStatus;
  /** Null: the chain is no fork. */
  readonly fork: ForkStatus | null;
};

/**
 * Expected failures cross the worker boundary as data, because Comlink would drop everything of an error but
 * its text.
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorData };

/** Limits of one connection. Sizes in bytes; `maxBatch` 0 refuses batches. */
export type RpcLimits = {
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly maxBatch: number;
  readonly maxSubscriptions: number;
  /** Null: no limit. */
  readonly callsPerMinute: number | null;
};

/**
 * Which calls a connection refuses: with `true` those that any dialect marks unsafe, with a dialect those
 * that it marks, with `false` none. The side that opens the connection decides; the client's dialect has no
 * influence.
 */
export type DenyUnsafe = boolean | Dialect;

/** A port that carries the texts of a WebSocket or of HTTP has size limits; a page's own port has none. */
export type ConnectOptions = {
  readonly dialect: Dialect;
  readonly denyUnsafe: DenyUnsafe;
  readonly transport?: 'port' | 'ws' | 'http';
  readonly limits?: Partial<RpcLimits>;
};

/** Bytes as hex, or as the numbers that the SDK writes in justifications. */
type BytesJson = string | readonly number[];

/**
 * A result of `chain_getBlock`, the form in which blocks are imported from a file. All bytes are hex with
 * `0x`.
 */
export type SignedBlockJson = {
  readonly block: {
    readonly header: {
      readonly parentHash: string;
      readonly number: string | number;
      readonly stateRoot: string;
      readonly extrinsicsRoot: string;
      readonly digest: { readonly logs: readonly string[] };
    };
    /** Each complete, with its length prefix. */
    readonly extrinsics: readonly string[];
  };
  /** The proofs that the block is final: engine id (four bytes) and payload of each justification. */
  readonly justifications?: readonly (readonly [engine: BytesJson, data: BytesJson])[] | null;
};

export type RepairOptions = {
  /** Whether the repair is written; otherwise it is only reported. */
  readonly apply: boolean;
};

/** What a repair did, or would do. */
export type RepairReport = {
  /** `whole`: nothing is damaged; `planned`: nothing was written; `repaired`. */
  readonly outcome: 'whole' | 'planned' | 'repaired';
  /** The head of the chain afterwards. */
  readonly head: { readonly number: number; readonly hash: string };
  readonly finalizedNumber: number;
  /** The blocks above the new head that the best chain loses. */
  readonly lostBlocks: { readonly from: number; readonly to: number } | null;
  /** Numbers of the blocks whose dev state is lost; null if the list itself is damaged. */
  readonly lostStates: readonly number[] | null;
  /** Names of the lost snapshots; unreadable ones are only counted (`damaged`). */
  readonly lostSnapshots: readonly string[];
  /** Damaged records by store, which are removed. */
  readonly damaged: Readonly<Record<string, number>>;
  /** Lost trie nodes that are recomputed from the specification. */
  readonly healedNodes: number;
  /** Numbers of the blocks whose state was walked completely and is intact; no other state was checked. */
  readonly checkedStates: readonly number[];
  /** States were pruned, and the data needed for that is damaged: from now on all states are kept. */
  readonly pruningStops: boolean;
  /** Where the damaged database is kept; null if it was repaired in place, or nothing was written. */
  readonly keptAt: string | null;
};

export type ImportedBlocks = {
  /** The hashes of the blocks that are now in the chain, in order, including those that were already known. */
  readonly hashes: readonly string[];
  /** Why justifications that came with these blocks were dropped; each text names its block. */
  readonly badJustifications: readonly string[];
  /** Why the block after these was refused; null if none was. */
  readonly refusal: ErrorData | null;
};

/** The functions called through Comlink; everything else is JSON-RPC over a port. */
export type NodeControl = {
  start(config: NodeConfig): Promise<Outcome<StartInfo>>;
  /** Loads and compiles what a start of the chain needs, for a worker that waits until another tab ends. */
  prepare(chain: ChainSource): Promise<void>;
  /**
   * Brings a damaged database back to its last intact block, while no node runs. `onProgress` receives the
   * number of trie nodes checked so far.
   */
  repair(
    config: Pick<NodeConfig, 'chain' | 'storage'>,
    options: RepairOptions,
    onProgress?: (nodes: number) => void,
  ): Promise<Outcome<RepairReport>>;
  stop(): Promise<void>;
  status(): Promise<Outcome<NodeStatus>>;
  connect(port: MessagePort, options: ConnectOptions): Promise<Outcome<null>>;
  /**
   * Links the node with another one at the other end of the port (decision 45). Returns the number by which
   * `unlink` ends the link.
   */
  link(port: MessagePort): Promise<Outcome<number>>;
  unlink(link: number): Promise<Outcome<null>>;
  /**
   * Hands a node in a network the connection of another one that has dialed it: a port that carries its bytes, and the
   * host it comes from, of which few may connect at the same time.
   */
  acceptPeer(port: MessagePort, host?: string): Promise<Outcome<null>>;
  /** Says on which addresses others reach the node: multiaddrs without the peer id. */
  listensOn(addresses: readonly string[]): Promise<Outcome<null>>;
  /**
   * Imports blocks one after the other, each a SCALE `SignedBlock`, and stops at the first refused one.
   * `chainTimeMs` is the chain time that the blocks' file declares (decision 23).
   */
  importBlocks(blocks: readonly Uint8Array[], chainTimeMs?: number): Promise<Outcome<ImportedBlocks>>;
};
