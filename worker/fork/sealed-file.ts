import { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Hash256, NodeBatch } from '../trie/node-source.ts';

/** A kind of file of this node, with a checksum over all of it. */
export type FileKind = {
  /** The first line, without its last word. */
  readonly magic: string;
  /** The last word of the first line, one digit: the version of the form in which files are written. */
  readonly version: number;
  /** The oldest version that can be read. */
  readonly oldest: number;
  /** As an error names it. */
  readonly what: string;
  /** What opens it, after "it is opened by". */
  readonly opener: string;
};

/** All kinds: one that is given in place of another is named. */
export const fileKinds = {
  /** Packs of the first version have nothing that was declared, and those of the second no headers below the base. */
  fork: {
    magic: 'tabnode fork',
    version: 3,
    oldest: 1,
    what: 'a pack of a fork',
    opener: 'tabnode fork --pack, try-runtime --pack, or the devtools',
  },
  block: {
    magic: 'tabnode block',
    version: 1,
    oldest: 1,
    what: 'a pack of a block',
    opener: 'tabnode run-block --pack',
  },
} as const satisfies Readonly<Record<string, FileKind>>;

const checksumLength = 32;

const badFile = ({ what }: FileKind, why: string, cause?: unknown): NodeError =>
  new NodeError('BadValue', `This is not ${what}, or it is damaged: ${why}`, { cause });

const beginsAs = ({ magic }: FileKind, bytes: Uint8Array): boolean =>
  startsWithBytes(bytes, textToBytes(`${magic} `));

/** Magic, content, then blake2b-256 of both. `size`: of the content, roughly. */
export const sealFile = (
  blake2b256: Hash256,
  { magic, version }: FileKind,
  size: number,
  write: (writer: Writer) => Writer,
): Uint8Array => {
  const body = write(new Writer(size + 4096).raw(textToBytes(`${magic} ${version}\n`))).finish();
  return new Writer(body.length + checksumLength).raw(body).raw(blake2b256(body)).finish();
};

/** Verifies the checksum, and reads the content to its end. Throws `BadValue`, whatever `read` throws. */
export const openFile = <T>(
  blake2b256: Hash256,
  kind: FileKind,
  bytes: Uint8Array,
  read: (reader: Reader, version: number) => T,
): T => {
  if (!beginsAs(kind, bytes)) {
    const other = Object.values(fileKinds).find((one) => beginsAs(one, bytes));
    throw other === undefined
      ? badFile(kind, 'it does not begin like one')
      : new NodeError(
          'BadValue',
          `This is ${other.what}, and not ${kind.what}: it is opened by ${other.opener}`,
        );
  }
  const length = kind.magic.length + ' 1\n'.length;
  // Bytes, not text: those of a damaged file need not be any.
  const version = (bytes[length - 2] ?? 0) - '0'.charCodeAt(0);
  if (version < 0 || version > 9 || bytes[length - 1] !== 0x0a)
    throw badFile(kind, 'it does not begin like one');
  if (version < kind.oldest || version > kind.version)
    throw new NodeError(
      'BadValue',
      `This is ${kind.what} of another version: write it again with this version of Tabnode`,
    );
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
  if (!equalBytes(blake2b256(body), bytes.subarray(body.length)))
    throw badFile(kind, 'its checksum does not match');
  try {
    const reader = new Reader(body.subarray(length));
    const content = read(reader, version);
    reader.end();
    return content;
  } catch (error) {
    throw badFile(kind, error instanceof Error ? error.message : String(error), error);
  }
};

export const sizeOfNodes = (nodes: NodeBatch): number =>
  nodes.reduce((sum, [, node]) => sum + node.length + 4, 0);

/** Only their bytes: the hashes are computed when they are read. */
export const writeNodes = (writer: Writer, nodes: NodeBatch): Writer =>
  writer.vec(nodes, (out, [, node]) => out.vecBytes(node));

export const readNodes = (blake2b256: Hash256, reader: Reader): NodeBatch =>
  reader.vec((items) => {
    const node = items.vecBytes().slice();
    return [blake2b256(node), node] as const;
  });
