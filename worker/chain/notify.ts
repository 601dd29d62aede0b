import type { BlockHash } from '../codec/identity.ts';
import { findJustification, type Justification } from '../codec/justification.ts';
import type { ChainEvent, Events } from './events.ts';
import type { Choice } from './import/choose.ts';
import type { ExecutedBlock } from './steps.ts';
import type { Finalization, TreeBlock } from './tree.ts';

const hashesOf = (blocks: readonly TreeBlock[]): BlockHash[] => blocks.map(({ hash }) => hash);

/** Step 5: emits the event once the block is stored and in the tree. */
export const notifyImported = (events: Events<ChainEvent>, executed: ExecutedBlock, choice: Choice): void => {
  const { isFromFile } = executed;
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
    isFromFile,
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
