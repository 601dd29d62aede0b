import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasFixtures } from '../../test/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import { openRecordedChain } from '../../test/recorded-chain.ts';
import { sealOn } from '../../test/seal-on.ts';
import { openWire, type Wire } from '../../test/wire.ts';
import type { BlockHash } from '../codec/identity.ts';
import { createNode, type Node } from '../node.ts';
import { createChainHeadMethods } from './methods/chain-head.ts';

/** chainHead_v1 (RPC.md §2.8) on real chains with real forks. */

type Event = Readonly<Record<string, unknown>>;
const unknown = `0x${'11'.repeat(32)}`;
const childPrefix = '3a6368696c645f73746f726167653a64656661756c743a';

let node: Node;
let wire: Wire;
afterEach(async () => {
  wire.close();
  await node.close();
});

const seal = (parent?: BlockHash): Promise<BlockHash> => sealOn(node, parent);
/** Seals on a parent until that branch is best. */
const overtake = async (from: BlockHash): Promise<BlockHash[]> => {
  const blocks: BlockHash[] = [];
  const best = node.parts.chain.best().hash;
  for (let parent = from; node.parts.chain.best().hash === best; blocks.push(parent))
    parent = await seal(parent);
  return blocks;
};

const namesOf = (items: readonly unknown[]): unknown[] => items.map((item) => (item as Event)['event']);
const follow = async (withRuntime = true, on = wire) => {
  const { id, items } = await on.follow('chainHead_v1_follow', withRuntime);
  await expect
    .poll(() => items.some((item) => /bestBlock|stop/.test(`${(item as Event)['event']}`)))
    .toBe(true);
  return { id, items: items as Event[] };
};
type Followed = Awaited<ReturnType<typeof follow>>;
const last = async (items: readonly unknown[], event: object): Promise<void> => {
  await expect.poll(() => items.at(-1), { timeout: 20_000 }).toMatchObject(event);
};

/** Starts an operation; its events to the last one. */
const operate = async ({ id, items }: Followed, method: string, ...params: unknown[]): Promise<Event[]> => {
  const { operationId } = await wire.call<{ operationId: string }>(method, id, ...params);
  const own = () => items.filter((item) => item['operationId'] === operationId);
  await expect.poll(() => own().at(-1)?.['event'], { timeout: 20_000 }).toMatch(/(Done|Error|Inaccessible)$/);
  return own();
};

describe('chainHead_v1 on a chain with forks', () => {
  beforeEach(async () => {
    node = await createNode(
      createTestPlatform(),
      testConfig('development', { finality: { kind: 'manual' } }),
    );
    wire = openWire(node);
  });

  it('begins with the finalized blocks, then every block above them, then the best', async () => {
    const blocks: BlockHash[] = [];
    for (let i = 0; i < 19; i++) blocks.push(await seal());
    await node.parts.chain.finalize(blocks[17] as BlockHash);
    const fork = await seal(blocks[17]);
    const { items } = await follow(false);
    expect(items).toEqual([
      { event: 'initialized', finalizedBlockHashes: blocks.slice(2, 18) },
      { event: 'newBlock', blockHash: blocks[18], parentBlockHash: blocks[17] },
      { event: 'newBlock', blockHash: fork, parentBlockHash: blocks[17] },
      { event: 'bestBlockChanged', bestBlockHash: node.parts.chain.best().hash },
    ]);
    const withRuntime = await follow();
    const version = await wire.call<{ specVersion: number; apis: [string, number][] }>(
      'state_getRuntimeVersion',
    );
    expect(withRuntime.items[0]?.['finalizedBlockRuntime']).toMatchObject({
      type: 'valid',
      spec: { specVersion: version.specVersion, apis: Object.fromEntries(version.apis) },
    });
    expect(withRuntime.items[1]).toMatchObject({ newRuntime: null });
    // The answer with the id leaves before the first event.
    expect(wire.texts[0]).toMatch(/^\{"jsonrpc":"2.0","id":1,"result"/);
  });

  it('tells a best block off the finalized chain before what finality cuts off', async () => {
    const trunk = await seal();
    const { items } = await follow(false);
    const lost = [await seal(trunk)];
    for (let i = 0; i < 4; i++) lost.push(await seal(lost[i]));
    const won = await seal(trunk);
    expect(node.parts.chain.best().hash).toBe(lost.at(-1));
    await node.parts.chain.finalize(won);
    await last(items, { event: 'finalized' });
    expect(items.slice(3)).toEqual([
      ...lost.flatMap((blockHash, i) => [
        { event: 'newBlock', blockHash, parentBlockHash: lost[i - 1] ?? trunk },
        { event: 'bestBlockChanged', bestBlockHash: blockHash },
      ]),
      { event: 'newBlock', blockHash: won, parentBlockHash: trunk },
      { event: 'bestBlockChanged', bestBlockHash: won },
      // In the order of their hashes, as the SDK has them.
      { event: 'finalized', finalizedBlockHashes: [trunk, won], prunedBlockHashes: lost.toSorted() },
    ]);
  });

  it('tells a re-org by the new best block alone', async () => {
    const trunk = await seal();
    await seal(trunk);
    const { items } = await follow(false);
    const from = items.length;
    const won = await overtake(trunk);
    await last(items, { event: 'bestBlockChanged', bestBlockHash: won.at(-1) });
    expect(namesOf(items.slice(from))).toEqual([...won.map(() => 'newBlock'), 'bestBlockChanged']);
  });

  it('keeps body and state of a lost block while it is pinned, and not longer', async () => {
    const trunk = await seal();
    const followed = await follow();
    const lost = await seal(trunk);
    const body = await wire.call<{ block: { extrinsics: string[] } }>('chain_getBlock', lost);
    const won = (await overtake(trunk)).at(-1) as BlockHash;
    await node.parts.chain.finalize(won);
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
    expect(await wire.call('chain_getBlock', lost)).not.toBe(null);
    await wire.call('chainHead_v1_unpin', followed.id, lost);
    await expect.poll(() => wire.call('chain_getBlock', lost)).toBe(null);
    expect(await wire.call('chain_getBlock', won)).not.toBe(null);
  });

  it('answers with the numbers of its errors, and nothing for a follow that is not there', async () => {
    const block = await seal();
    const { id } = await follow(false);
    const code = async (method: string, ...params: unknown[]): Promise<number | undefined> =>
      (await wire.ask(method, ...params)).error?.code;
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
    expect(await wire.call('chainHead_v1_unpin', id, [block])).toBe(null);
    expect(await code('chainHead_v1_unpin', id, [block])).toBe(-32801);
    for (let i = 0; i < 3; i++) await follow(false);
    expect((await wire.ask('chainHead_v1_follow', false)).error).toEqual({
      code: -32800,
      message: 'Maximum number of chainHead_follow has been reached',
    });
    const other = openWire(node);
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
      await wire.call('chainHead_v1_unfollow', id),
      await wire.call('chainHead_v1_header', id, block),
    ]).toEqual([limitReached, limitReached, limitReached, null, null, null, null, false, true, null]);
    other.close();
  });

  it('answers null to unfollow under psp-6', async () => {
    const ours = openWire(node, { dialect: 'psp-6' });
    const { id } = await follow(true, ours);
    expect([
      await ours.call('chainHead_v1_unfollow', id),
      await ours.call('chainHead_v1_unfollow', 'x'),
    ]).toEqual([null, null]);
    ours.close();
  });

  it('stops and continues operations that run', async () => {
    const { id, items } = await follow();
    const { hash } = node.parts.chain.best();
    const wanted = Array.from({ length: 16 }, () => ({ key: '0x', type: 'descendantsHashes' }));
    // Both leave in one tick, so that the operation runs when the others are asked.
    const [started, full, noItems, going, stopped] = await Promise.all([
      wire.ask('chainHead_v1_storage', id, hash, wanted),
      wire.ask('chainHead_v1_body', id, hash),
      wire.ask('chainHead_v1_storage', id, hash, []),
      wire.ask('chainHead_v1_continue', id, '0'),
      wire.ask('chainHead_v1_stopOperation', id, '0'),
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
    expect(await wire.call('chainHead_v1_continue', id, '1')).toBe(null);
  });

  it('counts headers and refused calls as operations, as the SDK does', async () => {
    const { hash } = node.parts.chain.best();
    const first = await follow(false);
    await wire.call('chainHead_v1_header', first.id, hash);
    await wire.ask('chainHead_v1_header', first.id, unknown);
    await wire.ask('chainHead_v1_call', first.id, hash, 'Core_version', '0x');
    expect(await wire.call('chainHead_v1_body', first.id, hash)).toMatchObject({ operationId: '2' });
    const full = await follow(false);
    const wanted = Array.from({ length: 16 }, () => ({ key: '0x', type: 'descendantsHashes' }));
    const [, header, refused] = await Promise.all([
      wire.ask('chainHead_v1_storage', full.id, hash, wanted),
      wire.ask('chainHead_v1_header', full.id, hash),
      wire.ask('chainHead_v1_call', full.id, hash, 'Core_version', '0x'),
    ]);
    expect([header?.result, refused?.result]).toEqual([null, { result: 'limitReached' }]);
    const own = openWire(node, { dialect: 'psp-6' });
    const third = await follow(false, own);
    await own.call('chainHead_v1_header', third.id, hash);
    expect(await own.call('chainHead_v1_body', third.id, hash)).toMatchObject({ operationId: '0' });
    own.close();
  });

  it('begins an operation when its answer has left, not before', async () => {
    const methods = createChainHeadMethods(node.parts, () => 0);
    const told: Event[] = [];
    const works: (() => void)[] = [];
    const sink = { id: 'x', emit: (event: Event) => void told.push(event), end: () => undefined };
    const context = {
      connection: 1,
      dialect: 'polkadot-sdk',
      denyUnsafe: false,
      maxResponseBytes: 1000,
      methods: [],
      isShared: false,
      caller: {},
      signal: new AbortController().signal,
      after: (work: () => void) => void works.push(work),
    } as const;
    const blocked = { ...sink, isBlocked: () => false };
    const end = await methods.chainHead_v1_follow(node.parts, { with_runtime: false }, blocked, context);
    await expect.poll(() => told.length).toBe(2);
    const hash = node.parts.chain.genesisHash;
    await methods.chainHead_v1_body(node.parts, { follow_subscription: 'x', hash }, context);
    // What had begun would be done: nothing here waits for more than a few tasks.
    await node.parts.chain.loadBlock(hash);
    for (let task = 0; task < 5; task++) await new Promise((resolve) => setImmediate(resolve));
    expect([told.length, works.length]).toEqual([2, 1]);
    works[0]?.();
    await expect.poll(() => told.at(-1)).toEqual({ event: 'operationBodyDone', operationId: '0', value: [] });
    end();
  });

  it('stops when the head is put elsewhere, and when finality lags', async () => {
    const first = await seal();
    await seal();
    const { id, items } = await follow(false);
    await wire.call('dev_setHead', first);
    await last(items, { event: 'stop' });
    expect(await wire.call('chainHead_v1_unfollow', id)).toBe(false);
    await wire.call('dev_newBlock', { to: 128 });
    const near = await follow(false);
    expect(near.items.at(-1)).toMatchObject({ event: 'bestBlockChanged' });
    await seal();
    const far = await follow(false);
    expect(far.items).toEqual([{ event: 'stop' }]);
    await last(near.items, { event: 'stop' });
  });

  it('ends a follow whose client stays behind', async () => {
    let isBlocked = false;
    const slow = openWire(node, { isBlocked: () => isBlocked });
    const { id, items } = await follow(false, slow);
    isBlocked = true;
    for (let i = 0; i < 257; i++) {
      const block = await seal();
      await node.parts.chain.finalize(block);
    }
    await expect.poll(() => namesOf(items).at(-1)).toBe('stop');
    expect(items.length).toBe(2 + 512 + 1);
    expect(await slow.call('chainHead_v1_unfollow', id)).toBe(false);
    slow.close();
  });
});

describe.skipIf(!hasFixtures)('chainHead_v1 on the recorded chain', () => {
  beforeEach(async () => {
    node = await openRecordedChain();
    wire = openWire(node);
  });

  it('reads what the older methods read', async () => {
    const { hash } = node.parts.chain.best();
    const followed = await follow();
    expect(followed.items[0]?.['finalizedBlockHashes']).toHaveLength(16);
    const header = await wire.call<string>('chainHead_v1_header', followed.id, hash);
    expect(header).toBe(await wire.call('archive_v1_header', hash));
    const output = await wire.call('state_call', 'Core_version', '0x', hash);
    expect(await operate(followed, 'chainHead_v1_call', hash, 'Core_version', '')).toMatchObject([
      { output },
    ]);
    const [full] = await wire.call<string[]>('state_getKeys', `0x${childPrefix}`, hash);
    const child = `0x${full?.slice(2 + childPrefix.length)}`;
    const [childKey] = await wire.call<string[]>('childstate_getKeys', full, '0x', hash);
    const prefix = '0x26aa394eea5630e07c48ae0c9558cef7';
    const keys = await wire.call<string[]>('state_getKeys', prefix, hash);
    const asked = [
      { key: keys[0], type: 'value' },
      { key: '0xabcd', type: 'value' },
      { key: prefix, type: 'descendantsHashes' },
      { key: '0x', type: 'closestDescendantMerkleValue' },
    ];
    const events = await operate(followed, 'chainHead_v1_storage', hash, asked, null);
    const { stateRoot } = await wire.call<{ stateRoot: string }>('chain_getHeader', hash);
    const hashes = await Promise.all(keys.map((key) => wire.call('state_getStorageHash', key, hash)));
    expect(events.slice(0, -1).map(({ items }) => (items as object[])[0])).toEqual([
      { key: keys[0], value: await wire.call('state_getStorage', keys[0], hash) },
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
    const value = await wire.call('childstate_getStorage', full, childKey, hash);
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
