import type { SlotEngine } from '../author/engine.ts';
import type { Runtime } from '../executor/executor.ts';
import { createAura } from './aura/aura.ts';
import { createBabe } from './babe/babe.ts';
import { createInstant } from './instant/instant.ts';
import type { EngineDeps } from './settings.ts';
import { engineOf } from './verifier.ts';

/** The engine selected by the runtime's APIs: BabeApi, else AuraApi, else none. */
export const createEngines = (
  deps: EngineDeps,
): {
  select(runtime: Runtime): SlotEngine;
  /** Called when a chain goes back in time. Later slots can then be claimed again. */
  forgetClaims(): void;
} => {
  let babe = createBabe(deps);
  const aura = createAura(deps);
  const instant = createInstant(deps);
  return {
    select: (runtime) => ({ babe, aura, none: instant })[engineOf(runtime)],
    forgetClaims: () => {
      babe = createBabe(deps);
    },
  };
};
