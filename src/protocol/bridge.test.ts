import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idOfSecret, proveSecret, readFrame, readNote, writeNumbered, writeTexts } from './bridge.ts';

const channel = fc.nat();

it('reads back what it writes', () => {
  fc.assert(
    fc.property(channel, fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (id, texts) => {
      expect(readFrame(writeTexts(id, texts))).toEqual({ channel: id, number: null, texts });
      expect(readFrame(writeTexts(id, texts[0] ?? ''))).toEqual({
        channel: id,
        number: null,
        texts: [texts[0]],
      });
    }),
  );
  fc.assert(
    fc.property(channel, fc.nat(), fc.option(fc.string({ unit: 'binary' })), (id, number, text) => {
      expect(readFrame(writeNumbered(id, number, text))).toEqual({ channel: id, number, text });
    }),
  );
});

it('refuses anything else, and never throws', () => {
  for (const wrong of ['', '1', 'x 1', '-1 {}', '1*2,3 ab', '1*, a', '1# a', '1#1!! a', ' 1 a', '{"a":1}'])
    expect(readFrame(wrong)).toBe(null);
  for (const wrong of ['', '[]', '"a"', 'null', '{', '1 {}']) expect(readNote(wrong)).toBe(null);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      readFrame(text);
      readNote(text);
    }),
  );
});

it('proves a secret differently for each side, secret and nonce', async () => {
  const nonces = { page: 'a', bridge: 'b' };
  const proofs = await Promise.all([
    proveSecret('s', 'page', nonces),
    proveSecret('s', 'bridge', nonces),
    proveSecret('t', 'page', nonces),
    proveSecret('s', 'page', { page: 'b', bridge: 'a' }),
    idOfSecret('s'),
  ]);
  expect(new Set(proofs).size).toBe(5);
});
