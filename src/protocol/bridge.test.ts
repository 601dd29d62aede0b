import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createBundler,
  idOfSecret,
  proveSecret,
  readBundle,
  readFrame,
  readNote,
  writeBundle,
  writeNumbered,
  writeTexts,
} from './bridge.ts';

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

it('rejects anything else, and never throws', () => {
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

it('bundles the frames of a turn, and reads them back', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (texts) => {
      const frames = texts.map((text, index) => writeTexts(index, text));
      expect(readBundle(writeBundle(frames))).toEqual(frames);
    }),
  );
  for (const wrong of ['+', '+ ', '+1 ', '+2,2 abc', '+1,1 abc', '+a b'])
    expect(readBundle(wrong)).toBe(null);
  const sent: string[] = [];
  const turns: (() => void)[] = [];
  const send = createBundler(
    (message) => sent.push(message),
    (run) => turns.push(run),
  );
  send('1 a');
  send('2 b');
  for (const run of turns.splice(0)) run();
  send('3 c');
  for (const run of turns.splice(0)) run();
  expect(sent).toEqual(['+3,3 1 a2 b', '3 c']);
  for (let count = 0; count < 2500; count += 1) send('4 d');
  expect(sent).toHaveLength(4);
  for (const run of turns.splice(0)) run();
  expect(sent.slice(2).flatMap((message) => readBundle(message))).toHaveLength(2500);
});
