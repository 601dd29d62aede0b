import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { describe, expect, it } from 'vitest';
import { isOneOfSeveral } from '../../worker/consensus/other-authorities.ts';
import { createNode } from '../../worker/node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

describe.skipIf(!hasFixtures)('a node on a chain with Aura (shared fixtures)', () => {
  it('is one of several authorities if it has the key of one, but not of all', async () => {
    await cryptoWaitReady();
    const keyring = new Keyring({ type: 'sr25519' });
    // Its authorities are Alice and Bob.
    const chain = { specJson: await loadFixtureText('chains/node-template-raw.json') };
    const node = await createNode(createTestPlatform(), testConfig(chain));
    const holding = (...names: readonly string[]) => {
      const publicKeys = () => names.map((name) => keyring.addFromUri(`//${name}`).publicKey);
      return isOneOfSeveral({ ...node.parts, keystore: { publicKeys }, clock: { now: Date.now } });
    };
    const held = [holding(), holding('Alice'), holding('Bob'), holding('Alice', 'Bob'), holding('Charlie')];
    expect(await Promise.all(held)).toEqual([false, true, true, false, false]);
    await node.close();
  });
});
