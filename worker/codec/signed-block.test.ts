import { describe, expect, it } from 'vitest';
import { hasFixtures, loadFixture, loadFixtureLines } from '../../test/rigs/fixtures.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import {
  encodeSignedBlock,
  readSignedBlock,
  signedBlockFromJson,
  signedBlockToJson,
} from './signed-block.ts';

const hash = (digit: string): string => `0x${digit.repeat(64)}`;
const json = (header: object, extrinsics: readonly unknown[] = [], justifications: unknown = null) => ({
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
  justifications,
});

describe.skipIf(!hasFixtures)('blocks of a native node (shared fixtures)', () => {
  it('are equal as JSON and as SCALE, and convert to both', async () => {
    const lines = await loadFixtureLines<object>('sdk-node/blocks.jsonl');
    const reader = new Reader(await loadFixture('sdk-node/blocks.bin'));
    expect(Number(reader.u64())).toBe(lines.length);
    for (const line of lines) {
      const block = signedBlockFromJson(line);
      expect(block).toEqual(readSignedBlock(reader));
      expect(signedBlockToJson(block)).toEqual(line);
      expect(readSignedBlock(new Reader(encodeSignedBlock(block)))).toEqual(block);
    }
    reader.end();
  });
});

describe('one block as JSON', () => {
  it('accepts justifications as numbers, as the SDK writes them, or as hex', () => {
    for (const pair of [
      [
        [70, 82, 78, 75],
        [0, 1, 255],
      ],
      ['0x46524e4b', '0x0001FF'],
    ]) {
      const { justifications } = signedBlockFromJson(json({}, [], [pair]));
      expect(justifications?.map((one) => one.map(bytesToHex))).toEqual([['0x46524e4b', '0x0001ff']]);
    }
    for (const bad of ['x', [[]], [['0x46524e', '0x']], [[[70, 82, 78, 256], []]], [[[70, 82, 78, 75], 'x']]])
      expect(() => signedBlockFromJson(json({}, [], bad))).toThrow(
        expect.objectContaining({ code: 'BadBlock' }),
      );
  });

  it.each([0, 63, 64, 2 ** 30, 0xffffffff])('accepts number %d as a number or as hex', (number) => {
    expect(signedBlockFromJson(json({ number })).header.number).toBe(number);
    expect(signedBlockFromJson(json({ number: `0x${number.toString(16)}` })).header.number).toBe(number);
  });

  it.each([
    [null, 'no header'],
    [{}, 'no header'],
    [{ block: { header: {} } }, 'header.parentHash'],
    [json({ number: -1 }), 'block number'],
    [json({ number: '' }), 'block number'],
    [json({ number: '0x100000000' }), 'block number'],
    [json({ parentHash: '0x11' }), '32 bytes'],
    [json({ stateRoot: 5 }), 'not hex'],
    [json({ digest: null }), 'digest.logs'],
    [json({ digest: { logs: ['0x0'] } }), 'not hex'],
    [json({}, [7]), 'not hex'],
    [{ ...json({}), block: { ...json({}).block, extrinsics: undefined } }, 'extrinsics is not a list'],
  ])('is refused as %j', (value, why) => {
    expect(() => signedBlockFromJson(value)).toThrow(expect.objectContaining({ code: 'BadBlock' }));
    expect(() => signedBlockFromJson(value)).toThrow(why);
  });
});
