import { checkLength, createCore } from './core.ts';
import { compileModule } from './core-module.ts';

export type SignatureClaim = {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
};

/** The schemes of which many signatures are verified at once. */
export type BatchScheme = 'ed25519' | 'sr25519';

/** Whether all signatures are valid. */
export type VerifyAll = (claims: readonly SignatureClaim[]) => boolean;

/** Many signatures of one scheme at once, by the same rules as `ed25519Verify` and `sr25519Verify`. */
export type SignatureBatch = {
  readonly ed25519: VerifyAll;
  readonly sr25519: VerifyAll;
  /** The same for what `packClaims` returned. */
  verifyPacked(scheme: BatchScheme, claims: Uint8Array): boolean;
};

/** What the module of crates/crypto with the feature `batch` exports. */
type BatchCalls = Readonly<Record<`${BatchScheme}_verify_all`, (length: number) => number>>;

/**
 * The number of signatures, then for each 64 bytes of signature, 32 of public key, the length of the message and the
 * message. Numbers are u32, little-endian (crates/crypto/src/batch.rs).
 */
export const packClaims = (claims: readonly SignatureClaim[]): Uint8Array<ArrayBuffer> => {
  let length = 4;
  for (const { message } of claims) length += 64 + 32 + 4 + message.length;
  const packed = new Uint8Array(length);
  const view = new DataView(packed.buffer);
  view.setUint32(0, claims.length, true);
  let at = 4;
  for (const { signature, message, publicKey } of claims) {
    checkLength('signature', signature, 64);
    checkLength('publicKey', publicKey, 32);
    packed.set(signature, at);
    packed.set(publicKey, at + 64);
    view.setUint32(at + 96, message.length, true);
    packed.set(message, at + 100);
    at += 100 + message.length;
  }
  return packed;
};

let compiled: Promise<WebAssembly.Module> | null = null;

/** Loads the module. Throws `CryptoUnavailable`; the next call tries again. */
export const loadSignatureBatch = async (): Promise<SignatureBatch> => {
  compiled ??= compileModule(new URL('./signature-batch.wasm', import.meta.url)).catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  const module = await compiled;
  const verifyPacked: SignatureBatch['verifyPacked'] = (scheme, claims) => {
    // A new instance each time: the memory of a large batch is not kept.
    const core = createCore(module);
    const length = core.put(crypto.getRandomValues(new Uint8Array(32)), claims);
    return (core.calls as unknown as BatchCalls)[`${scheme}_verify_all`](length) === 1;
  };
  return {
    verifyPacked,
    ed25519: (claims) => verifyPacked('ed25519', packClaims(claims)),
    sr25519: (claims) => verifyPacked('sr25519', packClaims(claims)),
  };
};

/** Message to a worker that verifies. */
export type ClaimsToVerify = {
  readonly turn: number;
  readonly scheme: BatchScheme;
  readonly claims: Uint8Array;
};
/** Its response; null: it could not verify. */
export type Verdict = { readonly turn: number; readonly areValid: boolean | null };

/** Verifies in a worker for the thread that has sent the message. */
export const verifyFor = async ({ turn, scheme, claims }: ClaimsToVerify): Promise<Verdict> => {
  try {
    return { turn, areValid: (await loadSignatureBatch()).verifyPacked(scheme, claims) };
  } catch {
    return { turn, areValid: null };
  }
};
