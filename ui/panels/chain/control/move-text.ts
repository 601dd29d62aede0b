import { countText, groupDigits } from '../../../kit/text/format.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import type { PlacedBlock } from '../list/layout-tree.ts';

type Node = Pick<UiNode, 'request' | 'status'>;
type Ref = { readonly hash: string; readonly number: number };

/** How many blocks of a branch are followed at most to find the best chain. */
const longestWalk = 1000;

/** `Block #4 leaves`, `#4 to #8 (5 blocks) leave`. */
const rangeText = (low: number, high: number, verb: string): string =>
  low === high
    ? `Block #${groupDigits(low)} ${verb}s`
    : `#${groupDigits(low)} to #${groupDigits(high)} (${countText(high - low + 1, 'block')}) ${verb}`;

/** A move of the head: where it would leave the best chain, and the current state of the chain. */
type HeadMove = {
  /** Number of the target. */
  readonly number: number;
  /** Number of the highest block that the best chain and the chain of the target have in common. */
  readonly common: number;
  readonly best: number;
  readonly finalized: number;
  /** Whether the new head becomes final at once. */
  readonly isInstant: boolean;
  /** Transactions in the pool, ready and future. */
  readonly pending: number;
};

/** Reads what moving the head to this block would leave behind. Rejects with the node's errors. */
export const previewHeadMove = async (node: Node, { hash, number }: Ref): Promise<HeadMove> => {
  const numberOf = async (params: readonly string[]): Promise<number> =>
    Number((await node.request('chain_getHeader', params))?.number);
  const [best, final, status] = await Promise.all([
    numberOf([]),
    node.request('chain_getFinalizedHead', []),
    node.status(),
  ]);
  let common = number;
  for (let at = hash; common > 0 && number - common < longestWalk; common -= 1) {
    if ((await node.request('chain_getBlockHash', [common])) === at) break;
    at = (await node.request('chain_getHeader', [at]))?.parentHash ?? '';
  }
  const { ready, future, finality } = status;
  return {
    number,
    common,
    best,
    finalized: await numberOf([final]),
    isInstant: finality.kind === 'instant',
    pending: ready + future,
  };
};

const leavingText = ({ common, best }: HeadMove): string =>
  best <= common
    ? 'No block leaves the best chain.'
    : `${rangeText(common + 1, best, 'leave')} the best chain.`;

/** `to` is the finalized block afterwards. */
const finalityText = ({ finalized }: HeadMove, to: number): readonly string[] =>
  finalized === to
    ? []
    : [
        `Finality moves ${to < finalized ? 'back ' : ''}from #${groupDigits(finalized)} to #${groupDigits(to)}.`,
      ];

/** Which blocks become final: those above `from`. */
const becomeText = (from: number, number: number): string =>
  `${rangeText(from + 1, number, 'become')} final.`;

/**
 * How to undo a move that leaves blocks behind. The node forgets a branch that it would prefer to the new
 * head, and all if the finalized block changes (worker/chain/dev/move.ts); finality deletes no block of those.
 */
const returnText = ({ number, common, best }: HeadMove, isOtherFinal: boolean): readonly string[] => {
  if (best <= common) return [];
  const stay = best === common + 1 ? 'The block that leaves stays' : 'The blocks that leave stay';
  const back = `you can switch back to #${groupDigits(best)}`;
  return common === number || isOtherFinal
    ? [
        `${stay} as a fork: ${back} while its state is kept. After a reload, only a link to a block leads there.`,
      ]
    : [`${stay} as a fork, which finality may delete unless a snapshot keeps it. Until then, ${back}.`];
};

/** What happens to the transactions of the blocks that leave the best chain. */
const transactionsText = ({ common, best }: HeadMove, what: string): string =>
  best <= common ? '' : ` ${best === common + 1 ? 'Its' : 'Their'} transactions ${what} to the pool.`;

/** Sentences that describe the effects of dev_setHead. */
export const jumpText = (move: HeadMove): readonly string[] => {
  const kept = Math.min(move.finalized, move.common);
  return [
    leavingText(move) + transactionsText(move, 'that are still valid return'),
    ...finalityText(move, kept),
    ...(move.isInstant && move.number > kept ? [becomeText(kept, move.number)] : []),
    ...returnText(move, move.isInstant || kept < move.finalized),
  ];
};

/**
 * Sentences that describe the effects of dev_restore, or of dev_reset for `genesis`. `final` is the finalized block of
 * the snapshot.
 */
export const restoreText = (
  move: HeadMove,
  what: 'snapshot' | 'genesis',
  final: number,
): readonly string[] => {
  const pool =
    move.pending === 0 ? 'The pool' : `The pool, now ${countText(move.pending, 'pending transaction')},`;
  return [
    leavingText(move) + transactionsText(move, 'do not return'),
    ...finalityText(move, final),
    what === 'genesis'
      ? `${pool} is emptied, and the clock and edited state are reset. Snapshots are kept.`
      : `${pool} is replaced by the snapshot’s, like the clock, the offchain storage and edited state.`,
    `${returnText(move, final !== move.finalized)[0] ?? ''} To keep the current state, save a snapshot first.`.trim(),
  ];
};

/**
 * Sentences that describe the effects of dev_finalise on the known blocks. `canReturn`: whether the node has
 * dev_setHead.
 */
export const finalizeText = (
  blocks: readonly PlacedBlock[],
  { hash, number }: Ref,
  {
    finalized,
    best,
    isOnBest,
    canReturn,
  }: {
    readonly finalized: number;
    readonly best: number;
    /** Whether the block is on the best chain: in a flood of blocks the known ones may not link it. */
    readonly isOnBest: boolean;
    readonly canReturn: boolean;
  },
): readonly string[] => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const below = new Set<string>();
  for (let at = byHash.get(hash); at !== undefined && at.number > finalized; at = byHash.get(at.parent))
    below.add(at.hash);
  const kept = new Set([hash]);
  for (const block of blocks.toReversed()) if (kept.has(block.parent)) kept.add(block.hash);
  const left = blocks.filter(
    (block) => block.number > finalized && !below.has(block.hash) && !kept.has(block.hash),
  );
  const isOpen = ({ standing }: PlacedBlock): boolean =>
    standing === 'fork' || (standing === 'best' && !isOnBest);
  const abandoned = left.filter(isOpen);
  const fromBest = abandoned.filter(({ standing }) => standing === 'best').map((one) => one.number);
  const forks =
    abandoned.length === 0
      ? 'No fork is abandoned.'
      : `${countText(abandoned.length, 'block')} on other branches ${abandoned.length === 1 ? 'is' : 'are'} abandoned.`;
  return [
    becomeText(finalized, number),
    fromBest.length === 0
      ? forks
      : `${forks} Among them are #${groupDigits(Math.min(...fromBest))} to #${groupDigits(best)} of the best chain.`,
    canReturn
      ? 'To go back, roll back to an older block or restore a snapshot. Both move finality back too.'
      : 'This node cannot undo it.',
  ];
};
