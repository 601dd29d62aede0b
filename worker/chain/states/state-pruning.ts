import { NodeError } from '../../../src/protocol/errors.ts';
import type { StatePruning as Mode } from '../../../src/protocol/node.ts';
import type { Header } from '../../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { BatchBuilder, Database } from '../../db/database.ts';
import type { ExecutedBlock } from '../steps.ts';
import { readHashAt } from '../store.ts';
import type { BlockRef, BlockTree, Finalization } from '../tree.ts';
import type { TrieStore } from './trie-store.ts';

/** Blocks whose states are needed: by snapshots that can be restored, or pinned by clients. */
export type Pins = () => Iterable<BlockRef>;

/** Which states are kept (the SDK's `--state-pruning`), and which ones are needed beyond that. */
export type StatePruning = {
  readonly mode: Mode;
  /** Providers apply once this has resolved. The first one is added before any state is read. */
  addPins(pins: Pins): Promise<void>;
  /** Adds the data that pruning the block's state will need to the block's own transaction. */
  stageBlock(batch: BatchBuilder, executed: ExecutedBlock, sequence: number): void;
  /**
   * Adds the removal of the states to the transaction that deletes the blocks. Call the returned function
   * after the write.
   */
  stageLost(batch: BatchBuilder, hashes: readonly BlockHash[]): Promise<() => void>;
  /** Finality advanced from `old`: older states are discarded. */
  onFinalized(old: BlockRef, final: Finalization): void;
  /** The head was moved. `common` is the last block that both best chains share. */
  onMoved(common: BlockRef): void;
  /** Whether a state may have been discarded. False only if it certainly exists. */
  mayBeDiscarded(hash: BlockHash): boolean;
  /** Throws `StateDiscarded` for the state of a block that is in the database. */
  check(hash: BlockHash, number: number): Promise<void>;
};

type Deps = {
  readonly db: Database;
  readonly store: Pick<TrieStore, 'mode' | 'settler' | 'base'>;
  readonly tree: BlockTree;
  readonly loadHeader: (hash: BlockHash) => Promise<Header | null>;
};

export const discardedError = (hash: BlockHash): NodeError =>
  new NodeError('StateDiscarded', `State already discarded for ${hash}`);

/** Keeps every state; none was ever discarded. */
export const keepAllStates: StatePruning = {
  mode: 'archive',
  addPins: async () => undefined,
  stageBlock: () => undefined,
  stageLost: async () => () => undefined,
  onFinalized: () => undefined,
  onMoved: () => undefined,
  mayBeDiscarded: () => false,
  check: async () => undefined,
};

/** The block's nearest ancestor on the best chain, or the block itself. */
const findRoot = async (
  { db, loadHeader }: Pick<Deps, 'db' | 'loadHeader'>,
  start: BlockHash,
  startNumber: number,
): Promise<number> => {
  let [hash, number] = [start, startNumber];
  while (number > 0 && (await readHashAt(db, number)) !== hash) {
    const header = await loadHeader(hash);
    if (header === null) return 0;
    hash = bytesToBlockHash(header.parentHash);
    number = header.number - 1;
  }
  return number;
};

export const createStatePruning = (deps: Deps): StatePruning => {
  const { store, tree } = deps;
  const { mode, settler } = store;
  if (settler === null && store.base === 0) return keepAllStates;
  const providers: Pins[] = [];
  /**
   * For each pinned block off the best chain: the best-chain block it descends from, or a block below that.
   */
  const roots = new Map<BlockHash, number>();
  /** States of the best chain below this block are discarded. */
  let floor = mode === 'archive-canonical' ? 0 : (settler?.base() ?? store.base);

  const lower = (hash: BlockHash, number: number): void =>
    void roots.set(hash, Math.min(roots.get(hash) ?? number, number));
  const allPins = (): BlockRef[] => providers.flatMap((pins) => [...pins()]);
  /** The lowest block of the best chain whose state the pins need. */
  const lowestPin = (): number => {
    let lowest = Number.POSITIVE_INFINITY;
    const pinned = new Set<BlockHash>();
    for (const { hash, number } of allPins()) {
      pinned.add(hash);
      lowest = Math.min(lowest, number, roots.get(hash) ?? number);
    }
    for (const hash of roots.keys()) if (!pinned.has(hash)) roots.delete(hash);
    return lowest;
  };
  const raiseFloor = (): void => {
    if (typeof mode !== 'number') return;
    floor = Math.max(floor, Math.min(tree.finalized().number - mode + 1, lowestPin()));
  };

  return {
    mode,
    addPins: async (pins) => {
      for (const { hash, number } of pins()) {
        const root = await findRoot(deps, hash, number);
        if (root < number) lower(hash, root);
      }
      providers.push(pins);
      raiseFloor();
    },
    stageBlock: (batch, { hash, execution }, sequence) => {
      const added = execution.nodes.map(([name]) => name);
      const removed = mode === 'archive-canonical' ? [] : execution.removed;
      settler?.stageBlock(batch, hash, { sequence, added, removed });
    },
    stageLost: settler?.stageLost ?? keepAllStates.stageLost,
    onFinalized: (old, { pruned }) => {
      if (mode === 'archive-canonical') return settler?.discardBelow(tree.finalized().number);
      const lost = new Set(pruned);
      for (const { hash } of allPins()) if (lost.has(hash)) lower(hash, old.number);
      raiseFloor();
      settler?.discardBelow(floor);
    },
    onMoved: (common) => {
      if (mode === 'archive-canonical') settler?.moveBack(common.number);
      // The other branch may fork off anywhere from the previously finalized block on.
      const lowest = Math.min(common.number, tree.finalized().number);
      for (const { hash, number } of allPins()) if (number > lowest) lower(hash, lowest);
    },
    mayBeDiscarded: (hash) => tree.get(hash) === null,
    check: async (hash, number) => {
      if (tree.get(hash) !== null || floor === 0) return;
      // A fork from a discarded state lacks the nodes that its first block removed from the best chain's
      // state.
      if (number < floor || (await findRoot(deps, hash, number)) < floor) throw discardedError(hash);
    },
  };
};
