import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRecordedChain } from '../../../../test/chain/recorded-chain.ts';
import { openWire, type Wire } from '../../../../test/clients/wire.ts';
import { hasFixtures } from '../../../../test/rigs/fixtures.ts';
import type { Node } from '../../../node.ts';

/** Compares archive_v1 with the state and childstate groups on the recorded chain. */

type Item = Readonly<Record<string, string>>;
const childPrefix = '3a6368696c645f73746f726167653a64656661756c743a';
const unknownBlock = `0x${'11'.repeat(32)}`;

let node: Node;
let wire: Wire;
let best: string;
beforeAll(async () => {
  if (!hasFixtures) return;
  node = await openRecordedChain();
  wire = openWire(node);
  best = node.parts.chain.best().hash;
});
afterAll(async () => {
  wire?.close();
  await node?.close();
});

/** All events of a read, including the last. */
const read = async (method: string, ...params: readonly unknown[]): Promise<Item[]> => {
  const { items } = await wire.follow(method, ...params);
  await expect
    .poll(() => (items.at(-1) as Item | undefined)?.['event'], { timeout: 20_000 })
    .toMatch(/(Done|Error)$/);
  return items as Item[];
};
const storage = (items: readonly object[], child: string | null = null, at = best): Promise<Item[]> =>
  read('archive_v1_storage', at, items, child);

const largestChild = async (): Promise<{ full: string; child: string; keys: string[] }> => {
  const fulls = await wire.call<string[]>('state_getKeys', `0x${childPrefix}`, best);
  const children = await Promise.all(
    fulls.map(async (full) => ({
      full,
      child: `0x${full.slice(2 + childPrefix.length)}`,
      keys: await wire.call<string[]>('childstate_getKeys', full, '0x', best),
    })),
  );
  const sorted = children.sort((a, b) => b.keys.length - a.keys.length);
  return sorted[0] as (typeof sorted)[0];
};

describe.skipIf(!hasFixtures)('archive_v1_storage', () => {
  it('reads values, hashes and descendants of a key', async () => {
    const keys = await wire.call<string[]>('state_getKeys', '0x26aa394eea5630e07c48ae0c9558cef7', best);
    const pairs = await Promise.all(
      keys.map(async (key) => ({
        key,
        value: await wire.call<string>('state_getStorage', key, best),
        hash: await wire.call<string>('state_getStorageHash', key, best),
      })),
    );
    expect(keys.length).toBeGreaterThan(20);
    const under = { key: '0x26aa394eea5630e07c48ae0c9558cef7' };
    expect(await storage([{ ...under, type: 'descendantsValues' }])).toEqual([
      ...pairs.map(({ key, value }) => ({ event: 'storage', key, value })),
      { event: 'storageDone' },
    ]);
    const [first, second] = pairs as unknown as [Item, Item];
    const some = await storage([
      { ...under, type: 'descendantsHashes', paginationStartKey: first['key'] },
      { key: first['key'], type: 'value' },
      { key: '0xabcdef', type: 'value' },
      { key: second['key'], type: 'hash' },
    ]);
    expect(some).toEqual([
      ...pairs.slice(1).map(({ key, hash }) => ({ event: 'storage', key, hash })),
      { event: 'storage', key: first['key'], value: first['value'] },
      { event: 'storage', key: second['key'], hash: second['hash'] },
      { event: 'storageDone' },
    ]);
  });

  it('reads child tries by their unprefixed names', async () => {
    const { full, child, keys } = await largestChild();
    const values = await Promise.all(
      keys.map((key) => wire.call<string>('childstate_getStorage', full, key, best)),
    );
    expect(keys.length).toBeGreaterThan(1);
    const expected = keys.map((key, i) => ({ event: 'storage', key, value: values[i], childTrieKey: child }));
    expect(await storage([{ key: '', type: 'descendantsValues' }], child)).toEqual([
      ...expected,
      { event: 'storageDone' },
    ]);
    expect(await storage([{ key: '0x', type: 'descendantsValues' }], '0x1234')).toEqual([
      { event: 'storageDone' },
    ]);
  });

  it('returns the state root as the Merkle value of the empty key', async () => {
    const { stateRoot } = await wire.call<{ stateRoot: string }>('chain_getHeader', best);
    expect(await storage([{ key: '0x', type: 'closestDescendantMerkleValue' }])).toEqual([
      { event: 'storage', key: '0x', closestDescendantMerkleValue: stateRoot },
      { event: 'storageDone' },
    ]);
  });

  it('reports failures as an event', async () => {
    const unknown = `UnknownBlock: Header was not found in the database: ${unknownBlock}`;
    expect(await storage([{ key: '0x01', type: 'value' }], null, unknownBlock)).toEqual([
      { event: 'storageError', error: unknown },
    ]);
    expect(await storage([{ key: '0x0', type: 'value' }])).toEqual([
      { event: 'storageError', error: 'Invalid parameter: 0x0' },
    ]);
    const paged = { key: '0x', type: 'value', paginationStartKey: '0x' };
    expect((await storage([paged]))[0]?.['error']).toMatch(/^Invalid parameter: paginationStartKey is only/);
    const bad = openWire(node, { dialect: 'psp-6' });
    const { error } = await bad.ask('archive_v1_storage', best, [{ key: '0x0', type: 'value' }]);
    expect(error).toEqual({ code: -32602, message: 'Invalid parameter: 0x0' });
    bad.close();
    const odd = await wire.ask('archive_v1_storage', best, [{ key: '0x', type: 'values' }]);
    expect(odd.error?.data).toMatch(/^unknown variant `values`, expected one of `value`, /);
    const lacking = await wire.ask('archive_v1_storage', best, [{ key: '0x' }]);
    expect(lacking.error?.data).toBe('missing field `type`');
  });

  it('ends on completion, or when the client stops it', async () => {
    const { id, items } = await wire.follow('archive_v1_storage', best, []);
    await expect.poll(() => items.length).toBe(1);
    expect((await wire.ask('archive_v1_stopStorage', id)).result).toBe(false);
    let isBlocked = true;
    const slow = openWire(node, { isBlocked: () => isBlocked });
    const read = await slow.follow('archive_v1_storage', best, [
      { key: '0x', type: 'descendantsHashes' },
      { key: '0x', type: 'hash' },
    ]);
    const keys = await wire.call<string[]>('state_getKeys', '0x', best);
    expect((await slow.ask('archive_v1_stopStorage', 'x')).result).toBe(false);
    isBlocked = false;
    await expect.poll(() => read.items.at(-1)).toEqual({ event: 'storageDone' });
    expect(read.items).toHaveLength(keys.length + 1);
    slow.close();
  });
});

describe.skipIf(!hasFixtures)('archive_v1_storageDiff', () => {
  const changes = async (from: string, to: string): Promise<Item[]> => {
    const [before, after] = await Promise.all(
      [from, to].map(async (at) => new Map(await wire.call<[string, string][]>('state_getPairs', '0x', at))),
    );
    const keys = [
      ...new Set([...(before as Map<string, string>).keys(), ...(after as Map<string, string>).keys()]),
    ];
    return keys.sort().flatMap((key) => {
      const [old, now] = [before?.get(key), after?.get(key)];
      if (old === now) return [];
      const type = old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified';
      return [{ event: 'storageDiff', key, value: now ?? old, type } as Item];
    });
  };
  const hashAt = (height: number): Promise<string> => wire.call('chain_getBlockHash', height);

  it('finds what a block changed, relative to its parent or any other block', async () => {
    const [four, five, forty] = await Promise.all([4, 5, 40].map(hashAt));
    const own = await changes(four as string, five as string);
    expect(own.length).toBeGreaterThan(5);
    expect(await read('archive_v1_storageDiff', five, [])).toEqual([...own, { event: 'storageDiffDone' }]);
    const forward = await changes(four as string, forty as string);
    expect(new Set(forward.map(({ type }) => type))).toEqual(new Set(['added', 'modified']));
    expect(await read('archive_v1_storageDiff', forty, [], four)).toEqual([
      ...forward,
      { event: 'storageDiffDone' },
    ]);
    const far = await changes(forty as string, four as string);
    expect(far.some(({ type }) => type === 'deleted')).toBe(true);
    expect(await read('archive_v1_storageDiff', four, [], forty)).toEqual([
      ...far,
      { event: 'storageDiffDone' },
    ]);
    const prefix = '0x26aa394eea5630e07c48ae0c9558cef7';
    const items = [
      { key: `${prefix}b99d`, returnType: 'value' },
      { key: prefix, returnType: 'value' },
    ];
    expect(await read('archive_v1_storageDiff', four, items, forty)).toEqual([
      ...far.filter(({ key }) => key?.startsWith(prefix)),
      { event: 'storageDiffDone' },
    ]);
  });

  it('returns hashes on request, and both forms if both are requested', async () => {
    const [four, five] = await Promise.all([4, 5].map(hashAt));
    const [{ key, value }] = (await changes(four as string, five as string)) as [
      { key: string; value: string },
    ];
    const hash = await wire.call('state_getStorageHash', key, five);
    const items = ['hash', 'value'].map((returnType) => ({ key, returnType }));
    expect(await read('archive_v1_storageDiff', five, items)).toMatchObject([
      { key, value },
      { key, hash },
      { event: 'storageDiffDone' },
    ]);
  });

  it('compares child tries', async () => {
    const { child: childTrieKey, keys } = await largestChild();
    const items = [{ key: '0x', returnType: 'hash', childTrieKey }];
    const found = await read('archive_v1_storageDiff', best, items, node.parts.chain.genesisHash);
    expect(found.slice(0, -1)).toMatchObject(
      keys.map((key) => ({ event: 'storageDiff', key, type: 'added', childTrieKey })),
    );
  });

  it('reports unknown blocks', async () => {
    const unknown = `UnknownBlock: Header was not found in the database: ${unknownBlock}`;
    expect(await read('archive_v1_storageDiff', best, [], unknownBlock)).toEqual([
      { event: 'storageDiffError', error: unknown },
    ]);
    expect(await read('archive_v1_storageDiff', unknownBlock, [])).toEqual([
      { event: 'storageDiffError', error: 'Block header is not present: 0x1111…1111' },
    ]);
    expect((await wire.ask('archive_v1_stopStorageDiff', 'x')).result).toBe(false);
  });
});

describe.skipIf(!hasFixtures)('items of archive_v1_storageDiff', () => {
  it('may be omitted under psp-6, as may their keys; the SDK requires both', async () => {
    const calls = [[best], [best, null], [best, [{ returnType: 'hash' }]]];
    const own = openWire(node, { dialect: 'psp-6' });
    for (const params of calls) {
      const refused = (await wire.ask('archive_v1_storageDiff', ...params)).error;
      expect(refused).toMatchObject({ code: -32602, message: 'Invalid params' });
      expect((await own.ask('archive_v1_storageDiff', ...params)).error).toBe(undefined);
    }
    own.close();
  });
});

describe.skipIf(!hasFixtures)('archive_v1_call', () => {
  it('handles an unknown block as the dialect specifies', async () => {
    const text = `UnknownBlock: Expect block number from id: Hash(${unknownBlock})`;
    const args = [unknownBlock, 'Core_version', '0x'];
    expect(await wire.call('archive_v1_call', ...args)).toEqual({ success: false, error: text });
    const other = openWire(node, { dialect: 'psp-6' });
    expect(await other.call('archive_v1_call', ...args)).toBe(null);
    const [odd, ours] = await Promise.all(
      [wire, other].map((one) => one.ask('archive_v1_call', best, 'Core_version', '0x1')),
    );
    expect([odd?.error?.code, ours?.error?.code]).toEqual([3001, -32602]);
    expect((await wire.ask('archive_v1_hashByHeight', 4294967296)).error?.code).toBe(3001);
    other.close();
  });
});
