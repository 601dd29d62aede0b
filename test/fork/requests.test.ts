import { expect, it } from 'vitest';
import { createNode } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { openForkOf } from './fork-rig.ts';
import { devKeys, isMissing, knownChains, sourceOf } from './known-chains.ts';

const blocks = 100;
/** Enough that the hashes of blocks, which are stored under their numbers, are a trie of some depth. */
const baseNumber = 300;

for (const known of knownChains)
  it.skipIf(isMissing(known))(
    `${blocks} empty blocks on a fork of ${known.name} need hardly any request`,
    async () => {
      const live = await createNode(
        createTestPlatform(),
        testConfig(await sourceOf(known), { keys: devKeys }),
      );
      for (let block = 0; block < baseNumber; block++) await sealOn(live);
      await live.parts.chain.finalize(live.parts.chain.best().hash);
      const { node, origin, errors } = await openForkOf(live, { keys: devKeys });
      await sealOn(node);
      const first = origin.stats().requests;
      for (let block = 1; block < blocks; block++) await sealOn(node);
      expect(first).toBeLessThanOrEqual(15);
      // Items that are read for the first time in the middle of an epoch, or under the numbers of later blocks.
      expect(origin.stats().requests - first).toBeLessThanOrEqual(blocks / 8);
      expect(errors).toEqual([]);
      await node.close();
      await live.close();
    },
    240_000,
  );
