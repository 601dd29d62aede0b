import type { Chain } from '../../chain/chain.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { reputationChanges } from '../reputation-changes.ts';
import { createEarlyBlocks, type EarlyBlocksDeps } from './early-blocks.ts';
import type { Downloaded } from './response.ts';

export type ImportQueueDeps = Pick<EarlyBlocksDeps, 'schedule'> & {
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

type Outcome = 'imported' | 'kept' | 'refused';

/** Downloaded blocks, which wait for the chain's import queue and enter it one by one. */
export type ImportQueue = {
  /** Ascending blocks whose first has a known parent. */
  add(blocks: readonly Downloaded[]): void;
  /** Whether it is waiting or being imported. */
  has(hash: BlockHash): boolean;
  count(): number;
  bytes(): number;
  /** Drops what waits. */
  drop(): void;
  /** Drops what waits. Resolves when no import is under way. */
  close(): Promise<void>;
};

export const createImportQueue = (deps: ImportQueueDeps): ImportQueue => {
  const { chain, punish, onError } = deps;
  const waiting = new Map<BlockHash, Downloaded>();
  let bytes = 0;
  let working: Promise<void> | null = null;
  const drop = (one: Downloaded): void => {
    // What is being imported may have been dropped meanwhile.
    if (waiting.delete(one.hash)) bytes -= one.bytes;
  };
  const dropAll = (): void => {
    for (const one of [...waiting.values()]) drop(one);
    early.clear();
  };
  const enter = (blocks: readonly Downloaded[]): void => {
    for (const one of blocks) {
      if (waiting.has(one.hash) || early.has(one.hash) || chain.view.tree.get(one.hash) !== null) continue;
      waiting.set(one.hash, one);
      bytes += one.bytes;
    }
    start();
  };
  const early = createEarlyBlocks({ ...deps, retry: enter });
  const importOne = async (one: Downloaded): Promise<Outcome> => {
    const { justifications, ...content } = one.block;
    const origin = deps.isSyncing() ? 'sync' : 'announced';
    const result = await chain.import(content, { justifications, origin });
    if (!result.ok) {
      if (result.code === 'FutureBlock' && early.keep(one, result.message)) return 'kept';
      if (!innocent.has(result.code)) punish(one.peer, reputationChanges.badBlock);
      return 'refused';
    }
    if (result.badJustification !== undefined) deps.rate(one.peer, reputationChanges.badJustification);
    return 'imported';
  };
  const work = async (): Promise<void> => {
    for (const one of waiting.values()) {
      // The block below it was refused, or is kept, too.
      const isJoined = chain.view.tree.get(one.parent) !== null;
      const outcome = isJoined ? await importOne(one) : early.keep(one) ? 'kept' : null;
      drop(one);
      if (outcome === 'imported') deps.onImported();
      if (outcome === 'refused') deps.onRefused();
    }
  };
  const start = (): void => {
    working ??= work()
      .catch((error: unknown) => {
        dropAll();
        onError(error);
        deps.onRefused();
      })
      .finally(() => {
        working = null;
        if (waiting.size > 0) start();
      });
  };
  return {
    add: enter,
    has: (hash) => waiting.has(hash) || early.has(hash),
    count: () => waiting.size + early.count(),
    bytes: () => bytes + early.bytes(),
    drop: dropAll,
    close: async () => {
      dropAll();
      await working;
      early.clear();
    },
  };
};
