import { expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { loadCrypto } from '../crypto/crypto.ts';
import { childKey } from '../state/backend.ts';
import { createNodeMap } from '../trie/node-source.ts';
import { createTrie, emptyRoot } from '../trie/trie.ts';
import { checkProof } from './checks.ts';

const name = textToBytes('child');
const keys = [textToBytes('a'), textToBytes('b')];

const open = async (pairs: readonly (readonly [Uint8Array, Uint8Array])[]) => {
  const { blake2b256 } = await loadCrypto();
  const trie = createTrie({ blake2b256, source: createNodeMap() }, emptyRoot(blake2b256)).apply(pairs, 1);
  return { blake2b256, trie };
};

it('the proof of a child trie whose root is none is the way to it', async () => {
  const { blake2b256, trie } = await open([[childKey(name), textToBytes('no root')]]);
  const proof = trie.prove([childKey(name)]);
  const checked = await checkProof(blake2b256, trie.root(), { child: name, keys }, proof);
  expect(checked).toMatchObject({ ok: true });
  expect(checked.ok && [...checked.value.values()]).toEqual(proof);
});

it('an empty trie has one node', async () => {
  const { blake2b256, trie } = await open([]);
  const checked = await checkProof(blake2b256, trie.root(), { child: null, keys }, trie.prove(keys));
  expect(checked.ok && [...checked.value.values()]).toEqual([new Uint8Array(1)]);
});
