import { NodeError } from '../../../src/protocol/errors.ts';
import { equalBytes, startsWithBytes } from '../../bytes/bytes.ts';
import type { Header } from '../../codec/header.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { damageError } from '../../db/damage.ts';
import { type BatchBuilder, createBatch, type Database } from '../../db/database.ts';
import type { Executor, Runtime } from '../../executor/executor.ts';
import { childPrefix } from '../../state/backend.ts';
import type { StorageChanges } from '../../state/changes.ts';
import type { ChainEvent, Events } from '../events.ts';
import type { FinalityGadget, FinalityView } from '../finality-gadget.ts';
import { codeKey, pendingCodeKey } from '../genesis/genesis.ts';
import { loadTreeBlock } from '../genesis/open.ts';
import { stateVersion } from '../hashes.ts';
import { leavesOf } from '../import/choose.ts';
import { type Overrides, putOverrides } from '../overrides.ts';
import { decodeNumberRecord, numberKey } from '../records.ts';
import type { StatePruning } from '../states/state-pruning.ts';
import type { TrieStore } from '../states/trie-store.ts';
import { type Identity, loadHashAt, putChoice } from '../store.ts';
import { type BlockRef, type BlockTree, createBlockTree, type TreeBlock } from '../tree.ts';
import type { ChainView } from '../view.ts';

export type MoveDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  readonly executor: Pick<Executor, 'load'>;
  readonly db: Database;
  readonly store: TrieStore;
  readonly tree: BlockTree;
  /** The lowest block of the chain. */
  readonly base: BlockRef;
  readonly pruning: StatePruning;
  readonly view: ChainView;
  readonly finality: FinalityGadget;
  readonly finalityView: FinalityView;
  readonly events: Events<ChainEvent>;
  readonly identity: Identity;
};

/** Where to move the head. Finality may go back with it, which only a development chain allows. */
export type Move = {
  readonly head: BlockHash;
  /**
   * An ancestor of the head, or the head. Defaults to the current finalized block if it is an ancestor,
   * otherwise to the last common block.
   */
  readonly finalized?: BlockHash;
  /** Returns the extrinsics of the retracted blocks to the pool. */
  readonly resubmit: boolean;
  /** Replaces the dev states. */
  readonly overrides?: Overrides;
  /** Written in the same transaction: after a crash either all of it or none is stored. */
  readonly extra?: BatchBuilder;
};

const toBlock = async ({ tree, db }: MoveDeps, hash: BlockHash): Promise<TreeBlock> =>
  tree.get(hash) ?? loadTreeBlock(db, hash);

const canonicalAt = async ({ db, tree }: MoveDeps, number: number): Promise<BlockHash | null> => {
  return number > tree.best().number ? null : loadHashAt(db, number);
};

/**
 * Of a block that is no part of a fork, though it is known: it lies on the live chain below the base, or was built on an
 * earlier base and not deleted yet.
 */
const refuseForeign = ({ base }: MoveDeps, { number }: { readonly number: number }): NodeError =>
  new NodeError(
    'UnknownBlock',
    `Block #${number} does not descend from block #${base.number}, the base of this fork: only blocks that do can be its head`,
  );

/**
 * Descends from the head to the best chain. Returns the first block on it, and the blocks above that one,
 * ascending.
 */
const climbDown = async (
  deps: MoveDeps,
  head: TreeBlock,
): Promise<{ readonly common: TreeBlock; readonly enacted: readonly TreeBlock[] }> => {
  const enacted: TreeBlock[] = [];
  let block = head;
  while ((await canonicalAt(deps, block.number)) !== block.hash) {
    if (block.number <= deps.base.number)
      throw deps.base.number > 0
        ? refuseForeign(deps, head)
        : damageError('the best chain does not begin at block #0');
    enacted.push(block);
    block = await toBlock(deps, block.parent);
  }
  return { common: block, enacted: enacted.reverse() };
};

/** The best chain's blocks above `from` up to `to`, ascending, in two reads. */
const canonicalRange = async ({ db }: MoveDeps, from: number, to: number): Promise<BlockHash[]> => {
  if (to <= from) return [];
  const range = { from: numberKey(from + 1), to: numberKey(to + 1), isCounted: true };
  const found = await db.range('numbers', range);
  if (found.length !== to - from)
    throw damageError(`some of the blocks #${from + 1} to #${to} are missing from the best chain`);
  return found.map(([, record]) => decodeNumberRecord(record).hash);
};

type Path = { readonly common: TreeBlock; readonly enacted: readonly TreeBlock[] };

const chooseFinalized = async (deps: MoveDeps, move: Move, path: Path): Promise<TreeBlock> => {
  const { common, enacted } = path;
  const old = deps.tree.finalized();
  if (move.finalized === undefined) return common.number >= old.number ? old : common;
  const wanted = await toBlock(deps, move.finalized);
  const isAbove = enacted.some(({ hash }) => hash === wanted.hash);
  const isBelow = wanted.number <= common.number && (await canonicalAt(deps, wanted.number)) === wanted.hash;
  if (isAbove || isBelow) return wanted;
  throw new NodeError('NotFinalizable', `Block #${wanted.number} is not an ancestor of the new head`);
};

/**
 * The tree after the move. A branch that fork choice would prefer to the new head is removed, or the next
 * block would undo the move. Its blocks stay in the database, so the head can be moved back there.
 */
const planTree = async (
  deps: MoveDeps,
  path: Path,
  finalized: TreeBlock,
  head: TreeBlock,
): Promise<BlockTree> => {
  const { tree } = deps;
  const plan = createBlockTree(finalized);
  const below = await canonicalRange(deps, finalized.number, path.common.number);
  for (const hash of below) plan.insert(await toBlock(deps, hash));
  for (const block of path.enacted) if (block.number > finalized.number) plan.insert(block);
  plan.setBest(head.hash);
  if (finalized.hash !== tree.finalized().hash) return plan;
  // The whole branch leaves the tree. If a part stayed, finality would delete it and cut off the rest.
  const left = new Set<BlockHash>();
  for (const block of [...tree.all()].reverse())
    if (plan.get(block.hash) === null && (left.has(block.hash) || plan.isBetter(block)))
      left.add(block.hash).add(block.parent);
  for (const block of tree.all())
    if (plan.get(block.hash) === null && !left.has(block.hash) && plan.get(block.parent) !== null)
      plan.insert(block);
  return plan;
};

const hashesOf = (blocks: readonly TreeBlock[]): BlockHash[] => blocks.map(({ hash }) => hash);

/**
 * Moves the head, and with it finality, in one transaction and then emits the event. Throws `UnknownBlock`,
 * `StateDiscarded`, `NotFinalizable`.
 */
export const moveHead = async (deps: MoveDeps, move: Move): Promise<void> => {
  const { tree, view, db, events, identity, pruning } = deps;
  const header = await view.loadHeader(move.head);
  if (header === null)
    throw new NodeError('UnknownBlock', `Header was not found in the database: ${move.head}`);
  if (header.number < deps.base.number) throw refuseForeign(deps, header);
  await pruning.check(move.head, header.number);
  const oldBest = tree.best();
  const head = await toBlock(deps, move.head);
  const path = await climbDown(deps, head);
  const finalized = await chooseFinalized(deps, move, path);
  await pruning.check(finalized.hash, finalized.number);
  const plan = await planTree(deps, path, finalized, head);
  const retracted = (await canonicalRange(deps, path.common.number, oldBest.number)).reverse();
  const step = await deps.finality.move({ ...deps.finalityView, tree: plan }, tree.finalized(), path.common);
  const batch = move.extra ?? createBatch();
  step.stage(batch);
  putChoice(batch, identity, {
    oldBest,
    best: head,
    finalized,
    enacted: path.enacted,
    leaves: leavesOf(plan),
  });
  if (move.overrides !== undefined) putOverrides(batch, move.overrides);
  await db.write(batch);
  step.accept();
  pruning.onMoved(path.common);
  const [root, ...above] = plan.all();
  tree.replace(root as TreeBlock, above, head.hash);
  if (move.overrides !== undefined) view.setOverrides(move.overrides);
  const enacted = hashesOf(path.enacted);
  const { hash, number } = head;
  const { resubmit } = move;
  await events.emit({ kind: 'moved', hash, number, header, finalized, enacted, retracted, resubmit });
};

/** Without these, no block can be built or executed. */
const blockFunctions = [
  'Core_initialize_block',
  'Core_execute_block',
  'BlockBuilder_apply_extrinsic',
  'BlockBuilder_finalize_block',
] as const;

/** Throws `BadCode` for a module that is no runtime of a chain. */
const needBlocks = (runtime: Runtime): void => {
  const missing = blockFunctions.find((name) => !runtime.hasExport(name));
  if (missing !== undefined || runtime.apiVersion('Core') === null)
    throw new NodeError(
      'BadCode',
      `The code has no ${missing ?? 'runtime API "Core"'}, so no block could be built on it: give the runtime of a chain`,
    );
};

/**
 * A state without code that runs would lock the chain: it could build no block, nor say what it consists of. The next
 * block runs the code under `:pending_code`, if there is any. Throws `BadCode`.
 */
const checkCode = ({ crypto, executor }: MoveDeps, { main }: StorageChanges): void => {
  for (const codeOrPending of [codeKey, pendingCodeKey]) {
    const [, code = null] = main.findLast(([key]) => equalBytes(key, codeOrPending)) ?? [];
    if (code !== null) needBlocks(executor.load(crypto.blake2b256(code), code));
  }
  if (main.findLast(([key]) => equalBytes(key, codeKey))?.[1] === null)
    throw new NodeError('BadCode', 'A state without :code has no runtime; set another runtime instead');
};

/**
 * Overrides the state of a block without children, and emits an event if it is the best block. Throws
 * `UnknownBlock`, `Unsupported`, `BadCode`.
 */
export const overrideState = async (
  deps: MoveDeps,
  hash: BlockHash,
  changes: StorageChanges,
): Promise<void> => {
  const { tree, view, store, db, events } = deps;
  const block = tree.get(hash);
  if (block === null) throw new NodeError('UnknownBlock', `Block ${hash} is not above the finalized block`);
  if (!tree.leaves().some((leaf) => leaf.hash === hash))
    throw new NodeError(
      'Unsupported',
      `Block #${block.number} has children, which were built on its own state`,
    );
  if (changes.main.some(([key]) => startsWithBytes(key, childPrefix)))
    throw new NodeError('BadValue', 'The root of a child trie follows from its keys and cannot be set');
  checkCode(deps, changes);
  const backend = await view.backendAt(hash);
  const version = stateVersion(await view.runtimeAt(hash));
  const { backend: after, nodes } = await store.run(() => backend.commit(changes, version));
  const header = (await view.loadHeader(hash)) as Header;
  const overrides = new Map(view.overrides());
  // An edit that is taken back leaves the state that the header commits to, on which any node can build.
  if (equalBytes(after.root, header.stateRoot)) overrides.delete(hash);
  else overrides.set(hash, { hash, number: block.number, stateRoot: after.root });
  const batch = createBatch();
  store.stage(nodes, batch);
  putOverrides(batch, overrides);
  await db.write(batch);
  store.accept(nodes);
  view.setOverrides(overrides);
  if (tree.best().hash !== hash) return;
  const finalized = tree.finalized();
  const rest = { finalized, enacted: [], retracted: [], resubmit: false };
  await events.emit({ kind: 'moved', hash, number: block.number, header, ...rest });
};
