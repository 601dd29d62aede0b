import { equalBytes } from '../../bytes/bytes.ts';
import { Writer } from '../../bytes/writer.ts';
import { isMockRecoverable } from '../mock-signature.ts';
import type { HostContext, HostHandler } from './context.ts';

// Mock signatures of accounts of 20 bytes (decision 81). Their runtimes recover the key from the signature, hash it, most of them
// inside of the module, and compare the hash with the signer. No key has the hash that is wanted, so the signer gets an address alias:
// from the recovery on until the comparison, its bytes in the memory are those that the stand-in key hashes to.

/** What the stand-in key is. Nobody has its secret, if it is a key at all. */
const standInKey = /* @__PURE__ */ new Uint8Array(64).fill(0xcd);

/** An account that is in more places than this, such as 20 zeros, gets no alias: they cannot all be the signer. */
const maxPlaces = 256;

const placesOf = (memory: Uint8Array, bytes: Uint8Array): number[] => {
  const places: number[] = [];
  // Zeros are everywhere, so the search goes by the first byte that is none.
  const pivot = bytes.findIndex((byte) => byte !== 0);
  if (pivot < 0) return places;
  const wanted = bytes[pivot] as number;
  for (let at = memory.indexOf(wanted, pivot); at >= 0; at = memory.indexOf(wanted, at + 1)) {
    const start = at - pivot;
    if (equalBytes(memory.subarray(start, start + bytes.length), bytes)) places.push(start);
    if (places.length > maxPlaces) return [];
  }
  return places;
};

/** The aliases of the signers of one call's extrinsics. */
export type AddressAlias = {
  /** The handler of one host function as this call sees it. */
  wrap(name: string, handler: HostHandler): HostHandler;
  /** Puts the signer's own address back. */
  end(): void;
};

type AnyHandler = (...args: unknown[]) => unknown;

/** What the runtime calls between the recovery and the comparison: it frees and allocates buffers. */
const keepsAlias = (name: string): boolean => name.startsWith('ext_allocator_');
const recovers = (name: string): boolean => name.startsWith('ext_crypto_secp256k1_ecdsa_recover_version_');

/** `signers`: of the mock signatures in the call's input, in order; null for one whose signature cannot be mocked. */
export const createAddressAlias = (
  host: HostContext,
  signers: readonly (Uint8Array | null)[],
): AddressAlias => {
  const alias = host.crypto.keccak256(standInKey).slice(12);
  let replaced: Uint8Array | null = null;
  let next = 0;
  const replace = (from: Uint8Array, to: Uint8Array): number => {
    const memory = host.memory.bytes();
    const places = placesOf(memory, from);
    for (const place of places) memory.set(to, place);
    return places.length;
  };
  const end = (): void => {
    if (replaced !== null) replace(alias, replaced);
    replaced = null;
  };
  const recover =
    (handler: AnyHandler): AnyHandler =>
    (signature, digest) => {
      end();
      if (!isMockRecoverable(host.memory.fixed(signature as number, 65))) return handler(signature, digest);
      const signer = signers[next++] ?? null;
      if (signer === null || replace(signer, alias) === 0) return handler(signature, digest);
      replaced = signer;
      return host.memory.allocWrite(new Writer(65).u8(0).raw(standInKey).finish());
    };
  /** Where it hashes with the node's function, that is before the comparison, too. */
  const hash =
    (handler: AnyHandler): AnyHandler =>
    (span) => {
      if (!equalBytes(host.memory.view(span as bigint), standInKey)) end();
      return handler(span);
    };
  return {
    wrap: (name, given) => {
      const handler = given as AnyHandler;
      if (keepsAlias(name)) return given;
      if (recovers(name)) return recover(handler);
      if (name === 'ext_hashing_keccak_256_version_1') return hash(handler);
      return (...args: unknown[]) => {
        end();
        return handler(...args);
      };
    },
    end,
  };
};
