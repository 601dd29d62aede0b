import type { BlockHash, ExtrinsicHash } from '../codec/identity.ts';

/** A status of a watched transaction. `index` is its position in the block's body. */
export type TransactionStatus =
  | { readonly kind: 'future' | 'ready' | 'invalid' }
  /** Sent to these peers, by their ids. */
  | { readonly kind: 'broadcast'; readonly peers: readonly string[] }
  /** `why`: if the reason is not that the pool is full or was emptied. */
  | { readonly kind: 'dropped'; readonly why?: string }
  | { readonly kind: 'inBlock' | 'finalized'; readonly block: BlockHash; readonly index: number }
  | { readonly kind: 'retracted' | 'finalityTimeout'; readonly block: BlockHash }
  | { readonly kind: 'usurped'; readonly by: ExtrinsicHash };

export type Watcher = (status: TransactionStatus) => void;

/** The watchers of each transaction, and the blocks that wait for finality. */
export type Watchers = {
  watch(hash: ExtrinsicHash, watcher: Watcher): () => void;
  notify(hash: ExtrinsicHash, status: TransactionStatus): void;
  /**
   * `held`: the pool knew one of the block's transactions, so the block waits for finality even if unwatched,
   * as in the SDK.
   */
  included(block: BlockHash, hashes: readonly ExtrinsicHash[], held: boolean): void;
  retracted(block: BlockHash): void;
  finalized(block: BlockHash): void;
  clear(): void;
};

/** Whether no further status follows. */
export const isTerminal = (status: TransactionStatus): boolean => {
  switch (status.kind) {
    case 'future':
    case 'ready':
    case 'broadcast':
    case 'inBlock':
    case 'retracted':
      return false;
    case 'dropped':
    case 'invalid':
    case 'usurped':
    case 'finalized':
    case 'finalityTimeout':
      return true;
    default:
      return status satisfies never;
  }
};

/** At most `maxBlocks` blocks wait for finality. Beyond that, the oldest ends with `finalityTimeout`. */
export const createWatchers = (options: { readonly maxBlocks: number }): Watchers => {
  const watchers = new Map<ExtrinsicHash, Set<Watcher>>();
  const awaiting = new Map<BlockHash, (readonly [hash: ExtrinsicHash, index: number])[]>();
  const notify = (hash: ExtrinsicHash, status: TransactionStatus): void => {
    const found = watchers.get(hash);
    if (found === undefined) return;
    if (isTerminal(status)) watchers.delete(hash);
    for (const watcher of [...found]) watcher(status);
  };
  const take = (block: BlockHash): (readonly [hash: ExtrinsicHash, index: number])[] => {
    const found = awaiting.get(block) ?? [];
    awaiting.delete(block);
    return found;
  };
  return {
    watch: (hash, watcher) => {
      const found = watchers.get(hash) ?? new Set();
      // A separate function object, so that the same watcher may be added twice.
      const own: Watcher = (status) => watcher(status);
      watchers.set(hash, found.add(own));
      return () => {
        found.delete(own);
        if (found.size === 0 && watchers.get(hash) === found) watchers.delete(hash);
      };
    },
    notify,
    included: (block, hashes, held) => {
      const waiting = [...hashes.entries()].flatMap(([index, hash]) =>
        watchers.has(hash) ? [[hash, index] as const] : [],
      );
      if (waiting.length === 0 && !held) return;
      awaiting.set(block, waiting);
      for (const [hash, index] of waiting) notify(hash, { kind: 'inBlock', block, index });
      for (const [oldest] of awaiting) {
        if (awaiting.size <= options.maxBlocks) break;
        for (const [hash] of take(oldest)) notify(hash, { kind: 'finalityTimeout', block: oldest });
      }
    },
    retracted: (block) => {
      for (const [hash] of take(block)) notify(hash, { kind: 'retracted', block });
    },
    finalized: (block) => {
      for (const [hash, index] of take(block)) notify(hash, { kind: 'finalized', block, index });
    },
    clear: () => {
      watchers.clear();
      awaiting.clear();
    },
  };
};
