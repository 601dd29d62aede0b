import { expect } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import type { Crypto } from '../../worker/crypto/crypto.ts';
import type { Node } from '../../worker/node.ts';
import { type Backend, createEmptyBackend } from '../../worker/state/backend.ts';
import { createOverlay } from '../../worker/state/overlay.ts';
import { emptySource } from '../../worker/trie/node-source.ts';

const pageKeys = 1000;

/**
 * The root of a state, rebuilt by inserting all pairs into an empty trie one by one. Child tries are included
 * by their roots.
 */
const rebuiltRoot = (crypto: Crypto, state: Backend, version: 0 | 1): string => {
  const overlay = createOverlay(createEmptyBackend({ blake2b256: crypto.blake2b256, source: emptySource }));
  for (let after: Uint8Array | null = null; ; ) {
    const keys = state.keysPaged(new Uint8Array(0), pageKeys, after);
    for (const key of keys) overlay.set(key, state.get(key) as Uint8Array);
    if (keys.length < pageKeys) break;
    after = keys.at(-1) ?? null;
  }
  return bytesToHex(overlay.commit(version).backend.root);
};

/**
 * Checks that every block from genesis to the best one exists and is linked, and that the best state is
 * complete: read in full, it has the header's root.
 */
export const checkWhole = async (node: Node): Promise<void> => {
  const { chain, crypto } = node.parts;
  const best = chain.best();
  expect(await chain.loadHashAt(best.number)).toBe(best.hash);
  expect(await chain.loadHashAt(best.number + 1)).toBeNull();
  let hash: BlockHash = best.hash;
  for (let number = best.number; number >= 0; number--) {
    const block = await chain.loadBlock(hash);
    expect(block?.header.number).toBe(number);
    expect(await chain.loadHashAt(number)).toBe(hash);
    if (number > 0) hash = bytesToHex(block?.header.parentHash as Uint8Array) as string as BlockHash;
  }
  expect(hash).toBe(chain.genesisHash);
  const runtime = await chain.runtimeAt(best.hash);
  const version = (runtime.version.systemVersion ?? 0) >= 1 ? 1 : 0;
  const root = await chain.withState(best.hash, (state) => rebuiltRoot(crypto, state, version));
  const header = await chain.loadHeader(best.hash);
  expect(root).toBe(bytesToHex(header?.stateRoot as Uint8Array));
};
