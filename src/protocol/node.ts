import type { EquivocationStatus } from './equivocations.ts';
import type { ErrorData } from './errors.ts';

/** When blocks are sealed. `interval` in milliseconds; `slots` follows the wall clock. */
export type SealMode =
  | { readonly kind: 'manual' }
  | { readonly kind: 'instant' }
  | { readonly kind: 'interval'; readonly ms: number }
  | { readonly kind: 'slots' };

/**
 * Where chain time comes from. `chain`, the default: each block takes the next slot after its parent's, so
 * that a chain that was closed for a while goes on where it stood. `wall`: no slot that the wall clock has
 * passed, epochs are skipped. A start: a new chain begins at that moment, in ms since 1970, and goes on as by
 * `chain`.
 */
export type ClockMode = 'chain' | 'wall' | { readonly startMs: number };

/**
 * How blocks that the node seals become final. `delayed`: so long after clients were told of them, or under
 * so many blocks, that clients see them as best blocks first. `instant`: with their import. `manual`: only
 * when asked.
 */
export type FinalityMode =
  | { readonly kind: 'delayed'; readonly ms: number }
  | { readonly kind: 'delayed'; readonly blocks: number }
  | { readonly kind: 'instant' }
  | { readonly kind: 'manual' };

/** Which forms the JSON-RPC answers have (RPC.md, Dialects). */
export type Dialect = 'psp-6' | 'polkadot-sdk';

/**
 * A chain: a preset by name, a chain specification as parsed JSON, or a bare runtime with a genesis preset or
 * patch.
 */
export type ChainSource =
  | 'development'
  | 'local_testnet'
  | { readonly wasm: Uint8Array; readonly preset?: string; readonly patch?: string }
  | { readonly specJson: string };

export type StorageSource =
  | { readonly kind: 'memory' }
  | { readonly kind: 'indexeddb'; readonly name: string }
  | { readonly kind: 'sqlite'; readonly path: string };

/** Bounds of the transaction pool, as the SDK's `--pool-limit`, `--pool-kbytes` and `--tx-ban-seconds`. */
export type PoolSettings = {
  /** Ready transactions, 8192 unless set; the future queue takes a tenth of it. */
  readonly limit?: number;
  /** Their bytes in units of 1024, 20480 unless set; the future queue takes a tenth of it. */
  readonly kbytes?: number;
  /**
   * How long a refused transaction may not come back; 1800 unless set, 0 (never banned) on the development
   * preset.
   */
  readonly banSeconds?: number;
};

/**
 * When offchain workers run; `when-authority`: on a node that holds keys (`--offchain-worker` of the SDK).
 */
export type OffchainWorkerMode = 'always' | 'never' | 'when-authority';

/**
 * Which blocks are kept below the finalized one: all, or those of its chain alone (`--blocks-pruning` of the
 * SDK).
 */
export type BlocksPruning = 'archive' | 'archive-canonical';

/**
 * Which states are kept: all, those of blocks that are not deleted, or those of the last so many finalized
 * blocks (`--state-pruning` of the SDK).
 */
export type StatePruning = 'archive' | 'archive-canonical' | number;

/** What the worker knows of a method whose handler lives in the page. */
export type CustomInfo = {
  readonly name: string;
  readonly doc: string;
  readonly safety: 'safe' | 'unsafe';
};

export type NodeConfig = {
  readonly chain: ChainSource;
  readonly storage: StorageSource;
  readonly seal: SealMode;
  /** Default: `delayed` by 1.5 s, `instant` while the seal mode is `manual`. */
  readonly finality?: FinalityMode | undefined;
  readonly dialect: Dialect;
  /** Secret URIs whose keys the node holds for authoring. */
  readonly keys: readonly string[];
  readonly pool?: PoolSettings;
  /** Addresses of modules that the worker imports; each exports `rpcMethods`. */
  readonly rpcModules?: readonly string[];
  /** JSON-RPC methods whose handlers answer at the other end of a port. */
  readonly rpcPage?: { readonly port: MessagePort; readonly methods: readonly CustomInfo[] };
  /** Default: `when-authority`. */
  readonly offchainWorkers?: OffchainWorkerMode;
  /** Whether blocks may write to the offchain database when they are imported. Default: no. */
  readonly offchainIndexing?: boolean;
  /**
   * Origins that offchain workers may send http requests to, such as `https://example.com`. Default: none.
   */
  readonly offchainHttp?: readonly string[];
  /** Default: `archive-canonical`. */
  readonly blocksPruning?: BlocksPruning;
  /**
   * Chosen when a chain is made; only the number may change later. Default: as the chain was made, a new one
   * `archive`.
   */
  readonly statePruning?: StatePruning | undefined;
  /** For tests: each block of our own is executed a second time and its roots are compared again. */
  readonly verifyOwnBlocks?: boolean;
  /** Whether blocks are accepted without verifying who sealed them, for damaged recordings (decision 23). Default: no. */
  readonly trustBlocks?: boolean;
  /**
   * Whether a mock signature holds for every account, as if all were impersonated (decision 7). Default: no.
   */
  readonly mockSignatures?: boolean;
  /** Default: `chain`. */
  readonly clock?: ClockMode;
  /** What decoded trie nodes may take in memory. Default: 64 MiB. */
  readonly cacheBytes?: number;
};

export type StartInfo = {
  readonly chainName: string;
  readonly genesisHash: string;
  readonly bestNumber: number;
  readonly bestHash: string;
  readonly finalizedNumber: number;
};

export type NodeStatus = StartInfo & {
  readonly finalizedHash: string;
  readonly ready: number;
  readonly future: number;
  readonly seal: SealMode;
  /**
   * Why the seal mode's last block was not sealed, by code and text; null once one is, or another mode is
   * set.
   */
  readonly sealFault: { readonly code: string; readonly message: string } | null;
  readonly finality: FinalityMode;
  /** Whether the operator chose it; else it follows the seal mode. */
  readonly finalityChosen: boolean;
  readonly storage: StorageSource['kind'];
  readonly specName: string;
  readonly specVersion: number;
  /**
   * The best chain holds what no other node would accept, or may: a state set by `dev_setStorage`, or mock
   * signatures hold.
   */
  readonly modified: boolean;
  /** Public keys of the accounts that `dev_impersonate` opened. */
  readonly impersonated: readonly string[];
  /** Whether the node was started so that a mock signature holds for every account. */
  readonly mockSignatures: boolean;
  /** Whether blocks are accepted without verifying who sealed them. */
  readonly trustBlocks: boolean;
  /** Which states the chain keeps. */
  readonly statePruning: StatePruning;
  readonly equivocations: EquivocationStatus;
};

/**
 * Expected failures cross the worker boundary as data: Comlink would drop everything of an error but its
 * text.
 */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorData };

/** Bounds of one connection (RPC.md §4.6). Sizes in bytes; `maxBatch` 0 refuses batches. */
export type RpcLimits = {
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
  readonly maxBatch: number;
  readonly maxSubscriptions: number;
  /** Null: as many as come. */
  readonly callsPerMinute: number | null;
};

/**
 * Which calls a connection refuses: with `true` those that any dialect marks unsafe, with a dialect those
 * that it marks, with `false` none. Whoever opens the connection decides; the dialect that its client speaks
 * has no say.
 */
export type DenyUnsafe = boolean | Dialect;

/**
 * A port that carries a WebSocket's or HTTP's texts has their limits; a page's own port has no sizes to keep.
 */
export type ConnectOptions = {
  readonly dialect: Dialect;
  readonly denyUnsafe: DenyUnsafe;
  readonly transport?: 'port' | 'ws' | 'http';
  readonly limits?: Partial<RpcLimits>;
};

/** Bytes as hex, or as the numbers that the SDK writes in justifications. */
type BytesJson = string | readonly number[];

/**
 * A result of `chain_getBlock` (RPC.md §0.2): how a block enters from a file. All bytes are hex with `0x`.
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
    /** Each whole, with its length prefix. */
    readonly extrinsics: readonly string[];
  };
  /** What proves the block final: engine id (four bytes) and payload of each. */
  readonly justifications?: readonly (readonly [engine: BytesJson, data: BytesJson])[] | null;
};

export type RepairOptions = {
  /** Whether the result is written; else it is only told. */
  readonly apply: boolean;
};

/** What a repair did, or would do. */
export type RepairReport = {
  /** `whole`: nothing is damaged; `planned`: nothing was written; `repaired`. */
  readonly outcome: 'whole' | 'planned' | 'repaired';
  /** Where the chain stands afterwards. */
  readonly head: { readonly number: number; readonly hash: string };
  readonly finalizedNumber: number;
  /** The blocks above the new head that the best chain loses. */
  readonly lostBlocks: { readonly from: number; readonly to: number } | null;
  /** Numbers of the blocks whose dev state is lost; null where the list itself is damaged. */
  readonly lostStates: readonly number[] | null;
  /** Names of the snapshots that go; of those that cannot be read the number alone is known (`damaged`). */
  readonly lostSnapshots: readonly string[];
  /** Damaged records by store, which go. */
  readonly damaged: Readonly<Record<string, number>>;
  /** Trie nodes that were lost and are computed again from the specification. */
  readonly healedNodes: number;
  /**
   * Numbers of the blocks whose whole state was walked and is there; that of no other block is known to be.
   */
  readonly checkedStates: readonly number[];
  /** States were pruned, and what it needs for that is damaged: from now on all states are kept. */
  readonly pruningStops: boolean;
  /** Where the damaged database is kept; null where it was repaired in place, or nothing was written. */
  readonly keptAt: string | null;
};

/** The functions that Comlink carries; everything else is JSON-RPC over a port. */
export type NodeControl = {
  start(config: NodeConfig): Promise<Outcome<StartInfo>>;
  /**
   * Brings a damaged database back to its last whole block, while no node runs. `onProgress` hears how many
   * trie nodes were looked at.
   */
  repair(
    config: Pick<NodeConfig, 'chain' | 'storage'>,
    options: RepairOptions,
    onProgress?: (nodes: number) => void,
  ): Promise<Outcome<RepairReport>>;
  stop(): Promise<void>;
  status(): Promise<Outcome<NodeStatus>>;
  connect(port: MessagePort, options: ConnectOptions): Promise<Outcome<null>>;
  /** `chainTimeMs` is the chain time that the block's file declares (decision 23). */
  importBlock(
    block: SignedBlockJson,
    chainTimeMs?: number,
  ): Promise<Outcome<{ readonly hash: string; readonly number: number }>>;
};
