import { Metadata, TypeRegistry } from '@polkadot/types';
import type { Codec } from '@polkadot/types/types';
import { getSpecAlias, getSpecTypes } from '@polkadot/types-known';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureBlock, fixtureToJson } from '../../../test/chain/fixture-block.ts';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { openPort } from '../../../test/rigs/ports.ts';
import { createNode, type Node } from '../../../worker/node.ts';
import { decodeEvents, eventsKey } from '../events.ts';
import { decodeExtrinsic } from '../extrinsic.ts';
import { fromHex } from '../hex.ts';
import { createMetaLoader } from '../load.ts';
import { decodeStored, explainKey } from '../storage.ts';
import type { RuntimeMeta } from '../types.ts';
import { leavesOf, leavesOfCodec } from './leaves.fixture.ts';

/** Westend's first 128 blocks, under its runtime of 2020 with metadata V11. */
describe.skipIf(!hasFixtures)('metadata V11 of a public chain', () => {
  let node: Node;
  let request: (method: string, params: readonly unknown[]) => Promise<unknown>;
  let meta: RuntimeMeta;
  let blocks: readonly FixtureBlock[];
  let registry: TypeRegistry;
  const decode = (type: string, hex: string): Codec => registry.createType(type, hex);

  beforeAll(async () => {
    const specJson = await loadFixtureText('chains/westend-raw.json');
    node = await createNode(createTestPlatform(), testConfig({ specJson }, { finality: { kind: 'manual' } }));
    blocks = await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json');
    for (const block of blocks) await node.importBlock(fixtureToJson(block));
    const port = openPort(node);
    request = (method, params) => port.request(method, params);
    meta = await createMetaLoader({ request }).of(null);
    registry = new TypeRegistry();
    registry.register(getSpecTypes(registry, 'Westend', 'westend', 1));
    registry.knownTypes.typesAlias = getSpecAlias(registry, 'Westend', 'westend');
    const metadata = (await request('state_getMetadata', [])) as `0x${string}`;
    registry.setMetadata(new Metadata(registry, metadata));
  });
  afterAll(() => node.close());

  it('says its own version and describes all types that it names', () => {
    expect(meta.version).toBe(11);
    expect(meta.metadata.pallets.map(({ name }) => name)).toContain('Attestations');
    const undescribed = meta.metadata.lookup.filter(
      ({ def }) => def.tag === 'variant' && def.value.some(({ index }) => index > 255),
    );
    expect(undescribed.map(({ path }) => path.join('::'))).toEqual([]);
  });

  it('decodes every extrinsic as the library does', () => {
    let count = 0;
    for (const { body } of blocks)
      for (const hex of body) {
        const ours = decodeExtrinsic(meta, hex);
        const theirs = registry.createType('Extrinsic', hex) as unknown as { readonly method: Codec };
        expect(leavesOf(ours.call)).toEqual(leavesOfCodec(theirs.method));
        count += 1;
      }
    expect(count).toBe(347);
  });

  it('decodes every event as the library does', async () => {
    const names = new Set<string>();
    for (const { hash } of blocks) {
      const value = (await request('state_getStorage', [eventsKey, hash])) as string;
      const ours = decodeEvents(meta, value);
      const theirs = decode('Vec<EventRecord>', value) as unknown as readonly { readonly event: Codec }[];
      expect(ours.map(({ event }) => leavesOf(event))).toEqual(
        theirs.map(({ event }) => leavesOfCodec(event)),
      );
      for (const { event } of ours) names.add(leavesOf(event).slice(0, 2).join('.'));
    }
    expect([...names]).toContain('system.extrinsicsuccess');
  });

  it('decodes every stored value as the library does', async () => {
    const keys = (await request('state_getKeysPaged', ['0x', 1000])) as readonly string[];
    const entries = new Set<string>();
    const unnamed = new Set<string>();
    for (const key of keys) {
      const meaning = explainKey(meta, key);
      if (meaning.kind !== 'entry') {
        if (meaning.kind !== 'known') unnamed.add(key);
        continue;
      }
      const value = (await request('state_getStorage', [key])) as `0x${string}`;
      const { pallet, name } = meaning.entry;
      const item = registry.metadata.pallets
        .find((one) => one.name.eq(pallet))
        ?.storage.unwrap()
        .items.find((one) => one.name.eq(name));
      const type = item?.type.isPlain ? item.type.asPlain : item?.type.asMap.value;
      if (type === undefined) throw new Error(`The library has no ${pallet}.${name}`);
      const theirs = registry.createTypeUnsafe<Codec>(registry.createLookupType(type), [fromHex(value)]);
      const ours = decodeStored(meta, meaning.entry, value);
      expect(ours === null ? null : leavesOf(ours.value), `${pallet}.${name}`).toEqual(leavesOfCodec(theirs));
      expect(meaning.keys).toHaveLength(meaning.entry.keys.length);
      entries.add(`${pallet}.${name}`);
    }
    // Storage that the runtime keeps out of its metadata.
    const authorityDiscovery = '0x2099d7f109d6e535fb000bba623fd440';
    expect([...unnamed].filter((key) => !key.startsWith(authorityDiscovery))).toEqual([]);
    expect(entries.size).toBe(59);
  });
});
