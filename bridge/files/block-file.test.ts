import { describe, expect, it } from 'vitest';
import chain from '../../test/vectors/chain.json' with { type: 'json' };
import { concatBytes, textToBytes } from '../../worker/bytes/bytes.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { encodeSignedBlock, signedBlockFromJson } from '../../worker/codec/signed-block.ts';
import { type FileContent, readBlockFile } from './block-file.ts';

const blocks = chain.blocks.slice(0, 5).map(({ block }) => ({ block, justifications: null }));
const texts = blocks.map((block) => JSON.stringify(block));
const encoded = blocks.map((block) => encodeSignedBlock(signedBlockFromJson(block)));
const binary = concatBytes(new Writer(8).u64(5n).finish(), ...encoded);
const genesisHash = `0x${'1a'.repeat(32)}`;
const chainLine = JSON.stringify({ tabnode: 1, genesisHash, chainTimeMs: 7 });

type Read = { readonly contents: FileContent[]; readonly fault: string | null };

const readIn = async (bytes: Uint8Array, size: number, isBinary = false): Promise<Read> => {
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const contents: FileContent[] = [];
  for await (const { where, content } of readBlockFile(stream(), isBinary))
    try {
      contents.push(content());
    } catch (error) {
      return { contents, fault: `${where}: ${(error as Error).message}` };
    }
  return { contents, fault: null };
};
const read = (text: string): Promise<Read> => readIn(textToBytes(text), 1 << 20);

const expectBlocks = ({ contents, fault }: Read): void => {
  expect(fault).toBeNull();
  const found = contents.flatMap((content) => (content.kind === 'block' ? [content] : []));
  expect(found.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  expect(found.map(({ bytes }) => bytes)).toEqual(encoded);
};

describe.each([1, 7, 4096, 1 << 20])('in pieces of %i bytes', (size) => {
  it.each([
    ['one block per line', `${texts.join('\n')}\n`],
    ['lines of Windows, and empty ones', `\uFEFF${texts.join('\r\n\r\n')}`],
    ['one block right after the other, as the SDK writes them', texts.join('')],
    ['indented', blocks.map((block) => JSON.stringify(block, null, 2)).join('\n')],
  ])('reads %s', async (_what, text) => {
    expectBlocks(await readIn(textToBytes(text), size));
  });

  it('recognizes the binary form', async () => {
    expectBlocks(await readIn(binary, size));
    expectBlocks(await readIn(binary, size, true));
  });

  it('recognizes a binary file whose count equals the byte of an opening brace', async () => {
    const many = concatBytes(new Writer(8).u64(0x7bn).finish(), encoded[0] as Uint8Array);
    const { contents, fault } = await readIn(many, size);
    expect(contents).toHaveLength(1);
    expect(fault).toBe('block 2 of 123: The file ends after 1 of 123 blocks');
  });
});

it('reads a chain line', async () => {
  const { contents } = await read(`${chainLine}\n${texts[0]}\n`);
  expect(contents[0]).toEqual({ kind: 'chain', genesisHash, chainTimeMs: 7 });
  expect(contents[1]).toMatchObject({ kind: 'block', number: 1 });
  expect((await read(JSON.stringify({ tabnode: 1, genesisHash }))).contents[0]).toMatchObject({
    chainTimeMs: 0,
  });
});

it('accepts an empty file', async () => {
  expect(await read('')).toEqual({ contents: [], fault: null });
  expect(await readIn(new Writer(8).u64(0n).finish(), 3)).toEqual({ contents: [], fault: null });
});

const [first = '', second = '', third = ''] = texts;

it.each([
  ['text', 'line 1: Not JSON', 0],
  ['{', 'line 1: Not JSON', 0],
  ['}\n', 'line 1: Not JSON', 0],
  ['null', 'line 1: Not a result of chain_getBlock: there is no header', 0],
  [JSON.stringify({ tabnode: 2, genesisHash }), 'line 1: The file has a newer format', 0],
  ['{"tabnode":1}', 'line 1: genesisHash is not a hash', 0],
  [`${first}\n\n${second.slice(0, 100)}`, 'line 3: Not JSON', 1],
  // Cut off inside a string, and between two values: the following lines are still read as values of their
  // own.
  [`${first}\n${second.slice(0, 100)}\n${third}`, 'line 2: Not JSON', 1],
  [`${first}\n{"block":{"header":{\n${third}`, 'line 2: Not JSON', 1],
])('reports the position of malformed input: %.30s…', async (text, fault, before) => {
  const found = await read(text);
  expect(found.fault).toBe(fault);
  expect(found.contents).toHaveLength(before);
});

it.each([
  ['cut short', binary.subarray(0, -1), 4, 'block 5 of 5: Not a SignedBlock: Not enough data'],
  ['cut between blocks', binary.subarray(0, -(encoded[4] as Uint8Array).length), 4, 'after 4 of 5 blocks'],
  ['too long', concatBytes(binary, Uint8Array.of(0)), 5, 'end: The file continues after the 5 blocks'],
])('reports a binary file that is %s', async (_what, bytes, before, fault) => {
  const found = await readIn(bytes, 1000);
  expect(found.contents).toHaveLength(before);
  expect(found.fault).toContain(fault);
});

it('refuses a file that is not binary with --binary', async () => {
  const { fault } = await readIn(textToBytes(texts.join('\n')), 1 << 20, true);
  expect(fault).toMatch(/^block 1 of \d+: Not a SignedBlock/);
});
