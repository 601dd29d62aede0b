import { bytesToKey, equalBytes } from '../bytes/bytes.ts';
import { type ApplyOutcome, applyExtrinsic, finalizeBlock } from '../executor/runtime-api.ts';
import type { Overlay } from '../state/overlay.ts';
import type { Claim } from './engine.ts';
import { openBlock, type Parent, type ProposeDeps } from './proposer.ts';

/** A key of the main trie that an extrinsic changes, with its value before and after. */
export type DryChange = {
  readonly key: Uint8Array;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
};

/** What a part of the block changes. */
export type DryHooks = {
  /** Core_initialize_block and the inherents. */
  readonly initialization: readonly DryChange[];
  readonly finalization: readonly DryChange[];
};

type Writes = ReadonlyMap<string, Uint8Array | null>;

const isSame = (one: Uint8Array | null, other: Uint8Array | null): boolean =>
  one === null || other === null ? one === other : equalBytes(one, other);

const writesOf = (overlay: Overlay): Writes =>
  new Map(overlay.changes().main.map(([key, value]) => [bytesToKey(key), value]));

/**
 * Runs an extrinsic in a separate block, after the inherents, and returns its effects; with `withHooks` also those of the
 * rest of the block. Throws `RuntimeTrap`, `OutOfFuel`.
 */
export const dryRunExtrinsic = async (
  deps: Pick<ProposeDeps, 'run' | 'signatures' | 'fuel'>,
  parent: Parent,
  claim: Claim,
  extrinsic: Uint8Array,
  withHooks: boolean,
): Promise<{
  readonly outcome: ApplyOutcome;
  readonly changes: readonly DryChange[];
  readonly hooks: DryHooks | null;
}> => {
  const { overlay, run } = await openBlock(deps, parent, claim);
  const changesSince = async (known: Writes): Promise<DryChange[]> => {
    const changes: DryChange[] = [];
    for (const [key, after] of overlay.changes().main) {
      const inBlock = known.get(bytesToKey(key));
      const before = inBlock === undefined ? await deps.run(() => overlay.backend.get(key)) : inBlock;
      if (!isSame(before, after)) changes.push({ key, before, after });
    }
    return changes;
  };
  const initialization = withHooks ? await changesSince(new Map()) : [];
  const opened = writesOf(overlay);
  const outcome = await run((target) => applyExtrinsic(target, extrinsic));
  const changes = await changesSince(opened);
  if (!withHooks) return { outcome, changes, hooks: null };
  const applied = writesOf(overlay);
  await run((target) => finalizeBlock(target));
  return { outcome, changes, hooks: { initialization, finalization: await changesSince(applied) } };
};
