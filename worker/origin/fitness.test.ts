import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { type Behavior, createFakeEndpoint, openOrigins } from './fake-endpoint.fixture.ts';
import { createLiveChain, type LiveChain, mapKey, Refused } from './live-chain.fixture.ts';

let chain: LiveChain;
let foreign: LiveChain;
beforeAll(async () => {
  chain = await createLiveChain();
  foreign = await createLiveChain({ salt: 1 });
});

const open = openOrigins();

const block = (number: number) => chain.blocks[number] as LiveChain['blocks'][number];
const hashOf = (number: number) => hexToBytes(block(number).hash);
describe('the chain of an endpoint', () => {
  it('is that of a known genesis hash, or it is unfit', async () => {
    const rig = open(chain, [createFakeEndpoint('foreign', foreign)], { genesisHash: hashOf(0) });
    await expect(rig.until(rig.origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointUnfit',
      message: expect.stringMatching(/foreign is of another chain: its genesis is 0x\w+, not 0x\w+/),
    });
  });

  it('is that of most endpoints; those of another chain are not asked', async () => {
    const odd = createFakeEndpoint('odd', foreign);
    const rig = open(chain, [odd, createFakeEndpoint('a', chain), createFakeEndpoint('b', chain)]);
    expect((await rig.until(rig.origin.facts())).genesisHash).toEqual(hashOf(0));
    expect(rig.origin.stats().endpoints.map(({ state }) => state)).toEqual(['unfit', 'fit', 'fit']);
    expect(odd.calls.map(({ method }) => method).sort()).toEqual(['chain_getBlockHash', 'rpc_methods']);
  });

  it('is that of the first one among equals', async () => {
    const rig = open(chain, [createFakeEndpoint('a', chain), createFakeEndpoint('b', foreign)]);
    expect((await rig.until(rig.origin.facts())).genesisHash).toEqual(hashOf(0));
    expect(rig.origin.stats().endpoints[1]).toMatchObject({ state: 'unfit' });
  });

  it('may change when it reconnects, which is a lie', async () => {
    let isForeign = false;
    const changing = createFakeEndpoint('changing', chain, {
      result: (call, honest) => (isForeign ? foreign.handle(call.method, call.params) : honest()),
      text: ({ method }, text) => (isForeign && method === 'chain_getHeader' ? '{' : text),
    });
    const rig = open(chain, [changing]);
    await rig.until(rig.origin.header(hashOf(5)));
    isForeign = true;
    await expect(rig.until(rig.origin.header(hashOf(6)))).rejects.toMatchObject({
      code: 'EndpointLied',
      message: expect.stringMatching(/changing changed its chain: its genesis is 0x\w+ now, not 0x/),
    });
  });

  it('may change on an open connection, which is noticed before its claims count', async () => {
    let isForeign = false;
    const changing = createFakeEndpoint('changing', chain, {
      result: (call, honest) => (isForeign ? foreign.handle(call.method, call.params) : honest()),
    });
    const rig = open(chain, [changing]);
    expect(await rig.until(rig.origin.latest('best'))).toEqual(hashOf(12));
    isForeign = true;
    await rig.time.pass(60_000);
    await expect(rig.until(rig.origin.latest('best'))).rejects.toMatchObject({ code: 'EndpointLied' });
  });
});

describe('an endpoint that lacks methods', () => {
  it.each<[string, Behavior]>([
    [
      'is unfit without state_getReadProof in its list',
      {
        result: ({ method }, honest) =>
          method === 'rpc_methods' ? { methods: ['chainHead_v1_follow', 'archive_v1_header'] } : honest(),
      },
    ],
    [
      'is unfit if it has no list and refuses it',
      {
        result: ({ method }, honest) => {
          if (method === 'rpc_methods' || method === 'state_getReadProof')
            throw new Refused(-32601, 'Method not found');
          return honest();
        },
      },
    ],
  ])('%s', async (_name, behavior) => {
    const lacking = createFakeEndpoint('lacking', chain, behavior);
    const rig = open(chain, [lacking]);
    const proof = rig.origin.nodes(hashOf(5), [{ child: null, keys: [mapKey(1)] }], []);
    await expect(rig.until(proof)).rejects.toMatchObject({
      code: 'EndpointUnfit',
      message: expect.stringContaining('lacking does not offer state_getReadProof'),
    });
    const both = open(chain, [
      createFakeEndpoint('lacking', chain, behavior),
      createFakeEndpoint('honest', chain),
    ]);
    const proven = both.origin.nodes(hashOf(5), [{ child: null, keys: [mapKey(1)] }], []);
    expect((await both.until(proven)).length).toBeGreaterThan(0);
    expect(both.origin.stats().endpoints[0]).toMatchObject({ state: 'unfit' });
  });
});

describe('answers that are too large', () => {
  const limitedTo = (most: number): Behavior => ({
    result: ({ method, params }, honest) => {
      if (method === 'state_getReadProof' && (params[0] as string[]).length > most)
        throw new Refused(-32008, 'Response is too big', 'Exceeded max limit of 15728640');
      return honest();
    },
  });
  const keys = Array.from({ length: 200 }, (_, at) => mapKey(at));

  it('are requested in halves', async () => {
    const small = createFakeEndpoint('small', chain, limitedTo(60));
    const rig = open(chain, [small]);
    const whole = open(chain, [createFakeEndpoint('honest', chain)]);
    const nodes = await rig.until(rig.origin.nodes(hashOf(5), [{ child: null, keys }], []));
    const right = await whole.until(whole.origin.nodes(hashOf(5), [{ child: null, keys }], []));
    expect(new Set(nodes.map(bytesToHex))).toEqual(new Set(right.map(bytesToHex)));
    expect(rig.origin.stats().endpoints[0]).toMatchObject({ failures: 0 });
    expect(small.count('state_getReadProof')).toBe(7);
  });

  it('are requested in halves too if we refuse to read them', async () => {
    const endless = createFakeEndpoint('endless', chain, {
      text: ({ method, params }, text) =>
        method === 'state_getReadProof' && (params[0] as string[]).length > 100
          ? text + ' '.repeat(63 * 1024 * 1024)
          : text,
    });
    const rig = open(chain, [endless]);
    expect(
      (await rig.until(rig.origin.nodes(hashOf(5), [{ child: null, keys }], []))).length,
    ).toBeGreaterThan(0);
    expect(endless.connections()).toBe(1);
  });

  it('are an error if a single value is, but other endpoints are asked first', async () => {
    const none = createFakeEndpoint('none', chain, limitedTo(0));
    const rig = open(chain, [none]);
    await expect(
      rig.until(rig.origin.nodes(hashOf(5), [{ child: null, keys: keys.slice(0, 2) }], [])),
    ).rejects.toMatchObject({
      code: 'EndpointFailed',
      details: { key: bytesToHex(mapKey(0)) },
    });
    const both = open(chain, [none, createFakeEndpoint('honest', chain)]);
    const nodes = both.origin.nodes(hashOf(5), [{ child: null, keys: keys.slice(0, 2) }], []);
    expect((await both.until(nodes)).length).toBeGreaterThan(0);
  });
});

describe('a block that an endpoint makes up', () => {
  it('is an error wherever its header does not decode', async () => {
    const [made, hash] = [
      { ...(chain.handle('chain_getHeader', []) as object), digest: { logs: ['0xff'] } },
      new Uint8Array(32),
    ];
    const liar = createFakeEndpoint('liar', chain, {
      result: ({ method, params }, honest) => {
        if (method === 'chain_getHeader') return made;
        if (method === 'chain_getFinalizedHead' || (method === 'chain_getBlockHash' && params[0] !== 0))
          return bytesToHex(hash);
        return honest();
      },
    });
    const rig = open(chain, [liar, createFakeEndpoint('honest', chain)]);
    expect(await rig.until(rig.origin.latest('finalized'))).toEqual(hashOf(10));
    await rig.time.pass(1000);
    expect(rig.errors).toEqual([]);
    const alone = open(chain, [liar]);
    await expect(alone.until(alone.origin.latest('finalized'))).rejects.toMatchObject({
      code: 'EndpointFailed',
    });
  });
});
