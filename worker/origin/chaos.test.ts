import { beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { createRandom } from '../../test/rigs/random.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { createProofSource } from '../trie/node-source.ts';
import { createTrie } from '../trie/trie.ts';
import { type Behavior, createFakeEndpoint, openOrigin } from './fake-endpoint.fixture.ts';
import { createLiveChain, type LiveChain, mapKey, Refused } from './live-chain.fixture.ts';

/** `ORIGIN_SEEDS=1000 npx vitest run chaos` for many. */
const seeds = Number(process.env['ORIGIN_SEEDS'] ?? 30);

let chain: LiveChain;
let foreign: LiveChain;
beforeAll(async () => {
  chain = await createLiveChain();
  foreign = await createLiveChain({ salt: 9 });
});

const refuse = (code: number, message: string) => (): never => {
  throw new Refused(code, message);
};

/** What an endpoint may do with one call. */
const createFaults = (random: () => number): readonly Behavior[] => [
  {},
  {},
  { text: () => null },
  { text: (_, text) => text.slice(0, Math.floor(random() * text.length)) },
  { text: (_, text) => text.replace(/"id":\d+/, '"id":12345') },
  { text: (_, text) => text.replace(/0x([0-9a-f]*)[0-9a-f]"/, '0x$15"') },
  { result: refuse(-32000, 'Out of order') },
  { result: refuse(-32029, 'Too Many Requests') },
  { result: refuse(-32008, 'Response is too big') },
  { result: refuse(4003, 'UnknownBlock: State already discarded for 0x00') },
  { result: () => ({}) },
  { result: () => [] },
  { result: ({ method, params }) => foreign.handle(method, params) },
];

/** Changes its mind at each call. */
const moody = (random: () => number, share: number): Behavior => {
  const faults = createFaults(random);
  let mood: Behavior = {};
  return {
    result: (call, honest) => {
      mood = random() < share ? (faults[Math.floor(random() * faults.length)] as Behavior) : {};
      return mood.result === undefined ? honest() : mood.result(call, honest);
    },
    text: (call, text) => (mood.text === undefined ? text : mood.text(call, text)),
  };
};

const codes = ['EndpointFailed', 'EndpointLied', 'EndpointUnfit', 'NotCached'];

it.each(Array.from({ length: seeds }, (_, seed) => [seed, [0.2, 0.5, 0.9][seed % 3] as number] as const))(
  'every call is right or a coded error (seed %i, %d of the answers are random)',
  async (seed, share) => {
    const random = createRandom(seed);
    const endpoints = Array.from({ length: 1 + (seed % 4) }, (_, at) =>
      createFakeEndpoint(`endpoint ${at}`, chain, moody(random, share)),
    );
    const { origin, time, until, errors } = openOrigin(chain, endpoints, {
      genesisHash: hexToBytes(chain.blocks[0]?.hash as string),
    });
    const { blake2b256 } = chain.crypto;
    const calls = Array.from({ length: 24 }, (_, at) => {
      const block = chain.blocks[1 + (at % 11)] as LiveChain['blocks'][number];
      const hash = hexToBytes(block.hash);
      const key = mapKey(at);
      const wanted = block.state.prove([key]).map((node) => blake2b256(node));
      const kinds = [
        async () => [await origin.header(hash), encodeHeader(block.header)],
        async () => [await origin.body(hash), block.extrinsics],
        async () => {
          const claimed = await origin.hashAt(block.header.number);
          // A claim: no hash contradicts an endpoint that changes its chain for as long as it takes to ask for it.
          const isForeign =
            claimed !== null && bytesToHex(claimed) === foreign.blocks[block.header.number]?.hash;
          return [isForeign ? hash : claimed, hash];
        },
        async () => {
          const nodes = await origin.nodes(hash, [{ child: null, keys: [key] }], wanted);
          const source = createProofSource(blake2b256, nodes);
          return [createTrie({ blake2b256, source }, block.state.root()).get(key), block.state.get(key)];
        },
      ] as const;
      return (kinds[at % 4] as (typeof kinds)[number])();
    });
    const outcomes = await until(Promise.allSettled(calls));
    // One that named another chain at first is not asked again.
    const isFit = origin.stats().endpoints.every(({ state }) => state !== 'unfit');
    const fulfilled = outcomes.filter(({ status }) => status === 'fulfilled');
    if (isFit && share < 0.5) expect(fulfilled.length).toBeGreaterThan(6);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toBeInstanceOf(NodeError);
        expect(codes).toContain((outcome.reason as NodeError).code);
        continue;
      }
      const [got, right] = outcome.value as [unknown, unknown];
      // A block of another chain is unknown there.
      if (got !== null) expect(got).toEqual(right);
    }
    expect(errors).toEqual([]);
    origin.close();
    await time.pass(0);
    expect(time.pending()).toBe(0);
  },
);

it.each(Array.from({ length: seeds }, (_, seed) => [seed] as const))(
  'closing in the middle settles every call and leaves no timer (seed %i)',
  async (seed) => {
    const random = createRandom(1000 + seed);
    const endpoints = Array.from({ length: 1 + (seed % 4) }, (_, at) =>
      createFakeEndpoint(`endpoint ${at}`, chain, moody(random, 0.7)),
    );
    const { origin, time, until, errors } = openOrigin(chain, endpoints);
    origin.follow('best', () => undefined);
    origin.follow('finalized', () => undefined);
    const hash = hexToBytes((chain.blocks[5] as LiveChain['blocks'][number]).hash);
    const calls = Array.from({ length: 12 }, (_, at) => {
      const kinds = [
        () => origin.header(hexToBytes((chain.blocks[at] as LiveChain['blocks'][number]).hash)),
        () => origin.nodes(hash, [{ child: null, keys: [mapKey(at)] }], [new Uint8Array(32)]),
        () => origin.keysPaged(hash, mapKey(at).subarray(0, 4), 10, null),
        () => origin.diff(hash),
        () => origin.facts(),
      ];
      return (kinds[at % kinds.length] as () => Promise<unknown>)();
    });
    time.schedule(random() * 4000, origin.close);
    const outcomes = await until(Promise.allSettled(calls));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect([...codes, 'Aborted']).toContain((outcome.reason as NodeError).code);
    await time.pass(5000);
    expect(time.pending()).toBe(0);
    expect(errors).toEqual([]);
  },
);
