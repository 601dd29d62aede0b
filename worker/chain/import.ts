import type { Block } from '../codec/block.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Justifications } from '../codec/justification.ts';
import { chooseBest } from './choose.ts';
import { acceptBlock, type CommitDeps, commitBlock } from './commit.ts';
import type { ChainEvent, Events } from './events.ts';
import { type ExecuteDeps, executeBlock } from './execute.ts';
import { hashHeader } from './hashes.ts';
import type { LostBranches } from './lost-branches.ts';
import { notifyFinalized, notifyImported } from './notify.ts';
import { startPace } from './pace.ts';
import type { Refusal } from './refusal.ts';
import type { ExecutedBlock, Execution, Incoming } from './steps.ts';
import type { Timings } from './timings.ts';
import type { TreeBlock } from './tree.ts';
import { type VerifyDeps, verifyBlock } from './verify.ts';

/** What the author hands in with a block of our own. */
export type OwnBlock = {
  readonly execution: Execution;
  /** Makes the block final with its import. No block of others is without a proof. */
  readonly finalize: boolean;
  /** How long the author took, for `timings`. */
  readonly buildMs: number;
};

export type ImportOptions = {
  readonly own?: OwnBlock;
  /** The block is an old one, read from a file. */
  readonly isFromFile?: boolean;
  /** Chain time that the file declares, in ms since 1970. */
  readonly chainTimeMs?: number;
  /** What came with the block; kept when it makes the block final. */
  readonly justifications?: Justifications | null;
};

/** How an import ended; a block that was known already is an `ok` too. */
export type ImportResult =
  | { readonly ok: true; readonly hash: BlockHash; readonly number: number; readonly isBest: boolean }
  | Refusal;

export type ImportDeps = VerifyDeps &
  ExecuteDeps &
  CommitDeps & {
    readonly events: Events<ChainEvent>;
    readonly lost: Pick<LostBranches, 'discardAfter'>;
    readonly timings: Pick<Timings, 'add'>;
  };

/** Above the finalized block only the tree counts: what the head was moved away from may come again. */
const isKnown = async ({ tree, view }: ImportDeps, hash: BlockHash, number: number): Promise<boolean> =>
  tree.get(hash) !== null || (number <= tree.finalized().number && (await view.loadHeader(hash)) !== null);

const toTreeBlock = ({ hash, block, parent, weight, isOwn }: ExecutedBlock): TreeBlock => ({
  hash,
  number: block.header.number,
  parent: parent.hash,
  weight,
  isOwn,
});

/** What an omitted option means. */
const toIncoming = (
  hash: BlockHash,
  block: Block,
  { own, isFromFile = false, chainTimeMs = 0, justifications = null }: ImportOptions,
  verifyOwnBlocks: boolean,
): Incoming => ({
  hash,
  block,
  isOwn: own !== undefined,
  isRootKnown: own !== undefined && !verifyOwnBlocks,
  finalize: own?.finalize ?? false,
  isFromFile,
  chainTimeMs,
  justifications,
});

/** One block, from its bytes to its notification (DESIGN §3). The import queue runs one at a time. */
export const importBlock = async (
  deps: ImportDeps,
  block: Block,
  options: ImportOptions,
): Promise<ImportResult> => {
  const began = performance.now();
  const pace = startPace();
  const { number } = block.header;
  const hash = hashHeader(deps.crypto, block.header);
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

  const { justification } = executed.value.finality;
  const added = toTreeBlock(executed.value);
  const choice = chooseBest(deps.tree, added, incoming.finalize || justification !== null);
  await commitBlock(deps, executed.value, choice, pace);

  const final = acceptBlock(deps, executed.value, added, choice);
  notifyImported(deps.events, executed.value, choice);
  if (final !== null) {
    const heard = notifyFinalized(deps.events, added, justification, final, { enacted: [], retracted: [] });
    await deps.lost.discardAfter(heard, final.pruned);
  }
  await deps.store.settle();
  const commitMs = performance.now() - ran;
  deps.timings.add(executed.value, { buildMs: own?.buildMs ?? null, importMs: ran - began, commitMs });
  return { ok: true, hash, number, isBest: choice.best.hash === hash };
};
