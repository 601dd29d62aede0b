import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeFault } from '../cursor.ts';
import { decodeValue } from '../decode.ts';
import { EncodeFault, encodeJson } from '../encode.ts';
import { fromHex, toHex } from '../hex.ts';
import { decodedToJson, decodedToPolkadotJs } from '../json.ts';
import { toRuntimeMeta } from '../runtime.ts';
import type { UnifiedMetadata } from '../types.ts';
import { encodeGiven } from './given.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const aliceKey = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

const primitives = [
  ...['bool', 'char', 'str', 'u8', 'u16', 'u32', 'u64', 'u128', 'u256'],
  ...['i8', 'i16', 'i32', 'i64', 'i128', 'i256'],
];

type Field = { readonly name: string | undefined; readonly type: number };
type Def = { readonly path?: readonly string[]; readonly params?: readonly number[]; readonly def: object };
type Id = (name: string) => number;

const bare = (type: number): Field => ({ name: undefined, type });
const named = (fields: Readonly<Record<string, number>>): Field[] =>
  Object.entries(fields).map(([name, type]) => ({ name, type }));
const composite = (name: string, fields: readonly Field[]): Def => ({
  path: [name],
  def: { tag: 'composite', value: fields.map((field) => ({ ...field, docs: [] })) },
});
const variant = (
  name: string,
  variants: readonly { readonly name: string; readonly index: number; readonly fields: readonly Field[] }[],
  ...params: readonly number[]
): Def => ({
  path: [name],
  params,
  def: { tag: 'variant', value: variants.map((one) => ({ ...one, docs: [] })) },
});
const sequence = (value: number): Def => ({ def: { tag: 'sequence', value } });
const array = (type: number, len: number): Def => ({ def: { tag: 'array', value: { len, type } } });
const tuple = (...value: readonly number[]): Def => ({ def: { tag: 'tuple', value } });
const bits = (bitStoreType: number, bitOrderType: number): Def => ({
  def: { tag: 'bitSequence', value: { bitStoreType, bitOrderType } },
});

/** Metadata of these types, by name instead of number. */
const registry = (defs: Readonly<Record<string, (id: Id) => Def>>) => {
  const names = [...primitives, ...Object.keys(defs)];
  const id: Id = (name) => names.indexOf(name);
  const lookup = names.map((name, index) => {
    const own: Def = defs[name]?.(id) ?? { def: { tag: 'primitive', value: { tag: name } } };
    const params = (own.params ?? []).map((type, at) => ({ name: 'TE'[at], type }));
    return { id: index, docs: [], path: own.path ?? [], params, def: own.def };
  });
  const extrinsic = { version: [4], extensionsByVersion: {}, call: 0, address: 0, signature: 0 };
  const metadata = { version: 15, lookup, pallets: [], extrinsic, apis: [] } as unknown as UnifiedMetadata;
  const meta = toRuntimeMeta(metadata);
  const decoded = (name: string, hex: string) => decodeValue(meta, id(name), fromHex(hex));
  return {
    encode: (name: string, value: unknown): string => toHex(encodeGiven(meta, id(name), value, 'P.I')),
    decode: (name: string, hex: string): unknown => decodedToPolkadotJs(decoded(name, hex)),
    /** Through the strict form, which the devtools use. */
    again: (name: string, hex: string): string =>
      toHex(encodeJson(meta, id(name), decodedToJson(decoded(name, hex)))),
  };
};

const { encode, decode, again } = registry({
  bytes: (id) => sequence(id('u8')),
  bytes4: (id) => array(id('u8'), 4),
  bytes32: (id) => array(id('u8'), 32),
  huge: (id) => array(id('u8'), 0xffff_ffff),
  nothings: (id) => array(id('nothing'), 16_000_000),
  nothing: () => tuple(),
  account: (id) => composite('AccountId32', [bare(id('bytes32'))]),
  numbers: (id) => sequence(id('u16')),
  pair: (id) => tuple(id('u8'), id('str')),
  pairs: (id) => sequence(id('pair2')),
  pair2: (id) => tuple(id('u8'), id('u16')),
  map: (id) => composite('BTreeMap', [bare(id('pairs'))]),
  compact: (id) => ({ def: { tag: 'compact', value: id('wrapped') } }),
  wrapped: (id) => composite('Perbill', [bare(id('u32'))]),
  option: (id) => variant('Option', [], id('u8')),
  nested: (id) => variant('Option', [], id('option')),
  result: (id) => variant('Result', [], id('u8'), id('nothing')),
  struct: (id) =>
    composite('Info', named({ free_balance: id('u128'), name: id('bytes'), limit: id('option') })),
  single: (id) => composite('Holder', named({ held_amount: id('compact128') })),
  compact128: (id) => ({ def: { tag: 'compact', value: id('u128') } }),
  msb32: (id) => bits(id('u32'), id('Msb0')),
  enum: (id) =>
    variant('Kind', [
      { name: 'Later', index: 9, fields: named({ at: id('u32'), who: id('bytes') }) },
      { name: 'Never', index: 3, fields: [] },
      { name: 'OnePair', index: 4, fields: [bare(id('u8')), bare(id('u8'))] },
      { name: 'Wrapped', index: 5, fields: [bare(id('struct'))] },
    ]),
  address: (id) =>
    variant('MultiAddress', [
      { name: 'Id', index: 0, fields: [bare(id('account'))] },
      { name: 'Index', index: 1, fields: [bare(id('u32'))] },
    ]),
  lsb: (id) => bits(id('u8'), id('Lsb0')),
  msb: (id) => bits(id('u8'), id('Msb0')),
  Lsb0: () => composite('Lsb0', []),
  Msb0: () => composite('Msb0', []),
  endless: (id) => composite('Endless', named({ next: id('endless') })),
});

const refusal = (name: string, value: unknown): string => {
  try {
    return `${encode(name, value)} was taken`;
  } catch (error) {
    if (!(error instanceof EncodeFault)) throw error;
    return error.message;
  }
};

describe('values in the form of polkadot-js', () => {
  it.each([
    ['u32', 7, '0x07000000'],
    ['u32', '7', '0x07000000'],
    ['u32', '0x0100', '0x00010000'],
    ['u128', 2n ** 127n, `0x${'00'.repeat(15)}80`],
    ['i16', -2, '0xfeff'],
    ['bool', true, '0x01'],
    ['bool', undefined, '0x00'],
    ['str', 'añ', '0x0c61c3b1'],
    ['char', 'a', '0x61000000'],
    ['bytes', '0x0102', '0x080102'],
    ['bytes', 'hi', '0x086869'],
    ['bytes', [1, 2], '0x080102'],
    ['bytes4', 'BABE', '0x42414245'],
    ['bytes4', null, '0x00000000'],
    ['account', alice, aliceKey],
    ['account', aliceKey, aliceKey],
    ['numbers', [1, '2'], '0x0801000200'],
    ['numbers', '0x0801000200', '0x0801000200'],
    ['pair', [1, 'a'], '0x010461'],
    ['map', { 1: 2, 3: 4 }, '0x0801020003'.concat('0400')],
    ['map', [[1, 2]], '0x04010200'],
    ['compact', 64, '0x0101'],
    ['compact', '2000000000', '0x0300943577'],
    ['option', null, '0x00'],
    ['option', 0, '0x0100'],
    ['struct', {}, `0x${'00'.repeat(16)}0000`],
    ['struct', { freeBalance: '5', limit: 1 }, `0x05${'00'.repeat(15)}000101`],
    ['struct', { free_balance: 5 }, `0x05${'00'.repeat(15)}0000`],
    ['struct', [5, 'a', null], `0x05${'00'.repeat(15)}046100`],
    ['struct', `0x05${'00'.repeat(15)}0000`, `0x05${'00'.repeat(15)}0000`],
    ['enum', 'never', '0x03'],
    ['enum', undefined, '0x03'],
    ['enum', 4, '0x040000'],
    ['enum', { OnePair: [1, 2] }, '0x040102'],
    ['enum', { later: { at: 1 } }, '0x090100000000'],
    ['enum', 'Later', '0x090000000000'],
    ['enum', { type: 'Later', value: { at: 1 } }, '0x090100000000'],
    ['enum', { Wrapped: { freeBalance: 1 } }, `0x0501${'00'.repeat(15)}0000`],
    ['enum', '0x03', '0x03'],
    ['address', alice, `0x00${aliceKey.slice(2)}`],
    ['address', aliceKey, `0x00${aliceKey.slice(2)}`],
    ['address', { Index: 1 }, '0x0101000000'],
    ['address', '0x0101000000', '0x0101000000'],
    ['lsb', '0b11', '0x0803'],
    ['lsb', [true, false, true], '0x0c05'],
    ['msb', '0b11', '0x08c0'],
    ['lsb', '0xff', '0x20ff'],
    ['msb32', '0b11', '0x08000000c0'],
    ['single', { heldAmount: '18446744073709551616' }, '0x17000000000000000001'],
    ['single', '0x17000000000000000001', '0x17000000000000000001'],
    ['nested', { Some: null }, '0x0100'],
    ['nested', 5, '0x010105'],
    ['result', 'Err', '0x01'],
    ['result', { ok: 7 }, '0x0007'],
    ['nothing', {}, '0x'],
    ['nothing', null, '0x'],
  ] as const)('%s from %s', (name, value, hex) => {
    expect(encode(name, value)).toBe(hex);
  });

  it.each([
    ['u8', 256, /^P\.I: 256 does not fit a u8$/],
    ['u8', 1.5, /is not a u8: write a whole number/],
    ['u128', 1e20, /decimal digits as text/],
    ['bool', 'yes', /neither true nor false/],
    ['bytes4', '0x01', /has 1 bytes, not 4/],
    ['bytes', '0xz1', /is not a hexadecimal digit/],
    ['bytes', 7, /are no bytes/],
    ['account', '5Grw', /"5Grw" is no address/],
    ['numbers', '0x0801', /is not the SCALE encoding of a list/],
    ['numbers', [1, 'x'], /^P\.I\[1\]: "x" is not a u16/],
    ['pair', [1], /has 1 items, not 2/],
    ['enum', 'soon', /Kind has no variant "soon"; there are Later, Never, OnePair, Wrapped/],
    ['enum', { Wrapped: { nope: 1 } }, /^P\.I\.Wrapped: there is no field "nope"/],
    ['enum', { Later: 1, Never: 2 }, /write "Name" or/],
    ['nothing', 5, /is not empty/],
    ['struct', { free_balance: 1, freeBalance: 2 }, /the field free_balance is given twice/],
    ['bytes', '0x123', /odd number of hexadecimal digits/],
    ['struct', '0x00', /is not the SCALE encoding of an Info \(free_balance: 16 bytes expected, 1 left\)/],
  ] as const)('%s refuses %s', (name, value, message) => {
    expect(refusal(name, value)).toMatch(message);
  });

  it('stops at recursive types', () => {
    expect(refusal('endless', {})).toMatch(/nested too deep/);
    expect(refusal('huge', undefined)).toMatch(/too long/);
    // However many there are, they have no bytes.
    expect(encode('nothings', undefined)).toBe('0x');
    let deep: unknown = {};
    for (let i = 0; i < 5000; i++) deep = { next: deep };
    expect(refusal('endless', deep)).toMatch(/nested too deep/);
  });
});

describe('reading', () => {
  it('decodes to a form that can be encoded', () => {
    const value = fc.record({
      freeBalance: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(String),
      name: fc.uint8Array({ maxLength: 70 }).map(toHex),
      limit: fc.option(fc.nat(255)),
    });
    fc.assert(
      fc.property(value, (shown) => {
        expect(decode('struct', encode('struct', shown))).toEqual(shown);
        expect(decode('enum', encode('enum', { Wrapped: shown }))).toEqual({ Wrapped: shown });
      }),
    );
    expect(decode('account', aliceKey)).toBe(alice);
    expect(decode('enum', '0x03')).toBe('Never');
  });

  it('keeps what a value of few bits or of several bytes per store says, and what a map or an option holds', () => {
    for (const [name, hex] of [
      ['lsb', '0x0c05'],
      ['msb', '0x0ca0'],
      ['msb32', '0x08000000c0'],
      ['msb32', `0x84${'ff'.repeat(4)}00000080`],
      ['nested', '0x0100'],
      ['nested', '0x010105'],
      ['single', '0x17000000000000000001'],
      ['map', '0x0801020003'.concat('0400')],
      ['compact', '0x0300943577'],
    ] as const)
      expect(again(name, hex), name).toBe(hex);
  });

  it('refuses too few bytes, too many, and unknown variants', () => {
    for (const [name, hex] of [
      ['struct', '0x00'],
      ['u8', '0x0000'],
      ['enum', '0x07'],
      ['huge', '0x00'],
      ['str', '0x04ff'],
    ] as const)
      expect(() => decode(name, hex), name).toThrow(DecodeFault);
  });
});
