import { describe, expect, it } from 'vitest';
import { type Event, last, namesOf, useChainHead } from '../../../../test/clients/chain-head-rig.ts';
import { openWire } from '../../../../test/clients/wire.ts';
import type { BlockHash } from '../../../codec/identity.ts';

/** The events of chainHead_v1_follow on real chains with real forks. */

describe('chainHead_v1_follow', () => {
  const head = useChainHead();
  const { seal, overtake, follow, operate } = head;

  it('starts with the finalized blocks, then every block above them, then the best', async () => {
    const blocks: BlockHash[] = [];
    for (let i = 0; i < 19; i++) blocks.push(await seal());
    await head.node.parts.chain.finalize(blocks[17] as BlockHash);
    const fork = await seal(blocks[17]);
    const { items } = await follow(false);
    expect(items).toEqual([
      { event: 'initialized', finalizedBlockHashes: blocks.slice(2, 18) },
      { event: 'newBlock', blockHash: blocks[18], parentBlockHash: blocks[17] },
      { event: 'newBlock', blockHash: fork, parentBlockHash: blocks[17] },
      { event: 'bestBlockChanged', bestBlockHash: head.node.parts.chain.best().hash },
    ]);
    const withRuntime = await follow();
    const version = await head.wire.call<{ specVersion: number; apis: [string, number][] }>(
      'state_getRuntimeVersion',
    );
    expect(withRuntime.items[0]?.['finalizedBlockRuntime']).toMatchObject({
      type: 'valid',
      spec: { specVersion: version.specVersion, apis: Object.fromEntries(version.apis) },
    });
    expect(withRuntime.items[1]).toMatchObject({ newRuntime: null });
    // The response with the id is sent before the first event.
    expect(head.wire.texts[0]).toMatch(/^\{"jsonrpc":"2.0","id":1,"result"/);
  });

  it('reports a best block outside the finalized chain before the pruned blocks', async () => {
    const trunk = await seal();
    const { items } = await follow(false);
    const lost = [await seal(trunk)];
    for (let i = 0; i < 4; i++) lost.push(await seal(lost[i]));
    const won = await seal(trunk);
    expect(head.node.parts.chain.best().hash).toBe(lost.at(-1));
    await head.node.parts.chain.finalize(won);
    await last(items, { event: 'finalized' });
    expect(items.slice(3)).toEqual([
      ...lost.flatMap((blockHash, i) => [
        { event: 'newBlock', blockHash, parentBlockHash: lost[i - 1] ?? trunk },
        { event: 'bestBlockChanged', bestBlockHash: blockHash },
      ]),
      { event: 'newBlock', blockHash: won, parentBlockHash: trunk },
      { event: 'bestBlockChanged', bestBlockHash: won },
      // In the order of their hashes, as in the SDK.
      { event: 'finalized', finalizedBlockHashes: [trunk, won], prunedBlockHashes: lost.toSorted() },
    ]);
  });

  it('reports a reorg only by the new best block', async () => {
    const trunk = await seal();
    await seal(trunk);
    const { items } = await follow(false);
    const from = items.length;
    const won = await overtake(trunk);
    await last(items, { event: 'bestBlockChanged', bestBlockHash: won.at(-1) });
    expect(namesOf(items.slice(from))).toEqual([...won.map(() => 'newBlock'), 'bestBlockChanged']);
  });

  it('keeps body and state of a pruned block exactly as long as it is pinned', async () => {
    const trunk = await seal();
    const followed = await follow();
    const lost = await seal(trunk);
    const body = await head.wire.call<{ block: { extrinsics: string[] } }>('chain_getBlock', lost);
    const won = (await overtake(trunk)).at(-1) as BlockHash;
    await head.node.parts.chain.finalize(won);
    await last(followed.items, { event: 'finalized' });
    expect((followed.items.at(-1) as Event)['prunedBlockHashes']).toContain(lost);
    expect(await operate(followed, 'chainHead_v1_body', lost)).toEqual([
      { event: 'operationBodyDone', operationId: '0', value: body.block.extrinsics },
    ]);
    const items = [{ key: '0x3a636f6465', type: 'hash' }];
    expect(namesOf(await operate(followed, 'chainHead_v1_storage', lost, items, null))).toEqual([
      'operationStorageItems',
      'operationStorageDone',
    ]);
    expect(namesOf(await operate(followed, 'chainHead_v1_call', lost, 'Core_version', ''))).toEqual([
      'operationCallDone',
    ]);
    expect(await head.wire.call('chain_getBlock', lost)).not.toBe(null);
    await head.wire.call('chainHead_v1_unpin', followed.id, lost);
    await expect.poll(() => head.wire.call('chain_getBlock', lost)).toBe(null);
    expect(await head.wire.call('chain_getBlock', won)).not.toBe(null);
  });

  it('returns null from unfollow under psp-6', async () => {
    const ours = openWire(head.node, { dialect: 'psp-6' });
    const { id } = await follow(true, ours);
    expect([
      await ours.call('chainHead_v1_unfollow', id),
      await ours.call('chainHead_v1_unfollow', 'x'),
    ]).toEqual([null, null]);
    ours.close();
  });

  it('stops when the head is moved, and when finality lags', async () => {
    const first = await seal();
    await seal();
    const { id, items } = await follow(false);
    await head.wire.call('dev_setHead', first);
    await last(items, { event: 'stop' });
    expect(await head.wire.call('chainHead_v1_unfollow', id)).toBe(false);
    await head.wire.call('dev_newBlock', { to: 128 });
    const near = await follow(false);
    expect(near.items.at(-1)).toMatchObject({ event: 'bestBlockChanged' });
    await seal();
    const far = await follow(false);
    expect(far.items).toEqual([{ event: 'stop' }]);
    await last(near.items, { event: 'stop' });
  });

  it('ends a follow whose client falls behind', async () => {
    let isBlocked = false;
    const slow = openWire(head.node, { isBlocked: () => isBlocked });
    const { id, items } = await follow(false, slow);
    isBlocked = true;
    for (let i = 0; i < 257; i++) {
      const block = await seal();
      await head.node.parts.chain.finalize(block);
    }
    await expect.poll(() => namesOf(items).at(-1)).toBe('stop');
    expect(items.length).toBe(2 + 512 + 1);
    expect(await slow.call('chainHead_v1_unfollow', id)).toBe(false);
    slow.close();
  });
});
