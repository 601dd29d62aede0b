import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes, textToBytes } from '../bytes/bytes.ts';
import { codeKey, pendingCodeKey } from '../chain/genesis/genesis.ts';
import { stateVersion } from '../chain/hashes.ts';
import { recordsProofSize } from '../chain/proofs.ts';
import type { Block } from '../codec/block.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay, type OverlayCommit } from '../state/overlay.ts';
import type { LiveView } from './live-view.ts';
import { type PhaseFault, type PhaseRun, runPhases } from './phases.ts';

/** The execution of a live chain's block on its parent's proven state. */
export type Replay = {
  readonly hash: BlockHash;
  readonly block: Block;
  readonly runtime: Runtime;
  readonly parent: Backend;
  readonly phases: readonly PhaseRun[];
  /** Null if the block cannot be executed to its end. */
  readonly committed: OverlayCommit | null;
  readonly fault: PhaseFault | null;
  /** Whether every part could be executed and the state root is the header's. */
  readonly isSame: boolean;
};

const heapPagesKey = /* @__PURE__ */ textToBytes(':heappages');

/** Reads in one round what loading the runtime needs, and its code only if it is not loaded. */
const loadRuntime = async (
  { view, store }: LiveView,
  parent: BlockHash,
  backend: Backend,
): Promise<Runtime> => {
  const reads = [
    () => backend.valueHash(codeKey),
    () => backend.valueHash(pendingCodeKey),
    () => backend.get(heapPagesKey),
  ];
  await store.run(
    () => {
      for (const read of reads) read();
    },
    () => reads,
  );
  return view.runtimeAt(parent, 'onchain');
};

export type ReplayOptions = {
  /** Whether the writes of each phase are kept. */
  readonly withChanges: boolean;
  readonly nowMs: () => number;
};

/** Throws `UnknownBlock`, `Unsupported` for block 0, and the errors of endpoints. */
export const replayBlock = async (
  live: LiveView,
  hash: BlockHash,
  { withChanges, nowMs }: ReplayOptions,
): Promise<Replay> => {
  const { view, store, nodes, proofs } = live;
  const [header, extrinsics] = await Promise.all([live.loadHeader(hash), live.loadBody(hash)]);
  if (header.number === 0)
    throw new NodeError('Unsupported', 'Block #0 is not executed: it is made from the specification');
  const parentHash = bytesToBlockHash(header.parentHash);
  const parent = await view.backendAt(parentHash);
  const runtime = await loadRuntime(live, parentHash, parent);
  const block = { header, extrinsics };
  const recording = recordsProofSize(runtime) ? await proofs.record(runtime, header) : null;
  // The earlier blocks of its bundle may have been executed again for that, on older states.
  nodes.readAt(header.parentHash);
  const overlay = recording?.openOverlay() ?? createOverlay(parent);
  const run = await runPhases({ store, runtime, backend: parent, overlay, block, withChanges, nowMs });
  const committed =
    run.fault === null ? await store.run(() => run.overlay.commit(stateVersion(runtime))) : null;
  const isSame = committed !== null && equalBytes(committed.backend.root, header.stateRoot);
  if (isSame) {
    nodes.keep(committed.nodes);
    recording?.executed(hash, committed.nodes);
  }
  return { hash, block, runtime, parent, phases: run.phases, committed, fault: run.fault, isSame };
};
