import type { RehearsalReport } from '../../../src/protocol/rehearsal.ts';
import { entryPrefix } from '../../../src/scale/storage.ts';
import type { RuntimeMeta } from '../../../src/scale/types.ts';
import type { Claim } from '../../author/engine.ts';
import { openingHeader } from '../../author/proposer.ts';
import { textToBytes } from '../../bytes/bytes.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import { Writer } from '../../bytes/writer.ts';
import { stateVersion } from '../../chain/hashes.ts';
import { recordsProofSize } from '../../chain/proofs.ts';
import { encodeHeader, type Header } from '../../codec/header.ts';
import type { CallResult, Runtime } from '../../executor/executor.ts';
import type { Backend } from '../../state/backend.ts';
import { createOverlay, type Overlay } from '../../state/overlay.ts';
import { reportChanges } from './changes.ts';
import { againstLimit, blockWeight, lessWeight, type Weight } from './limits.ts';
import { costOf, openRecorded, type ProofDeps, type Recorded } from './proof-cost.ts';
import { runReadingAhead } from './read-ahead.ts';
import { callOptions, failureText, timed, trialOptions } from './runs.ts';
import type { RehearsalSteps } from './steps.ts';

/** The block that the next one is built on, with the new code in its state. */
export type On = { readonly hash: Uint8Array; readonly header: Header; readonly backend: Backend };

export type MigrationDeps = ProofDeps & {
  readonly steps: RehearsalSteps;
  readonly runtime: Runtime;
  readonly metas: { readonly old: RuntimeMeta | null; readonly new: RuntimeMeta | null };
  readonly maxWeight: Weight | null;
};

const lastUpgradeKey = /* @__PURE__ */ hexToBytes(entryPrefix('System', 'LastRuntimeUpgrade'));

/** `LastRuntimeUpgradeInfo`: with it, the block takes the upgrade for done (frame-executive, `runtime_upgraded`). */
const lastUpgrade = ({ version }: Runtime): Uint8Array =>
  new Writer(64).compact(version.specVersion).vecBytes(textToBytes(version.specName)).finish();

type Opened = Recorded & { readonly result: CallResult; readonly ms: number };

/**
 * Opens the next block on the new code, once as it is, which runs `on_runtime_upgrade`, and once as if the upgrade had been
 * done: the difference is what the upgrade does. Returns why it fails, or what it takes.
 */
export const measureMigration = async (
  deps: MigrationDeps,
  on: On,
  claim: Claim,
): Promise<{ readonly failure: string } | { readonly measured: RehearsalReport['migration'] }> => {
  const { steps, runtime } = deps;
  await steps.begin('upgrade', on.header.number + 1);
  const version = stateVersion(runtime);
  const isParachain = recordsProofSize(runtime);
  const input = encodeHeader(openingHeader(on, claim));
  const initialize = (overlay: Overlay, options: ReturnType<typeof callOptions>): CallResult =>
    runtime.call(overlay, 'Core_initialize_block', input, options);
  const run = runReadingAhead(steps, on.backend, (state) => {
    const overlay = createOverlay(state);
    if (initialize(overlay, trialOptions()).ok) overlay.commit(version);
  });
  const open = async (prepare: (overlay: Overlay) => void): Promise<Opened> => {
    const recorded = openRecorded(steps.reads, on.backend, isParachain);
    prepare(recorded.overlay);
    const runs = timed(run);
    const result = await runs.run(() => initialize(recorded.overlay, callOptions()));
    steps.seen(recorded.overlay.keysRead().length);
    return { ...recorded, result, ms: runs.ms() };
  };
  const upgraded = await open(() => undefined);
  if (!upgraded.result.ok) return { failure: failureText(upgraded.result) };
  const plain = await open((overlay) => overlay.set(lastUpgradeKey, lastUpgrade(runtime)));
  if (!plain.result.ok) return { failure: failureText(plain.result) };
  const [whole, usual] = [blockWeight(upgraded.overlay), blockWeight(plain.overlay)];
  const weight =
    whole === null || usual === null ? null : againstLimit(lessWeight(whole, usual), deps.maxWeight);
  const changes = await reportChanges(steps.run, on.backend, { upgraded, plain }, deps.metas);
  // The proof of a block has what its new root is computed from.
  await run(() => upgraded.overlay.commit(version));
  const cost = costOf(deps, upgraded, { root: on.backend.root, ms: upgraded.ms, hasLimit: isParachain });
  return { measured: { ...cost, weight, ...changes } };
};
