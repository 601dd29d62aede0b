import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToHex } from '../../bytes/hex.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createEmptyBackend } from '../../state/backend.ts';
import { isPacked, listNodes } from '../../trie/node-pack.ts';
import { emptySource, type NodeBatch } from '../../trie/node-source.ts';
import { codeKey, sourceCode } from './genesis.ts';
import { buildRawState } from './raw-state.ts';

const { blake2b256 } = await loadCrypto();

const pairs = fc.array(fc.tuple(fc.uint8Array({ max: 3, maxLength: 4 }), fc.uint8Array({ maxLength: 40 })), {
  maxLength: 20,
});

const listed = (nodes: NodeBatch): string[] =>
  nodes.map(([name, bytes]) => `${bytesToHex(name)} ${bytesToHex(bytes)}`).sort();

describe('the state of a raw specification', () => {
  it('is the one that its pairs make one by one, with repeated keys, in any order, and with child tries', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.uniqueArray(fc.tuple(fc.uint8Array({ max: 3, maxLength: 2 }), pairs), {
          selector: ([name]) => bytesToHex(name),
          maxLength: 3,
        }),
        fc.constantFrom(0 as const, 1 as const),
        (top, children, version) => {
          const empty = createEmptyBackend({ blake2b256, source: emptySource });
          const made = empty.commit({ main: top, children, offchain: [] }, version);
          const built = buildRawState(blake2b256, { kind: 'raw', top, children }, version);
          expect(bytesToHex(built.stateRoot)).toBe(bytesToHex(made.backend.root));
          expect(listed(listNodes(built.nodes))).toEqual(listed(made.nodes));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('runs the code that it holds: of equal keys, the last one counts', () => {
    const top = [1, 2].map((byte) => [codeKey, Uint8Array.of(byte)] as const);
    expect(sourceCode({ kind: 'raw', top, children: [] })).toEqual(Uint8Array.of(2));
  });

  it('is one array of bytes if it is large', () => {
    const top = Array.from(
      { length: 12_000 },
      (_, at) => [blake2b256(Uint8Array.of(at >> 8, at)), new Uint8Array(90).fill(at)] as const,
    );
    const { nodes } = buildRawState(blake2b256, { kind: 'raw', top, children: [] }, 0);
    expect(isPacked(nodes)).toBe(true);
    expect(nodes.length).toBeGreaterThan(top.length);
  });
});
