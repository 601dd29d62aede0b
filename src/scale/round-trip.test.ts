import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { openPort } from '../../test/rigs/ports.ts';
import { createNode } from '../../worker/node.ts';
import { decodeValue } from './decode.ts';
import { encodeJson } from './encode.ts';
import { byteCountOf } from './entries.ts';
import { encodeGiven } from './given/given.ts';
import { fromHex, toHex } from './hex.ts';
import { decodedToJson, decodedToPolkadotJs } from './json.ts';
import { createRuntimeMeta } from './runtime.ts';
import type { Json, LookupEntry, RuntimeMeta } from './types.ts';

let meta: RuntimeMeta;

beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  meta = createRuntimeMeta(fromHex(String(await openPort(node).request('state_getMetadata', []))));
  await node.close();
});

/** Deeper than this, lists are empty and the first variant without contents is taken, if there is one. */
const deepest = 5;

const integer = (type: string): fc.Arbitrary<Json> => {
  const bits = Number(type.slice(1));
  const isSigned = type.startsWith('i');
  const min = isSigned ? -(2n ** BigInt(bits - 1)) : 0n;
  const max = 2n ** BigInt(isSigned ? bits - 1 : bits) - 1n;
  return fc.oneof(fc.bigInt({ min, max }), fc.bigInt({ min: 0n, max: 300n < max ? 300n : max }));
};

const bytes = (count: number | null): fc.Arbitrary<Json> =>
  fc.uint8Array(count === null ? { maxLength: 70 } : { minLength: count, maxLength: count }).map(toHex);

/** Random values of a type in the strict form; null if it has none of this depth. */
const valuesOf = (entry: LookupEntry, depth = 0): fc.Arbitrary<Json> | null => {
  if (depth > 2 * deepest) return null;
  const inner = (of: LookupEntry): fc.Arbitrary<Json> | null => valuesOf(of, depth + 1);
  const count = byteCountOf(entry);
  if (count !== undefined) return bytes(count);
  const all = (list: readonly LookupEntry[]): fc.Arbitrary<Json> | null => {
    const values = list.map(inner);
    return values.includes(null) ? null : fc.tuple(...(values as fc.Arbitrary<Json>[]));
  };
  switch (entry.type) {
    case 'void':
      return fc.constant(null);
    case 'AccountId32':
      return bytes(32);
    case 'AccountId20':
      return bytes(20);
    case 'compact':
      return integer(entry.size);
    case 'primitive':
      if (entry.value === 'bool') return fc.boolean();
      if (entry.value === 'str') return fc.string({ unit: 'grapheme' });
      return entry.value === 'char'
        ? fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
        : integer(entry.value);
    case 'bitSequence':
      return fc.array(fc.constantFrom('0', '1'), { maxLength: 70 }).map((bits) => `0b${bits.join('')}`);
    case 'sequence': {
      const item = depth > deepest ? null : inner(entry.value);
      return item === null ? fc.constant([]) : fc.array(item, { maxLength: 3 });
    }
    case 'array':
      return all(Array.from({ length: entry.len }, () => entry.value));
    case 'tuple':
      return all(entry.value);
    case 'struct': {
      const names = Object.keys(entry.value);
      const values = all(Object.values(entry.value));
      return (
        values?.map((list) =>
          Object.fromEntries(names.map((name, at) => [name, (list as Json[])[at] ?? null])),
        ) ?? null
      );
    }
    case 'option': {
      const some = depth > deepest ? null : inner(entry.value);
      if (some === null) return fc.constant(null);
      const isNested = entry.value.type === 'option' || entry.value.type === 'void';
      return fc.option(isNested ? some.map((Some) => ({ Some })) : some);
    }
    case 'result': {
      const [ok, ko] = [inner(entry.value.ok), inner(entry.value.ko)];
      const both = [ok?.map((Ok) => ({ Ok })), ko?.map((Err) => ({ Err }))].filter(
        (one) => one !== undefined,
      );
      return both.length === 0 ? null : fc.oneof(...both);
    }
    case 'enum': {
      const variants = Object.entries(entry.value);
      const plain = variants.filter(([, one]) => one.inner === null);
      const chosen = depth > deepest && plain.length > 0 ? plain.slice(0, 1) : variants;
      const values = chosen.flatMap(([name, one]) => {
        if (one.inner === null) return [fc.constant<Json>(name)];
        return inner(one.inner)?.map((content): Json => ({ [name]: content })) ?? [];
      });
      return values.length === 0 ? null : fc.oneof(...values);
    }
  }
};

it('random values of every type of the runtime decode to values that encode to the same bytes', () => {
  let types = 0;
  for (const { id } of meta.metadata.lookup) {
    const entry = meta.lookup(id);
    // Contains every call: its parts are types of their own.
    const isOuter = id === meta.callType || /^Runtime/.test(entry.path.at(-1) ?? '');
    const values = isOuter ? null : valuesOf(entry, 2);
    if (values === null) continue;
    types += 1;
    const property = fc.property(values, (value) => {
      const encoded = encodeJson(meta, id, value);
      const decoded = decodeValue(meta, id, encoded);
      expect([decoded.start, decoded.end]).toEqual([0, encoded.length]);
      expect(toHex(encodeJson(meta, id, decodedToJson(decoded))), meta.typeName(id)).toBe(toHex(encoded));
      const shown = decodedToPolkadotJs(decoded);
      // An option in an option is not distinguished by the form of polkadot-js.
      expect(toHex(encodeGiven(meta, id, shown, 'value')), meta.typeName(id)).toBe(toHex(encoded));
    });
    fc.assert(property, { numRuns: 4 });
  }
  expect(types).toBeGreaterThan(250);
}, 240_000);
