import { describe, expect, it } from 'vitest';
import { hexToBytes } from '../bytes/hex.ts';
import { type Behavior, createFakeEndpoint, openOrigins } from './fake-endpoint.fixture.ts';
import { createLiveChain, Refused } from './live-chain.fixture.ts';
import type { OriginEndpoint } from './origin.ts';

const chain = await createLiveChain();
const { block, hashOf, encoded } = chain;

const open = openOrigins();

const silentFor = (...methods: readonly string[]): Behavior => ({
  text: ({ method }, text) => (methods.includes(method) ? null : text),
});
const failingFor = (...methods: readonly string[]): Behavior => ({
  result: ({ method }, honest) => {
    if (methods.includes(method)) throw new Refused(-32000, 'Out of order');
    return honest();
  },
});

describe('an endpoint that hangs', () => {
  it('is replaced by another one after a moment, and asked last from then on', async () => {
    const hanging = createFakeEndpoint('hanging', chain, silentFor('chain_getHeader'));
    const rig = open(chain, [hanging, createFakeEndpoint('honest', chain)]);
    const before = rig.time.now();
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(rig.time.now() - before).toBe(2000);
    const asked = hanging.count('chain_getHeader');
    expect(await rig.until(rig.origin.header(hashOf(6)))).toEqual(encoded(6));
    expect(rig.time.now() - before).toBe(2000);
    expect(hanging.count('chain_getHeader')).toBe(asked);
  });

  it('is an error after its deadline, three times, if it is the only one', async () => {
    const hanging = createFakeEndpoint('hanging', chain, silentFor('chain_getHeader'));
    const rig = open(chain, [hanging]);
    const before = rig.time.now();
    await expect(rig.until(rig.origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: `The header of block ${block(5).hash} could not be read: hanging did not respond within 15 s.`,
    });
    expect(rig.time.now() - before).toBe(3 * 15_000 + 300 + 1500);
    // A connection that was silent for so long is opened again.
    expect(hanging.connections()).toBe(3);
    hanging.become({});
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
  });

  it('is named by what was to be read of the state, even if not so much as the header could be', async () => {
    const rig = open(chain, [createFakeEndpoint('hanging', chain, silentFor('chain_getHeader'))]);
    const proof = rig.origin.nodes(hashOf(5), [{ child: null, keys: [Uint8Array.of(0xab)] }], []);
    await expect(rig.until(proof)).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: `The state of block ${block(5).hash} for key 0xab could not be read: hanging did not respond within 15 s.`,
    });
    await expect(rig.until(rig.origin.keysPaged(hashOf(5), Uint8Array.of(1), 1, null))).rejects.toThrow(
      `Keys of block ${block(5).hash} for key 0x01 could not be read`,
    );
  });

  it('does not hold up the start', async () => {
    const rig = open(chain, [
      createFakeEndpoint('hanging', chain, { text: () => null }),
      createFakeEndpoint('honest', chain),
    ]);
    const before = rig.time.now();
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    // The honest one waits for a moment in case that the first is of another chain.
    expect(rig.time.now() - before).toBe(500);
  });
});

describe('an endpoint that fails', () => {
  it('is replaced at once', async () => {
    const failing = createFakeEndpoint('failing', chain, failingFor('chain_getHeader'));
    const rig = open(chain, [failing, createFakeEndpoint('honest', chain)]);
    const before = rig.time.now();
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(rig.time.now()).toBe(before);
    expect(rig.origin.stats().endpoints[0]).toMatchObject({
      state: 'failing',
      problem: 'refused chain_getHeader: Out of order (-32000)',
    });
  });

  it('cannot be reached at all', async () => {
    const gone: OriginEndpoint = {
      name: 'gone',
      provider: () => {
        throw new Error('is not there');
      },
    };
    const rig = open(chain, [gone]);
    await expect(rig.until(rig.origin.facts())).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringContaining('gone is not there'),
    });
    const both = open(chain, [gone, createFakeEndpoint('honest', chain)]);
    expect(await both.until(both.origin.header(hashOf(5)))).toEqual(encoded(5));
  });

  it.each<[string, Behavior, RegExp]>([
    [
      'answers another id',
      {
        text: (call, text) =>
          call.method === 'chain_getHeader' ? text.replace(/"id":\d+/, '"id":999') : text,
      },
      /answered a request that was not sent/,
    ],
    [
      'answers twice',
      {
        text: (call, text) => (call.method === 'chain_getHeader' ? text.replace(/"id":\d+/, '"id":1') : text),
      },
      /answered a request that was not sent/,
    ],
    [
      'sends no JSON',
      { text: (call, text) => (call.method === 'chain_getHeader' ? `${text}}` : text) },
      /sent a message that is not JSON-RPC/,
    ],
    [
      'sends HTML',
      { text: (call, text) => (call.method === 'chain_getHeader' ? '<html>' : text) },
      /sent a message that is not JSON-RPC/,
    ],
    [
      'sends no result',
      {
        text: ({ id, method }, text) =>
          method === 'chain_getHeader' ? `{"jsonrpc":"2.0","id":${id}}` : text,
      },
      /sent an answer without a result/,
    ],
    [
      'sends an object for a header',
      { result: ({ method }, honest) => (method === 'chain_getHeader' ? {} : honest()) },
      /sent a header in another form/,
    ],
    [
      'sends a header that does not decode',
      {
        result: ({ method }, honest) =>
          method === 'chain_getHeader' ? { ...(honest() as object), digest: { logs: ['0xff'] } } : honest(),
      },
      /sent a header in another form/,
    ],
    [
      'sends an object that throws when it is read',
      {
        text: ({ id, method }, text) =>
          method === 'chain_getHeader'
            ? `{"jsonrpc":"2.0","id":${id},"error":{"message":{"toString":5}}}`
            : text,
      },
      /refused chain_getHeader: Unknown error \(-32603\)/,
    ],
    [
      'sends values without end',
      {
        text: ({ id, method }, text) =>
          method === 'chain_getHeader'
            ? `{"jsonrpc":"2.0","id":${id},"result":[${'1,'.repeat(1_200_000)}1]}`
            : text,
      },
      /sent an answer with too many values/,
    ],
    [
      'sends an answer without end',
      {
        text: ({ method }, text) =>
          method === 'chain_getHeader' ? text + ' '.repeat(63 * 1024 * 1024) : text,
      },
      /refused chain_getHeader: Response is too big: \d+ characters \(-32008\)/,
    ],
  ])('%s', async (_name, behavior, message) => {
    const rig = open(chain, [createFakeEndpoint('broken', chain, behavior)]);
    await expect(rig.until(rig.origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringMatching(message),
    });
    const both = open(chain, [
      createFakeEndpoint('broken', chain, behavior),
      createFakeEndpoint('honest', chain),
    ]);
    expect(await both.until(both.origin.header(hashOf(5)))).toEqual(encoded(5));
  });

  it('is reconnected after it has cut a connection off', async () => {
    let cuts = 2;
    const cutting = createFakeEndpoint('cutting', chain, {
      text: ({ method }, text) => (method === 'chain_getHeader' && cuts-- > 0 ? '{' : text),
    });
    const rig = open(chain, [cutting]);
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(cutting.connections()).toBe(3);
    // Its list of methods is known; its chain is confirmed each time.
    expect(cutting.count('rpc_methods')).toBe(1);
    expect(cutting.count('chain_getBlockHash')).toBe(3);
  });

  it.each([
    [-32008, 'Response is too big'],
    [4003, 'UnknownBlock: State already discarded for 0x00'],
    [-32000, 'Out of order'],
  ])('is asked again if it refuses its genesis hash with %i', async (code, message) => {
    let isDue = true;
    const moody = createFakeEndpoint('moody', chain, {
      result: ({ method }, honest) => {
        if (method !== 'chain_getBlockHash' || !isDue) return honest();
        isDue = false;
        throw new Refused(code, message);
      },
    });
    const rig = open(chain, [moody]);
    const before = rig.time.now();
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(rig.time.now()).toBe(before);
  });

  it('is not asked forever: a job ends after its patience', async () => {
    const limited = createFakeEndpoint('limited', chain, {
      result: ({ method }, honest) => {
        if (method === 'chain_getHeader') throw new Refused(-32029, 'Too Many Requests');
        return honest();
      },
    });
    const rig = open(chain, [limited]);
    const before = rig.time.now();
    await expect(rig.until(rig.origin.header(hashOf(5)))).rejects.toMatchObject({
      code: 'EndpointFailed',
      message: expect.stringContaining('limited refused chain_getHeader: Too Many Requests (-32029)'),
    });
    expect(rig.time.now() - before).toBe(90_000);
  });
});

describe('an endpoint that is far behind', () => {
  it('is asked last for the latest blocks', async () => {
    const long = await createLiveChain({ blocks: 40 });
    const short = await createLiveChain({ blocks: 8 });
    const rig = open(long, [createFakeEndpoint('behind', short), createFakeEndpoint('honest', long)]);
    await rig.time.pass(1000);
    expect(await rig.until(rig.origin.latest('best'))).toEqual(hexToBytes(long.blocks[40]?.hash as string));
    expect(rig.origin.stats().endpoints[0]).toMatchObject({ state: 'fit', failures: 0 });
  });
});

describe('blocks that some endpoints do not know', () => {
  it('are unknown only if no endpoint knows them', async () => {
    const behind = createFakeEndpoint('behind', chain, {
      result: ({ method }, honest) =>
        method === 'chain_getHeader' || method === 'chain_getBlock' ? null : honest(),
    });
    const rig = open(chain, [behind, createFakeEndpoint('honest', chain)]);
    expect(await rig.until(rig.origin.header(hashOf(5)))).toEqual(encoded(5));
    expect(await rig.until(rig.origin.body(hashOf(5)))).toEqual(block(5).extrinsics);
    expect(await rig.until(rig.origin.header(new Uint8Array(32)))).toBeNull();
    expect(rig.origin.stats().endpoints[0]?.lies).toBe(0);
  });
});
