import { Blake2256 } from '@polkadot-api/substrate-bindings';
import { fromHex, toHex } from './hex.ts';

/** Blake2-256 of bytes. */
export const blake2 = (bytes: Uint8Array): Uint8Array => Blake2256(bytes);

/** The hash of a whole extrinsic (its bytes with the length prefix), as 0x text. */
export const extrinsicHash = (hex: string): string => toHex(Blake2256(fromHex(hex)));
