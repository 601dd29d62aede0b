import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey, compareBytes, concatBytes, startsWithBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { Writer } from '../bytes/writer.ts';
import { MissingNodes } from './missing-nodes.ts';
import { decodeNode } from './node-codec.ts';
import { createNodeMap, createProofSource, type NodeMap, type NodeSource } from './node-source.ts';
import { createTrie, emptyRoot, type StateVersion, type Trie } from './trie.ts';

const hash = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });

/**
 * The trie as defined by the specification: recursion over sorted nibble strings, sharing nothing with the
 * code under test.
 */
const naiveNode = (pairs: readonly (readonly [string, Uint8Array])[], version: StateVersion): Uint8Array => {
  const first = (pairs[0] as readonly [string, Uint8Array])[0];
  let shared = first.length;
  for (const [key] of pairs) {
    while (!key.startsWith(first.slice(0, shared))) shared--;
  }
  const value = pairs.find(([key]) => key.length === shared)?.[1] ?? null;
  const isBranch = pairs.some(([key]) => key.length > shared);
  const isHashed = value !== null && version === 1 && value.length >= 33;
  const leaf = isHashed ? [0x20, 31] : [0x40, 63];
  const branch = isHashed ? [0x10, 15] : value !== null ? [0xc0, 63] : [0x80, 63];
  const [head, max] = (isBranch ? branch : leaf) as [number, number];
  const out = new Writer();
  out.u8(head | Math.min(shared, max));
  if (shared >= max) {
    let rest = shared - max;
    for (; rest >= 255; rest -= 255) out.u8(255);
    out.u8(rest);
  }
  out.raw(hexToBytes(first.slice(0, shared)));
  const children = isBranch
    ? [...'0123456789abcdef'].map((nibble) => pairs.filter(([key]) => key[shared] === nibble))
    : [];
  if (isBranch) out.u16(children.reduce((bits, child, i) => (child.length > 0 ? bits | (1 << i) : bits), 0));
  if (isHashed) out.raw(hash(value as Uint8Array));
  else if (value !== null) out.vecBytes(value);
  for (const child of children) {
    if (child.length === 0) continue;
    const encoded = naiveNode(
      child.map(([key, at]) => [key.slice(shared + 1), at] as const),
      version,
    );
    out.vecBytes(encoded.length < 32 ? encoded : hash(encoded));
  }
  return out.finish();
};
const naiveRoot = (model: ReadonlyMap<string, Uint8Array>, version: StateVersion): Uint8Array =>
  hash(
    model.size === 0
      ? new Uint8Array(1)
      : naiveNode(
          [...model].map(([key, value]) => [key.slice(2), value] as const),
          version,
        ),
  );

const keys = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.array(fc.constantFrom(0x00, 0x01, 0x10, 0xff), { maxLength: 6 }).map((bytes) => Uint8Array.from(bytes)),
  fc.uint8Array({ minLength: 30, maxLength: 40 }),
);
const values = fc.oneof(
  fc.uint8Array({ maxLength: 4 }),
  fc.uint8Array({ minLength: 30, maxLength: 36 }),
  fc.uint8Array({ maxLength: 80 }),
);
const changes = fc.array(fc.tuple(keys, fc.option(values, { freq: 2 })), { maxLength: 25, size: 'max' });
const batches = fc.array(changes, { minLength: 1, maxLength: 5, size: 'max' });
const version = fc.constantFrom<StateVersion[]>(0, 1);

type Batches = readonly (readonly (readonly [Uint8Array, Uint8Array | null])[])[];

/** Later batches also delete what earlier ones wrote. */
const withDeletions = (list: Batches): Batches =>
  list.flatMap((batch, i) => [
    batch,
    batch.filter((_, at) => (at + i) % 2 === 0).map(([key]) => [key, null] as const),
  ]);

const applyToModel = (model: Map<string, Uint8Array>, batch: Batches[number]): void => {
  for (const [key, value] of batch) {
    if (value === null) model.delete(bytesToHex(key));
    else model.set(bytesToHex(key), value);
  }
};
const emptyTrie = (source: NodeSource): Trie => createTrie({ blake2b256: hash, source }, emptyRoot(hash));

/** Repeats the run, loading the missing nodes, until none are missing. */
const loading = <T>(all: NodeMap, loaded: NodeMap, run: () => T): T => {
  for (;;) {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      expect(error.nodes.length).toBeGreaterThan(0);
      // A node may be missing at several places.
      for (const missing of new Map(error.nodes.map(({ hash }) => [bytesToKey(hash), hash])).values()) {
        expect(loaded.getNode(missing)).toBeNull();
        const bytes = all.getNode(missing);
        if (bytes === null) throw new Error(`never stored: ${bytesToHex(missing)}`);
        loaded.add([[missing, bytes.slice()]]);
      }
    }
  }
};

describe('trie', () => {
  it('has the same root as a naive trie after any batches, kept in memory or reopened from its new nodes', () => {
    fc.assert(
      fc.property(batches, version, (list, v) => {
        const model = new Map<string, Uint8Array>();
        const source = createNodeMap();
        let kept = emptyTrie(source);
        let unsettled = emptyTrie(createNodeMap());
        let root = kept.root();
        for (const batch of withDeletions(list)) {
          applyToModel(model, batch);
          const expected = naiveRoot(model, v);
          kept = kept.apply(batch, v);
          unsettled = unsettled.apply(batch, v);
          expect(kept.root()).toEqual(expected);
          const reopened = createTrie({ blake2b256: hash, source }, root).apply(batch, v);
          expect(reopened.root()).toEqual(expected);
          source.add(reopened.collectNew());
          kept = kept.settled();
          expect(kept.collectNew()).toEqual([]);
          root = expected;
        }
        expect(unsettled.root()).toEqual(root);
        const whole = createNodeMap(unsettled.collectNew());
        const again = createTrie({ blake2b256: hash, source: whole }, root);
        for (const [key, value] of model) expect(again.get(hexToBytes(key))).toEqual(value);
      }),
      { numRuns: 80 },
    );
  });

  it('reads, walks and pages like a sorted map', () => {
    fc.assert(
      fc.property(batches, version, fc.array(keys, { minLength: 1, maxLength: 5 }), (list, v, probes) => {
        const model = new Map<string, Uint8Array>();
        let trie = emptyTrie(createNodeMap());
        for (const batch of list) {
          applyToModel(model, batch);
          trie = trie.apply(batch, v);
        }
        const sorted = [...model.keys()].map(hexToBytes).sort(compareBytes);
        for (const probe of [...probes, ...sorted]) {
          const value = model.get(bytesToHex(probe)) ?? null;
          expect(trie.get(probe)).toEqual(value);
          expect(trie.has(probe)).toBe(value !== null);
          expect(trie.valueHash(probe)).toEqual(value === null ? null : hash(value));
          expect(trie.nextKey(probe)).toEqual(sorted.find((key) => compareBytes(key, probe) > 0) ?? null);
          for (const start of [null, ...probes]) {
            for (const inclusive of [true, false]) {
              const found: Uint8Array[] = [];
              trie.visitKeys({ prefix: probe, start, inclusive }, (key) => found.push(key) > 0);
              const wanted = sorted.filter((key) => {
                const order = start === null ? 1 : compareBytes(key, start);
                return startsWithBytes(key, probe) && (order > 0 || (inclusive && order === 0));
              });
              expect(found).toEqual(wanted);
            }
          }
        }
      }),
      { numRuns: 15 },
    );
  });

  it('does not modify the trie it is derived from, also with two forks', () => {
    fc.assert(
      fc.property(changes, changes, changes, version, (base, left, right, v) => {
        const source = createNodeMap();
        const first = emptyTrie(source).apply(base, v);
        source.add(first.collectNew());
        const settled = first.settled();
        const a = settled.apply(left, v);
        const b = settled.apply(right, v);
        const model = new Map<string, Uint8Array>();
        applyToModel(model, base);
        expect(settled.root()).toEqual(naiveRoot(model, v));
        for (const [trie, batch] of [
          [b, right],
          [a, left],
        ] as const) {
          const fork = new Map(model);
          applyToModel(fork, batch);
          expect(trie.root()).toEqual(naiveRoot(fork, v));
          const own = createNodeMap(trie.collectNew());
          const both = { getNode: (at: Uint8Array) => own.getNode(at) ?? source.getNode(at) };
          const reopened = createTrie({ blake2b256: hash, source: both }, trie.root());
          for (const [key, value] of fork) expect(reopened.get(hexToBytes(key))).toEqual(value);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same results when nodes are withheld and loaded on demand', () => {
    fc.assert(
      fc.property(
        changes,
        changes,
        version,
        fc.array(fc.boolean(), { minLength: 1 }),
        (base, more, v, withheld) => {
          const built = emptyTrie(createNodeMap()).apply(base, v);
          const batch = built.collectNew();
          const all = createNodeMap(batch);
          const some = (): NodeMap =>
            createNodeMap(batch.filter((_, i) => withheld[i % withheld.length] === true));
          const open = (source: NodeSource): Trie => createTrie({ blake2b256: hash, source }, built.root());
          const loadedForApply = some();
          const partial = open(loadedForApply);
          const next = loading(all, loadedForApply, () =>
            partial.apply([...more, ...base.slice(3).map(([key]) => [key, null] as const)], v),
          );
          expect(next.root()).toEqual(
            open(all)
              .apply([...more, ...base.slice(3).map(([key]) => [key, null] as const)], v)
              .root(),
          );
          const loadedForReads = some();
          const reader = open(loadedForReads);
          for (const [key] of [...base, ...more]) {
            expect(loading(all, loadedForReads, () => reader.get(key))).toEqual(open(all).get(key));
            expect(loading(all, loadedForReads, () => reader.nextKey(key))).toEqual(open(all).nextKey(key));
          }
          const loadedForProof = some();
          const prover = open(loadedForProof);
          const asked = more.map(([key]) => key);
          expect(loading(all, loadedForProof, () => prover.prove(asked))).toEqual(open(all).prove(asked));
        },
      ),
      { numRuns: 80 },
    );
  });

  it('proves exactly the nodes that a read needs', () => {
    fc.assert(
      fc.property(changes, fc.array(keys, { minLength: 1, maxLength: 5 }), version, (base, probes, v) => {
        const trie = emptyTrie(createNodeMap()).apply(base, v);
        const asked = [...probes, ...base.slice(0, 4).map(([key]) => key)];
        const proof = trie.prove(asked);
        const verifier = createTrie(
          { blake2b256: hash, source: createProofSource(hash, proof) },
          trie.root(),
        );
        for (const key of asked) expect(verifier.get(key)).toEqual(trie.get(key));
        expect([...proof].sort(compareBytes)).toEqual(proof);
        if (trie.isEmpty()) return;
        for (let i = 0; i < proof.length; i++) {
          const less = createProofSource(
            hash,
            proof.filter((_, at) => at !== i),
          );
          const poorer = createTrie({ blake2b256: hash, source: less }, trie.root());
          expect(() => asked.map((key) => poorer.get(key))).toThrow(MissingNodes);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('returns the closest node that covers a prefix', () => {
    const trie = emptyTrie(createNodeMap()).apply(
      [
        [hexToBytes('1234'), new Uint8Array(40)],
        [hexToBytes('1256'), new Uint8Array(40)],
        [hexToBytes('99'), new Uint8Array(1)],
      ],
      0,
    );
    expect(trie.closestMerkleValue(new Uint8Array(0))).toEqual(trie.root());
    expect(trie.closestMerkleValue(hexToBytes('12'))?.length).toBe(32);
    expect(trie.closestMerkleValue(hexToBytes('12'))).not.toEqual(trie.root());
    expect(trie.closestMerkleValue(hexToBytes('99'))).toEqual(hexToBytes('41090400'));
    expect(trie.closestMerkleValue(hexToBytes('9900'))).toBeNull();
  });

  it('refuses bytes that are not a node, and never reads past their end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeNode(bytes);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BadScale' });
        }
      }),
    );
    expect(() => decodeNode(concatBytes(hexToBytes('41090400'), new Uint8Array(1)))).toThrow();
  });
});
