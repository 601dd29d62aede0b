import { Writer } from '../../../bytes/writer.ts';
import type { Chain } from '../../../chain/chain.ts';
import { makeReport } from '../../report-equivocation.ts';
import type { DoubleVote } from './module.ts';

type Deps = {
  readonly chain: Pick<Chain, 'best' | 'callAt' | 'finalized'>;
  readonly submit: (extrinsic: Uint8Array) => Promise<{ readonly ok: boolean }>;
};

/** sp-consensus-grandpa `EquivocationProof`. */
const encodeProof = (setId: bigint, { phase, bytes }: DoubleVote): Uint8Array =>
  new Writer(256)
    .u64(setId)
    .u8(phase === 'prevote' ? 0 : 1)
    .raw(bytes)
    .finish();

/**
 * Reports a double vote to the pool through the runtime API (sc-consensus-grandpa `report_equivocation`). Returns
 * whether the pool took it.
 */
export const reportDoubleVote = async (
  { chain, submit }: Deps,
  setId: bigint,
  found: DoubleVote,
): Promise<boolean> => {
  const [extrinsic] = await makeReport(chain, {
    api: 'GrandpaApi',
    claim: new Writer(40).u64(setId).raw(found.voter).finish(),
    proof: encodeProof(setId, found),
    // The best block may belong to the next session; the finalized one belongs to the set that votes.
    at: [chain.finalized().hash],
  });
  return extrinsic !== undefined && (await submit(extrinsic)).ok;
};
