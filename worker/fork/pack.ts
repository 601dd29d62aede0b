import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToText, equalBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { isBodyOf } from '../chain/hashes.ts';
import { type Block, readExtrinsic } from '../codec/block.ts';
import { decodeHeader, encodeHeader } from '../codec/header.ts';
import { bytesToBlockHash } from '../codec/identity.ts';
import type { Hash256, NodeBatch } from '../trie/node-source.ts';
import { type Declared, nothingDeclared, readDeclared, writeDeclared } from './base/declared.ts';
import { decodeForkRecord, encodeForkRecord, type ForkRecord } from './record.ts';

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

/** The first bytes of a file; the digit is the version of its form. */
const magicOf = (version: 1 | 2): Uint8Array => textToBytes(`tabnode fork ${version}\n`);
const checksumLength = 32;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const damaged = (why: string, cause?: unknown): NodeError =>
  new NodeError('BadValue', `This is not a pack of a fork, or it is damaged: ${why}`, { cause });

/** Magic, then SCALE: record as JSON, header, extrinsics, nodes, what was declared; then blake2b-256 of all of it. */
export const encodePack = (blake2b256: Hash256, { record, base, nodes, declared }: Pack): Uint8Array => {
  const size = nodes.reduce((sum, [, node]) => sum + node.length + 4, 0);
  const writer = new Writer(size + 4096)
    .raw(magicOf(2))
    .vecBytes(encodeForkRecord(record))
    .vecBytes(encodeHeader(base.header))
    .vec(base.extrinsics, (out, extrinsic) => out.raw(extrinsic))
    .vec(nodes, (out, [, node]) => out.vecBytes(node));
  const body = writeDeclared(writer, declared).finish();
  return new Writer(body.length + checksumLength).raw(body).raw(blake2b256(body)).finish();
};

/**
 * Verifies the whole file: its checksum, the base by its hash, its extrinsics by their root. Each node has the hash that is computed here. Throws
 * `BadValue`.
 */
export const decodePack = (blake2b256: Hash256, bytes: Uint8Array): Pack => {
  const magic = magicOf(2);
  if (!startsWithBytes(bytes, magic.subarray(0, -2))) throw damaged('it does not begin like one');
  // Packs of the first version have nothing that was declared.
  const isFirst = startsWithBytes(bytes, magicOf(1));
  if (!isFirst && !startsWithBytes(bytes, magic))
    throw damaged(`it is of another version: ${bytesToText(bytes.subarray(0, magic.length)).trim()}`);
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
  if (!equalBytes(blake2b256(body), bytes.subarray(body.length)))
    throw damaged('its checksum does not match');
  try {
    const reader = new Reader(body.subarray(magic.length));
    const record = decodeForkRecord(reader.vecBytes());
    const header = decodeHeader(reader.vecBytes().slice());
    const extrinsics = reader.vec(readExtrinsic);
    const nodes = reader.vec((items) => {
      const node = items.vecBytes().slice();
      return [blake2b256(node), node] as const;
    });
    const declared = isFirst ? nothingDeclared : readDeclared(reader);
    reader.end();
    const hash = bytesToBlockHash(blake2b256(encodeHeader(header)));
    if (hash !== record.base.hash || header.number !== record.base.number)
      throw new TypeError('its base is not the block that it names');
    if (!isBodyOf(blake2b256, header, extrinsics))
      throw new TypeError('the extrinsics are not those of its base');
    return { record, base: { header, extrinsics }, nodes, declared };
  } catch (error) {
    throw damaged(wordsOf(error), error);
  }
};
