import { concatBytes } from '../../bytes/bytes.ts';
import type { Block } from '../../codec/block.ts';
import { encodeBody } from '../../codec/block.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import { createBatch } from '../../db/database.ts';
import { type Overrides, putOverrides } from '../overrides.ts';
import { encodeHeaderRecord, numberKey } from '../records.ts';
import { deleteBlocks, putChoice } from '../store.ts';
import { type BlockRef, createBlockTree, type TreeBlock } from '../tree.ts';
import type { Move, MoveDeps } from './move.ts';

/** Another lowest block for a fork, in place of everything that it has. */
export type NewBase = {
  readonly ref: BlockRef;
  readonly block: Block;
  /** The states that replace those of the headers: that of the new base, if something is declared. */
  readonly overrides: Overrides;
  /** Written in the same transaction: after a crash either all of it or none is stored. */
  readonly extra: NonNullable<Move['extra']>;
  /** Called once it is written, before anybody is told. */
  adopt(): void;
};

/** The lowest block of a chain, which only this operation replaces. */
export type MovableBase = { hash: BlockHash; number: number };

/** Blocks that are deleted in one transaction. */
const deletedAtOnce = 500;

/** Deletes all blocks but one, also those of branches that the head was moved away from, which the tree no longer has. */
const deleteOthers = async ({ db, view }: MoveDeps, kept: BlockHash): Promise<void> => {
  for (let from: Uint8Array | null = null; ; ) {
    const page = await db.range('headers', { limit: deletedAtOnce, ...(from === null ? {} : { from }) });
    const hashes = page.map(([key]) => bytesToBlockHash(key)).filter((hash) => hash !== kept);
    view.forgetBlocks(hashes);
    const batch = createBatch();
    deleteBlocks(batch, hashes);
    await db.write(batch);
    const [last] = page.at(-1) ?? [];
    if (last === undefined || page.length < deletedAtOnce) return;
    from = concatBytes(last, Uint8Array.of(0));
  }
};

/** Takes back a base that was written and did not become that of the chain. */
const deleteBase = async ({ db, view }: MoveDeps, hash: BlockHash): Promise<void> => {
  const batch = createBatch();
  deleteBlocks(batch, [hash]);
  view.forgetBlocks([hash]);
  await db.write(batch);
};

/** Deletes the hashes of the best chain's blocks at heights from one to below another. */
const deleteNumbers = async ({ db }: MoveDeps, from: number, to: number): Promise<void> => {
  for (let number = from; number < to; number += deletedAtOnce) {
    const batch = createBatch();
    for (let each = number; each < Math.min(number + deletedAtOnce, to); each++)
      batch.deletes.push(['numbers', numberKey(each)]);
    await db.write(batch);
  }
};

/** Header and body of the new base, by which its state can be read before it is the base. */
const writeBlock = async ({ db }: MoveDeps, { ref, block }: NewBase): Promise<TreeBlock> => {
  const meta = { weight: 0, isOwn: false };
  const key = blockHashToBytes(ref.hash);
  await db.write({
    puts: [
      ['headers', key, encodeHeaderRecord(block.header, meta)],
      ['bodies', key, encodeBody(block.extrinsics)],
    ],
    deletes: [],
  });
  return { ...ref, parent: bytesToBlockHash(block.header.parentHash), ...meta };
};

/**
 * Replaces the chain of a fork by another base alone, in one transaction; the old blocks are deleted after it. Nothing has
 * changed if it rejects.
 */
export const rebaseChain = async (
  deps: MoveDeps & { readonly base: MovableBase },
  next: NewBase,
): Promise<void> => {
  const { tree, view, db, events, identity, base } = deps;
  const oldBest = tree.best();
  const oldBase = base.number;
  const oldOverrides = view.overrides();
  const retracted = [...tree.route(tree.finalized().hash, oldBest.hash).enacted].reverse();
  const root = await writeBlock(deps, next);
  const batch = next.extra;
  try {
    view.setOverrides(new Map([...oldOverrides, ...next.overrides]));
    const plan = createBlockTree(root);
    // Nothing of what the gadget knows of the old blocks is of the new chain.
    const common = { hash: root.hash, number: 0 };
    const step = await deps.finality.move({ ...deps.finalityView, tree: plan }, tree.finalized(), common);
    step.stage(batch);
    putChoice(batch, identity, {
      oldBest,
      best: root,
      finalized: root,
      enacted: [root],
      leaves: [root.hash],
    });
    putOverrides(batch, next.overrides);
    await db.write(batch);
    step.accept();
  } catch (error) {
    view.setOverrides(oldOverrides);
    await deleteBase(deps, root.hash);
    throw error;
  }
  next.adopt();
  view.setOverrides(next.overrides);
  Object.assign(base, next.ref);
  tree.replace(root, [], root.hash);
  const { header } = next.block;
  const heads = { ...next.ref, header, finalized: next.ref };
  await events.emit({ kind: 'moved', ...heads, enacted: [root.hash], retracted, resubmit: false });
  // Listeners may still read them.
  await deleteOthers(deps, root.hash);
  await deleteNumbers(deps, oldBase, Math.min(root.number, oldBest.number + 1));
};
