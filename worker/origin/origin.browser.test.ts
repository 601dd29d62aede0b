import { describe, expect, it } from 'vitest';
import type { NodeError } from '../../src/protocol/errors.ts';
import { equalBytes } from '../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { createProofSource } from '../trie/node-source.ts';
import { createTrie } from '../trie/trie.ts';
import { createFakeEndpoint, openOrigins } from './fake-endpoint.fixture.ts';
import { childMapKey, childName, createLiveChain, mapKey, mapPrefix } from './live-chain.fixture.ts';
import { inNextTurn } from './virtual-time.fixture.ts';

const chain = await createLiveChain();
const { block, hashOf } = chain;

const open = openOrigins();

describe('an origin with one honest endpoint', () => {
  it('returns facts, hashes, headers and bodies', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const { origin, until } = open(chain, [endpoint]);
    expect(await until(origin.facts())).toEqual({
      genesisHash: hashOf(0),
      name: 'Live',
      id: null,
      chainType: 'Live',
      properties: { tokenSymbol: 'UNIT', tokenDecimals: 12 },
    });
    expect(await until(origin.hashAt(7))).toEqual(hashOf(7));
    expect(await until(origin.hashAt(700))).toBeNull();
    expect(await until(origin.latest('best'))).toEqual(hashOf(12));
    expect(await until(origin.latest('finalized'))).toEqual(hashOf(10));
    expect(await until(origin.header(hashOf(5)))).toEqual(encodeHeader(block(5).header));
    expect(await until(origin.header(new Uint8Array(32)))).toBeNull();
    for (const number of [4, 5])
      expect(await until(origin.body(hashOf(number)))).toEqual(block(number).extrinsics);
    expect(await until(origin.body(new Uint8Array(32)))).toBeNull();
    // Its first answers are its probe: no request is made for that alone.
    expect(endpoint.count('state_getReadProof')).toBe(0);
    expect(endpoint.count('rpc_methods')).toBe(1);
    expect(origin.stats()).toMatchObject({
      lies: 0,
      endpoints: [{ name: 'honest', state: 'fit', failures: 0 }],
    });
    expect(origin.stats().requests).toBe(endpoint.calls.length);
  });

  it('returns whole blocks in one request each, and those that are known not at all', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const { origin, until } = open(chain, [endpoint]);
    const nothing = async () => null;
    for (const [which, number] of [
      ['best', 12],
      ['finalized', 10],
      [5, 5],
      [hashOf(4), 4],
    ] as const) {
      const { header, extrinsics } = block(number);
      expect(await until(origin.block(which, nothing))).toEqual({
        hash: hashOf(number),
        block: { header, extrinsics },
      });
    }
    expect(await until(origin.block(700, nothing))).toBeNull();
    expect(await until(origin.block(new Uint8Array(32), nothing))).toBeNull();
    expect(endpoint.count('chain_getHeader')).toBe(0);
    const before = endpoint.count('chain_getBlock');
    const known = { header: block(6).header, extrinsics: block(6).extrinsics };
    expect(
      await until(origin.block(6, async (hash) => (equalBytes(hash, hashOf(6)) ? known : null))),
    ).toEqual({
      hash: hashOf(6),
      block: known,
    });
    expect(endpoint.count('chain_getBlock')).toBe(before);
  });

  it('asks for a header once', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const { origin, until } = open(chain, [endpoint]);
    await until(origin.hashAt(6));
    await until(origin.header(hashOf(6)));
    expect(endpoint.count('chain_getHeader')).toBe(1);
  });

  it('proves keys of the main trie and of a child trie, and no node twice', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const { origin, until } = open(chain, [endpoint]);
    const keys = [mapKey(3), mapKey(250), mapPrefix];
    const nodes = await until(
      origin.nodes(
        hashOf(9),
        [
          { child: null, keys },
          { child: childName, keys: [childMapKey(5), childMapKey(6)] },
          { child: new Uint8Array([1]), keys: [childMapKey(5)] },
        ],
        [block(9).header.stateRoot, block(9).child.root()],
      ),
    );
    expect(new Set(nodes.map(bytesToHex)).size).toBe(nodes.length);
    const { blake2b256 } = chain.crypto;
    const source = createProofSource(blake2b256, nodes);
    const state = createTrie({ blake2b256, source }, block(9).header.stateRoot);
    for (const key of keys) expect(state.get(key)).toEqual(block(9).state.get(key));
    const child = createTrie({ blake2b256, source }, block(9).child.root());
    expect(child.get(childMapKey(5))).toEqual(block(9).child.get(childMapKey(5)));
    expect(endpoint.count('state_getReadProof')).toBe(1);
    expect(endpoint.count('state_getChildReadProof')).toBe(2);
    expect(await until(origin.nodes(hashOf(9), [{ child: null, keys: [] }], []))).toEqual([]);
  });

  it('asks for 1,000 keys at a time', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const { origin, until } = open(chain, [endpoint]);
    const keys = Array.from({ length: 2500 }, (_, at) => mapKey(at));
    const nodes = await until(origin.nodes(hashOf(9), [{ child: null, keys }], []));
    const { blake2b256 } = chain.crypto;
    const state = createTrie(
      { blake2b256, source: createProofSource(blake2b256, nodes) },
      block(9).header.stateRoot,
    );
    for (const key of keys) expect(state.get(key)).toEqual(block(9).state.get(key));
    const sizes = endpoint.calls
      .filter(({ method }) => method === 'state_getReadProof')
      .map(({ params }) => (params[0] as string[]).length);
    expect(sizes).toEqual([1000, 1000, 500]);
  });

  it('lists keys in pages', async () => {
    const big = await createLiveChain({ accounts: 2300, blocks: 2 });
    const endpoint = createFakeEndpoint('honest', big);
    const { origin, until } = open(big, [endpoint]);
    const at = hexToBytes((big.blocks[2] as { hash: string }).hash);
    const keys = await until(origin.keysPaged(at, mapPrefix, 10_000, null));
    expect(keys.length).toBe(2300);
    expect(await until(origin.keysPaged(at, mapPrefix, 5, keys[99] as Uint8Array))).toEqual(
      keys.slice(100, 105),
    );
    expect(endpoint.count('state_getKeysPaged')).toBe(4);
  });

  it('names a wanted node that the keys do not prove', async () => {
    const { origin, until } = open(chain, [createFakeEndpoint('honest', chain)]);
    const wanted = new Uint8Array(32).fill(7);
    await expect(
      until(origin.nodes(hashOf(9), [{ child: null, keys: [mapKey(1)] }], [wanted])),
    ).rejects.toMatchObject({
      code: 'NotCached',
      details: { block: block(9).hash, key: bytesToHex(mapKey(1)), hash: bytesToHex(wanted) },
    });
  });

  it('rejects what is open when it closes, and leaves no timer', async () => {
    const endpoint = createFakeEndpoint('silent', chain, { text: () => null });
    const { origin, time } = open(chain, [endpoint]);
    const calls = [
      origin.header(hashOf(3)),
      origin.facts(),
      origin.nodes(hashOf(3), [{ child: null, keys: [mapKey(1)] }], []),
    ];
    const pending = calls.map((call: Promise<unknown>) => call.catch((error: NodeError) => error.code));
    const stop = origin.follow('best', () => undefined);
    origin.close();
    expect(await Promise.all(pending)).toEqual(['Aborted', 'Aborted', 'Aborted']);
    await expect(origin.header(hashOf(3))).rejects.toMatchObject({ code: 'Aborted' });
    stop();
    await new Promise<void>(inNextTurn);
    expect(time.pending()).toBe(0);
  });

  it('bounds the calls that wait', async () => {
    const endpoint = createFakeEndpoint('silent', chain, { text: () => null });
    const { origin } = open(chain, [endpoint]);
    const calls = Array.from({ length: 1025 }, (_, at) => origin.hashAt(at));
    const refused = calls.map((call) => call.catch((error: NodeError) => error.code));
    expect(await refused[1024]).toBe('QueueFull');
    origin.close();
    expect(new Set(await Promise.all(refused.slice(0, 1024)))).toEqual(new Set(['Aborted']));
  });

  it.each([
    [[], 'BadConfig'],
    [Array.from({ length: 17 }, () => 'ws://127.0.0.1'), 'BadConfig'],
    [['ftp://127.0.0.1'], 'BadConfig'],
    [['127.0.0.1:9944'], 'BadConfig'],
  ])('refuses the endpoints %j', (endpoints, code) => {
    expect(() => open(chain, endpoints)).toThrow(expect.objectContaining({ code }));
  });

  it('takes providers whose messages are objects', async () => {
    const fake = createFakeEndpoint('texts', chain);
    const { endpoint } = fake;
    if (typeof endpoint === 'string') throw new Error('A fake endpoint is a provider');
    const { origin, until } = open(chain, [
      {
        name: 'objects',
        messages: 'object',
        provider: (onMessage) => {
          const inner = endpoint.provider((text) => onMessage(JSON.parse(String(text))));
          return {
            send: (message: object) => inner.send(JSON.stringify(message) as never),
            disconnect: () => inner.disconnect(),
          };
        },
      },
    ]);
    expect(equalBytes((await until(origin.hashAt(4))) as Uint8Array, hashOf(4))).toBe(true);
  });
});
