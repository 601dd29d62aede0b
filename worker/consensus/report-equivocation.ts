import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Chain } from '../chain/chain.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import { limitedOffchain } from '../executor/extensions.ts';
import { type Equivocation, encodeEvidence } from './equivocation-records.ts';
import type { Equivocations } from './equivocations.ts';

const gone: readonly ErrorCode[] = ['UnknownBlock', 'StateDiscarded'];

const nullIfGone = (error: unknown): null => {
  if (error instanceof NodeError && gone.includes(error.code)) return null;
  throw error;
};

/**
 * The report submitted through the runtime. None if the runtime cannot prove that the offender was an
 * authority.
 */
const makeReport = async (
  chain: Pick<Chain, 'best' | 'callAt'>,
  found: Equivocation,
): Promise<Uint8Array[]> => {
  const prove = async (hash: BlockHash): Promise<Uint8Array | null> => {
    const input = new Writer(40).u64(found.slot).raw(found.offender).finish();
    const result = await chain.callAt(hash, 'BabeApi_generate_key_ownership_proof', input);
    return result.ok ? new Reader(result.output).option((reader) => reader.vecBytes()) : null;
  };
  const best = chain.best().hash;
  // Only the parent's state has the keys of a session that has just ended, and that state may have been
  // discarded.
  const parent = bytesToBlockHash(found.second.parentHash);
  const proof = (await prove(parent).catch(nullIfGone)) ?? (await prove(best));
  if (proof === null) return [];
  const extrinsics: Uint8Array[] = [];
  const input = new Writer(1024).raw(encodeEvidence(found)).vecBytes(proof).finish();
  const method = 'BabeApi_submit_report_equivocation_unsigned_extrinsic';
  const offchain = limitedOffchain('A report of an equivocation may only submit a transaction', {
    submitTransaction: (extrinsic) => extrinsics.push(extrinsic) > 0,
  });
  await chain.callAt(best, method, input, { extensions: { offchain } });
  // A call that hit missing trie nodes ran more than once.
  return extrinsics.slice(-1);
};

type ReportDeps = {
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
  let taken = 0;
  for (const extrinsic of await makeReport(chain, equivocation)) if ((await submit(extrinsic)).ok) taken++;
  return taken;
};

/**
 * Reports stored evidence again, because a report that is not in a block yet was only in the pool, and then
 * each new one, one at a time. A runtime refuses a report that it already has.
 */
export const startReporting = ({
  equivocations,
  onError,
  ...deps
}: ReportDeps & {
  readonly equivocations: Pick<Equivocations, 'list' | 'onFound'>;
  readonly onError: (error: unknown) => void;
}): { close(): Promise<void> } => {
  let isClosed = false;
  let reporting: Promise<unknown> = Promise.resolve();
  const report = (found: Equivocation): void => {
    reporting = reporting.then(() => (isClosed ? 0 : reportEquivocation(deps, found))).catch(onError);
  };
  for (const found of equivocations.list()) report(found);
  equivocations.onFound(report);
  return {
    close: async () => {
      isClosed = true;
      await reporting;
    },
  };
};
