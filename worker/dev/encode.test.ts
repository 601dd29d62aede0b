import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { decodeValue } from './decode.ts';
import { encodeValue } from './encode.ts';
import { type Field, primitives, type TypeDef, type Types } from './types.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const aliceKey = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

const crypto = await loadCrypto();

/** A type registry keyed by name instead of number. */
const registry = (defs: Readonly<Record<string, (id: (name: string) => number) => TypeDef>>) => {
  const names = [...primitives, ...Object.keys(defs)] as string[];
  const id = (name: string): number => names.indexOf(name);
  const types: Types = new Map(
    names.map((name, index) => {
      const primitive = primitives.find((one) => one === name);
      if (primitive !== undefined) return [index, { kind: 'primitive', primitive }];
      return [index, (defs[name] as (typeof defs)[string])(id)];
    }),
  );
  const coding = { types, crypto };
  const encode = (name: string, value: unknown): string =>
    bytesToHex(encodeValue(coding, id(name), value, 'P.I'));
  const decode = (name: string, hex: string): unknown => decodeValue(coding, id(name), hexToBytes(hex));
  return { encode, decode };
};

const bare = (type: number): Field => ({ name: null, type });
const named = (fields: Readonly<Record<string, number>>): Field[] =>
  Object.entries(fields).map(([name, type]) => ({ name, type }));

const { encode, decode } = registry({
  bytes: (id) => ({ kind: 'sequence', item: id('u8') }),
  bytes4: (id) => ({ kind: 'array', item: id('u8'), length: 4 }),
  bytes32: (id) => ({ kind: 'array', item: id('u8'), length: 32 }),
  huge: (id) => ({ kind: 'array', item: id('u8'), length: 0xffff_ffff }),
  nothings: (id) => ({ kind: 'array', item: id('nothing'), length: 16_000_000 }),
  nothing: () => ({ kind: 'tuple', items: [] }),
  account: (id) => ({ kind: 'composite', name: 'AccountId32', fields: [bare(id('bytes32'))] }),
  numbers: (id) => ({ kind: 'sequence', item: id('u16') }),
  pair: (id) => ({ kind: 'tuple', items: [id('u8'), id('str')] }),
  pairs: (id) => ({ kind: 'sequence', item: id('pair2') }),
  pair2: (id) => ({ kind: 'tuple', items: [id('u8'), id('u16')] }),
  map: (id) => ({ kind: 'composite', name: 'BTreeMap', fields: [bare(id('pairs'))] }),
  compact: (id) => ({ kind: 'compact', inner: id('wrapped') }),
  wrapped: (id) => ({ kind: 'composite', name: 'Perbill', fields: [bare(id('u32'))] }),
  option: (id) => ({
    kind: 'variant',
    name: 'Option',
    variants: [
      { name: 'None', index: 0, fields: [] },
      { name: 'Some', index: 1, fields: [bare(id('u8'))] },
    ],
  }),
  struct: (id) => ({
    kind: 'composite',
    name: 'Info',
    fields: named({ free_balance: id('u128'), name: id('bytes'), limit: id('option') }),
  }),
  enum: (id) => ({
    kind: 'variant',
    name: 'Kind',
    variants: [
      { name: 'Later', index: 9, fields: named({ at: id('u32'), who: id('bytes') }) },
      { name: 'Never', index: 3, fields: [] },
      { name: 'OnePair', index: 4, fields: [bare(id('u8')), bare(id('u8'))] },
      { name: 'Wrapped', index: 5, fields: [bare(id('struct'))] },
    ],
  }),
  address: (id) => ({
    kind: 'variant',
    name: 'MultiAddress',
    variants: [
      { name: 'Id', index: 0, fields: [bare(id('account'))] },
      { name: 'Index', index: 1, fields: [bare(id('u32'))] },
    ],
  }),
  lsb: (id) => ({ kind: 'bits', store: id('u8'), order: id('Lsb0') }),
  msb: (id) => ({ kind: 'bits', store: id('u8'), order: id('Msb0') }),
  Lsb0: () => ({ kind: 'composite', name: 'Lsb0', fields: [] }),
  Msb0: () => ({ kind: 'composite', name: 'Msb0', fields: [] }),
  endless: (id) => ({ kind: 'composite', name: 'Endless', fields: named({ next: id('endless') }) }),
});

const refusal = (name: string, value: unknown): string => {
  try {
    return `${encode(name, value)} was taken`;
  } catch (error) {
    if (!(error instanceof NodeError) || error.code !== 'BadValue') throw error;
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
  ] as const)('%s refuses %s', (name, value, message) => {
    expect(refusal(name, value)).toMatch(message);
  });

  it('stops at recursive types', () => {
    expect(refusal('endless', {})).toMatch(/nested too deep/);
    expect(refusal('huge', undefined)).toMatch(/too long/);
    expect(refusal('nothings', undefined)).toMatch(/too long|too large/);
    let deep: unknown = {};
    for (let i = 0; i < 5000; i++) deep = { next: deep };
    expect(refusal('endless', deep)).toMatch(/nested too deep/);
  });
});

describe('reading', () => {
  it('decodes to a form that can be encoded', () => {
    const value = fc.record({
      freeBalance: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map(String),
      name: fc.uint8Array({ maxLength: 70 }).map(bytesToHex),
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

  it('refuses too few bytes, too many, and unknown variants', () => {
    for (const [name, hex] of [
      ['struct', '0x00'],
      ['u8', '0x0000'],
      ['enum', '0x07'],
      ['huge', '0x00'],
      ['nothings', '0x'],
      ['str', '0x04ff'],
    ] as const)
      expect(() => decode(name, hex), name).toThrow(NodeError);
  });
});
