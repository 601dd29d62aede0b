import { equalBytes } from '../bytes/bytes.ts';
import type { Reader } from '../bytes/reader.ts';
import { isBodyOf } from '../chain/hashes.ts';
import { type Block, readExtrinsic } from '../codec/block.ts';
import { decodeHeader, encodeHeader, type Header } from '../codec/header.ts';
import { bytesToBlockHash } from '../codec/identity.ts';
import type { Hash256, NodeBatch } from '../trie/node-source.ts';
import { type Declared, nothingDeclared, readDeclared, writeDeclared } from './base/declared.ts';
import { packedHeaders } from './blocks-below.ts';
import { decodeForkRecord, encodeForkRecord, type ForkRecord } from './record.ts';
import { fileKinds, openFile, readNodes, sealFile, sizeOfNodes, writeNodes } from './sealed-file.ts';

/**
 * A fork in one file: what it is a fork of, its base, headers below it, every node of the base's state that was read, and what
 * was declared.
 * It opens anywhere without the live chain.
 */
export type Pack = {
  readonly record: ForkRecord;
  readonly base: Block;
  readonly nodes: NodeBatch;
  readonly declared: Declared;
  /** Of the blocks below the base, from its parent down without a gap. */
  readonly below: readonly Header[];
};

const kind = fileKinds.fork;

/** SCALE: record as JSON, header, extrinsics, nodes, what was declared, headers below. */
export const encodePack = (blake2b256: Hash256, { record, base, nodes, declared, below }: Pack): Uint8Array =>
  sealFile(blake2b256, kind, sizeOfNodes(nodes), (writer) => {
    writer
      .vecBytes(encodeForkRecord(record))
      .vecBytes(encodeHeader(base.header))
      .vec(base.extrinsics, (out, extrinsic) => out.raw(extrinsic));
    return writeDeclared(writeNodes(writer, nodes), declared).vec(below, (out, header) =>
      out.vecBytes(encodeHeader(header)),
    );
  });

/** Throws unless each header is that of the parent of the one before. */
const readBelow = (blake2b256: Hash256, base: Header, reader: Reader): Header[] => {
  let above = base;
  const headers = reader.vec((item) => {
    const header = decodeHeader(item.vecBytes().slice());
    if (!equalBytes(blake2b256(encodeHeader(header)), above.parentHash) || header.number !== above.number - 1)
      throw new TypeError(`a header below its base is not that of block #${above.number - 1}`);
    above = header;
    return header;
  });
  if (headers.length > packedHeaders) throw new TypeError('it has too many headers below its base');
  return headers;
};

/**
 * Verifies the whole file: its checksum, the base and what is below it by their hashes, its extrinsics by their root. Each node has the hash that is
 * computed here. Throws `BadValue`.
 */
export const decodePack = (blake2b256: Hash256, bytes: Uint8Array): Pack =>
  openFile(blake2b256, kind, bytes, (reader, version) => {
    const record = decodeForkRecord(reader.vecBytes());
    const header = decodeHeader(reader.vecBytes().slice());
    const extrinsics = reader.vec(readExtrinsic);
    const nodes = readNodes(blake2b256, reader);
    const declared = version === 1 ? nothingDeclared : readDeclared(reader);
    const below = version < 3 ? [] : readBelow(blake2b256, header, reader);
    const hash = bytesToBlockHash(blake2b256(encodeHeader(header)));
    if (hash !== record.base.hash || header.number !== record.base.number)
      throw new TypeError('its base is not the block that it names');
    if (!isBodyOf(blake2b256, header, extrinsics))
      throw new TypeError('the extrinsics are not those of its base');
    return { record, base: { header, extrinsics }, nodes, declared, below };
  });
