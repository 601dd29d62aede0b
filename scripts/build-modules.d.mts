/** The manifest of a module, which describes the file next to it. */
export type ModuleManifest = {
  readonly sources: string;
  readonly size: number;
  readonly blake2b256: string;
  readonly toolchain: string;
  readonly buildStd: boolean;
  readonly optimizer: string;
};
export type ModuleName = 'crypto' | 'batch' | 'grandpa';
export declare const modules: Readonly<Record<ModuleName, { readonly path: string }>>;
export declare const hashSources: (name: ModuleName) => string;
export declare const findFault: (
  manifest: ModuleManifest,
  module: Uint8Array,
  sources: string,
) => string | null;
export declare const readCommitted: (name: ModuleName) => {
  manifest: ModuleManifest;
  module: Uint8Array<ArrayBuffer>;
};
