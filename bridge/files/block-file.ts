import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes } from '../../worker/bytes/bytes.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { encodeSignedBlock, readSignedBlock, signedBlockFromJson } from '../../worker/codec/signed-block.ts';
import { splitJson } from './json-values.ts';

/** The first line of `dev_exportChain`, which identifies the chain. */
export type ChainLine = {
  readonly genesisHash: string;
  /** Chain time of the node that wrote the file, in ms since 1970; 0 if the line does not state it. */
  readonly chainTimeMs: number;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Null if the value is not a chain line. Throws `BadBlock` if it is malformed. */
export const parseChainLine = (json: unknown): ChainLine | null => {
  if (!isRecord(json) || json['tabnode'] === undefined) return null;
  const { tabnode, genesisHash, chainTimeMs: time } = json;
  if (tabnode !== 1) throw new NodeError('BadBlock', 'The file has a newer format');
  if (typeof genesisHash !== 'string' || !/^0x[0-9a-f]{64}$/.test(genesisHash))
    throw new NodeError('BadBlock', 'genesisHash is not a hash');
  return { genesisHash, chainTimeMs: Number.isSafeInteger(time) ? (time as number) : 0 };
};

/** A part of a block file, with its position for error messages. */
export type FilePart = {
  /** Such as `line 3` or `block 3 of 63`. */
  readonly where: string;
  /** Throws `BadBlock` or `BadScale` if it is malformed. */
  readonly content: () => FileContent;
};

export type FileContent =
  | { readonly kind: 'chain'; readonly genesisHash: string; readonly chainTimeMs: number }
  | {
      readonly kind: 'block';
      readonly number: number;
      readonly parentHash: Uint8Array;
      /** A SCALE `SignedBlock`. */
      readonly bytes: Uint8Array;
    };

type Chunks = AsyncIterator<Uint8Array>;

const readJson = (text: string): FileContent => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new NodeError('BadBlock', 'Not JSON', { cause });
  }
  const chain = parseChainLine(json);
  if (chain !== null) return { kind: 'chain', ...chain };
  const block = signedBlockFromJson(json);
  const { number, parentHash } = block.header;
  return { kind: 'block', number, parentHash, bytes: encodeSignedBlock(block) };
};

/** Maximum size of one block in bytes. */
const maxBlockBytes = 64 * 1024 * 1024;

/** Bytes that have been read from a file but not consumed. */
const createBuffer = (first: Uint8Array, rest: Chunks) => {
  let bytes = first;
  const grow = async (): Promise<boolean> => {
    const { done, value } = await rest.next();
    if (done === true) return false;
    bytes = concatBytes(bytes, value);
    return true;
  };
  return {
    size: () => bytes.length,
    /** Decodes from the current position, reading as many chunks as needed. Throws `BadScale`. */
    read: async <T>(
      take: (reader: Reader) => T,
    ): Promise<{ readonly value: T; readonly bytes: Uint8Array }> => {
      for (;;) {
        const reader = new Reader(bytes);
        try {
          const value = take(reader);
          const taken = bytes.slice(0, reader.offset);
          bytes = bytes.subarray(reader.offset);
          return { value, bytes: taken };
        } catch (error) {
          if (bytes.length > maxBlockBytes || !(await grow())) throw error;
        }
      }
    },
    isAtEnd: async () => bytes.length === 0 && !(await grow()),
  };
};

/** The SDK's `export-blocks --binary`: a u64 count, then SignedBlocks. */
async function* readBinary(first: Uint8Array, rest: Chunks): AsyncGenerator<FilePart> {
  const buffer = createBuffer(first, rest);
  const fail = (where: string, code: 'BadBlock' | 'BadScale', message: string): FilePart => ({
    where,
    content: () => {
      throw new NodeError(code, message);
    },
  });
  const { value: count } = await buffer.read((reader) => reader.u64());
  for (let index = 1n; index <= count; index++) {
    const where = `block ${index} of ${count}`;
    if (await buffer.isAtEnd()) {
      yield fail(where, 'BadBlock', `The file ends after ${index - 1n} of ${count} blocks`);
      return;
    }
    let part: FilePart;
    try {
      const { value, bytes } = await buffer.read(readSignedBlock);
      const { number, parentHash } = value.header;
      part = { where, content: () => ({ kind: 'block', number, parentHash, bytes }) };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      yield fail(where, 'BadScale', `Not a SignedBlock: ${error.message}`);
      return;
    }
    yield part;
  }
  if (!(await buffer.isAtEnd()))
    yield fail('end', 'BadBlock', `The file continues after the ${count} blocks that it announces`);
}

/** A binary file starts with a u64 count whose upper half is always 0. JSON never contains such bytes. */
const looksBinary = (bytes: Uint8Array): boolean =>
  bytes.length >= 8 && bytes.subarray(4, 8).every((byte) => byte === 0);

async function* chain(first: Uint8Array, rest: Chunks): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/**
 * The parts of a block file in any supported form: JSON, one block per line (`dev_exportChain`, which adds a
 * line for the chain) or concatenated (the SDK's `export-blocks`), or binary (`--binary`). Detects the form
 * unless `isBinary` is given. Streams its input; rethrows errors of the stream.
 */
export async function* readBlockFile(
  stream: AsyncIterable<Uint8Array>,
  isBinary: boolean,
): AsyncGenerator<FilePart> {
  const rest = stream[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array(0);
  while (first.length < 8) {
    const { done, value } = await rest.next();
    if (done === true) break;
    first = concatBytes(first, value);
  }
  if (isBinary || looksBinary(first)) yield* readBinary(first, rest);
  else
    for await (const { text, line } of splitJson(chain(first, rest)))
      yield { where: `line ${line}`, content: () => readJson(text) };
}
