import type { Chain } from '../chain/chain.ts';
import type { KeyScheme } from '../executor/extensions.ts';
import { generateSessionKeys, targetOf } from '../executor/runtime-api.ts';
import type { Keystore } from '../keystore/keystore.ts';

type Deps = {
  readonly chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>;
  readonly keystore: Pick<Keystore, 'attempt' | 'insertSuri'>;
};

type Timing = {
  schedule(ms: number, run: () => void): () => void;
  onError(error: unknown): void;
};

/**
 * Adds the keys of development accounts to the keystore under every session key type that the runtime
 * declares, as the SDK does with its development seeds (sp_session `generate_initial_session_keys`). They are
 * not written to disk.
 */
const fillSessionKeys = async ({ chain, keystore }: Deps, suris: readonly string[]): Promise<void> => {
  if (suris.length === 0) return;
  const { hash } = chain.best();
  const runtime = await chain.runtimeAt(hash);
  if (runtime.apiVersion('SessionKeys') === null) return;
  for (const suri of suris) {
    const declared = await chain.withState(hash, (backend) => {
      const { host } = keystore.attempt();
      const types: (readonly [keyType: string, scheme: KeyScheme])[] = [];
      const generate: typeof host.generate = (keyType, scheme, seed) => {
        types.push([keyType, scheme]);
        return host.generate(keyType, scheme, seed);
      };
      const options = { fuel: 'small', extensions: { keystore: { ...host, generate } } } as const;
      generateSessionKeys(targetOf({ backend, runtime }, options), suri);
      return types;
    });
    for (const [keyType, scheme] of declared) keystore.insertSuri(keyType, scheme, suri, { isKept: false });
  }
};

/**
 * Delay before the runtime is decompressed and compiled, which blocks the thread. The first responses are
 * sent before.
 */
const restMs = 250;

/** Fills the keystore once, shortly after the start or on the first request. */
export const createSessionKeys = (deps: Deps & Timing, suris: readonly string[]) => {
  let filled: Promise<void> | null = null;
  const fill = (): Promise<void> => {
    cancel();
    filled ??= fillSessionKeys(deps, suris).catch(deps.onError);
    return filled;
  };
  const cancel = deps.schedule(restMs, () => void fill());
  const close = async (): Promise<void> => {
    cancel();
    await filled;
  };
  return { fill, close };
};
