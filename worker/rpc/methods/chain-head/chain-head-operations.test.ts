import { describe, expect, it } from 'vitest';
import { openRecordedChain } from '../../../../test/chain/recorded-chain.ts';
import { type Event, useChainHead } from '../../../../test/clients/chain-head-rig.ts';
import { openWire } from '../../../../test/clients/wire.ts';
import { hasFixtures } from '../../../../test/rigs/fixtures.ts';
import { sdk } from '../../dialects/sdk.ts';
import { createChainHeadMethods } from './chain-head.ts';

/** Operations on the blocks of a follow. */

const unknown = `0x${'11'.repeat(32)}`;
const childPrefix = '3a6368696c645f73746f726167653a64656661756c743a';

describe('operations of chainHead_v1', () => {
  const head = useChainHead();
  const { seal, follow, operate } = head;

  it('returns the specified error numbers, and nothing for an unknown follow', async () => {
    const block = await seal();
    const { id } = await follow(false);
    const code = async (method: string, ...params: unknown[]): Promise<number | undefined> =>
      (await head.wire.ask(method, ...params)).error?.code;
    const items = [{ key: '0x', type: 'value' }];
    expect([
      await code('chainHead_v1_body', id, unknown),
      await code('chainHead_v1_header', id, unknown),
      await code('chainHead_v1_storage', id, unknown, items),
      await code('chainHead_v1_unpin', id, [block, unknown]),
      await code('chainHead_v1_call', id, block, 'Core_version', '0x'),
      await code('chainHead_v1_unpin', id, [block, block]),
      await code('chainHead_v1_call', id, block, 'Core_version', '0x1'),
      await code('chainHead_v1_call', id, block, 'Core_version', '0X00'),
      await code('chainHead_v1_storage', id, block, [{ key: 'x', type: 'value' }]),
      await code('chainHead_v1_unpin', id, 'x'),
    ]).toEqual([-32801, -32801, -32801, -32801, -32802, -32804, -32602, -32602, -32602, -32602]);
    expect(await head.wire.call('chainHead_v1_unpin', id, [block])).toBe(null);
    expect(await code('chainHead_v1_unpin', id, [block])).toBe(-32801);
    for (let i = 0; i < 3; i++) await follow(false);
    expect((await head.wire.ask('chainHead_v1_follow', false)).error).toEqual({
      code: -32800,
      message: 'Maximum number of chainHead_follow has been reached',
    });
    const other = openWire(head.node);
    const limitReached = { result: 'limitReached' };
    expect([
      await other.call('chainHead_v1_body', id, block),
      await other.call('chainHead_v1_call', id, block, 'Core_version', '0x'),
      await other.call('chainHead_v1_storage', id, block, items),
      await other.call('chainHead_v1_header', id, block),
      await other.call('chainHead_v1_unpin', id, block),
      await other.call('chainHead_v1_continue', id, '0'),
      await other.call('chainHead_v1_stopOperation', id, '0'),
      await other.call('chainHead_v1_unfollow', id),
      await head.wire.call('chainHead_v1_unfollow', id),
      await head.wire.call('chainHead_v1_header', id, block),
    ]).toEqual([limitReached, limitReached, limitReached, null, null, null, null, false, true, null]);
    other.close();
  });

  it('stops and continues running operations', async () => {
    const { id, items } = await follow();
    const { hash } = head.node.parts.chain.best();
    const wanted = Array.from({ length: 16 }, () => ({ key: '0x', type: 'descendantsHashes' }));
    // Both are sent in one tick, so the operation is running when the others arrive.
    const [started, full, noItems, going, stopped] = await Promise.all([
      head.wire.ask('chainHead_v1_storage', id, hash, wanted),
      head.wire.ask('chainHead_v1_body', id, hash),
      head.wire.ask('chainHead_v1_storage', id, hash, []),
      head.wire.ask('chainHead_v1_continue', id, '0'),
      head.wire.ask('chainHead_v1_stopOperation', id, '0'),
    ]);
    expect(started.result).toEqual({ result: 'started', operationId: '0', discardedItems: 0 });
    expect([full.result, noItems.result]).toEqual([{ result: 'limitReached' }, { result: 'limitReached' }]);
    expect(going.error?.code).toBe(-32803);
    expect(stopped.result).toBe(null);
    expect(await operate({ id, items }, 'chainHead_v1_call', hash, 'Nothing_here', '0x')).toEqual([
      {
        event: 'operationError',
        operationId: '1',
        error: 'Execution failed: Other: Exported method Nothing_here is not found',
      },
    ]);
    expect(items.filter(({ operationId }) => operationId === '0').map(({ event }) => event)).not.toContain(
      'operationStorageDone',
    );
    expect(await head.wire.call('chainHead_v1_continue', id, '1')).toBe(null);
  });

  it('counts headers and refused calls as operations, as the SDK does', async () => {
    const { hash } = head.node.parts.chain.best();
    const first = await follow(false);
    await head.wire.call('chainHead_v1_header', first.id, hash);
    await head.wire.ask('chainHead_v1_header', first.id, unknown);
    await head.wire.ask('chainHead_v1_call', first.id, hash, 'Core_version', '0x');
    expect(await head.wire.call('chainHead_v1_body', first.id, hash)).toMatchObject({ operationId: '2' });
    const full = await follow(false);
    const wanted = Array.from({ length: 16 }, () => ({ key: '0x', type: 'descendantsHashes' }));
    const [, header, refused] = await Promise.all([
      head.wire.ask('chainHead_v1_storage', full.id, hash, wanted),
      head.wire.ask('chainHead_v1_header', full.id, hash),
      head.wire.ask('chainHead_v1_call', full.id, hash, 'Core_version', '0x'),
    ]);
    expect([header?.result, refused?.result]).toEqual([null, { result: 'limitReached' }]);
    const own = openWire(head.node, { dialect: 'psp-6' });
    const third = await follow(false, own);
    await own.call('chainHead_v1_header', third.id, hash);
    expect(await own.call('chainHead_v1_body', third.id, hash)).toMatchObject({ operationId: '0' });
    own.close();
  });

  it('starts an operation only after its response has been sent', async () => {
    const methods = createChainHeadMethods(head.node.parts, () => 0);
    const told: Event[] = [];
    const works: (() => void)[] = [];
    const sink = { id: 'x', emit: (event: Event) => void told.push(event), end: () => undefined };
    const context = {
      connection: 1,
      dialect: sdk,
      denyUnsafe: false,
      maxResponseBytes: 1000,
      methods: [],
      isShared: false,
      caller: {},
      signal: new AbortController().signal,
      after: (work: () => void) => void works.push(work),
    } as const;
    const blocked = { ...sink, flush: () => undefined, isBlocked: () => false };
    const end = await methods.chainHead_v1_follow(head.node.parts, { with_runtime: false }, blocked, context);
    await expect.poll(() => told.length).toBe(2);
    const hash = head.node.parts.chain.genesisHash;
    await methods.chainHead_v1_body(head.node.parts, { follow_subscription: 'x', hash }, context);
    // A started operation would be done by now: it takes only a few tasks.
    await head.node.parts.chain.loadBlock(hash);
    for (let task = 0; task < 5; task++) await new Promise((resolve) => setImmediate(resolve));
    expect([told.length, works.length]).toEqual([2, 1]);
    works[0]?.();
    await expect.poll(() => told.at(-1)).toEqual({ event: 'operationBodyDone', operationId: '0', value: [] });
    end();
  });
});

describe.skipIf(!hasFixtures)('operations of chainHead_v1 on the recorded chain', () => {
  const head = useChainHead(openRecordedChain);
  const { follow, operate } = head;

  it('returns what the older methods return', async () => {
    const { hash } = head.node.parts.chain.best();
    const followed = await follow();
    expect(followed.items[0]?.['finalizedBlockHashes']).toHaveLength(16);
    const header = await head.wire.call<string>('chainHead_v1_header', followed.id, hash);
    expect(header).toBe(await head.wire.call('archive_v1_header', hash));
    const output = await head.wire.call('state_call', 'Core_version', '0x', hash);
    expect(await operate(followed, 'chainHead_v1_call', hash, 'Core_version', '')).toMatchObject([
      { output },
    ]);
    const [full] = await head.wire.call<string[]>('state_getKeys', `0x${childPrefix}`, hash);
    const child = `0x${full?.slice(2 + childPrefix.length)}`;
    const [childKey] = await head.wire.call<string[]>('childstate_getKeys', full, '0x', hash);
    const prefix = '0x26aa394eea5630e07c48ae0c9558cef7';
    const keys = await head.wire.call<string[]>('state_getKeys', prefix, hash);
    const asked = [
      { key: keys[0], type: 'value' },
      { key: '0xabcd', type: 'value' },
      { key: prefix, type: 'descendantsHashes' },
      { key: '0x', type: 'closestDescendantMerkleValue' },
    ];
    const events = await operate(followed, 'chainHead_v1_storage', hash, asked, null);
    const { stateRoot } = await head.wire.call<{ stateRoot: string }>('chain_getHeader', hash);
    const hashes = await Promise.all(keys.map((key) => head.wire.call('state_getStorageHash', key, hash)));
    expect(events.slice(0, -1).map(({ items }) => (items as object[])[0])).toEqual([
      { key: keys[0], value: await head.wire.call('state_getStorage', keys[0], hash) },
      ...keys.map((key, i) => ({ key, hash: hashes[i] })),
      { key: '0x', closestDescendantMerkleValue: stateRoot },
    ]);
    const ofChild = await operate(
      followed,
      'chainHead_v1_storage',
      hash,
      [{ key: childKey, type: 'value' }],
      child,
    );
    const value = await head.wire.call('childstate_getStorage', full, childKey, hash);
    expect(ofChild).toEqual([
      {
        event: 'operationStorageItems',
        operationId: '3',
        items: [{ key: childKey, value, childTrieKey: child }],
      },
      { event: 'operationStorageDone', operationId: '3' },
    ]);
  });
});
