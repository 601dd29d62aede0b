import { loadSignatureBatch, type SignatureClaim } from '../crypto/signature-batch.ts';
import type { SignatureHelper } from '../crypto/signature-helper.ts';
import { createSignatureCache, type SignatureCache } from './signature-cache.ts';

const scheme = 'sr25519';
/** How many signatures the helper gets at once: few, so that little is left when the execution ends. */
const partSize = 32;
/** How long to wait for the helper when there is nothing else to do, in ms. */
const patienceMs = 500;
/** Fewer are verified as fast one by one. */
const fewest = 8;

/** The signatures of one execution or several, which count only if `areValid`. */
export type BatchedSignatures = {
  readonly signatures: SignatureCache;
  /**
   * Whether all that were left are valid. If they are, they are known from then on. Signatures of a later execution are
   * verified at once.
   */
  areValid(): Promise<boolean>;
};

/** For an execution, or several. Null if the code cannot be loaded: then each signature is verified alone. */
export type BatchSignatures = () => Promise<BatchedSignatures | null>;

/** Rejects, and ends the helper, if its verdicts do not arrive. */
const inTime = async (verdicts: readonly Promise<boolean>[], giveUp: () => void): Promise<boolean> => {
  const timer = setTimeout(giveUp, patienceMs);
  try {
    return (await Promise.all(verdicts)).every(Boolean);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Leaves sr25519 signatures to one equation for many of them, which takes less than half the time, and to a helper in a
 * thread of its own where there is one. What was executed with a signature that turns out to be bad must be executed
 * again, one signature at a time: the runtime may have done something else with a bad one than to refuse it. Throws
 * `CryptoUnavailable`. Without a helper, all are verified in this thread.
 */
export const batchSignatures = async (
  known: SignatureCache,
  helper: SignatureHelper | null = null,
): Promise<BatchedSignatures> => {
  const { sr25519 } = await loadSignatureBatch();
  const claims: (SignatureClaim & { readonly verify: () => boolean })[] = [];
  // An execution begins again when it misses a part of the state.
  const seen = createSignatureCache();
  const verdicts: Promise<boolean>[] = [];
  let isClosed = false;
  let sent = 0;
  const send = (): void => {
    if (helper === null || sent === claims.length) return;
    const verdict = helper.verify(scheme, claims.slice(sent));
    // The execution may fail before anyone awaits it.
    verdict.catch(() => undefined);
    verdicts.push(verdict);
    sent = claims.length;
  };
  const verifyHere = (): boolean =>
    claims.length < fewest ? claims.every(({ verify }) => verify()) : sr25519(claims);
  const verify = (): boolean | Promise<boolean> => {
    if (helper === null || claims.length < fewest) return verifyHere();
    send();
    return inTime(verdicts, helper.giveUp).catch(verifyHere);
  };
  return {
    signatures: {
      ...known,
      defer: (variant, claim, verifyNow) => {
        if (variant !== scheme || isClosed) return false;
        const { signature, message, publicKey } = claim;
        if (known.has(variant, signature, message, publicKey)) return true;
        if (seen.has(variant, signature, message, publicKey)) return true;
        seen.add(variant, signature, message, publicKey);
        claims.push({ ...claim, verify: verifyNow });
        if (claims.length - sent >= partSize) send();
        return true;
      },
    },
    areValid: async () => {
      isClosed = true;
      const areValid = await verify();
      if (areValid)
        for (const { signature, message, publicKey } of claims)
          known.add(scheme, signature, message, publicKey);
      return areValid;
    },
  };
};
