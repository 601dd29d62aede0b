import { textToBytes } from '../../bytes/bytes.ts';
import { decodeWhole } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { decodeExtrinsic } from '../../codec/block.ts';
import { decodeHeader, encodeHeader, type Header } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import {
  decodeJustifications,
  encodeJustifications,
  findJustification,
  type Justifications,
} from '../../codec/justification.ts';
import type { SignedBlock } from '../../codec/signed-block.ts';
import { createFieldLimit, decodeFields, encodeFields, type FieldLimit } from '../transport/protobuf.ts';

// Messages of `sync/2` (sc-network-sync `src/schema/api.v1.proto`).

/** Which parts of blocks are requested: a bit each, in the highest byte of four. */
export const blockParts = { header: 1, body: 2, justification: 16 } as const;
export const wholeBlock = blockParts.header | blockParts.body | blockParts.justification;

const partScale = 2 ** 24;
const grandpa = 'FRNK';

export type BlockRequest = {
  readonly parts: number;
  readonly from: BlockHash | number;
  readonly isDescending: boolean;
  /** 0: as many as the other side sends at once. */
  readonly max: number;
  /** Whether the sender takes the justifications of several engines. */
  readonly takesSeveral: boolean;
};

const u32Bytes = (value: number): Uint8Array => new Writer(4).u32(value).finish();

export const encodeBlockRequest = (request: BlockRequest): Uint8Array => {
  const { from } = request;
  return encodeFields(
    [1, request.parts * partScale],
    typeof from === 'number' ? [3, u32Bytes(from)] : [2, blockHashToBytes(from)],
    [5, request.isDescending ? 1 : 0],
    [6, request.max],
    [7, request.takesSeveral ? 1 : 0],
  );
};

/** Null if it is no request, or names no block. */
export const decodeBlockRequest = (bytes: Uint8Array): BlockRequest | null => {
  try {
    const fields = decodeFields(bytes);
    const from = fields.has(2)
      ? bytesToBlockHash(decodeWhole(fields.bytes(2), (reader) => reader.take(32)))
      : decodeWhole(fields.bytes(3), (reader) => reader.u32());
    return {
      parts: Math.floor(fields.number(1) / partScale) & 0xff,
      from,
      isDescending: fields.number(5) === 1,
      max: fields.number(6),
      takesSeveral: fields.number(7) !== 0,
    };
  } catch {
    return null;
  }
};

export type FoundBlock = { readonly hash: BlockHash; readonly block: SignedBlock };

/** One block of a response. */
export const encodeFound = (
  { hash, block }: FoundBlock,
  { parts, takesSeveral }: Pick<BlockRequest, 'parts' | 'takesSeveral'>,
): Uint8Array => {
  const { header, extrinsics, justifications } = block;
  const fields: (readonly [number, Uint8Array])[] = [[1, blockHashToBytes(hash)]];
  if ((parts & blockParts.header) !== 0) fields.push([2, encodeHeader(header)]);
  if ((parts & blockParts.body) !== 0) for (const item of extrinsics) fields.push([3, item]);
  if ((parts & blockParts.justification) === 0 || justifications === null) return encodeFields(...fields);
  const proof = findJustification(justifications, grandpa);
  if (takesSeveral) fields.push([8, encodeJustifications(justifications)]);
  else if (proof !== null) fields.push([6, proof]);
  return encodeFields(...fields);
};

/** Joins what `encodeFound` made. */
export const encodeBlockResponse = (blocks: readonly Uint8Array[]): Uint8Array =>
  encodeFields(...blocks.map((found) => [1, found] as const));

/** A block as a peer has sent it; what was not requested, or not sent, is null. */
export type ReceivedBlock = {
  readonly header: Header | null;
  readonly extrinsics: readonly Uint8Array[];
  readonly justifications: Justifications | null;
};

const readReceived = (bytes: Uint8Array, limit: FieldLimit): ReceivedBlock => {
  const fields = decodeFields(bytes, limit);
  const legacy = fields.has(6) && fields.bytes(6).length > 0 ? fields.bytes(6).slice() : null;
  return {
    header: fields.has(2) ? decodeHeader(fields.bytes(2)) : null,
    extrinsics: fields.all(3).map(decodeExtrinsic),
    justifications: fields.has(8)
      ? decodeJustifications(fields.bytes(8))
      : legacy && [[textToBytes(grandpa), legacy]],
  };
};

/** Null if it is no response. Everything is copied out of the bytes. */
export const decodeBlockResponse = (bytes: Uint8Array): ReceivedBlock[] | null => {
  try {
    const limit = createFieldLimit();
    return decodeFields(bytes, limit)
      .all(1)
      .map((block) => readReceived(block, limit));
  } catch {
    return null;
  }
};
