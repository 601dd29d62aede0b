import { expect, it } from 'vitest';
import { bytesToKey, noBytes } from '../bytes/bytes.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { createNodeCache } from '../trie/node-cache.ts';
import { createBackend, createEmptyBackend } from './backend.ts';
import { createScans } from './scans.ts';

it('a scan reads values that are too large to be kept twice, not once for each value before them', async () => {
  const { blake2b256 } = await loadCrypto();
  const count = 60;
  const size = 100_000;
  const main = Array.from(
    { length: count },
    (_, index) => [Uint8Array.of(index * 3, index), new Uint8Array(size).fill(index)] as const,
  );
  const empty = createEmptyBackend({ blake2b256, source: { getNode: () => null } });
  const { nodes, backend } = empty.commit({ main, children: [], offchain: [] }, 1);
  const stored = new Map(nodes.map(([hash, bytes]) => [bytesToKey(hash), bytes]));
  let readBytes = 0;
  const getNode = (hash: Uint8Array): Uint8Array | null => {
    const bytes = stored.get(bytesToKey(hash)) ?? null;
    readBytes += bytes?.length ?? 0;
    return bytes;
  };
  const scans = createScans({
    blake2b256,
    peek: () => null,
    getNode,
    getSome: (hashes) => hashes.flatMap((hash) => getNode(hash) ?? []),
    limitBytes: 32e6,
    onBytes: () => undefined,
  });
  const state = createBackend({ blake2b256, source: { getNode, cache: createNodeCache(1e6) } }, backend.root);
  const view = scans.view(state, { count, readsValues: true });
  const lengths: unknown[] = [];
  view.visitKeys({ prefix: noBytes, start: null, inclusive: false }, (key) => {
    lengths.push(view.get(key.slice())?.length);
    return true;
  });
  expect(lengths).toEqual(main.map(() => size));
  expect(readBytes).toBeLessThan(2.1 * count * size);
});
