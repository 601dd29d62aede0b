import { DecodeFault } from '../../src/scale/cursor.ts';
import { eraIn, isSharedEra } from '../../src/scale/era.ts';
import { type DecodedExtrinsic, decodeExtrinsic } from '../../src/scale/extrinsic.ts';
import type { RuntimeMeta } from '../../src/scale/types.ts';
import { createBoundedMap } from '../bytes/bounded-map.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Chain } from '../chain/chain.ts';
import { isOriginFault } from '../chain/refusal.ts';
import type { ExtrinsicHash } from '../codec/identity.ts';
import { loadMeta } from '../dev/metadata.ts';
import { isMockRecoverable, isMockSignature } from '../executor/mock-signature.ts';

type Transaction = { readonly hash: ExtrinsicHash; readonly extrinsic: Uint8Array };
type Reader = Pick<Chain, 'base' | 'best' | 'runtimeAt' | 'withState'>;

/** Transactions of which it is known: as many as the pool holds by default (sc-transaction-pool, `Options`). */
const keptMarks = 16_384;

/** Without the byte that names its scheme, or with that at the end of one of Ethereum: a mock signature stands for any scheme. */
const isMock = ({ bytes, signature }: DecodedExtrinsic): boolean => {
  if (signature === null) return false;
  const given = bytes.subarray(signature.start, signature.end);
  return isMockRecoverable(given) || isMockSignature(given.subarray(1));
};

/** Whether the signature of an extrinsic is valid on the live chain as well, as far as eras decide it. */
const isLiveToo = (meta: RuntimeMeta, extrinsic: Uint8Array, base: number, best: number): boolean => {
  try {
    const decoded = decodeExtrinsic(meta, bytesToHex(extrinsic));
    return decoded.kind !== 'bare' && !isMock(decoded) && isSharedEra(eraIn(decoded, best), base);
  } catch (fault) {
    // What cannot be decoded may be anything.
    if (fault instanceof DecodeFault) return true;
    throw fault;
  }
};

/**
 * Finds the transactions that the live chain of a fork may accept as well: those signed with a real key that are immortal, or
 * whose era begins at a block that both chains share. Nonces, balances and the runtime's version are not compared, as they
 * may become the same later.
 */
export const createLiveMarks = () => {
  const marks = createBoundedMap<ExtrinsicHash, boolean>(keptMarks);
  const metaOf = async (chain: Reader): Promise<RuntimeMeta | null> => {
    try {
      return await loadMeta(chain, chain.best().hash);
    } catch (error) {
      // The pool can be read also while the live chain cannot.
      if (isOriginFault(error)) return null;
      throw error;
    }
  };
  return async (chain: Reader, transactions: readonly Transaction[]): Promise<ReadonlySet<ExtrinsicHash>> => {
    const open = transactions.filter(({ hash }) => !marks.has(hash));
    const meta = open.length === 0 ? null : await metaOf(chain);
    if (meta !== null)
      for (const { hash, extrinsic } of open)
        marks.keep(hash, isLiveToo(meta, extrinsic, chain.base.number, chain.best().number));
    return new Set(transactions.flatMap(({ hash }) => ((marks.get(hash) ?? true) ? [hash] : [])));
  };
};
