import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { RpcError } from './errors.ts';

/** The text form of a header; the number is minimal hex. */
export const headerToJson = (header: Header) => ({
  parentHash: bytesToHex(header.parentHash),
  number: `0x${header.number.toString(16)}`,
  stateRoot: bytesToHex(header.stateRoot),
  extrinsicsRoot: bytesToHex(header.extrinsicsRoot),
  digest: { logs: header.digest.map(bytesToHex) },
});

export type HeaderJson = ReturnType<typeof headerToJson>;
export type WriteHeader = (header: Header) => HeaderJson;

/**
 * Returns the same object for the same header, so that it is serialized once for all subscribers. Do not
 * modify it.
 */
export const createHeaderWriter = (): WriteHeader => {
  const known = new WeakMap<Header, HeaderJson>();
  return (header) => {
    const json = known.get(header) ?? headerToJson(header);
    known.set(header, json);
    return json;
  };
};

/** A number that can be written to JSON either way; as a double if that is exact. */
export const toNumber = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** The SDK abbreviates hashes in its texts to their ends. */
export const shortHash = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`;

/**
 * A parsed hash parameter as the node's block identity; the parameter's schema guarantees 32 lower-case
 * bytes.
 */
export const toBlockHash = (text: string): BlockHash => text as BlockHash;

/**
 * One opaque extrinsic and its first byte, re-encoded with the shortest length prefix as in the SDK; trailing
 * bytes are ignored. Throws the result of `fault` for the reason.
 */
export const readOpaqueExtrinsic = (
  bytes: Uint8Array,
  fault: (why: string) => RpcError,
): { readonly extrinsic: Uint8Array; readonly version: number | null } => {
  const reader = new Reader(bytes);
  let length: number;
  try {
    length = reader.compact();
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw fault('Not enough data to fill buffer');
  }
  if (length > reader.remaining) throw fault('Not enough data to decode vector');
  const body = reader.take(length);
  return { extrinsic: new Writer(length + 5).vecBytes(body).finish(), version: body[0] ?? null };
};
