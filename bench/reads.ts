import { bytesToKey } from '../worker/bytes/bytes.ts';
import type { Crypto } from '../worker/crypto/crypto.ts';
import { type Backend, createBackend, createEmptyBackend } from '../worker/state/backend.ts';
import { createOverlay } from '../worker/state/overlay.ts';
import { createNodeCache } from '../worker/trie/node-cache.ts';
import type { Line } from './figure.ts';
import { median } from './measure.ts';

/** Microseconds per read of one kind. */
export type Reads = { readonly own: number; readonly hit: number; readonly walk: number };

const readCount = 10_000;

/** Keys like those of `System.Account`: 80 bytes, of which 32 are the same. */
const createKeys = (crypto: Crypto): Uint8Array[] =>
  Array.from({ length: readCount }, (_, index) => {
    const id = crypto.blake2b256(Uint8Array.of(index & 255, index >> 8));
    const key = new Uint8Array(80);
    key.set(crypto.twox128(Uint8Array.of(0)));
    key.set(crypto.twox128(Uint8Array.of(1)), 16);
    key.set(crypto.blake2b128(id), 32);
    key.set(id, 48);
    return key;
  });

const createState = (crypto: Crypto, keys: readonly Uint8Array[]): Backend => {
  const { blake2b256 } = crypto;
  const empty = createEmptyBackend({ blake2b256, source: { getNode: () => null } });
  const main = keys.map((key) => [key, key] as const);
  const { backend, nodes } = empty.commit({ main, children: [], offchain: [] }, 1);
  const known = new Map(nodes.map(([hash, bytes]) => [bytesToKey(hash), bytes]));
  const cache = createNodeCache(64 * 1024 * 1024);
  const source = { cache, getNode: (hash: Uint8Array) => known.get(bytesToKey(hash)) ?? null };
  return createBackend({ blake2b256, source }, backend.root);
};

const time = (read: (key: Uint8Array) => unknown, keys: readonly Uint8Array[]): number => {
  const from = performance.now();
  for (const key of keys) read(key);
  return ((performance.now() - from) * 1000) / keys.length;
};

/**
 * All reads of a pass use the same overlay: the first read of a key walks the trie, the second finds it
 * cached.
 */
export const measureReads = (crypto: Crypto): Reads => {
  const keys = createKeys(crypto);
  const backend = createState(crypto, keys);
  const passes = Array.from({ length: 25 }, () => {
    const overlay = createOverlay(backend);
    const walk = time(overlay.get, keys);
    const hit = time(overlay.get, keys);
    for (const key of keys) overlay.set(key, key);
    return { walk, hit, own: time(overlay.get, keys) };
  }).slice(5);
  return {
    own: median(passes.map(({ own }) => own)),
    hit: median(passes.map(({ hit }) => hit)),
    walk: median(passes.map(({ walk }) => walk)),
  };
};

export const readLines = (where: string, { own, hit, walk }: Reads): Line[] => {
  const line = (name: string, value: number, budget: number, note: string): Line => ({
    name: `${where}state read: ${name}`,
    value,
    unit: 'µs',
    budget,
    note,
  });
  return [
    line('written in the overlay', own, 0.6, `${readCount} keys of 80 bytes`),
    line('read before', hit, 0.6, 'same overlay'),
    line('trie walk', walk, 3, `${readCount} accounts, decoded nodes warm`),
  ];
};
