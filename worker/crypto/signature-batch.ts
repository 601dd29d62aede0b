import { checkLength, createCore } from './core.ts';
import { compileModule } from './core-module.ts';

export type SignatureClaim = {
  readonly signature: Uint8Array;
  readonly message: Uint8Array;
  readonly publicKey: Uint8Array;
};

/** Whether all signatures are valid. */
export type VerifyAll = (claims: readonly SignatureClaim[]) => boolean;

/** Many signatures of one scheme at once, by the same rules as `ed25519Verify` and `sr25519Verify`. */
export type SignatureBatch = { readonly ed25519: VerifyAll; readonly sr25519: VerifyAll };

/** What the module of crates/crypto with the feature `batch` exports. */
type BatchCalls = { ed25519_verify_all(length: number): number; sr25519_verify_all(length: number): number };

const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
};

let compiled: Promise<WebAssembly.Module> | null = null;

/** Loads the module. Throws `CryptoUnavailable`; the next call tries again. */
export const loadSignatureBatch = async (): Promise<SignatureBatch> => {
  compiled ??= compileModule(new URL('./signature-batch.wasm', import.meta.url)).catch((error: unknown) => {
    compiled = null;
    throw error;
  });
  const module = await compiled;
  const verifierOf =
    (name: keyof BatchCalls): VerifyAll =>
    (claims) => {
      // A new instance each time: the memory of a large batch is not kept.
      const core = createCore(module);
      const seed = crypto.getRandomValues(new Uint8Array(32));
      const parts = claims.flatMap(({ signature, message, publicKey }) => {
        checkLength('signature', signature, 64);
        checkLength('publicKey', publicKey, 32);
        return [signature, publicKey, u32(message.length), message];
      });
      const length = core.put(seed, u32(claims.length), ...parts);
      return (core.calls as unknown as BatchCalls)[name](length) === 1;
    };
  return { ed25519: verifierOf('ed25519_verify_all'), sr25519: verifierOf('sr25519_verify_all') };
};
