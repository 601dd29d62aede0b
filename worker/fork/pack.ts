import { isBodyOf } from '../chain/hashes.ts';
import { type Block, readExtrinsic } from '../codec/block.ts';
import { decodeHeader, encodeHeader } from '../codec/header.ts';
import { bytesToBlockHash } from '../codec/identity.ts';
import type { Hash256, NodeBatch } from '../trie/node-source.ts';
import { type Declared, nothingDeclared, readDeclared, writeDeclared } from './base/declared.ts';
import { decodeForkRecord, encodeForkRecord, type ForkRecord } from './record.ts';
import { fileKinds, openFile, readNodes, sealFile, sizeOfNodes, writeNodes } from './sealed-file.ts';

/**
 * A fork in one file: what it is a fork of, its base, every node of the base's state that was read, and what was declared.
 * It opens anywhere without the live chain.
 */
export type Pack = {
  readonly record: ForkRecord;
  readonly base: Block;
  readonly nodes: NodeBatch;
  readonly declared: Declared;
};

const kind = fileKinds.fork;

/** SCALE: record as JSON, header, extrinsics, nodes, what was declared. */
export const encodePack = (blake2b256: Hash256, { record, base, nodes, declared }: Pack): Uint8Array =>
  sealFile(blake2b256, kind, sizeOfNodes(nodes), (writer) => {
    writer
      .vecBytes(encodeForkRecord(record))
      .vecBytes(encodeHeader(base.header))
      .vec(base.extrinsics, (out, extrinsic) => out.raw(extrinsic));
    return writeDeclared(writeNodes(writer, nodes), declared);
  });

/**
 * Verifies the whole file: its checksum, the base by its hash, its extrinsics by their root. Each node has the hash that is
 * computed here. Throws `BadValue`.
 */
export const decodePack = (blake2b256: Hash256, bytes: Uint8Array): Pack =>
  openFile(blake2b256, kind, bytes, (reader, version) => {
    const record = decodeForkRecord(reader.vecBytes());
    const header = decodeHeader(reader.vecBytes().slice());
    const extrinsics = reader.vec(readExtrinsic);
    const nodes = readNodes(blake2b256, reader);
    const declared = version === 1 ? nothingDeclared : readDeclared(reader);
    const hash = bytesToBlockHash(blake2b256(encodeHeader(header)));
    if (hash !== record.base.hash || header.number !== record.base.number)
      throw new TypeError('its base is not the block that it names');
    if (!isBodyOf(blake2b256, header, extrinsics))
      throw new TypeError('the extrinsics are not those of its base');
    return { record, base: { header, extrinsics }, nodes, declared };
  });
