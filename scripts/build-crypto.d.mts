/** The contents of worker/crypto/crypto-core.json, which describes the module next to it. */
export type CryptoManifest = {
  readonly sources: string;
  readonly size: number;
  readonly blake2b256: string;
  readonly toolchain: string;
  readonly buildStd: boolean;
  readonly optimizer: string;
};
export declare const hashSources: () => string;
export declare const findFault: (
  manifest: CryptoManifest,
  module: Uint8Array,
  sources: string,
) => string | null;
export declare const readCommitted: () => { manifest: CryptoManifest; module: Uint8Array<ArrayBuffer> };
