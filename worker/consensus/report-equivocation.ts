import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain } from '../chain/chain.ts';
import { isUnavailable } from '../chain/refusal.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import { limitedOffchain } from '../executor/extensions.ts';
import { type Equivocation, encodeEvidence } from './equivocations.ts';

const nullIfGone = (error: unknown): null => {
  if (isUnavailable(error)) return null;
  throw error;
};

/** What the runtime needs for a report. */
export type Evidence = {
  readonly api: 'BabeApi' | 'GrandpaApi';
  /** The offender with the slot or the id of the authority set: input of `generate_key_ownership_proof`. */
  readonly claim: Uint8Array;
  /** SCALE of the engine's `EquivocationProof`. */
  readonly proof: Uint8Array;
  /** Blocks whose state may have the offender's session, apart from the best one: it may be gone there. */
  readonly at: readonly BlockHash[];
};

/**
 * The report submitted through the runtime. None if the runtime cannot prove that the offender was an
 * authority.
 */
export const makeReport = async (
  chain: Pick<Chain, 'best' | 'callAt'>,
  { api, claim, proof, at }: Evidence,
): Promise<Uint8Array[]> => {
  const prove = async (hash: BlockHash): Promise<Uint8Array | null> => {
    const result = await chain.callAt(hash, `${api}_generate_key_ownership_proof`, claim);
    return result.ok ? new Reader(result.output).option((reader) => reader.vecBytes()) : null;
  };
  const best = chain.best().hash;
  let owned: Uint8Array | null = null;
  for (const hash of at) owned ??= await prove(hash).catch(nullIfGone);
  owned ??= await prove(best);
  if (owned === null) return [];
  const extrinsics: Uint8Array[] = [];
  const input = new Writer(1024).raw(proof).vecBytes(owned).finish();
  const method = `${api}_submit_report_equivocation_unsigned_extrinsic`;
  const offchain = limitedOffchain('A report of an equivocation may only submit a transaction', {
    submitTransaction: (extrinsic) => extrinsics.push(extrinsic) > 0,
  });
  await chain.callAt(best, method, input, { extensions: { offchain } });
  // A call that hit missing trie nodes ran more than once.
  return extrinsics.slice(-1);
};

export type ReportDeps = {
  readonly chain: Pick<Chain, 'best' | 'callAt'>;
  readonly submit: (extrinsic: Uint8Array) => Promise<{ readonly ok: boolean }>;
};

/**
 * Reports a BABE equivocation to the pool through the runtime API (sc-consensus-babe
 * `check_and_report_equivocation`). Returns the number of transactions added. Aura has no such call.
 */
export const reportEquivocation = async (
  { chain, submit }: ReportDeps,
  equivocation: Equivocation,
): Promise<number> => {
  if (equivocation.engine !== 'babe') return 0;
  const { slot, offender, second } = equivocation;
  const evidence: Evidence = {
    api: 'BabeApi',
    claim: new Writer(40).u64(slot).raw(offender).finish(),
    proof: encodeEvidence(equivocation),
    // Only the parent's state has the keys of a session that has just ended, and that state may have been
    // discarded.
    at: [bytesToBlockHash(second.parentHash)],
  };
  let taken = 0;
  for (const extrinsic of await makeReport(chain, evidence)) if ((await submit(extrinsic)).ok) taken++;
  return taken;
};
