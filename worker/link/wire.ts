import type { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import {
  type BlockHash,
  blockHashToBytes,
  bytesToBlockHash,
  type NamedBlock,
  readRef,
  writeRef,
} from '../codec/identity.ts';
import { encodeSignedBlock, readSignedBlock, type SignedBlock } from '../codec/signed-block.ts';

/** What linked nodes send each other (decision 45). */
export type LinkMessage =
  /** Sent first, again when the peer's has come, and after a catch-up. */
  | {
      readonly type: 'status';
      readonly genesis: BlockHash;
      readonly best: NamedBlock;
      readonly finalized: NamedBlock;
    }
  /** A message of `/grandpa/1`. */
  | { readonly type: 'grandpa'; readonly bytes: Uint8Array }
  /** A new best block. */
  | { readonly type: 'block'; readonly block: SignedBlock }
  /** Asks for the blocks up to the target, after the newest of these that is its ancestor. */
  | { readonly type: 'request'; readonly target: BlockHash; readonly known: readonly BlockHash[] }
  /** Ascending; empty if the target is not known. */
  | { readonly type: 'blocks'; readonly target: BlockHash; readonly blocks: readonly SignedBlock[] }
  /** A GRANDPA justification of a block that was sent before. */
  | { readonly type: 'proof'; readonly block: BlockHash; readonly proof: Uint8Array }
  /** The number of bytes handled since the last acknowledgment. */
  | { readonly type: 'taken'; readonly bytes: number };

const readHash = (reader: Reader): BlockHash => bytesToBlockHash(reader.take(32));
const writeHash = (writer: Writer, hash: BlockHash): Writer => writer.raw(blockHashToBytes(hash));
const writeBlock = (writer: Writer, block: SignedBlock): Writer => writer.raw(encodeSignedBlock(block));

export const encodeLinkMessage = (message: LinkMessage): Uint8Array => {
  const writer = new Writer(256);
  switch (message.type) {
    case 'status':
      writeRef(writeHash(writer.u8(0), message.genesis), message.best);
      return writeRef(writer, message.finalized).finish();
    case 'grandpa':
      return writer.u8(1).raw(message.bytes).finish();
    case 'block':
      return writeBlock(writer.u8(2), message.block).finish();
    case 'request':
      return writeHash(writer.u8(3), message.target).vec(message.known, writeHash).finish();
    case 'blocks':
      return writeHash(writer.u8(4), message.target).vec(message.blocks, writeBlock).finish();
    case 'proof':
      return writeHash(writer.u8(5), message.block).vecBytes(message.proof).finish();
    case 'taken':
      return writer.u8(6).u32(message.bytes).finish();
    default:
      return message satisfies never;
  }
};

const readers: readonly ((reader: Reader) => LinkMessage)[] = [
  (reader) => ({
    type: 'status',
    genesis: readHash(reader),
    best: readRef(reader),
    finalized: readRef(reader),
  }),
  (reader) => ({ type: 'grandpa', bytes: reader.take(reader.remaining).slice() }),
  (reader) => ({ type: 'block', block: readSignedBlock(reader) }),
  (reader) => ({ type: 'request', target: readHash(reader), known: reader.vec(readHash) }),
  (reader) => ({ type: 'blocks', target: readHash(reader), blocks: reader.vec(readSignedBlock) }),
  (reader) => ({ type: 'proof', block: readHash(reader), proof: reader.vecBytes().slice() }),
  (reader) => ({ type: 'taken', bytes: reader.u32() }),
];

/** Null if the bytes are not exactly one message. */
export const decodeLinkMessage = (reader: Reader): LinkMessage | null => {
  try {
    const message = readers[reader.u8()]?.(reader) ?? null;
    reader.end();
    return message;
  } catch {
    return null;
  }
};
