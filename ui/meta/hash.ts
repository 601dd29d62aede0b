import { blake2b } from '@noble/hashes/blake2.js';
import { Blake2256 } from '@polkadot-api/substrate-bindings';
import { fromHex, toHex } from './hex.ts';

/** Blake2-256 of bytes. */
export const blake2 = (bytes: Uint8Array): Uint8Array => Blake2256(bytes);

/** The hash of a whole extrinsic (its bytes with the length prefix), as 0x text. */
export const extrinsicHash = (hex: string): string => toHex(Blake2256(fromHex(hex)));

/** The id of a runtime API: blake2b-64 of its trait's name, as 0x text (sp_api_proc_macro, runtime_api id). */
export const apiId = (name: string): string => toHex(blake2b(new TextEncoder().encode(name), { dkLen: 8 }));
