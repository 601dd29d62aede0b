import { expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { createProofSource } from '../trie/node-source.ts';
import { createTrie } from '../trie/trie.ts';
import { createFakeEndpoint, openOrigin } from './fake-endpoint.fixture.ts';
import { childMapKey, childName, createLiveChain, mapKey, mapPrefix, Refused } from './live-chain.fixture.ts';

/** A key of which no block changes the lowest nodes. */
const quiet = mapKey(201);

const open = async (keptStates: number, blocks = 40) => {
  const chain = await createLiveChain({ blocks, keptStates });
  const pruning = createFakeEndpoint('pruning', chain);
  const rig = openOrigin(chain, [pruning]);
  const block = (number: number) => chain.blocks[number] as (typeof chain.blocks)[number];
  /** The hashes of the nodes on the way to a key in the state of a block, from the root on. */
  const pathOf = (number: number, key: Uint8Array) =>
    block(number)
      .state.prove([key])
      .map((node) => chain.crypto.blake2b256(node));
  const rootOf = (number: number) => bytesToHex(block(number).state.root());
  const below = (number: number, key: Uint8Array) =>
    pathOf(number, key).filter((hash) => bytesToHex(hash) !== rootOf(number));
  /** Those that no later block changes. */
  const lasting = (number: number, key: Uint8Array) => {
    const now = new Set(pathOf(blocks, key).map(bytesToHex));
    return pathOf(number, key).filter((hash) => now.has(bytesToHex(hash)));
  };
  return {
    chain,
    pruning,
    block,
    below,
    lasting,
    pathOf,
    hashOf: (number: number) => hexToBytes(block(number).hash),
    ...rig,
  };
};

it('the nodes of a discarded state are read at a newer block', async () => {
  const { origin, until, hashOf, lasting, chain } = await open(10);
  const wanted = lasting(4, quiet);
  expect(wanted.length).toBeGreaterThan(0);
  const nodes = await until(origin.nodes(hashOf(4), [{ child: null, keys: [quiet] }], wanted));
  const hashes = new Set(nodes.map((node) => bytesToHex(chain.crypto.blake2b256(node))));
  for (const hash of wanted) expect(hashes).toContain(bytesToHex(hash));
  expect(origin.stats()).toMatchObject({
    lies: 0,
    endpoints: [{ state: 'fit', failures: 0, states: 'recent' }],
  });
  origin.close();
});

it('so are those of a child trie and keys, and the newer block is remembered', async () => {
  const { origin, until, hashOf, block, pruning, chain } = await open(10);
  const request = [{ child: childName, keys: [childMapKey(3)] }];
  const { blake2b256 } = chain.crypto;
  const nodes = await until(origin.nodes(hashOf(4), request, [block(4).child.root()]));
  const child = createTrie(
    { blake2b256, source: createProofSource(blake2b256, nodes) },
    block(4).child.root(),
  );
  expect(child.get(childMapKey(3))).toEqual(block(4).child.get(childMapKey(3)));
  const asked = pruning.count('chain_getBlockHash');
  const keys = await until(origin.keysPaged(hashOf(5), mapPrefix, 10, null));
  expect(keys.length).toBe(10);
  expect(pruning.count('chain_getBlockHash')).toBe(asked);
  // Nor is the discarded state asked for a second time.
  const proofs = pruning.count('state_getReadProof');
  await until(origin.nodes(hashOf(4), [{ child: null, keys: [quiet] }], []));
  expect(pruning.count('state_getReadProof')).toBe(proofs + 1);
  origin.close();
});

it('a node that has changed since is lost, and named', async () => {
  const { origin, until, hashOf, below, block } = await open(10);
  const changed = textToBytes('number');
  const wanted = below(4, changed);
  await expect(
    until(origin.nodes(hashOf(4), [{ child: null, keys: [changed] }], wanted)),
  ).rejects.toMatchObject({
    code: 'NotCached',
    details: { block: block(4).hash, key: bytesToHex(changed) },
  });
  origin.close();
});

it('another endpoint that has the state is asked first', async () => {
  const { chain, pruning, hashOf, pathOf, below } = await open(10);
  const whole = await createLiveChain({ blocks: 40 });
  const rig = openOrigin(chain, [pruning, createFakeEndpoint('archive', whole)]);
  const changed = textToBytes('number');
  const nodes = await rig.until(
    rig.origin.nodes(hashOf(4), [{ child: null, keys: [changed] }], below(4, changed)),
  );
  expect(nodes.length).toBe(pathOf(4, changed).length);
  await rig.time.pass(0);
  expect(rig.origin.stats().endpoints.map(({ states }) => states)).toEqual(['recent', 'all']);
  rig.origin.close();
});

it('states that are discarded while they are read are read at newer blocks still', async () => {
  const { chain, origin, until, hashOf, lasting } = await open(30);
  const wanted = lasting(12, quiet);
  expect(wanted.length).toBeGreaterThan(0);
  const read = () => until(origin.nodes(hashOf(12), [{ child: null, keys: [quiet] }], wanted));
  expect((await read()).length).toBeGreaterThan(0);
  chain.keep(20);
  expect((await read()).length).toBeGreaterThan(0);
  chain.keep(6);
  for (let at = 0; at < 8; at += 1) chain.grow();
  expect((await read()).length).toBeGreaterThan(0);
  origin.close();
});

it('a node that does not know a block yet has not discarded its state', async () => {
  const { origin, until, hashOf, lasting, pathOf, pruning } = await open(10);
  await until(origin.nodes(hashOf(4), [{ child: null, keys: [quiet] }], lasting(4, quiet)));
  const root = pathOf(36, quiet).slice(0, 1);
  const read = () => until(origin.nodes(hashOf(36), [{ child: null, keys: [quiet] }], root));
  await until(origin.header(hashOf(36)));
  // As of one of several nodes behind the same URL, which is a few blocks behind the others.
  pruning.become({
    result: ({ params }, honest) => {
      if (params.includes(bytesToHex(hashOf(36))))
        throw new Refused(-32000, 'Client error: UnknownBlock: Header was not found');
      return honest();
    },
  });
  await expect(read()).rejects.toMatchObject({ code: 'NotCached' });
  pruning.become({});
  expect((await read()).length).toBeGreaterThan(0);
  origin.close();
});

it('a block that nobody knows is not an endless search', async () => {
  const { origin, until, chain } = await open(10);
  const unknown = new Uint8Array(32).fill(3);
  const wanted = new Uint8Array(32).fill(4);
  await expect(
    until(origin.nodes(unknown, [{ child: null, keys: [quiet] }], [wanted])),
  ).rejects.toMatchObject({
    code: 'NotCached',
    details: { block: bytesToHex(unknown), hash: bytesToHex(wanted) },
  });
  chain.keep(-1);
  await expect(
    until(origin.nodes(unknown, [{ child: null, keys: [quiet] }], [wanted])),
  ).rejects.toMatchObject({
    code: 'NotCached',
  });
  origin.close();
});

it('a liar does not keep a newer state from being read', async () => {
  const { chain, pruning, hashOf, lasting } = await open(10);
  const liar = createFakeEndpoint('liar', chain, {
    result: ({ method, params }, honest) =>
      method === 'state_getReadProof'
        ? chain.handle(method, [params[0], (chain.blocks[40] as { hash: string }).hash])
        : honest(),
  });
  const rig = openOrigin(chain, [liar, pruning]);
  const wanted = lasting(4, quiet);
  expect(
    (await rig.until(rig.origin.nodes(hashOf(4), [{ child: null, keys: [quiet] }], wanted))).length,
  ).toBeGreaterThan(0);
  expect(rig.origin.stats().endpoints[0]?.lies).toBeGreaterThan(0);
  rig.origin.close();
});

it('an old state is asked for where all states are', async () => {
  const chain = await createLiveChain({ blocks: 300, keptStates: 256, accounts: 20 });
  const whole = await createLiveChain({ blocks: 300, accounts: 20 });
  const pruning = createFakeEndpoint('pruning', chain);
  const rig = openOrigin(chain, [pruning, createFakeEndpoint('archive', whole)]);
  await rig.time.pass(1000);
  expect(rig.origin.stats().endpoints.map(({ states }) => states)).toEqual(['recent', 'all']);
  const asked = pruning.count('state_getReadProof');
  const at = hexToBytes((chain.blocks[12] as { hash: string }).hash);
  expect(
    (await rig.until(rig.origin.nodes(at, [{ child: null, keys: [mapKey(3)] }], []))).length,
  ).toBeGreaterThan(0);
  expect(pruning.count('state_getReadProof')).toBe(asked);
  rig.origin.close();
});
