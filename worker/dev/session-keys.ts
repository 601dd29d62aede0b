import type { Chain } from '../chain/chain.ts';
import type { KeyScheme } from '../executor/extensions.ts';
import { generateSessionKeys, targetOf } from '../executor/runtime-api.ts';
import type { Keystore } from '../keystore/keystore.ts';

type Deps = {
  readonly chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>;
  readonly keystore: Pick<Keystore, 'attempt' | 'insertSuri'>;
};

/**
 * Adds the keys of development accounts to the keystore under every session key type that the runtime
 * declares, as the SDK does with its development seeds (sp_session `generate_initial_session_keys`). They are
 * not written to disk.
 */
export const fillSessionKeys = async ({ chain, keystore }: Deps, suris: readonly string[]): Promise<void> => {
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
