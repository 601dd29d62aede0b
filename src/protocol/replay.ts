import type { ErrorData } from './errors.ts';
import type { ExpectedChain, ForkSource } from './fork-source.ts';
import type { Outcome } from './node.ts';
import type { OnRehearsalProgress, RehearsalOptions, RehearsalReport } from './rehearsal.ts';

/** Which live chain is read, and how. */
export type OriginChoice = {
  /** URLs (ws, wss, http, https) of 1 to 16 nodes of one chain, the preferred one first. */
  readonly endpoints: readonly string[];
  /** The chain that they must be of. Default: any. */
  readonly expected?: ExpectedChain | undefined;
};

/** Named or raw storage: `{pallet: {item: {key: value}}}` in the JSON of polkadot-js, or hex under the full key. */
export type StorageJson = Readonly<Record<string, unknown>>;

/** `initialization`, `finalization`, or `extrinsic 2`. */
export type PhaseText = string;

/** What one part of a block's execution did. */
export type PhaseReport = {
  readonly phase: PhaseText;
  /** Time of its execution, without reads over the network. */
  readonly ms: number;
  readonly logs: readonly string[];
  /** Why its dispatch failed; null if it did not. A failed extrinsic is part of the block. */
  readonly dispatchError: string | null;
  /** As its ExtrinsicSuccess or ExtrinsicFailed event reports it; null for other phases and old runtimes. */
  readonly weight: { readonly refTime: string; readonly proofSize: string | null } | null;
  /** `{name: "Pallet.Event", data}`, or null if the metadata is older than V14. */
  readonly events: readonly { readonly name: string; readonly data: unknown }[] | null;
  readonly old: StorageJson;
  readonly new: StorageJson;
};

/** Where the execution of a block differs from the live chain. */
export type ReplayDifference = {
  /** The first part that differs; null if no part of the execution here wrote what differs. */
  readonly phase: PhaseText | null;
  /** Why, in words. */
  readonly why: string;
  /** What differs after the block: here, and on the live chain. */
  readonly here: StorageJson;
  readonly there: StorageJson;
};

/** The execution of one block of a live chain on its parent's proven state. */
export type ReplayReport = {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly specName: string;
  readonly specVersion: number;
  readonly extrinsics: number;
  /** The header's. */
  readonly stateRoot: string;
  /** Null if the block cannot be executed to its end. */
  readonly computedRoot: string | null;
  readonly isSame: boolean;
  readonly difference: ReplayDifference | null;
  /** Read over the network for this block. */
  readonly requests: number;
  readonly bytes: number;
  /** Time of the execution alone. */
  readonly executionMs: number;
  /** Null unless it was requested. */
  readonly phases: readonly PhaseReport[] | null;
};

export type FollowChoice = {
  /** Which heads are followed. */
  readonly head: 'best' | 'finalized';
  /** Ends after this many blocks. Null: never. */
  readonly count: number | null;
  /** Ends at the first block that differs. */
  readonly stopsAtDifference: boolean;
};

/** What is made of blocks besides the reports. */
export type PackChoice = {
  /** Whether a block that differs, or the base of a rehearsal, is packed, with all that its execution reads. */
  readonly packs: boolean;
};

/** Work on live chains without a node of their own. Throws the errors of endpoints: `EndpointFailed`, `EndpointLied`, `EndpointUnfit`. */
export type Live = {
  /**
   * Executes a block, given by its hash, its number, `best` or `finalized`, and reports each phase. Throws
   * `UnknownBlock`.
   */
  runBlock(
    choice: OriginChoice,
    block: string,
    options: PackChoice,
    onProgress: (requests: number, bytes: number) => void,
  ): Promise<Outcome<{ readonly report: ReplayReport; readonly pack: Uint8Array | null }>>;
  /** Executes the block of a pack again, without a network. Throws `BadValue`. */
  runPack(pack: Uint8Array): Promise<Outcome<ReplayReport>>;
  /** Executes each new block. Resolves to the pack of the last one that differs; null: all were the same, or none is packed. */
  follow(
    choice: OriginChoice,
    options: FollowChoice & PackChoice,
    onBlock: (report: ReplayReport) => void,
    onProblem: (error: ErrorData) => void,
  ): Promise<Outcome<Uint8Array | null>>;
  /**
   * Rehearses an upgrade to other code on a block of a live chain or the base of a pack. With `packs`, also resolves to a
   * pack of all that it has read. Throws `BadCode`, `MissingApi`, `UnknownBlock`, `NotCached`, `BadValue` for a damaged pack.
   */
  rehearse(
    source: Omit<ForkSource, 'progress'>,
    code: Uint8Array,
    options: RehearsalOptions & PackChoice,
    onProgress: OnRehearsalProgress,
  ): Promise<Outcome<{ readonly report: RehearsalReport; readonly pack: Uint8Array | null }>>;
};
