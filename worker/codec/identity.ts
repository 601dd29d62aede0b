import { bytesToHex, hexToBytes } from '../bytes/hex.ts';

/** Lower-case `0x` hex of a block's 32-byte hash; the only text form of a block inside the node. */
export type BlockHash = string & { readonly __brand: 'BlockHash' };
/** Lower-case `0x` hex of an extrinsic's 32-byte hash. */
export type ExtrinsicHash = string & { readonly __brand: 'ExtrinsicHash' };

export const bytesToBlockHash = (bytes: Uint8Array): BlockHash => bytesToHex(bytes) as string as BlockHash;
export const blockHashToBytes = (hash: BlockHash): Uint8Array => hexToBytes(hash);
export const bytesToExtrinsicHash = (bytes: Uint8Array): ExtrinsicHash =>
  bytesToHex(bytes) as string as ExtrinsicHash;
export const extrinsicHashToBytes = (hash: ExtrinsicHash): Uint8Array => hexToBytes(hash);
