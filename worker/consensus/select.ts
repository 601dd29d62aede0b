import type { SlotEngine } from '../author/engine.ts';
import type { Verifier } from '../chain/verify.ts';
import { findDigest } from '../codec/digest.ts';
import type { Runtime } from '../executor/executor.ts';
import { createAura } from './aura/aura.ts';
import { babeVerifier, createBabe } from './babe/babe.ts';
import type { EngineDeps } from './engine-deps.ts';
import { createInstant } from './instant/instant.ts';

/** The engine a runtime asks for by its APIs (DESIGN §4): BabeApi, else AuraApi, else none. */
export const createEngines = (
  deps: EngineDeps,
): {
  select(runtime: Runtime): SlotEngine;
  readonly verifier: Verifier;
  /** For a chain that goes back to an earlier time: the slots claimed since are free again. */
  forgetClaims(): void;
} => {
  let babe = createBabe(deps);
  const aura = createAura(deps);
  const instant = createInstant(deps);
  return {
    select: (runtime) => {
      if (runtime.apiVersion('BabeApi') !== null) return babe;
      return runtime.apiVersion('AuraApi') !== null ? aura : instant;
    },
    forgetClaims: () => {
      babe = createBabe(deps);
    },
    verifier: {
      verifyHeader: (input) =>
        findDigest(input.header.digest, 'preRuntime', 'BABE') === null
          ? { ok: true, primary: false }
          : babeVerifier.verifyHeader(input),
    },
  };
};
