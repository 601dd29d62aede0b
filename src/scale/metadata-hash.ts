import { merkleizeMetadata } from '@polkadot-api/merkleize-metadata';
import { NodeError } from '../protocol/errors.ts';
import { toHex } from './hex.ts';

/** What the hash covers besides the metadata, which has the name and version of the runtime and its address prefix. */
export type HashedToken = { readonly decimals: number; readonly symbol: string };

/**
 * The hash of metadata V15 or V16 (RFC-78) as a 0x string of 32 bytes, by a library that computes what the runtime's
 * build did (frame-metadata-hash-extension). Load this module with the first hash. Throws NodeError `Unsupported`.
 */
export const hashMetadata = (encoded: Uint8Array, { decimals, symbol }: HashedToken): string => {
  try {
    return toHex(merkleizeMetadata(encoded, { decimals, tokenSymbol: symbol }).digest());
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const text = `This runtime’s metadata cannot be hashed (${why}). Sign without the metadata hash.`;
    throw new NodeError('Unsupported', text, { cause });
  }
};
