import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { BlockRef } from './tree.ts';

/** What happened to the chain, told after it was committed. `enacted` ascends, `retracted` descends. */
export type ChainEvent =
  | {
      readonly kind: 'imported';
      readonly hash: BlockHash;
      readonly number: number;
      readonly header: Header;
      readonly isBest: boolean;
      readonly enacted: readonly BlockHash[];
      readonly retracted: readonly BlockHash[];
      readonly changes: StorageChanges;
      /** An old block, read from a file: no offchain worker runs for it (sc-client, BlockOrigin::File). */
      readonly isFromFile: boolean;
    }
  | {
      readonly kind: 'finalized';
      readonly hash: BlockHash;
      readonly number: number;
      /** The GRANDPA justification it became final by, or null. */
      readonly proof: Uint8Array | null;
      /** Newly final, ascending. */
      readonly blocks: readonly BlockHash[];
      readonly pruned: readonly BlockHash[];
      /** How the best block moved when it was on a branch that is cut off; else both are empty. */
      readonly enacted: readonly BlockHash[];
      readonly retracted: readonly BlockHash[];
    }
  | {
      /** The operator put the head elsewhere, or changed the state under it: finality may have gone back. */
      readonly kind: 'moved';
      readonly hash: BlockHash;
      readonly number: number;
      readonly header: Header;
      readonly finalized: BlockRef;
      readonly enacted: readonly BlockHash[];
      readonly retracted: readonly BlockHash[];
      /** Whether what the retracted blocks held goes back to the pool. */
      readonly resubmit: boolean;
    };

/** Whether the block of the event became the best one: finality may move it without an import. */
export const movesBest = (event: ChainEvent): boolean =>
  event.kind === 'imported' ? event.isBest : event.kind === 'moved' || event.enacted.length > 0;

export type Events<T> = {
  on(listener: (event: T) => unknown): () => void;
  /** Resolves when the listeners that work on after the call are done too. */
  emit(event: T): Promise<void>;
};

/** A listener that throws does not keep the others from hearing. */
export const createEvents = <T>(onError: (error: unknown) => void): Events<T> => {
  const listeners = new Set<(event: T) => unknown>();
  return {
    on: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    emit: async (event) => {
      const working: Promise<unknown>[] = [];
      for (const listener of [...listeners]) {
        try {
          const work = listener(event);
          if (work instanceof Promise) working.push(work.catch(onError));
        } catch (error) {
          onError(error);
        }
      }
      await Promise.all(working);
    },
  };
};
