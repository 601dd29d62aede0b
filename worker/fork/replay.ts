import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { stateVersion } from '../chain/hashes.ts';
import { type Proofs, recordsProofSize } from '../chain/proofs.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import type { Block } from '../codec/block.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay, type OverlayCommit } from '../state/overlay.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import { type PhaseFault, type PhaseRun, runPhases } from './phases.ts';

/** The execution of a live chain's block on its parent's proven state. */
export type Replay = {
  readonly hash: BlockHash;
  readonly block: Block;
  readonly phases: readonly PhaseRun[];
  readonly runtime: Runtime;
  readonly parent: Backend;
  /** Null if the block cannot be executed to its end. */
  readonly committed: OverlayCommit | null;
  readonly fault: PhaseFault | null;
  /** Whether every part could be executed and the state root is the header's. */
  readonly isSame: boolean;
};

/** Where a replay finds blocks and states: a live chain, or the node's own chain. */
export type ReplaySource = {
  readonly store: Pick<TrieStore, 'run' | 'readSets'>;
  /** Throws `UnknownBlock`. */
  loadBlock(hash: BlockHash): Promise<Block>;
  /** Throws `UnknownBlock`, `StateDiscarded`. */
  stateAt(hash: BlockHash): Promise<Backend>;
  /** The runtime that executes the block after this one. */
  runtimeAfter(hash: BlockHash, state: Backend): Promise<Runtime>;
  record: Proofs['record'];
  /** The keys that a block changed, as an endpoint says; null: nobody says it. */
  changedBy(hash: BlockHash): Promise<readonly Uint8Array[] | null>;
  /** The nodes that a block has made, and whose root is its header's. */
  keep(nodes: NodeBatch): void;
};

export type ReplayOptions = {
  /** Whether the writes of each phase are kept. */
  readonly withChanges: boolean;
  readonly nowMs: () => number;
};

/** Throws `UnknownBlock`, `StateDiscarded`, `Unsupported` for block 0, and the errors of endpoints. */
export const replayBlock = async (
  source: ReplaySource,
  hash: BlockHash,
  { withChanges, nowMs }: ReplayOptions,
): Promise<Replay> => {
  const { store } = source;
  const block = await source.loadBlock(hash);
  const { header } = block;
  if (header.number === 0)
    throw new NodeError('Unsupported', 'Block #0 is not executed: it is made from the specification');
  const parentHash = bytesToBlockHash(header.parentHash);
  const parent = await source.stateAt(parentHash);
  const runtime = await source.runtimeAfter(parentHash, parent);
  const recording = recordsProofSize(runtime) ? await source.record(runtime, header) : null;
  const overlay = recording?.openOverlay() ?? createOverlay(parent);
  const run = await runPhases({ store, runtime, backend: parent, overlay, block, withChanges, nowMs });
  const committed =
    run.fault === null ? await store.run(() => run.overlay.commit(stateVersion(runtime))) : null;
  const isSame = committed !== null && equalBytes(committed.backend.root, header.stateRoot);
  if (isSame) {
    source.keep(committed.nodes);
    recording?.executed(hash, committed.nodes);
  }
  return { hash, block, runtime, parent, phases: run.phases, committed, fault: run.fault, isSame };
};
