import { Metadata, TypeRegistry } from '@polkadot/types';
import type { SiLookupTypeId } from '@polkadot/types/interfaces';
import type { Codec } from '@polkadot/types/types';
import { getSpecAlias, getSpecTypes } from '@polkadot/types-known';
import v9 from '@polkadot/types-support/metadata/v9/substrate-hex';
import v10 from '@polkadot/types-support/metadata/v10/substrate-hex';
import v11 from '@polkadot/types-support/metadata/v11/substrate-hex';
import v12 from '@polkadot/types-support/metadata/v12/substrate-hex';
import v13 from '@polkadot/types-support/metadata/v13/substrate-hex';
import { expect, it } from 'vitest';
import { findCall } from '../calls.ts';
import { DecodeFault } from '../cursor.ts';
import { decodeValue } from '../decode.ts';
import { decodeExtrinsic } from '../extrinsic.ts';
import { fromHex, toHex } from '../hex.ts';
import { toRuntimeMeta } from '../runtime.ts';
import { storageEntry } from '../storage.ts';
import type { RuntimeMeta } from '../types.ts';
import { describeMetadata } from './historic.ts';
import { leavesOf, leavesOfCodec } from './leaves.fixture.ts';
import { createTypeTable } from './types.ts';

const identity = { chain: 'Development', specName: 'node', specVersion: 1 };

const openLibrary = (hex: `0x${string}`) => {
  const registry = new TypeRegistry();
  registry.register(getSpecTypes(registry, identity.chain, identity.specName, identity.specVersion));
  registry.knownTypes.typesAlias = getSpecAlias(registry, identity.chain, identity.specName);
  registry.setMetadata(new Metadata(registry, hex));
  return registry;
};

const openOurs = (hex: string) => {
  const { metadata, version } = describeMetadata(fromHex(hex), identity);
  return toRuntimeMeta(metadata, version);
};

const versions = Object.entries({ 9: v9, 10: v10, 11: v11, 12: v12, 13: v13 });

/** Leaves of bytes decoded here; null if they do not fit the type. */
const tryLeaves = (meta: RuntimeMeta, type: number, bytes: Uint8Array): readonly string[] | null => {
  try {
    return leavesOf(decodeValue(meta, type, bytes));
  } catch (fault) {
    if (fault instanceof DecodeFault) return null;
    throw fault;
  }
};

/** The same by the library, which also reads bytes that do not fit. */
const libraryLeaves = (registry: TypeRegistry, type: SiLookupTypeId, bytes: Uint8Array) => {
  const codec = registry.createTypeUnsafe<Codec>(registry.createLookupType(type), [bytes]);
  return toHex(codec.toU8a()) === toHex(bytes) ? leavesOfCodec(codec) : null;
};

/** Defaults of all storage entries and all constants: values of nearly every type that the metadata names. */
it.each(versions)('metadata V%s: defaults and constants are decoded as the library does', (version, hex) => {
  const registry = openLibrary(hex as `0x${string}`);
  const ours = openOurs(hex);
  expect(ours.version).toBe(Number(version));
  let read = 0;
  const compare = (label: string, mine: number, type: SiLookupTypeId, bytes: Uint8Array): void => {
    const theirs = libraryLeaves(registry, type, bytes);
    expect(tryLeaves(ours, mine, bytes), label).toEqual(theirs);
    if (theirs !== null) read += 1;
  };
  for (const pallet of registry.metadata.pallets) {
    const name = pallet.name.toString();
    for (const item of pallet.storage.unwrapOr(null)?.items ?? []) {
      const entry = storageEntry(ours, name, item.name.toString());
      if (entry === null) throw new Error(`${name}.${item.name} is missing`);
      const type = item.type.isPlain ? item.type.asPlain : item.type.asMap.value;
      if (entry.fallback !== null)
        compare(`${name}.${entry.name}`, entry.value, type, item.fallback.toU8a(true));
    }
    for (const [at, { name: constant, type, value }] of pallet.constants.entries())
      compare(`${name}.${constant}`, ours.pallet(name)?.constants[at]?.type ?? -1, type, value.toU8a(true));
  }
  expect(read).toBeGreaterThan(100);
});

it.each(versions)('metadata V%s: calls have the indices of the runtime', (_, hex) => {
  const registry = openLibrary(hex as `0x${string}`);
  const ours = openOurs(hex);
  const callers = registry.metadata.pallets.filter(({ calls }) => calls.isSome);
  const at = callers.findIndex(({ name }) => name.eq('Timestamp'));
  const index = ours.version < 12 ? at : (callers[at]?.index.toNumber() ?? -1);
  const { section, method } = registry.findMetaCall(Uint8Array.of(index, 0));
  expect([section, method]).toEqual(['timestamp', 'set']);
  // Five bytes: format 4 (bare), the call, and the compact number 1.
  const { call } = decodeExtrinsic(ours, toHex(Uint8Array.of(4 << 2, 4, index, 0, 4)));
  expect(leavesOf(call)).toEqual(['timestamp', 'set', '1']);
  expect(findCall(ours, 'Timestamp', 'set')?.index).toEqual([index, 0]);
});

it('a type that nobody describes is named when it is decoded', () => {
  const table = createTypeTable(new TypeRegistry());
  const type = table.idOf('Vec<(u8,Unheard)>');
  const { metadata } = openOurs(v13);
  const meta = toRuntimeMeta({ ...metadata, lookup: table.lookup });
  expect(leavesOf(decodeValue(meta, type, Uint8Array.of(0)))).toEqual([]);
  expect(() => decodeValue(meta, type, Uint8Array.of(4, 1, 1))).toThrow('Nothing describes the type Unheard');
});

it('a type that nothing describes, or whose name is no expression, leaves the others as they are', () => {
  const nested = `${'Vec<'.repeat(500)}u8${'>'.repeat(500)}`;
  for (const name of ['__proto__', 'constructor', '[u8;5000]', '(u8,Vec<)', nested]) {
    const table = createTypeTable(openLibrary(v11));
    const type = table.lookup[table.idOf(name)];
    expect(type).toMatchObject({ path: [name], def: { tag: 'variant', value: [{ index: 256 }] } });
    expect(table.lookup[table.idOf('u8')]).toMatchObject({ def: { value: { tag: 'u8' } } });
  }
});

/** Metadata V11 in which a type has another name with as many letters. */
const renamed = (from: string, to: string): string => {
  const hexOf = (name: string) =>
    Buffer.from(`${String.fromCharCode(name.length * 4)}${name}`).toString('hex');
  return v11.replaceAll(hexOf(from), hexOf(to));
};

it.each(['__proto__', '[u8;5000]'])('metadata that names a type %s can be read', (name) => {
  const meta = openOurs(renamed('AccountId', name));
  expect(meta.metadata.pallets.length).toBe(openOurs(v11).metadata.pallets.length);
  for (const { id } of meta.metadata.lookup) expect(() => meta.lookup(id)).not.toThrow();
});
