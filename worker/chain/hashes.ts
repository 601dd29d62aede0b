import { equalBytes } from '../bytes/bytes.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { type KnownRoot, knowRoot, orderedRoot } from '../trie/ordered-root.ts';

type Hashing = Pick<Crypto, 'blake2b256'>;

export const hashHeader = (crypto: Hashing, header: Header): BlockHash =>
  bytesToBlockHash(crypto.blake2b256(encodeHeader(header)));

/** The trie version of a block's extrinsics root: 1 since system version 2, before that 0 (sp-version, `extrinsics_root_state_version`). */
export const extrinsicsVersion = (runtime: Runtime): 0 | 1 =>
  (runtime.version.systemVersion ?? 0) >= 2 ? 1 : 0;

/** The trie version of the state: 1 since system version 1, before that 0 (sp-version, `state_version`). */
export const stateVersion = (runtime: Runtime): 0 | 1 => ((runtime.version.systemVersion ?? 0) >= 1 ? 1 : 0);

/** The root over a block's extrinsics, as its runtime computes it. */
export const rootOfExtrinsics = (
  crypto: Hashing,
  runtime: Runtime,
  extrinsics: readonly Uint8Array[],
): KnownRoot => knowRoot(crypto.blake2b256, extrinsics, extrinsicsVersion(runtime));

/** Whether a header commits to these extrinsics, for where the runtime that computed its root is not known: in either trie version. */
export const isBodyOf = (hash256: Hash256, header: Header, extrinsics: readonly Uint8Array[]): boolean =>
  equalBytes(orderedRoot(hash256, extrinsics, 0), header.extrinsicsRoot) ||
  equalBytes(orderedRoot(hash256, extrinsics, 1), header.extrinsicsRoot);
