import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blake2b } from '@noble/hashes/blake2.js';
import { describe, expect, it } from 'vitest';
import { startsWithBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Reader } from '../bytes/reader.ts';
import { createNodeMap, createProofSource } from './node-source.ts';
import { orderedRoot, trieRoot } from './ordered-root.ts';
import { createTrie, emptyRoot, type StateVersion } from './trie.ts';

const hash = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const folder = join(import.meta.dirname, '../../../shared/fixtures');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
const versions: readonly StateVersion[] = [0, 1];

type PairSet = { name?: string; keys: string[]; values: string[]; rootV0: string; rootV1: string };
type Expected = { file: string; rootV0: string; rootV1: string }[];
type Step = [op: string, key: string, value: string | null, rootV0: string, rootV1: string];

const pairsOf = (set: PairSet): [Uint8Array, Uint8Array][] =>
  set.keys.map((key, i) => [hexToBytes(key), hexToBytes(set.values[i] as string)]);
const rootOf = (set: { rootV0: string; rootV1: string }, version: StateVersion): string =>
  version === 0 ? set.rootV0 : set.rootV1;

describe.skipIf(!existsSync(folder))('trie fixtures', () => {
  it('computes the roots of all sets', () => {
    for (const entry of read<Expected>('trie/expected.json')) {
      const set = read<PairSet>(`trie/${entry.file}`);
      for (const version of versions) {
        const root = bytesToHex(trieRoot(hash, pairsOf(set), version));
        expect(root, `${entry.file} V${version}`).toBe(rootOf(entry, version));
        expect(root).toBe(rootOf(set, version));
      }
    }
  });

  it('reads a stored set back, each value and each next key', () => {
    for (const entry of read<Expected>('trie/expected.json')) {
      const pairs = pairsOf(read<PairSet>(`trie/${entry.file}`));
      for (const version of versions) {
        const source = createNodeMap();
        const built = createTrie({ blake2b256: hash, source }, emptyRoot(hash)).apply(pairs, version);
        source.add(built.collectNew());
        const trie = createTrie({ blake2b256: hash, source }, built.root());
        for (const [key, value] of pairs) expect(trie.get(key)).toEqual(value);
        const sorted = pairs.map(([key]) => bytesToHex(key)).sort();
        const walked: string[] = trie.has(new Uint8Array(0)) ? ['0x'] : [];
        for (let key = trie.nextKey(new Uint8Array(0)); key !== null; key = trie.nextKey(key))
          walked.push(bytesToHex(key));
        expect(walked).toEqual(sorted);
      }
    }
  });

  it('computes the roots around partial key length limits, written and read back', () => {
    for (const set of read<PairSet[]>('trie/partial-key-lengths.json')) {
      for (const version of versions) {
        const source = createNodeMap();
        const built = createTrie({ blake2b256: hash, source }, emptyRoot(hash)).apply(pairsOf(set), version);
        expect(bytesToHex(built.root())).toBe(rootOf(set, version));
        source.add(built.collectNew());
        const trie = createTrie({ blake2b256: hash, source }, built.root());
        for (const [key, value] of pairsOf(set)) expect(trie.get(key)).toEqual(value);
      }
    }
  });

  it('has the right root at each incremental step, from memory and from stored nodes', () => {
    for (const run of read<{ name: string; steps: Step[] }[]>('trie/incremental.json')) {
      for (const version of versions) {
        const source = createNodeMap();
        let trie = createTrie({ blake2b256: hash, source }, emptyRoot(hash));
        let stored = trie.root();
        for (const [op, key, value, rootV0, rootV1] of run.steps) {
          const change = [hexToBytes(key), op === 'insert' ? hexToBytes(value as string) : null] as const;
          trie = trie.apply([change], version);
          expect(bytesToHex(trie.root())).toBe(version === 0 ? rootV0 : rootV1);
          const reopened = createTrie({ blake2b256: hash, source }, stored).apply([change], version);
          expect(reopened.root()).toEqual(trie.root());
          source.add(reopened.collectNew());
          stored = reopened.root();
        }
      }
    }
  });

  it('computes ordered roots', () => {
    for (const list of read<{ items: string[]; rootV0: string; rootV1: string }[]>(
      'trie/ordered-roots.json',
    )) {
      for (const version of versions) {
        expect(bytesToHex(orderedRoot(hash, list.items.map(hexToBytes), version))).toBe(
          rootOf(list, version),
        );
      }
    }
  });

  it('computes the genesis state roots of real chains', () => {
    type Chain = { file: string; stateVersion: StateVersion; topKeys: number; stateRoot: string };
    for (const chain of read<Chain[]>('chains/expected.json')) {
      const top = read<{ genesis: { raw: { top: Record<string, string> } } }>(`chains/${chain.file}`).genesis
        .raw.top;
      const pairs = Object.entries(top).map(([key, value]) => [hexToBytes(key), hexToBytes(value)] as const);
      expect(pairs.length).toBe(chain.topKeys);
      expect(bytesToHex(trieRoot(hash, pairs, chain.stateVersion)), chain.file).toBe(chain.stateRoot);
    }
  });

  it('walks a real proof to exactly its keys', () => {
    type Proof = { prefix: string; trie_root_hash: string; proofs: string[]; expected_entries: string[] };
    const fixture = read<Proof>('proofs/prefix-proof.json');
    const nodes = fixture.proofs.flatMap((proof) =>
      new Reader(hexToBytes(proof)).vec((reader) => reader.vecBytes().slice()),
    );
    const trie = createTrie(
      { blake2b256: hash, source: createProofSource(hash, nodes) },
      hexToBytes(fixture.trie_root_hash),
    );
    const prefix = hexToBytes(fixture.prefix);
    const keys: string[] = [];
    trie.visitKeys({ prefix, start: null, inclusive: true }, (key) => {
      expect(startsWithBytes(key, prefix)).toBe(true);
      keys.push(bytesToHex(key));
      return true;
    });
    expect(keys).toEqual(fixture.expected_entries.map((key) => bytesToHex(hexToBytes(key))).sort());
  });
});
