import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { decodeDigestItem, encodeEngineItem, findDigest } from './digest.ts';
import { decodeHeader, encodeHeader } from './header.ts';

const zeros = new Uint8Array(32);
const headerWith = (item: Uint8Array) => ({
  parentHash: zeros,
  number: 1,
  stateRoot: zeros,
  extrinsicsRoot: zeros,
  digest: [item],
});
const kinds = { 4: 'consensus', 5: 'seal', 6: 'preRuntime' } as const;

describe('engine ids', () => {
  it('any four bytes survive decoding and encoding, in an item and in a header', () => {
    const bytes = fc.uint8Array({ minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(4, 5, 6), bytes, fc.uint8Array({ maxLength: 60 }), (tag, id, data) => {
        const item = Uint8Array.of(tag, ...id, data.length * 4, ...data);
        const decoded = decodeDigestItem(item);
        if (!('engine' in decoded)) throw new Error(`${decoded.kind} has no engine`);
        expect(decoded).toMatchObject({ kind: kinds[tag], data });
        expect(encodeEngineItem(decoded.kind, decoded.engine, decoded.data)).toEqual(item);
        expect(decodeHeader(encodeHeader(headerWith(item)))).toEqual(headerWith(item));
      }),
    );
  });

  it('one that is not UTF-8 is skipped in a search for another', () => {
    const foreign = hexToBytes('0x06fffefdfc0401');
    const own = encodeEngineItem('preRuntime', 'BABE', Uint8Array.of(7));
    expect(bytesToHex(own)).toBe('0x06424142450407');
    expect(findDigest([foreign, own], 'preRuntime', 'BABE')).toEqual(Uint8Array.of(7));
    expect(findDigest([foreign], 'preRuntime', 'BABE')).toBeNull();
  });
});

it('trailing bytes after an item are refused', () =>
  expect(() => decodeDigestItem(hexToBytes('0x0800'))).toThrow('left over'));
