import type { Chain } from '../../chain/chain.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { reputationChanges } from '../reputation-changes.ts';
import type { Downloaded } from './response.ts';

export type ImportQueueDeps = {
  readonly chain: Pick<Chain, 'import' | 'view'>;
  /** Whether the node is far behind its peers, so that what it imports is old. */
  readonly isSyncing: () => boolean;
  readonly rate: (peer: string, change: number) => void;
  /** Rates a peer that has sent something bad, and leaves it. */
  readonly punish: (peer: string, change: number) => void;
  /** After each block. */
  readonly onImported: () => void;
  /** A block was refused, and those above it are dropped. */
  readonly onRefused: () => void;
  readonly onError: (error: unknown) => void;
};

/** Refusals that say nothing about the peer: our clock may be wrong, and our queue full. */
const innocent: ReadonlySet<string> = new Set(['UnknownParent', 'FutureBlock', 'QueueFull', 'Aborted']);

/** Downloaded blocks, which wait for the chain's import queue and enter it one by one. */
export type ImportQueue = {
  /** Ascending blocks whose first has a known parent. */
  add(blocks: readonly Downloaded[]): void;
  /** Whether it is waiting or being imported. */
  has(hash: BlockHash): boolean;
  count(): number;
  bytes(): number;
  /** Drops what waits. Resolves when no import is under way. */
  close(): Promise<void>;
};

export const createImportQueue = (deps: ImportQueueDeps): ImportQueue => {
  const { chain, punish, onError } = deps;
  const waiting = new Map<BlockHash, Downloaded>();
  let bytes = 0;
  let working: Promise<void> | null = null;
  const drop = (one: Downloaded): void => {
    waiting.delete(one.hash);
    bytes -= one.bytes;
  };
  /** False if the block, and with it what follows, did not get into the chain. */
  const importOne = async ({ block, peer }: Downloaded): Promise<boolean> => {
    const { justifications, ...content } = block;
    const origin = deps.isSyncing() ? 'sync' : 'announced';
    const result = await chain.import(content, { justifications, origin });
    if (!result.ok) {
      if (!innocent.has(result.code)) punish(peer, reputationChanges.badBlock);
      return false;
    }
    if (result.badJustification !== undefined) deps.rate(peer, reputationChanges.badJustification);
    return true;
  };
  const work = async (): Promise<void> => {
    for (const one of waiting.values()) {
      // The block below it was refused.
      const isJoined = chain.view.tree.get(one.parent) !== null;
      const isIn = isJoined && (await importOne(one));
      drop(one);
      if (isIn) deps.onImported();
      else if (isJoined) deps.onRefused();
    }
  };
  const start = (): void => {
    working ??= work()
      .catch((error: unknown) => {
        for (const one of [...waiting.values()]) drop(one);
        onError(error);
        deps.onRefused();
      })
      .finally(() => {
        working = null;
        if (waiting.size > 0) start();
      });
  };
  return {
    add: (blocks) => {
      for (const one of blocks) {
        if (waiting.has(one.hash) || chain.view.tree.get(one.hash) !== null) continue;
        waiting.set(one.hash, one);
        bytes += one.bytes;
      }
      start();
    },
    has: (hash) => waiting.has(hash),
    count: () => waiting.size,
    bytes: () => bytes,
    close: async () => {
      for (const one of [...waiting.values()]) drop(one);
      await working;
    },
  };
};
