import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady, jsonEncrypt } from '@polkadot/util-crypto';
import { expect, it } from 'vitest';
import { createHeldKeys } from './held-keys.ts';

it('a page holds so many keys; of a file that does not fit, none is held', async () => {
  await cryptoWaitReady();
  const keyring = new Keyring({ type: 'ed25519' });
  const accounts = Array.from({ length: 4 }, (_, at) => keyring.createFromUri(`//${at}`).toJson());
  const fileOf = (list: readonly unknown[]) =>
    JSON.stringify({
      ...jsonEncrypt(new TextEncoder().encode(JSON.stringify(list)), ['batch-pkcs8'], 'secret'),
      accounts: [],
    });
  const keys = createHeldKeys(5);
  expect((await keys.open(fileOf(accounts), 'secret')).opened).toHaveLength(4);
  const others = ['//a', '//b'].map((uri) => keyring.createFromUri(uri));
  const two = fileOf(others.map((pair) => pair.toJson()));
  await expect(keys.open(two, 'secret')).rejects.toMatchObject({ code: 'LimitReached' });
  const payload = new Uint8Array(4);
  for (const { publicKey } of others)
    await expect(keys.sign(`0x${Buffer.from(publicKey).toString('hex')}`, payload)).rejects.toMatchObject({
      code: 'BadKey',
    });
  // Those that are held already need no more room.
  expect((await keys.open(fileOf(accounts.slice(0, 3)), 'secret')).opened).toHaveLength(3);
  await keys.add('//a', 'ed25519');
  await expect(keys.add('//b', 'ed25519')).rejects.toMatchObject({ code: 'LimitReached' });
});
