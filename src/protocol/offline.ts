import type { ChainSource, NodeConfig, Outcome, StorageSource } from './node.ts';

/** A stored chain that no node runs. */
export type StoredChain = Pick<NodeConfig, 'chain' | 'storage'>;

/** Metadata of a specification besides its genesis; missing parts are taken from the source. */
export type SpecNames = {
  readonly name?: string;
  readonly id?: string;
  /** `Development`, `Local`, `Live`, or a custom name. */
  readonly chainType?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
};

/** The keys of the SDK's `chain-info`. */
export type ChainInfo = {
  readonly best_hash: string;
  readonly best_number: number;
  readonly genesis_hash: string;
  readonly finalized_hash: string;
  readonly finalized_number: number;
};

export type BlockReport = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly stateRoot: string;
  readonly extrinsicsRoot: string;
  readonly extrinsics: number;
};

/** `keys` includes those of child tries. */
export type StateReport = Pick<BlockReport, 'number' | 'hash'> & { readonly keys: number };

export type RevertReport = {
  readonly reverted: number;
  readonly bestNumber: number;
  readonly bestHash: string;
  readonly finalizedNumber: number;
};

/** Receives a text in parts; the next part is created once the promise has resolved. */
export type WriteText = (text: string) => Promise<void>;

/**
 * Operations on chains without a running node, in Node.js only. A block is given as its hash, its number, or
 * null for the best one. Throws like `NodeControl.start`, and `UnknownBlock`.
 */
export type Offline = {
  /** The genesis presets of a runtime. Throws `MissingApi` if it has no GenesisBuilder. */
  listPresets(chain: ChainSource): Promise<Outcome<readonly string[]>>;
  /** Writes a chain specification: plain, unless `isRaw` is set or the source is raw. `patch`: JSON that is merged over its genesis. */
  buildSpec(
    chain: ChainSource,
    patch: string | null,
    isRaw: boolean,
    names: SpecNames,
    write: WriteText,
  ): Promise<Outcome<{ readonly genesisHash: string }>>;
  /** Writes a raw specification whose genesis is the state of a block. Throws `StateDiscarded`. */
  exportState(
    stored: StoredChain,
    block: string | null,
    names: SpecNames,
    write: WriteText,
    onKeys: (keys: number) => void,
  ): Promise<Outcome<StateReport>>;
  /**
   * Executes a block again. Throws `BadBlock`, `StateRootMismatch`, `ExtrinsicsRootMismatch`,
   * `StateDiscarded`.
   */
  checkBlock(stored: StoredChain, block: string | null): Promise<Outcome<BlockReport>>;
  /** Removes up to `count` blocks from the top, but no finalized ones. */
  revert(stored: StoredChain, count: number): Promise<Outcome<RevertReport>>;
  chainInfo(stored: StoredChain): Promise<Outcome<ChainInfo>>;
  /** Throws `ChainInUse` if a node has the database open. A damaged one counts as free. */
  checkFree(storage: StorageSource): Promise<Outcome<null>>;
};
