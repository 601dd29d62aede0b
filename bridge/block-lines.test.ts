import { expect, it } from 'vitest';
import { parseLine } from './block-lines.ts';

const genesisHash = `0x${'1a'.repeat(32)}`;

it('distinguishes the line that identifies the chain from those of blocks', () => {
  expect(parseLine(JSON.stringify({ tabnode: 1, genesisHash }))).toEqual({
    kind: 'chain',
    genesisHash,
    chainTimeMs: 0,
  });
  expect(parseLine(JSON.stringify({ tabnode: 1, genesisHash, chainTimeMs: 7 }))).toMatchObject({
    chainTimeMs: 7,
  });
  const json = { block: { header: { number: '0x10' } } };
  expect(parseLine(JSON.stringify(json))).toEqual({ kind: 'block', json, number: 16 });
  expect(parseLine('{"header":{"number":7}}')).toMatchObject({ kind: 'block', number: 7 });
  expect(parseLine('null')).toEqual({ kind: 'block', json: null, number: null });
});

it.each([
  ['{', 'Not JSON'],
  [JSON.stringify({ tabnode: 2, genesisHash }), 'newer format'],
  ['{"tabnode":1}', 'not a hash'],
])('refuses %s', (text, why) => {
  expect(() => parseLine(text)).toThrow(expect.objectContaining({ code: 'BadBlock' }));
  expect(() => parseLine(text)).toThrow(why);
});
