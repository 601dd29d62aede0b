import { bytesToKey, equalBytes } from '../bytes/bytes.ts';
import { type ApplyOutcome, applyExtrinsic } from '../executor/runtime-api.ts';
import type { Claim } from './engine.ts';
import { openBlock, type Parent, type ProposeDeps } from './proposer.ts';

/** A key of the main trie that an extrinsic changes, with its value before and after. */
export type DryChange = {
  readonly key: Uint8Array;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
};

/**
 * Runs an extrinsic in a separate block, after the inherents, and returns its effects. Throws `RuntimeTrap`,
 * `OutOfFuel`.
 */
export const dryRunExtrinsic = async (
  deps: Pick<ProposeDeps, 'run' | 'signatures' | 'fuel'>,
  parent: Parent,
  claim: Claim,
  extrinsic: Uint8Array,
): Promise<{ readonly outcome: ApplyOutcome; readonly changes: readonly DryChange[] }> => {
  const { overlay, run } = await openBlock(deps, parent, claim);
  const known = new Map(overlay.changes().main.map(([key, value]) => [bytesToKey(key), value]));
  const outcome = await run((target) => applyExtrinsic(target, extrinsic));
  const changes: DryChange[] = [];
  for (const [key, after] of overlay.changes().main) {
    const inBlock = known.get(bytesToKey(key));
    const before = inBlock === undefined ? await deps.run(() => overlay.backend.get(key)) : inBlock;
    const isSame = before === null || after === null ? before === after : equalBytes(before, after);
    if (!isSame) changes.push({ key, before, after });
  }
  return { outcome, changes };
};
