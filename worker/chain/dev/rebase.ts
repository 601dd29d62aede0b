import type { Block } from '../../codec/block.ts';
import { encodeBody } from '../../codec/block.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import { createBatch } from '../../db/database.ts';
import { type Overrides, putOverrides } from '../overrides.ts';
import { decodeNumberRecord, encodeHeaderRecord, numberKey } from '../records.ts';
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

/** All blocks of the best chain and of the tree. */
const blocksOf = async ({ db, tree, base }: MoveDeps): Promise<BlockHash[]> => {
  const range = { from: numberKey(base.number), to: numberKey(tree.best().number + 1), isCounted: true };
  const best = (await db.range('numbers', range)).map(([, record]) => decodeNumberRecord(record).hash);
  const hashes = new Set([...tree.all().map(({ hash }) => hash), ...best]);
  return [...hashes];
};

const deleteOld = async ({ db, view }: MoveDeps, hashes: readonly BlockHash[]): Promise<void> => {
  view.forgetBlocks(hashes);
  for (let from = 0; from < hashes.length; from += deletedAtOnce) {
    const batch = createBatch();
    deleteBlocks(batch, hashes.slice(from, from + deletedAtOnce));
    await db.write(batch);
  }
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
  const old = (await blocksOf(deps)).filter((hash) => hash !== next.ref.hash);
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
    await deleteOld(deps, [root.hash]);
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
  await deleteOld(deps, old);
  await deleteNumbers(deps, oldBase, Math.min(root.number, oldBest.number + 1));
};
