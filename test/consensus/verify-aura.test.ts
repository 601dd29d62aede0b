import { describe, expect, it } from 'vitest';
import { Reader } from '../../worker/bytes/reader.ts';
import type { Block } from '../../worker/codec/block.ts';
import { encodeEngineItem, findDigest } from '../../worker/codec/digest.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { sealWith } from '../rigs/reseal.ts';
import { expectRefused, importFile, makeBlocks, openAt, startMs, withItem } from './verify-rig.ts';

describe.skipIf(!hasFixtures)('an Aura block of another node (shared fixtures)', () => {
  it('is refused for its digest, slot or author, whoever sealed it; the original is accepted afterwards', async () => {
    const chain = { specJson: await loadFixtureText('chains/node-template-raw.json') };
    const [first, second] = (await makeBlocks(2, chain)) as [Block, Block];
    const node = await openAt(startMs, chain, { keys: [] });
    const sealed = (block: Block, suri?: string): Block => ({
      ...block,
      header: sealWith(node.parts.crypto, block.header, suri),
    });
    const ofSlot = (block: Block, slot: bigint): Block =>
      sealed(withItem(block, 0, encodeEngineItem('preRuntime', 'aura', encodeU64(slot))));
    const slot = new Reader(findDigest(first.header.digest, 'preRuntime', 'aura') as Uint8Array).u64();
    const [claim, seal] = [first.header.digest[0], first.header.digest.at(-1)] as [Uint8Array, Uint8Array];
    const end = first.header.digest.length - 1;
    await expectRefused(node, withItem(first, end), 'BadSeal');
    await expectRefused(node, withItem(first, end, seal, seal), 'BadSeal');
    await expectRefused(
      node,
      withItem(first, end, encodeEngineItem('seal', 'BABE', seal.slice(-64))),
      'BadSeal',
    );
    await expectRefused(node, sealed(withItem(first, 0)), 'BadDigest');
    await expectRefused(node, sealed(withItem(first, 0, claim, claim)), 'BadDigest');
    await expectRefused(
      node,
      sealed(withItem(first, 0, encodeEngineItem('preRuntime', 'BABE', claim))),
      'BadDigest',
    );
    await expectRefused(node, sealed(first, '//Bob'), 'BadSeal');
    expect(await importFile(node, first)).toMatchObject({ ok: true, number: 1 });
    // The verifier leaves the order of slots to the runtime. This one does not allow a slot twice; others
    // have their own checks.
    await expectRefused(node, ofSlot(second, slot), 'BadBlock');
    for (const wrong of [slot - 1n, 0n])
      await expectRefused(node, ofSlot(second, wrong), ['BadSeal', 'BadBlock']);
    for (const wrong of [BigInt(Date.UTC(2099, 0) / 6000), 2n ** 64n - 1n])
      await expectRefused(node, ofSlot(second, wrong), 'FutureBlock');
    expect(await importFile(node, second)).toMatchObject({ ok: true, number: 2 });
    await node.close();
  });
});
