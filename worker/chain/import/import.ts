import type { Block } from '../../codec/block.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Justifications } from '../../codec/justification.ts';
import { startPace } from '../../tasks/pace.ts';
import { type ChainEvent, type Events, notifyFinalized, notifyImported } from '../events.ts';
import { type ChainRules, ruleAgainst } from '../genesis/spec-rules.ts';
import { hashHeader } from '../hashes.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { PrunedBranches } from '../states/pruned-branches.ts';
import type { BlockOrigin, ExecutedBlock, Execution, Incoming } from '../steps.ts';
import type { Timings } from '../timings.ts';
import type { TreeBlock } from '../tree.ts';
import { chooseBest } from './choose.ts';
import { acceptBlock, type CommitDeps, commitBlock } from './commit.ts';
import { type ExecuteDeps, executeBlock } from './execute.ts';
import { type VerifyDeps, verifyBlock } from './verify.ts';

/** What the author passes with its own block. */
export type OwnBlock = {
  readonly execution: Execution;
  /** Finalizes the block on import. Blocks of other nodes need a proof. */
  readonly finalize: boolean;
  /** How long authoring took, for `timings`. */
  readonly buildMs: number;
};

export type ImportOptions = {
  readonly own?: OwnBlock;
  /** Where a block that is not our own comes from; `announced` by default. */
  readonly origin?: Exclude<BlockOrigin, 'own'>;
  /** Chain time declared by the file, in ms since 1970. */
  readonly chainTimeMs?: number;
  /** Justifications received with the block. Stored if they finalize it. */
  readonly justifications?: Justifications | null;
};

/** The result of an import. `ok` also for a block that was already known. */
export type ImportResult =
  | {
      readonly ok: true;
      readonly hash: BlockHash;
      readonly number: number;
      readonly isBest: boolean;
      /** Why the justification that came with the block was dropped. */
      readonly badJustification?: string;
    }
  | Refusal;

export type ImportDeps = VerifyDeps &
  ExecuteDeps &
  CommitDeps & {
    readonly events: Events<ChainEvent>;
    readonly lost: Pick<PrunedBranches, 'discardAfter'>;
    readonly timings: Pick<Timings, 'add'>;
    readonly rules: ChainRules;
  };

/** Above the finalized block only the tree counts: blocks dropped by a head move may be imported again. */
const isKnown = async ({ tree, view }: ImportDeps, hash: BlockHash, number: number): Promise<boolean> =>
  tree.get(hash) !== null || (number <= tree.finalized().number && (await view.loadHeader(hash)) !== null);

const toTreeBlock = ({ hash, block, parent, weight, origin }: ExecutedBlock): TreeBlock => ({
  hash,
  number: block.header.number,
  parent: parent.hash,
  weight,
  isOwn: origin === 'own',
});

/** Defaults for omitted options. */
const toIncoming = (
  hash: BlockHash,
  block: Block,
  { own, origin = 'announced', chainTimeMs = 0, justifications = null }: ImportOptions,
  verifyOwnBlocks: boolean,
): Incoming => ({
  hash,
  block,
  origin: own === undefined ? origin : 'own',
  isRootKnown: own !== undefined && !verifyOwnBlocks,
  finalize: own?.finalize ?? false,
  chainTimeMs,
  justifications,
});

/** Takes one block from its bytes to its notification (ARCHITECTURE.md, The path of one block). The import queue runs one at a time. */
export const importBlock = async (
  deps: ImportDeps,
  block: Block,
  options: ImportOptions,
): Promise<ImportResult> => {
  const began = performance.now();
  const pace = startPace();
  const { number } = block.header;
  const hash = hashHeader(deps.crypto, block.header);
  // As in the SDK, before anything else, and not for own blocks.
  const against = options.own === undefined ? ruleAgainst(deps.rules, number, hash) : null;
  if (against !== null) return refuse('BadBlock', `Block #${number} ${against}`);
  if (await isKnown(deps, hash, number))
    return { ok: true, hash, number, isBest: deps.tree.best().hash === hash };

  const { own } = options;
  const incoming = toIncoming(hash, block, options, deps.verifyOwnBlocks ?? false);
  const verified = await verifyBlock(deps, incoming);
  if (!verified.ok) return verified;
  const executed = await executeBlock(deps, verified.value, own?.execution ?? null);
  if (!executed.ok) return executed;
  await pace.pause();
  const ran = performance.now();

  const { justification, badJustification } = executed.value.finality;
  const added = toTreeBlock(executed.value);
  const choice = chooseBest(deps.tree, added, incoming.finalize || justification !== null);
  await commitBlock(deps, executed.value, choice, pace);

  const final = acceptBlock(deps, executed.value, added, choice);
  notifyImported(deps.events, executed.value, choice);
  if (final !== null) {
    const notified = notifyFinalized(deps.events, added, justification, final, {
      enacted: [],
      retracted: [],
    });
    await deps.lost.discardAfter(notified, final.pruned);
  }
  await deps.store.settle();
  const commitMs = performance.now() - ran;
  deps.timings.add(executed.value, { buildMs: own?.buildMs ?? null, importMs: ran - began, commitMs });
  const result = { ok: true, hash, number, isBest: choice.best.hash === hash } as const;
  return badJustification === undefined ? result : { ...result, badJustification };
};
