import { NodeError } from '../../src/protocol/errors.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { ChainSpec } from '../chain/genesis/spec.ts';
import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import { headerToJson } from '../codec/signed-block.ts';
import { type AddressFault, type AddressHash, isRegistered, ss58Decode } from '../crypto/ss58.ts';
import { invalidParams, RpcError } from './errors.ts';

export type HeaderJson = ReturnType<typeof headerToJson>;
export type WriteHeader = (header: Header) => HeaderJson;

/**
 * Returns the same object for the same header, so that it is serialized once for all subscribers. Do not
 * mutate it.
 */
export const createHeaderWriter = (): WriteHeader => {
  const known = new WeakMap<Header, HeaderJson>();
  return (header) => {
    const json = known.get(header) ?? headerToJson(header);
    known.set(header, json);
    return json;
  };
};

/** A number that serializes exactly to JSON: a double if it is exact, else a bigint. */
export const toNumber = (value: bigint): number | bigint =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** Shortens a hash like the SDK's texts do. */
export const shortHash = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`;

/**
 * A parsed hash parameter as the node's block identity; the parameter's schema guarantees 32 lower-case
 * bytes.
 */
export const toBlockHash = (text: string): BlockHash => text as BlockHash;

/**
 * One opaque extrinsic and its first byte, re-encoded with the shortest length prefix as in the SDK; trailing
 * bytes are ignored. Throws what `fault` returns for the reason.
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

/** What decodes an address, and the chain that it is meant for. */
export type AccountDeps = {
  readonly crypto: AddressHash;
  readonly chain: { readonly spec: Pick<ChainSpec, 'properties'> };
};

/** The SDK's name for each error (sp-core, `PublicError`). */
const faults: Readonly<Record<AddressFault, string>> = {
  base58: 'Base 58 requirement is violated',
  checksum: 'Invalid checksum',
  length: 'Length is bad',
  prefix: 'Invalid SS58 prefix byte.',
  reserved: 'Disallowed SS58 Address Format for this datatype.',
};
/** With the backticks of the SDK. */
const unknownPrefix = (prefix: number): string =>
  `Unknown SS58 address format \`${prefix}\`. \` \`To support this address format, you need to call \`set_default_ss58_version\` at node start up.`;
const accountLengths: readonly number[] = [32];

const refuse = (why: string): RpcError => {
  const { code, message, data } = invalidParams(why);
  return new RpcError(code, message, data);
};

/** An SS58 address with the chain's prefix or a registered one (`Ss58Codec::from_ss58check`). Throws -32602. */
export const readAddress = ({ crypto, chain }: AccountDeps, text: string): Uint8Array => {
  try {
    const { publicKey, prefix } = ss58Decode(crypto, text, accountLengths);
    if (!isRegistered(prefix) && prefix !== chain.spec.properties['ss58Format'])
      throw refuse(unknownPrefix(prefix));
    return publicKey;
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    throw refuse(faults[error.details['fault'] as AddressFault]);
  }
};

/** Whether a text has the form of an account of Ethereum: 20 bytes of hex. */
export const isEthereumForm = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
