import type { ForkProgress } from './fork-source.ts';

/** What a runtime that was built with `try-runtime` checks besides; in the order of UpgradeCheckSelect (frame-support, traits/try_runtime). */
export const upgradeChecks = ['none', 'all', 'pre-and-post', 'try-state'] as const;
export type UpgradeChecks = (typeof upgradeChecks)[number];

/** How many blocks multi-block migrations may take, unless somebody says otherwise, and at most. */
export const usualMaxBlocks = 1000;
export const mostMaxBlocks = 1_000_000;

export type RehearsalOptions = {
  /** Default: `pre-and-post` if the new runtime has the API, else `none`. */
  readonly checks?: UpgradeChecks | undefined;
  /** The multi-block migrations must end within this many blocks. */
  readonly maxBlocks: number;
};

/** A sum and what it may be; both as decimal text if they can be above 2^53. Without a limit: null. */
export type Measured<T> = { readonly used: T; readonly limit: T | null; readonly isOver: boolean };

/** `proofSize` is what the runtime has registered, not what was measured. */
export type RehearsedWeight = {
  readonly refTime: Measured<string>;
  readonly proofSize: Measured<string>;
};

/** The trie nodes and values that were read, in bytes. */
export type RehearsedProof = {
  readonly nodes: number;
  /** The sum of their SCALE lengths. */
  readonly plain: number;
  /** As a compact proof (sp-trie, `encode_compact`). */
  readonly compact: number;
  /** The compact proof compressed by zstd, which is what a candidate contains; null if nothing here can compress. */
  readonly zstd: number | null;
  /** Of `zstd`, else of `compact`; null for a chain that is no parachain, whose blocks carry no proof. */
  readonly limit: number | null;
  readonly isOver: boolean;
};

/** What a part of the rehearsal took. */
export type RehearsedCost = {
  /** Time of its execution in ms, without reads over the network. */
  readonly ms: number;
  /** Keys of the state that were read, each once. */
  readonly keysRead: number;
  readonly proof: RehearsedProof;
};

/** Values that changed in one storage item. `item` null: the metadata does not describe the keys, and `pallet` is a pallet, a well-known key or hex. */
export type ChangedItem = {
  readonly pallet: string;
  readonly item: string | null;
  readonly written: number;
  readonly removed: number;
};

export type RehearsedBlock = RehearsedCost & {
  readonly number: number;
  readonly stateRoot: string;
  /** Whether multi-block migrations were still active after it. */
  readonly isMigrating: boolean;
  /** All that the block weighs; null for a runtime that does not say. */
  readonly weight: RehearsedWeight | null;
};

/** The rehearsal of a runtime upgrade on the state of a block. Nothing of it is stored. */
export type RehearsalReport = {
  readonly block: { readonly number: number; readonly hash: string };
  readonly specName: string;
  readonly specVersion: { readonly before: number; readonly after: number };
  /** `TryRuntime_on_runtime_upgrade`; null if the new runtime does not have it. */
  readonly checks: {
    readonly selected: UpgradeChecks;
    /** Null: they have passed. */
    readonly failure: string | null;
    /** What the migrations weigh, as the runtime says; null if they failed. */
    readonly weight: RehearsedWeight | null;
    readonly ms: number;
    readonly keysRead: number;
    /** Errors and warnings that the runtime has logged, the last ones. */
    readonly logs: readonly string[];
  } | null;
  /** `on_runtime_upgrade` as part of the next block; null if it fails. */
  readonly migration:
    | (RehearsedCost & {
        /** What it adds to the weight of the block; null for a runtime that does not say. */
        readonly weight: RehearsedWeight | null;
        /** How many values it changes, by storage item. */
        readonly changes: readonly ChangedItem[];
        /** The first changes by name, as the old runtime and the new one decode them. */
        readonly old: Readonly<Record<string, unknown>>;
        readonly new: Readonly<Record<string, unknown>>;
        /** How many changes are left out of `old` and `new`. */
        readonly omitted: number;
      })
    | null;
  /** Null: the runtime has none, or none was started. */
  readonly multiBlock: {
    readonly pallet: string;
    readonly blocks: number;
    readonly outcome: 'completed' | 'failed' | 'unfinished';
  } | null;
  /** The blocks on the new code, the upgrade's own first. Null: they cannot be built here, `notes` says why. */
  readonly blocks: readonly RehearsedBlock[] | null;
  /** What speaks against the upgrade, a sentence each. */
  readonly problems: readonly string[];
  /** What was not rehearsed, a sentence each. */
  readonly notes: readonly string[];
  /** Read over the network. */
  readonly requests: number;
  readonly bytes: number;
};

/** The parts of a rehearsal, in their order: the runtime's own checks, `on_runtime_upgrade`, the blocks on the new code. */
export const rehearsalSteps = ['checks', 'upgrade', 'blocks'] as const;
export type RehearsalStep = (typeof rehearsalSteps)[number];

/** How far a rehearsal has come. */
export type RehearsalPosition = {
  readonly step: RehearsalStep;
  /** The number of the block that is built; null in the checks. */
  readonly block: number | null;
  /** Keys of the state that were read so far. What another step reads again counts again. */
  readonly keys: number;
};

export type RehearsalProgress = ForkProgress & {
  /** Values that the runtime has read so far in the call in work, which begins again at what is missing. 0: no long call is in work. */
  readonly executed: number;
};

export type OnRehearsalProgress = (progress: RehearsalProgress) => void;
