import { describe, expect, it } from 'vitest';
import vectors from '../../test/vectors/proof-sizes.json' with { type: 'json' };
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import type { Bracket, Call } from './proof-ops.fixture.ts';
import { writeState } from './proof-ops.fixture.ts';
import { createPair } from './proof-pair.fixture.ts';

type Step = readonly (string | number | readonly number[] | null)[];

/** A byte and how often it is repeated. */
const repeated = ([byte = 0, count = 0]: readonly number[]): Uint8Array => new Uint8Array(count).fill(byte);
const keyOf = (text: Step[number] | undefined): Uint8Array => hexToBytes(text as string);

const decode = ([kind, first, second, third, fourth]: Step): Call | Bracket => {
  switch (kind) {
    case 'get':
    case 'exists':
    case 'next':
      return { kind, trie: first as string, key: keyOf(second) };
    case 'set': {
      const value = third === null ? null : repeated(third as readonly number[]);
      return { kind, trie: first as string, key: keyOf(second), value };
    }
    case 'append':
      return { kind, key: keyOf(first), item: Uint8Array.of(second as number) };
    case 'clear': {
      const cursor = fourth === null ? null : keyOf(fourth);
      return { kind, trie: first as string, key: keyOf(second), limit: third as number | null, cursor };
    }
    case 'root':
      return { kind, version: first as 0 | 1 };
    case 'childRoot':
      return { kind, trie: first as string, version: second as 0 | 1 };
    default:
      return { kind: kind as Bracket['kind'] };
  }
};

describe('the recorder of sp-trie, after each of 30 calls and more', () => {
  it.each(vectors.map((vector, index) => [index, vector] as const))(
    'has the same size: case %i',
    (_, vector) => {
      const entries = vector.entries.map(
        ([trie, key, value]) => [trie as string, keyOf(key as string), repeated(value as number[])] as const,
      );
      const { nodes, backend } = writeState(entries, vector.made as 0 | 1);
      expect(bytesToHex(backend.root)).toBe(vector.root);
      const pair = createPair(backend, nodes);
      const sizes = (vector.steps as Step[]).map((step) => {
        pair.run(decode(step));
        return pair.size();
      });
      expect(sizes).toEqual(vector.sizes);
      expect(pair.proofHash()).toBe(vector.proof);
    },
  );
});
