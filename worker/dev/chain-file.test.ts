import { expect, it } from 'vitest';
import { bytesToHex } from '../bytes/hex.ts';
import { readChainFile } from './chain-file.ts';

const zeros = bytesToHex(new Uint8Array(32));
const lineWith = (logs: readonly string[], extrinsics: readonly string[]): string => {
  const header = {
    parentHash: zeros,
    number: '0x1',
    stateRoot: zeros,
    extrinsicsRoot: zeros,
    digest: { logs },
  };
  return JSON.stringify({ block: { header, extrinsics } });
};

it('a JSON block must contain complete digest items and extrinsics', () => {
  const [block] = readChainFile(lineWith(['0x0642414245040a', '0x08'], ['0x0401'])).blocks;
  expect(block?.header.digest.map(bytesToHex)).toEqual(['0x0642414245040a', '0x08']);
  expect(block?.extrinsics.map(bytesToHex)).toEqual(['0x0401']);
});

it.each([
  ['two items in one', ['0x0808'], []],
  ['half an item', ['0x064241'], []],
  ['no item', ['0x'], []],
  ['an item of no kind', ['0x09'], []],
  ['an extrinsic with bytes after it', [], ['0x040101']],
  ['half an extrinsic', [], ['0x0801']],
])('%s is refused with its line', (_what, logs, extrinsics) => {
  const text = `${lineWith([], [])}\n${lineWith(logs, extrinsics)}`;
  expect(() => readChainFile(text)).toThrow(
    expect.objectContaining({ code: 'BadBlock', message: expect.stringContaining('Line 2') }),
  );
});

it("reads the SDK's JSON, in which blocks are concatenated", () => {
  const block = lineWith([], ['0x0401']);
  expect(readChainFile(`${block}${block}\n${block}`).blocks).toHaveLength(3);
});
