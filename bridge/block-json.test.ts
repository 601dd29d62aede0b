import { blake2b } from '@noble/hashes/blake2.js';
import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixtureText } from '../test/fixtures.ts';
import { bytesToHex, hexToBytes } from '../worker/bytes/hex.ts';
import { decodeHeader } from '../worker/codec/header.ts';
import { parseBlockLine } from './block-json.ts';

const hash = (digit: string): string => `0x${digit.repeat(64)}`;
const line = (header: object, extrinsics: readonly unknown[] = []): string =>
  JSON.stringify({
    block: {
      header: {
        parentHash: hash('1'),
        number: '0x1',
        stateRoot: hash('2'),
        extrinsicsRoot: hash('3'),
        digest: { logs: [] },
        ...header,
      },
      extrinsics,
    },
    justifications: null,
  });

describe.skipIf(!hasFixtures)('blocks of a native node (shared fixtures)', () => {
  it('encodes each header so that its hash is the parent hash of the next', async () => {
    const blocks = (await loadFixtureText('sdk-node/blocks.jsonl')).trimEnd().split('\n').map(parseBlockLine);
    expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, index) => index + 1));
    for (const [index, { block }] of blocks.entries()) {
      const next = blocks[index + 1];
      if (next === undefined) continue;
      const own = blake2b(hexToBytes(block.header), { dkLen: 32 });
      expect(bytesToHex(decodeHeader(hexToBytes(next.block.header)).parentHash)).toBe(bytesToHex(own));
    }
  });
});

describe('one line of a block file', () => {
  const justified = (justifications: unknown): string =>
    JSON.stringify({ ...(JSON.parse(line({})) as object), justifications });

  it('takes justifications as numbers, as the SDK writes them, and as hex', () => {
    const wanted = [['0x46524e4b', '0x0001ff']];
    for (const pair of [
      [
        [70, 82, 78, 75],
        [0, 1, 255],
      ],
      ['0x46524e4b', '0x0001FF'],
    ])
      expect(parseBlockLine(justified([pair])).block.justifications).toEqual(wanted);
    for (const bad of ['x', [[]], [['0x46524e', '0x']], [[[70, 82, 78, 256], []]], [[[70, 82, 78, 75], 'x']]])
      expect(() => parseBlockLine(justified(bad))).toThrow(expect.objectContaining({ code: 'BadBlock' }));
  });

  it.each([0, 1, 63, 64, 16383, 16384, 2 ** 30 - 1, 2 ** 30, 0xffffffff])('encodes number %d', (number) => {
    const fromNumber = parseBlockLine(line({ number }));
    const fromHex = parseBlockLine(line({ number: `0x${number.toString(16)}` }));
    expect(fromHex).toEqual(fromNumber);
    expect(decodeHeader(hexToBytes(fromNumber.block.header)).number).toBe(number);
  });

  it.each([
    ['{', 'Not JSON'],
    ['null', 'no header'],
    ['{}', 'no header'],
    ['{"block":{"header":{}}}', 'no extrinsics'],
    [line({ number: -1 }), 'block number'],
    [line({ number: '0x100000000' }), 'block number'],
    [line({ parentHash: '0x11' }), '32 bytes'],
    [line({ stateRoot: 5 }), 'not hex'],
    [line({ digest: null }), 'digest.logs'],
    [line({ digest: { logs: ['0x0'] } }), 'not hex'],
    [line({}, [7]), 'not hex'],
  ])('refuses %s', (text, why) => {
    expect(() => parseBlockLine(text)).toThrow(expect.objectContaining({ code: 'BadBlock' }));
    expect(() => parseBlockLine(text)).toThrow(why);
  });
});
