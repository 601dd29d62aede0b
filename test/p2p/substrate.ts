import { concatBytes } from '../../worker/bytes/bytes.ts';
import { decodeWhole, Reader } from '../../worker/bytes/reader.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import { encodeHeader, type Header, readHeader } from '../../worker/codec/header.ts';
import {
  type BlockHash,
  blockHashToBytes,
  bytesToBlockHash,
  type NamedBlock,
} from '../../worker/codec/identity.ts';
import { decodeJustifications, encodeJustifications } from '../../worker/codec/justification.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import { decodeFields, encodeFields } from '../../worker/network/transport/protobuf.ts';

/** A node that votes; it has to serve blocks as a full node. */
export const authority = 4;

export const protocolName = (genesis: BlockHash, suffix: string): string => `/${genesis.slice(2)}/${suffix}`;

type Status = { readonly role: number; readonly best: NamedBlock; readonly genesis: BlockHash };

/** The handshake of `block-announces/1`. */
export const encodeStatus = ({ role, best, genesis }: Status): Uint8Array =>
  concatBytes(
    new Writer().u8(role).u32(best.number).finish(),
    blockHashToBytes(best.hash),
    blockHashToBytes(genesis),
  );

export const decodeStatus = (bytes: Uint8Array): Status =>
  decodeWhole(bytes, (reader) => {
    const role = reader.u8();
    const number = reader.u32();
    const best = { hash: bytesToBlockHash(reader.take(32)), number };
    return { role, best, genesis: bytesToBlockHash(reader.take(32)) };
  });

/** An announcement of a best block. */
export const encodeAnnouncement = (header: Header): Uint8Array =>
  concatBytes(encodeHeader(header), Uint8Array.of(1, 0));

/** The byte after the header says whether the block is the best one. */
export const decodeAnnouncement = (bytes: Uint8Array): Header => readHeader(new Reader(bytes));

/** Which parts of blocks are requested: a bit each, in the highest byte of four. */
export const parts = { header: 1, body: 2, justification: 16 } as const;
const partScale = 2 ** 24;

export type BlockRequest = {
  readonly parts: number;
  readonly from: BlockHash | number;
  readonly isDescending: boolean;
  readonly max: number;
};

const u32Bytes = (value: number): Uint8Array => new Writer(4).u32(value).finish();

/** A request of `sync/2`. */
export const encodeBlockRequest = ({ parts: wanted, from, isDescending, max }: BlockRequest): Uint8Array =>
  encodeFields(
    [1, wanted * partScale],
    typeof from === 'number' ? [3, u32Bytes(from)] : [2, blockHashToBytes(from)],
    [5, isDescending ? 1 : 0],
    [6, max],
    [7, 1],
  );

/** Throws if it names no block. */
export const decodeBlockRequest = (bytes: Uint8Array): BlockRequest => {
  const fields = decodeFields(bytes);
  const from = fields.has(2)
    ? bytesToBlockHash(decodeWhole(fields.bytes(2), (reader) => reader.take(32)))
    : decodeWhole(fields.bytes(3), (reader) => reader.u32());
  return {
    parts: Math.floor(fields.number(1) / partScale),
    from,
    isDescending: fields.number(5) === 1,
    max: fields.number(6),
  };
};

export type FoundBlock = { readonly hash: BlockHash; readonly block: SignedBlock };

const encodeFound = ({ hash, block }: FoundBlock, wanted: number): Uint8Array => {
  const { justifications } = block;
  const fields: (readonly [number, Uint8Array])[] = [[1, blockHashToBytes(hash)]];
  if ((wanted & parts.header) !== 0) fields.push([2, encodeHeader(block.header)]);
  if ((wanted & parts.body) !== 0) for (const item of block.extrinsics) fields.push([3, item]);
  if ((wanted & parts.justification) !== 0 && justifications !== null)
    fields.push([8, encodeJustifications(justifications)]);
  return encodeFields(...fields);
};

/** A response of `sync/2`. */
export const encodeBlockResponse = (blocks: readonly FoundBlock[], wanted: number): Uint8Array =>
  encodeFields(...blocks.map((found) => [1, encodeFound(found, wanted)] as const));

/** The blocks of a response that was requested with headers; throws if one has none. */
export const decodeBlockResponse = (bytes: Uint8Array): SignedBlock[] =>
  decodeFields(bytes)
    .all(1)
    .map((found) => {
      const fields = decodeFields(found);
      return {
        header: decodeWhole(fields.bytes(2), readHeader),
        extrinsics: fields.all(3).map((item) => item.slice()),
        justifications: fields.has(8) ? decodeJustifications(fields.bytes(8)) : null,
      };
    });
