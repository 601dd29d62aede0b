import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import { findJustification, type Justification } from '../codec/justification.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { Choice } from './import/choose.ts';
import type { BlockOrigin, ExecutedBlock } from './steps.ts';
import type { BlockRef, Finalization, TreeBlock } from './tree.ts';

/** A change of the chain, emitted after it was committed. `enacted` ascends, `retracted` descends. */
export type ChainEvent = {
  readonly hash: BlockHash;
  readonly number: number;
  /** How the best block moved. Both are empty if it did not. */
  readonly enacted: readonly BlockHash[];
  readonly retracted: readonly BlockHash[];
} & (
  | {
      readonly kind: 'imported';
      readonly header: Header;
      readonly isBest: boolean;
      readonly changes: StorageChanges;
      readonly origin: BlockOrigin;
    }
  | {
      /** The best block moves if it was on a pruned branch. */
      readonly kind: 'finalized';
      /** The GRANDPA justification that finalized it, or null. */
      readonly proof: Uint8Array | null;
      /** Newly finalized blocks, ascending. */
      readonly blocks: readonly BlockHash[];
      readonly pruned: readonly BlockHash[];
    }
  | {
      /** The operator moved the head or changed its state. Finality may have gone back. */
      readonly kind: 'moved';
      readonly header: Header;
      readonly finalized: BlockRef;
      /** Whether the extrinsics of retracted blocks return to the pool. */
      readonly resubmit: boolean;
    }
);

/** Whether the event's block became the best one. Finality can move the best block without an import. */
export const movesBest = (event: ChainEvent): boolean =>
  event.kind === 'imported' ? event.isBest : event.kind === 'moved' || event.enacted.length > 0;

export type Events<T> = {
  on(listener: (event: T) => unknown): () => void;
  /** Resolves once all async listeners have settled. */
  emit(event: T): Promise<void>;
};

/** A listener that throws does not stop the others. */
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

const hashesOf = (blocks: readonly TreeBlock[]): BlockHash[] => blocks.map(({ hash }) => hash);

/** Step 5: emits the event once the block is stored and in the tree. */
export const notifyImported = (events: Events<ChainEvent>, executed: ExecutedBlock, choice: Choice): void => {
  const { origin } = executed;
  const { header } = executed.block;
  void events.emit({
    kind: 'imported',
    hash: executed.hash,
    number: header.number,
    header,
    isBest: choice.best.hash === executed.hash,
    enacted: hashesOf(choice.enacted),
    retracted: choice.retracted,
    changes: executed.execution.changes,
    origin,
  });
};

/**
 * `moved`: a change of the best block caused by finality alone, without an import. Resolves once all
 * listeners have settled.
 */
export const notifyFinalized = (
  events: Events<ChainEvent>,
  target: TreeBlock,
  justification: Justification | null,
  final: Finalization,
  moved: Pick<Choice, 'enacted' | 'retracted'>,
): Promise<void> =>
  events.emit({
    kind: 'finalized',
    hash: target.hash,
    number: target.number,
    proof: justification === null ? null : findJustification([justification], 'FRNK'),
    ...final,
    enacted: hashesOf(moved.enacted),
    retracted: moved.retracted,
  });
