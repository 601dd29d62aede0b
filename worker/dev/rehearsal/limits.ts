import type { Measured, RehearsedWeight } from '../../../src/protocol/rehearsal.ts';
import { DecodeFault } from '../../../src/scale/cursor.ts';
import { decodeValue } from '../../../src/scale/decode.ts';
import { fromHex } from '../../../src/scale/hex.ts';
import { fieldOf } from '../../../src/scale/names.ts';
import { entryPrefix } from '../../../src/scale/storage.ts';
import type { Decoded, RuntimeMeta } from '../../../src/scale/types.ts';
import { hexToBytes } from '../../bytes/hex.ts';
import { Reader } from '../../bytes/reader.ts';
import type { Backend } from '../../state/backend.ts';

/** sp_weights::Weight */
export type Weight = { readonly refTime: bigint; readonly proofSize: bigint };

/**
 * A collator fills at most 85 % of the largest proof that a relay chain takes, 10 MiB (cumulus-client-consensus-aura,
 * `allowed_pov_size`; polkadot-primitives, `MAX_POV_SIZE`).
 */
export const proofLimit = (10 * 1024 * 1024 * 85) / 100;

const largestU64 = 0xffff_ffff_ffff_ffffn;

export const readWeight = (reader: Reader): Weight => ({
  refTime: reader.compactBig(),
  proofSize: reader.compactBig(),
});

const blockWeightKey = /* @__PURE__ */ hexToBytes(entryPrefix('System', 'BlockWeight'));

/** `System.BlockWeight` so far: the sum over the dispatch classes. Null: the runtime has it in another form (before 2022). */
export const blockWeight = (state: Pick<Backend, 'get'>): Weight | null => {
  const value = state.get(blockWeightKey);
  if (value === null) return null;
  try {
    const reader = new Reader(value);
    const classes = [readWeight(reader), readWeight(reader), readWeight(reader)];
    reader.end();
    return classes.reduce((sum, one) => ({
      refTime: sum.refTime + one.refTime,
      proofSize: sum.proofSize + one.proofSize,
    }));
  } catch {
    return null;
  }
};

export const lessWeight = (whole: Weight, part: Weight): Weight => {
  const less = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n);
  return {
    refTime: less(whole.refTime, part.refTime),
    proofSize: less(whole.proofSize, part.proofSize),
  };
};

const integer = (value: Decoded | null): bigint | null =>
  value?.kind === 'number' ? BigInt(value.value) : null;

/** `System.BlockWeights.max_block` of a runtime's constants; null if they do not have it. */
export const maxBlockWeight = (meta: RuntimeMeta | null): Weight | null => {
  const constant = meta?.pallet('System')?.constants.find(({ name }) => name === 'BlockWeights');
  if (meta == null || constant === undefined) return null;
  try {
    const max = fieldOf(decodeValue(meta, constant.type, fromHex(constant.value)), 'max_block');
    const [refTime, proofSize] = [integer(fieldOf(max, 'ref_time')), integer(fieldOf(max, 'proof_size'))];
    return refTime === null || proofSize === null ? null : { refTime, proofSize };
  } catch (fault) {
    if (fault instanceof DecodeFault) return null;
    throw fault;
  }
};

const measured = (used: bigint, limit: bigint | null): Measured<string> => {
  const own = limit === largestU64 ? null : limit;
  return { used: `${used}`, limit: own === null ? null : `${own}`, isOver: own !== null && used > own };
};

/** A weight against the limit; u64::MAX, which a chain without proofs has, is none. */
export const againstLimit = (weight: Weight, limit: Weight | null): RehearsedWeight => ({
  refTime: measured(weight.refTime, limit?.refTime ?? null),
  proofSize: measured(weight.proofSize, limit?.proofSize ?? null),
});
