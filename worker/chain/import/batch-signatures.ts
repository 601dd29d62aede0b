import { loadSignatureBatch, type SignatureClaim } from '../../crypto/signature-batch.ts';
import type { SignatureCache } from '../../executor/signature-cache.ts';

const scheme = 'sr25519';

/** The signatures of one execution, which counts only if `areValid`. */
export type BatchedSignatures = {
  readonly signatures: SignatureCache;
  /** Whether all that were left are valid. If they are, they are known from then on. */
  areValid(): boolean;
};

/**
 * Leaves the sr25519 signatures of a block to one equation for all of them, which takes less than half the time. A block
 * that is executed with a signature that turns out to be bad must be executed again, one signature at a time: the runtime
 * may have done something else with a bad one than to refuse the block. Throws `CryptoUnavailable`.
 */
export const batchSignatures = async (known: SignatureCache): Promise<BatchedSignatures> => {
  const { sr25519 } = await loadSignatureBatch();
  const claims: SignatureClaim[] = [];
  return {
    signatures: {
      ...known,
      defer: (variant, claim) => {
        if (variant !== scheme) return false;
        const { signature, message, publicKey } = claim;
        if (!known.has(variant, signature, message, publicKey)) claims.push(claim);
        return true;
      },
    },
    areValid: () => {
      const valid = claims.length === 0 || sr25519(claims);
      if (valid)
        for (const { signature, message, publicKey } of claims)
          known.add(scheme, signature, message, publicKey);
      return valid;
    },
  };
};
