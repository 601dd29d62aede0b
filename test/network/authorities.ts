import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';

/** What makes development accounts the authorities of a chain: a patch of the `local_testnet` preset. */
export const authoritiesPatch = async (
  names: readonly string[],
  validators: Readonly<Record<string, unknown>> = {},
): Promise<string> => {
  await cryptoWaitReady();
  const [babe, grandpa] = (['sr25519', 'ed25519'] as const).map((type) => {
    const keyring = new Keyring({ type });
    return names.map((name) => keyring.addFromUri(`//${name}`).address);
  });
  const keys = babe?.map((account, index) => [
    account,
    account,
    { babe: account, grandpa: grandpa?.[index] },
  ]);
  return JSON.stringify({ session: { keys }, validators: { validators: babe, ...validators } });
};
