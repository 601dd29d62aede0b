import { beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { createRandom } from '../../test/rigs/random.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { createProofSource } from '../trie/node-source.ts';
import { createTrie } from '../trie/trie.ts';
import { type Behavior, createFakeEndpoint, openOrigin } from './fake-endpoint.fixture.ts';
import {
  childMapKey,
  childName,
  createLiveChain,
  type LiveChain,
  mapKey,
  mapPrefix,
} from './live-chain.fixture.ts';

/** `ORIGIN_FLIPS=1000 npx vitest run flips` for many. */
const flips = Number(process.env['ORIGIN_FLIPS'] ?? 100);

let chain: LiveChain;
beforeAll(async () => {
  chain = await createLiveChain({ accounts: 120, blocks: 6 });
});

const methods = [
  'chain_getHeader',
  'chain_getBlock',
  'state_getReadProof',
  'state_getChildReadProof',
  'state_getKeysPaged',
  'chain_getBlockHash',
  'system_chain',
];

/** One bit of a hexadecimal digit of the result, or of any character of the answer. */
const flipBit = (text: string, random: () => number, isAnywhere: boolean): string => {
  const places = isAnywhere
    ? [...text].map((_, at) => at)
    : [...text.matchAll(/0x([0-9a-f]+)/g)].flatMap(({ index, 1: digits = '' }) =>
        Array.from(digits, (_, at) => index + 2 + at),
      );
  const place = places[Math.floor(random() * places.length)] as number;
  const bit = 1 << Math.floor(random() * (isAnywhere ? 7 : 4));
  const changed = isAnywhere
    ? String.fromCharCode(text.charCodeAt(place) ^ bit)
    : (Number.parseInt(text[place] as string, 16) ^ bit).toString(16);
  return text.slice(0, place) + changed + text.slice(place + 1);
};

const keys = [mapKey(3), mapKey(77), mapKey(0)];

/** What each read must return; a page of keys must prove itself. */
const readAll = (seed: number, behavior: Behavior) => {
  const number = 1 + (seed % 5);
  const block = chain.blocks[number] as LiveChain['blocks'][number];
  const hash = hexToBytes(block.hash);
  const { blake2b256 } = chain.crypto;
  const rig = openOrigin(chain, [createFakeEndpoint('flipping', chain, behavior)]);
  const { origin, until } = rig;
  const trieOf = (nodes: readonly Uint8Array[], root: Uint8Array) =>
    createTrie({ blake2b256, source: createProofSource(blake2b256, nodes) }, root);
  const nodes = (child: Uint8Array | null, list: readonly Uint8Array[]) =>
    until(origin.nodes(hash, [{ child, keys: list }], []));
  const valuesOf = (trie: ReturnType<typeof trieOf>, list: readonly Uint8Array[]) =>
    list.map((key) => trie.get(key));
  const reads: Record<string, () => Promise<readonly [unknown, unknown]>> = {
    chain_getHeader: async () => [await until(origin.header(hash)), encodeHeader(block.header)],
    chain_getBlock: async () => [await until(origin.body(hash)), block.extrinsics],
    chain_getBlockHash: async () => [await until(origin.hashAt(number)), hash],
    system_chain: async () => [
      (await until(origin.facts())).genesisHash,
      hexToBytes((chain.blocks[0] as { hash: string }).hash),
    ],
    state_getReadProof: async () => [
      valuesOf(trieOf(await nodes(null, keys), block.state.root()), keys),
      valuesOf(block.state, keys),
    ],
    state_getChildReadProof: async () => {
      const list = [childMapKey(1), childMapKey(5)];
      return [
        valuesOf(trieOf(await nodes(childName, list), block.child.root()), list),
        valuesOf(block.child, list),
      ];
    },
    state_getKeysPaged: async () => {
      const page = await until(origin.keysPaged(hash, mapPrefix, 30, null));
      const trie = trieOf(await nodes(null, page), block.state.root());
      // A made-up key is found out by its own proof.
      return [
        page.map((key) => [bytesToHex(key), trie.get(key)]),
        page.map((key) => [bytesToHex(key), block.state.get(key)]),
      ];
    },
  };
  return { reads, rig };
};

const modes = [
  ['in the first answer', false],
  ['in every answer', true],
] as const;

it.each(modes)('%s a flipped bit is found out', async (_name, isAlways) => {
  let found = 0;
  for (let seed = 0; seed < flips; seed += 1) {
    const random = createRandom(seed);
    const method = methods[seed % methods.length] as string;
    let isDue = true;
    const { reads, rig } = readAll(seed, {
      text: (call, text) => {
        const flipped = method === 'system_chain' ? 'chain_getBlockHash' : method;
        if (call.method !== flipped || !isDue) return text;
        isDue = isAlways;
        return flipBit(text, random, seed % 3 === 0);
      },
    });
    const outcome = await (reads[method] as () => Promise<readonly [unknown, unknown]>)().catch(
      (error: unknown) => error,
    );
    if (outcome instanceof NodeError)
      expect(['EndpointLied', 'EndpointFailed', 'EndpointUnfit'], `seed ${seed}`).toContain(outcome.code);
    else {
      const [got, right] = outcome as readonly [unknown, unknown];
      expect(got, `seed ${seed}, ${method}`).toEqual(right);
    }
    const [stats] = rig.origin.stats().endpoints;
    if ((stats?.lies ?? 0) + (stats?.failures ?? 0) > 0) found += 1;
    rig.origin.close();
  }
  // Some flips change nothing that counts: a space, the name of a block, the order of two keys.
  expect(found).toBeGreaterThan(flips / 2);
});
