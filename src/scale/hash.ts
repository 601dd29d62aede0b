import { blake2b } from '@noble/hashes/blake2.js';
import { Blake2256, compactNumber } from '@polkadot-api/substrate-bindings';
import { fromHex, joinBytes, toHex } from './hex.ts';

/** The Blake2-256 hash of the bytes. */
export const blake2 = (bytes: Uint8Array): Uint8Array => Blake2256(bytes);

/** The hash of a whole extrinsic (including the length prefix), as a 0x string. */
export const extrinsicHash = (hex: string): string => toHex(Blake2256(fromHex(hex)));

/** The id of a runtime API, as a 0x string: BLAKE2b-64 of its trait's name (sp_api_proc_macro). */
export const apiId = (name: string): string => toHex(blake2b(new TextEncoder().encode(name), { dkLen: 8 }));

/** The hash of a header in JSON-RPC form, for chains that use Blake2-256. */
export const headerHash = (header: {
  readonly parentHash: string;
  readonly number: string;
  readonly stateRoot: string;
  readonly extrinsicsRoot: string;
  readonly digest: { readonly logs: readonly string[] };
}): string => {
  const { logs } = header.digest;
  return toHex(
    Blake2256(
      joinBytes(
        fromHex(header.parentHash),
        compactNumber.enc(Number(header.number)),
        fromHex(header.stateRoot),
        fromHex(header.extrinsicsRoot),
        compactNumber.enc(logs.length),
        ...logs.map(fromHex),
      ),
    ),
  );
};
