import { expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { createNode } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { countedOrigin } from './counted-origin.ts';
import { openForkOf } from './fork-rig.ts';
import { devKeys, isMissing, knownChains, sourceOf } from './known-chains.ts';
import { createSigner } from './signer.ts';

const blocks = 100;
/** Enough that the hashes of blocks, which are stored under their numbers, are a trie of some depth. */
const baseNumber = 300;

for (const known of knownChains)
  it.skipIf(isMissing(known))(
    `${blocks} empty blocks on a fork of ${known.name} need few rounds, then hardly any request`,
    async () => {
      const live = await createNode(
        createTestPlatform(),
        testConfig(await sourceOf(known), { keys: devKeys }),
      );
      for (let block = 0; block < baseNumber; block++) await sealOn(live);
      await live.parts.chain.finalize(live.parts.chain.best().hash);
      const { origin, during } = countedOrigin(live);
      const { node, errors } = await openForkOf(live, { keys: devKeys, origin });
      const first = await during(() => sealOn(node));
      // What depends on a value that was read takes another round.
      expect(first.rounds).toBeLessThanOrEqual(3);
      expect(first.bytes).toBeLessThanOrEqual(64_000);
      const later = await during(async () => {
        for (let block = 1; block < blocks; block++) await sealOn(node);
      });
      // Items that are read for the first time in the middle of an epoch, or under the numbers of later blocks.
      expect(later.requests).toBeLessThanOrEqual(blocks / 8);
      expect(errors).toEqual([]);
      await node.close();
      await live.close();
    },
    240_000,
  );

it('a transfer between accounts that were never read takes one request', async () => {
  const live = await createNode(createTestPlatform(), testConfig('development'));
  await sealOn(live);
  const { origin, during } = countedOrigin(live);
  const { node } = await openForkOf(live, { block: 'best', origin });
  const sign = createSigner();
  const include = async (from: string, to: number) => {
    const dest = { Id: bytesToHex(new Uint8Array(32).fill(to)) };
    const call = ['Balances', 'transfer_allow_death', { dest, value: '1000000000000' }] as const;
    // Signed with the live chain, so that the fork has not read the sender.
    const [signed = ''] = await sign(live, live.parts.chain.best().hash, [[from, call]]);
    return during(async () => {
      expect(await node.parts.pool.submit(hexToBytes(signed), 1)).toMatchObject({ ok: true });
      await sealOn(node);
      expect(node.parts.pool.readyCount()).toBe(0);
    });
  };
  // These read what all transfers need.
  await include('//Alice', 1);
  await include('//Bob', 2);
  for (const [to, from] of ['//Charlie', '//Dave', '//Eve', '//Ferdie'].entries())
    expect((await include(from, 3 + to)).requests).toBeLessThanOrEqual(1);
  await node.close();
  await live.close();
}, 60_000);
