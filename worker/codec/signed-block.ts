import { NodeError } from '../../src/protocol/errors.ts';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type Block, decodeExtrinsic, encodeBlock, readExtrinsic } from './block.ts';
import { decodeDigestItem } from './digest.ts';
import { type Header, readHeader } from './header.ts';
import {
  type Justification,
  type Justifications,
  readJustification,
  writeJustifications,
} from './justification.ts';

/** sp-runtime's `SignedBlock`: a block and the proofs of its finality. */
export type SignedBlock = Block & { readonly justifications: Justifications | null };

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const bad = (what: string): NodeError => new NodeError('BadBlock', `Not a result of chain_getBlock: ${what}`);

const readBytes = (value: unknown, what: string, length?: number): Uint8Array => {
  if (typeof value !== 'string' || !/^0x([0-9a-f]{2})*$/i.test(value)) throw bad(`${what} is not hex`);
  const bytes = hexToBytes(value);
  if (length !== undefined && bytes.length !== length) throw bad(`${what} is not ${length} bytes long`);
  return bytes;
};

/** Decodes a list of hex strings. `check` throws unless each is one complete item. */
const readItems = (value: unknown, what: string, check: (item: Uint8Array) => unknown): Uint8Array[] => {
  if (!Array.isArray(value)) throw bad(`${what} is not a list`);
  return value.map((text: unknown) => {
    const item = readBytes(text, what);
    try {
      check(item);
    } catch (error) {
      throw bad(`${what}: ${error instanceof Error ? error.message : error}`);
    }
    return item;
  });
};

const isByte = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

/** The SDK writes the bytes of a justification as numbers (sp-runtime `Justifications` with serde); hex is accepted as well. */
const readNumbersOrHex = (value: unknown, what: string, length?: number): Uint8Array => {
  if (!Array.isArray(value)) return readBytes(value, what, length);
  if (!value.every(isByte) || value.length !== (length ?? value.length)) throw bad(`${what} is not bytes`);
  return Uint8Array.from(value);
};

const readPair = (pair: unknown): Justification => {
  if (!Array.isArray(pair) || pair.length !== 2) throw bad('a justification is not a pair');
  const [engine, data] = pair as unknown[];
  return [readNumbersOrHex(engine, 'an engine id', 4), readNumbersOrHex(data, 'a justification')];
};

const readJustifications = (json: unknown): Justifications | null => {
  const given = isRecord(json) ? (json['justifications'] ?? null) : null;
  if (given === null) return null;
  if (!Array.isArray(given)) throw bad('justifications is not a list');
  return given.map(readPair);
};

const readNumber = (value: unknown): number => {
  const number = typeof value === 'string' && /^0x[0-9a-f]{1,8}$/i.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > 0xffff_ffff)
    throw bad('header.number is not a block number');
  return number;
};

/** Parses a result of `chain_getBlock`, or only its block. Throws `BadBlock` with the reason. */
export const signedBlockFromJson = (json: unknown): SignedBlock => {
  const block = isRecord(json) && isRecord(json['block']) ? json['block'] : json;
  const header = isRecord(block) ? block['header'] : null;
  if (!isRecord(block) || !isRecord(header)) throw bad('there is no header');
  const digest = isRecord(header['digest']) ? header['digest'] : {};
  return {
    header: {
      parentHash: readBytes(header['parentHash'], 'header.parentHash', 32),
      number: readNumber(header['number']),
      stateRoot: readBytes(header['stateRoot'], 'header.stateRoot', 32),
      extrinsicsRoot: readBytes(header['extrinsicsRoot'], 'header.extrinsicsRoot', 32),
      digest: readItems(digest['logs'], 'header.digest.logs', decodeDigestItem),
    },
    extrinsics: readItems(block['extrinsics'], 'extrinsics', decodeExtrinsic),
    justifications: readJustifications(json),
  };
};

/** Its number is minimal hex. */
export const headerToJson = (header: Header) => ({
  parentHash: bytesToHex(header.parentHash),
  number: `0x${header.number.toString(16)}`,
  stateRoot: bytesToHex(header.stateRoot),
  extrinsicsRoot: bytesToHex(header.extrinsicsRoot),
  digest: { logs: header.digest.map(bytesToHex) },
});

/** In the form of `chain_getBlock`. */
export const signedBlockToJson = ({ header, extrinsics, justifications }: SignedBlock): SignedBlockJson => ({
  block: {
    header: headerToJson(header),
    extrinsics: extrinsics.map(bytesToHex),
  },
  justifications: justifications?.map(([engine, data]) => [[...engine], [...data]]) ?? null,
});

export const readSignedBlock = (reader: Reader): SignedBlock => {
  const block = { header: readHeader(reader), extrinsics: reader.vec(readExtrinsic) };
  return { ...block, justifications: reader.option((from) => from.vec(readJustification)) };
};

export const encodeSignedBlock = (block: SignedBlock): Uint8Array =>
  new Writer(4096).raw(encodeBlock(block)).option(block.justifications, writeJustifications).finish();
