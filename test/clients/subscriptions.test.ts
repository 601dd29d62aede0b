import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/protocol/node.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, loadNextRuntime, testConfig } from '../rigs/platform.ts';
import { openWire, type Wire } from './wire.ts';

/** The notification rules of subscriptions, on a real chain with real forks. */

const dialects: readonly Dialect[] = ['psp-6', 'polkadot-sdk'];
const numberKey = '0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac';
const absentKey = '0x3a6a';
type Header = { readonly number: string; readonly parentHash: string };
type ChangeSet = { readonly block: string; readonly changes: readonly [string, string | null][] };

let node: Node;
const wires: Wire[] = [];
beforeAll(async () => void (await cryptoWaitReady()));
beforeEach(async () => {
  node = await createNode(createTestPlatform(), testConfig('development', { finality: { kind: 'manual' } }));
});
afterEach(async () => {
  for (const wire of wires.splice(0)) wire.close();
  await node.close();
});

const open = (
  ...options: Parameters<typeof openWire> extends [unknown, ...infer Rest] ? Rest : never
): Wire => {
  const wire = openWire(node, ...options);
  wires.push(wire);
  return wire;
};

const seal = async (parent?: BlockHash, finalize = false): Promise<BlockHash> => {
  const options = { createEmpty: true, finalize, ...(parent === undefined ? {} : { parent }) };
  const sealed = await node.parts.author.seal(options);
  if (!sealed.ok) throw new Error(sealed.message);
  return sealed.hash;
};

/** Seals on a parent until that branch is the best one; returns its blocks. */
const overtake = async (from: BlockHash): Promise<BlockHash[]> => {
  const { chain } = node.parts;
  const blocks: BlockHash[] = [];
  const best = chain.best().hash;
  for (let parent = from; chain.best().hash === best; ) {
    if (blocks.length > 60) throw new Error('the branch never won');
    parent = await seal(parent);
    blocks.push(parent);
  }
  return blocks;
};

const numbers = ({ items }: { readonly items: readonly unknown[] }): number[] =>
  items.map((item) => Number((item as Header).number));
const blocksOf = ({ items }: { readonly items: readonly unknown[] }): string[] =>
  items.map((item) => (item as ChangeSet).block);
/** Resolves when everything sent so far has arrived, as a later response shows. */
const settled = async (wire: Wire): Promise<void> => {
  await node.parts.author.idle();
  await new Promise((resolve) => setImmediate(resolve));
  await wire.call('system_name');
  await wire.call('system_name');
};

describe.each(dialects)('first items and later ones, %s', (dialect) => {
  it('heads: the current one first; then imports, best blocks, the last of each finality', async () => {
    const first = await seal();
    await node.parts.chain.finalize(first);
    await seal();
    const wire = open({ dialect });
    const all = await wire.follow('chain_subscribeAllHeads');
    const best = await wire.follow('chain_subscribeNewHeads');
    const finalized = await wire.follow('chain_subscribeFinalizedHeads');
    await settled(wire);
    expect([numbers(all), numbers(best), numbers(finalized)]).toEqual([[2], [2], [1]]);
    await seal();
    const last = await seal();
    await node.parts.chain.finalize(last);
    await settled(wire);
    // psp-6 sends every finalized block to allHeads, in ascending order without gaps.
    expect(numbers(all)).toEqual(dialect === 'psp-6' ? [2, 3, 4, 2, 3, 4] : [2, 3, 4]);
    expect(numbers(best)).toEqual([2, 3, 4]);
    expect(numbers(finalized)).toEqual([1, 4]);
    expect([all.method, best.method, finalized.method]).toEqual([
      'chain_allHead',
      'chain_newHead',
      'chain_finalizedHead',
    ]);
  });

  it('a block that is finalized at once is reported as imported before it is reported as finalized', async () => {
    const wire = open({ dialect });
    const best = await wire.follow('chain_subscribeNewHeads');
    const finalized = await wire.follow('chain_subscribeFinalizedHeads');
    await settled(wire);
    const from = wire.texts.length;
    await seal(undefined, true);
    await settled(wire);
    const later = wire.texts.slice(from).filter((text) => text.includes('"subscription"'));
    expect(
      later.map((text) => (text.includes(best.id) ? 'best' : text.includes(finalized.id) ? 'final' : '')),
    ).toEqual(['best', 'final']);
  });

  it('a reorg: allHeads gets every block, newHeads only the new best one, storage each import once', async () => {
    const trunk = await seal();
    const wire = open({ dialect });
    const all = await wire.follow('chain_subscribeAllHeads');
    const best = await wire.follow('chain_subscribeNewHeads');
    const storage = await wire.follow('state_subscribeStorage', [numberKey, absentKey]);
    await settled(wire);
    expect(storage.items).toEqual([
      {
        block: trunk,
        changes: [
          [numberKey, '0x01000000'],
          [absentKey, null],
        ],
      },
    ]);
    const lost = await seal();
    const won = await overtake(trunk);
    await settled(wire);
    expect(all.items.length).toBe(2 + won.length);
    expect(numbers(best)).toEqual([1, 2, 1 + won.length]);
    expect(blocksOf(storage)).toEqual([trunk, lost, ...won]);
    expect(storage.items.slice(1).every((item) => (item as ChangeSet).changes.length === 1)).toBe(true);
  });

  it('storage: nothing for an empty list, everything without one', async () => {
    const wire = open({ dialect });
    const none = await wire.follow('state_subscribeStorage', []);
    const everything = await wire.follow('state_subscribeStorage');
    await settled(wire);
    expect(everything.items).toEqual([]);
    const block = await seal();
    await settled(wire);
    expect(none.items).toEqual([]);
    expect(blocksOf(everything)).toEqual([block]);
    const keys = (everything.items[0] as ChangeSet).changes.map(([key]) => key);
    expect(keys).toContain(numberKey);
    expect(keys).toEqual([...keys].sort());
  });

  it('the runtime version: at best, then whenever a new best block has a different one, also an earlier one', async () => {
    const trunk = await seal();
    const wire = open({ dialect });
    const versions = await wire.follow('state_subscribeRuntimeVersion');
    const { api, close } = await openApi(node);
    const code = `0x${Buffer.from(await loadNextRuntime()).toString('hex')}`;
    const sudo = api.tx['sudo']?.['sudo']?.(api.tx['system']?.['setCodeWithoutChecks']?.(code));
    const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
    const signed = await sudo?.signAsync(alice, { nonce: 0, era: 0 });
    await wire.call('author_submitExtrinsic', signed?.toHex());
    await close();
    await seal();
    await seal();
    await settled(wire);
    const specVersions = (): number[] =>
      versions.items.map((item) => (item as { specVersion: number }).specVersion);
    const [before, after] = specVersions();
    expect(specVersions().length).toBe(2);
    expect(after).toBeGreaterThan(before as number);
    await overtake(trunk);
    await settled(wire);
    expect(specVersions()).toEqual([before, after, before]);
  });

  it('loses and duplicates nothing if blocks arrive while it subscribes', async () => {
    const wire = open({ dialect });
    const opened: Promise<{ readonly items: readonly unknown[] }>[] = [];
    for (let block = 0; block < 5; block++) {
      const sealing = seal();
      for (const method of ['chain_subscribeNewHeads', 'chain_subscribeAllHeads'])
        opened.push(wire.follow(method));
      await sealing;
    }
    const feeds = await Promise.all(opened);
    await settled(wire);
    for (const feed of feeds) {
      const told = numbers(feed);
      expect(told).toEqual(Array.from({ length: 6 - (told[0] ?? 9) }, (_, i) => (told[0] ?? 9) + i));
    }
  });
});

describe('ids', () => {
  const names: readonly (readonly [subscribe: string, unsubscribe: string])[] = [
    ['chain_subscribeAllHeads', 'chain_unsubscribeAllHeads'],
    ['chain_subscribeNewHeads', 'chain_unsubscribeNewHeads'],
    ['chain_subscribeNewHead', 'chain_unsubscribeNewHead'],
    ['subscribe_newHead', 'unsubscribe_newHead'],
    ['chain_subscribeFinalizedHeads', 'chain_unsubscribeFinalizedHeads'],
    ['chain_subscribeFinalisedHeads', 'chain_unsubscribeFinalisedHeads'],
    ['state_subscribeRuntimeVersion', 'state_unsubscribeRuntimeVersion'],
    ['chain_subscribeRuntimeVersion', 'chain_unsubscribeRuntimeVersion'],
    ['state_subscribeStorage', 'state_unsubscribeStorage'],
  ];
  it.each(names)(
    '%s: true once; false before, after, on other connections and for other kinds',
    async (subscribe, end) => {
      const [wire, other] = [open(), open()];
      expect(await wire.call(end, 'nonsense')).toBe(false);
      const feed = await wire.follow(subscribe);
      await settled(wire);
      const before = feed.items.length;
      expect(feed.id).toMatch(/^[A-Za-z0-9]{16}$/);
      expect(await other.call(end, feed.id)).toBe(false);
      expect(await wire.call('author_unwatchExtrinsic', feed.id)).toBe(false);
      expect(await wire.call(end, feed.id)).toBe(true);
      expect(await wire.call(end, feed.id)).toBe(false);
      for (const wrong of [5, null, {}, [feed.id]]) expect(await wire.call(end, wrong)).toBe(false);
      await seal();
      await settled(wire);
      expect(feed.items.length).toBe(before);
    },
  );

  it('the response is sent before the first item', async () => {
    const wire = open();
    const { id } = await wire.follow('chain_subscribeNewHeads');
    await settled(wire);
    const about = wire.texts.filter((text) => text.includes(id));
    expect(about[0]).toContain('"result":"');
    expect(about[1]).toContain(`"params":{"subscription":"${id}","result":`);
  });

  it('a refused subscription uses no id and leaves nothing behind', async () => {
    const wire = open({ denyUnsafe: true });
    expect((await wire.ask('state_subscribeStorage')).error?.code).toBe(-32601);
    expect((await wire.ask('state_subscribeStorage', 'x')).error?.code).toBe(-32602);
    expect((await wire.ask('author_submitAndWatchExtrinsic', '0x')).error?.code).toBe(1001);
    expect((await open({ denyUnsafe: 'psp-6' }).ask('state_subscribeStorage')).error).toBe(undefined);
    await seal();
    await settled(wire);
    expect(wire.texts.filter((text) => text.includes('"subscription"'))).toEqual([]);
  });

  it('a client that does not read loses the subscription silently after sixteen items', async () => {
    let blocked = false;
    const wire = open({ isBlocked: () => blocked });
    const feed = await wire.follow('chain_subscribeNewHeads');
    await settled(wire);
    blocked = true;
    for (let block = 0; block < 18; block++) await seal();
    await settled(wire);
    blocked = false;
    await seal();
    await settled(wire);
    expect(feed.items.length).toBe(1 + 16);
    expect(await wire.call('chain_unsubscribeNewHeads', feed.id)).toBe(false);
  });
});
