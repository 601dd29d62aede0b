import { describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { type BlockBatch, batchBlocks, batchLimits } from './block-batches.ts';
import type { FileContent, FilePart } from './block-file.ts';

const genesisHash = `0x${'1a'.repeat(32)}`;
const parentHash = hexToBytes(genesisHash);

const block = (number: number, size = 8): FileContent => ({
  kind: 'block',
  number,
  parentHash,
  bytes: new Uint8Array(size),
});
const chainLine = (chainTimeMs: number, hash = genesisHash): FileContent => ({
  kind: 'chain',
  genesisHash: hash,
  chainTimeMs,
});

/** A file of these parts; an error is one that does not parse. */
async function* toParts(contents: readonly (FileContent | Error)[]): AsyncGenerator<FilePart> {
  for (const [index, found] of contents.entries())
    yield {
      where: `line ${index + 1}`,
      content: () => {
        if (found instanceof Error) throw found;
        return found;
      },
    };
}

const read = async (...contents: readonly (FileContent | Error)[]): Promise<BlockBatch[]> => {
  const batches: BlockBatch[] = [];
  for await (const batch of batchBlocks(toParts(contents), genesisHash)) batches.push(batch);
  return batches;
};

const numbers = (batches: readonly BlockBatch[]): number[][] =>
  batches.map(({ blocks }) => blocks.map(({ number }) => number));
const count = (length: number, size?: number): FileContent[] =>
  Array.from({ length }, (_, index) => block(index + 1, size));

describe('batches of a block file', () => {
  it.each([
    [1, [1]],
    [batchLimits.blocks, [batchLimits.blocks]],
    [batchLimits.blocks + 1, [batchLimits.blocks, 1]],
    [3 * batchLimits.blocks, [batchLimits.blocks, batchLimits.blocks, batchLimits.blocks]],
  ])('hold %i blocks in messages of %j', async (length, sizes) => {
    const batches = await read(...count(length));
    expect(batches.map(({ blocks }) => blocks.length)).toEqual(sizes);
    expect(numbers(batches).flat()).toEqual(count(length).map((_, index) => index + 1));
  });

  it('are bounded in bytes; a larger block goes alone', async () => {
    const half = batchLimits.bytes / 2;
    expect(numbers(await read(...count(5, half)))).toEqual([[1, 2], [3, 4], [5]]);
    expect(numbers(await read(...count(3, half + 1)))).toEqual([[1], [2], [3]]);
    const large = await read(block(1), block(2, 10 * batchLimits.bytes), block(3));
    expect(numbers(large)).toEqual([[1], [2], [3]]);
  });

  it('leave out the genesis block, and of an empty file there are none', async () => {
    expect(numbers(await read(block(0), ...count(2)))).toEqual([[1, 2]]);
    expect(await read()).toEqual([]);
    expect(await read(block(0), chainLine(5))).toEqual([]);
  });

  it('have one chain time each', async () => {
    const batches = await read(chainLine(5), block(1), block(2), chainLine(7), block(3));
    expect(batches.map(({ chainTimeMs }) => chainTimeMs)).toEqual([5, 7]);
    expect(numbers(batches)).toEqual([[1, 2], [3]]);
  });

  it('end at a part that cannot be read, with the blocks before it', async () => {
    const error = new NodeError('BadBlock', 'Not JSON');
    const [batch, ...more] = await read(block(1), block(2), error, block(4));
    expect(more).toEqual([]);
    expect(batch).toMatchObject({
      blocks: [{ where: 'line 1' }, { where: 'line 2' }],
      fault: { error, where: 'line 3', number: null },
    });
    const [only] = await read(error);
    expect(only).toEqual({ blocks: [], chainTimeMs: 0, fault: { error, where: 'line 1', number: null } });
  });

  it('end at what belongs to another chain', async () => {
    const other = `0x${'2b'.repeat(32)}`;
    const foreign = { ...block(1), parentHash: hexToBytes(other) } as FileContent;
    const [batch] = await read(block(3), foreign, block(2));
    expect(batch).toMatchObject({ blocks: [{ number: 3 }], fault: { where: 'line 2', number: 1 } });
    expect(String(batch?.fault?.error)).toContain(`another chain: ${other}`);
    const [line] = await read(chainLine(5, other));
    expect(line).toMatchObject({ blocks: [], fault: { where: 'line 1', number: null } });
  });

  it('end with the error of the stream, after the blocks before it', async () => {
    async function* broken(): AsyncGenerator<FilePart> {
      yield { where: 'line 1', content: () => block(1) };
      throw new Error('EIO');
    }
    const batches: BlockBatch[] = [];
    for await (const batch of batchBlocks(broken(), genesisHash)) batches.push(batch);
    expect(batches).toMatchObject([
      { blocks: [{ number: 1 }], fault: { error: { message: 'EIO' }, where: null, number: null } },
    ]);
  });
});
