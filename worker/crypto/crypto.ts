import { createCore, createSpareCore } from './core.ts';
import { compileCore } from './core-module.ts';
import type { Ecdsa } from './ecdsa.ts';
import { createEcdsa } from './ecdsa.ts';
import type { Ed25519 } from './ed25519.ts';
import { createEd25519 } from './ed25519.ts';
import type { Hashes } from './hashes.ts';
import { createHashes } from './hashes.ts';
import type { Keys } from './keys.ts';
import { createKeys } from './keys.ts';
import type { ModuleCode } from './module-code.ts';
import { createModuleCode } from './module-code.ts';
import type { Random, Sr25519 } from './sr25519.ts';
import { createSr25519 } from './sr25519.ts';
import type { Vrf } from './vrf.ts';
import { createVrf } from './vrf.ts';
import type { Zstd } from './zstd.ts';
import { createZstd } from './zstd.ts';

export type { EcdsaRecovery } from './ecdsa.ts';
export type { Checks, ModuleCode } from './module-code.ts';
export type { VrfTranscript } from './vrf.ts';

/**
 * All cryptography of the node: synchronous, on one instance of crypto-core.wasm; every result is a fresh
 * copy. The core also decompresses runtimes and patches their code, in separate instances.
 */
export type Crypto = Hashes & Sr25519 & Vrf & Ed25519 & Ecdsa & Keys & ModuleCode & Zstd;

const systemRandom: Random = (length) => globalThis.crypto.getRandomValues(new Uint8Array(length));

/** Builds the functions over a compiled crypto-core.wasm. `random` feeds signing and soft derivation only. */
export const createCrypto = (
  wasm: WebAssembly.Module,
  options: { readonly random?: Random } = {},
): Crypto => {
  const core = createCore(wasm);
  const takeCore = createSpareCore(wasm);
  const random = options.random ?? systemRandom;
  return {
    ...createHashes(core),
    ...createSr25519({ core, random }),
    ...createVrf({ core, random }),
    ...createEd25519(core),
    ...createEcdsa(core),
    ...createKeys({ core, random }),
    ...createModuleCode(takeCore),
    ...createZstd(takeCore),
  };
};

/** `createCrypto` with the module next to this file. Throws `CryptoUnavailable`. */
export const loadCrypto = async (core: Promise<WebAssembly.Module> = compileCore()): Promise<Crypto> =>
  createCrypto(await core);
