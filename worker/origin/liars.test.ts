import { describe, expect, it } from 'vitest';
import { lies, proofLies } from '../../test/origin/lies.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { type Behavior, createFakeEndpoint, openOrigins } from './fake-endpoint.fixture.ts';
import { createLiveChain, mapKey, mapPrefix, Refused } from './live-chain.fixture.ts';

const chain = await createLiveChain();
const { block, hashOf } = chain;

const open = openOrigins();

type Rig = ReturnType<typeof open>;
const keys = [mapKey(3), mapKey(17), mapKey(200)];

const header = ({ origin }: Rig) => origin.header(hashOf(5));
const body = ({ origin }: Rig) => origin.body(hashOf(5));
const proof = ({ origin }: Rig) =>
  origin.nodes(hashOf(9), [{ child: null, keys }], [block(9).header.stateRoot]);
const hashAt = ({ origin }: Rig) => origin.hashAt(5);
const wholeBlock = ({ origin }: Rig) => origin.block(5, async () => null);
const page = ({ origin }: Rig) => origin.keysPaged(hashOf(9), mapPrefix, 20, null);

type Json = Record<string, any>;
const otherProof = lies('state_getReadProof', (_, [list]) =>
  chain.handle('state_getReadProof', [list, block(4).hash]),
);
const flip = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;

/** What an endpoint does, which call finds it out, and what it says. */
const kinds: readonly (readonly [string, Behavior, (rig: Rig) => Promise<unknown>, RegExp, string | null])[] =
  [
    [
      'another header',
      lies('chain_getHeader', () => chain.handle('chain_getHeader', [block(4).hash])),
      header,
      /The header of block 0x\w+ could not be read: liar sent another header/,
      null,
    ],
    [
      'a header with a changed digest',
      lies('chain_getHeader', (json: Json) => ({ ...json, digest: { logs: json['digest'].logs.map(flip) } })),
      header,
      /sent another header/,
      null,
    ],
    [
      'the body of another block',
      lies('chain_getBlock', (json: Json) => ({
        block: { header: json['block'].header, extrinsics: block(4).extrinsics.map(bytesToHex) },
      })),
      body,
      /sent extrinsics that are not those of the header/,
      null,
    ],
    [
      'a body without its last extrinsic',
      lies('chain_getBlock', (json: Json) => ({
        block: { ...json['block'], extrinsics: json['block'].extrinsics.slice(1) },
      })),
      body,
      /sent extrinsics that are not/,
      null,
    ],
    [
      'another block',
      lies('chain_getBlock', () => chain.handle('chain_getBlock', [block(4).hash])),
      body,
      /sent another header/,
      null,
    ],
    [
      'another block at a height',
      lies('chain_getBlockHash', (hash, [number]) => (number === 5 ? block(6).hash : hash)),
      hashAt,
      /named block 6 when asked for block 5/,
      null,
    ],
    [
      'another whole block at a height',
      lies('chain_getBlockHash', (hash, [number]) => (number === 5 ? block(6).hash : hash)),
      wholeBlock,
      /named block 6 when asked for block 5/,
      null,
    ],
    [
      'the whole block of another hash',
      lies('chain_getBlock', () => chain.handle('chain_getBlock', [block(4).hash])),
      wholeBlock,
      /sent another header/,
      null,
    ],
    [
      'a proof of another state',
      otherProof,
      proof,
      /sent a proof of another state root/,
      bytesToHex(mapKey(3)),
    ],
    [
      'a proof with a flipped bit',
      proofLies((nodes) => nodes.map((node, at) => (at === 2 ? flip(node) : node))),
      proof,
      /lacks nodes on the way|another state root/,
      bytesToHex(mapKey(3)),
    ],
    [
      'a proof without its first node',
      proofLies((nodes) => nodes.slice(1)),
      proof,
      /lacks nodes on the way|another state root/,
      bytesToHex(mapKey(3)),
    ],
    [
      'an empty proof',
      proofLies(() => []),
      proof,
      /sent a proof of another state root/,
      bytesToHex(mapKey(3)),
    ],
    [
      'more keys than requested',
      lies('state_getKeysPaged', (list: string[]) => [...list, '0xff']),
      page,
      /sent more keys than requested/,
      bytesToHex(mapPrefix),
    ],
    [
      'keys out of order',
      lies('state_getKeysPaged', (list: string[]) => list.toReversed()),
      page,
      /sent keys out of order/,
      bytesToHex(mapPrefix),
    ],
    [
      'a key twice',
      lies('state_getKeysPaged', (list: string[]) => list.map(() => list[0])),
      page,
      /sent keys out of order/,
      bytesToHex(mapPrefix),
    ],
    [
      'keys without the prefix',
      lies('state_getKeysPaged', () => ['0x00']),
      page,
      /sent keys without the prefix/,
      bytesToHex(mapPrefix),
    ],
  ];

describe.each(kinds)('an endpoint that sends %s', (_name, behavior, read, message, key) => {
  it('is named in the error, with block and key, if it is the only one', async () => {
    const liar = createFakeEndpoint('liar', chain, behavior);
    const rig = open(chain, [liar]);
    const error = await rig.until(
      read(rig).then(
        () => null,
        (reason: unknown) => reason,
      ),
    );
    expect(error).toMatchObject({ code: 'EndpointLied', message: expect.stringMatching(message) });
    expect((error as Json)['details'].endpoints).toMatchObject([{ endpoint: 'liar', kind: 'lied' }]);
    expect((error as Json)['details'].key).toBe(key);
    expect(rig.origin.stats()).toMatchObject({ lies: 3, endpoints: [{ state: 'liar', lies: 3 }] });
  });

  it('is counted, and another one is asked', async () => {
    const liar = createFakeEndpoint('liar', chain, behavior);
    const right = open(chain, [createFakeEndpoint('honest', chain)]);
    const rig = open(chain, [liar, createFakeEndpoint('honest', chain)]);
    expect(await rig.until(read(rig))).toEqual(await right.until(read(right)));
    const [first, second] = rig.origin.stats().endpoints;
    expect(first?.lies).toBeGreaterThan(0);
    expect(second).toMatchObject({ lies: 0, failures: 0 });
    const asked = liar.calls.length;
    expect(await rig.until(rig.origin.header(hashOf(2)))).toEqual(encodeHeader(block(2).header));
    expect(await rig.until(rig.origin.header(hashOf(3)))).toEqual(encodeHeader(block(3).header));
    await rig.time.pass(0);
    expect(liar.calls.slice(asked).filter(({ method }) => method === 'chain_getHeader')).toEqual([]);
  });
});

describe('a liar', () => {
  it('is asked at once when nobody else is left, and believed if its proof is right', async () => {
    const liar = createFakeEndpoint('liar', chain, otherProof);
    const other = createFakeEndpoint('other', chain);
    const rig = open(chain, [liar, other]);
    await rig.until(proof(rig));
    await rig.time.pass(0);
    expect(rig.origin.stats().endpoints[0]).toMatchObject({ state: 'liar' });
    liar.become({});
    other.become({
      result: () => {
        throw new Refused(-32000, 'Out of order');
      },
    });
    const before = rig.time.now();
    expect(await rig.until(proof(rig))).not.toEqual([]);
    expect(rig.time.now()).toBe(before);
  });

  it('is found out before it is asked, if it lies when it is probed', async () => {
    const rig = open(chain, [
      createFakeEndpoint('liar', chain, otherProof),
      createFakeEndpoint('honest', chain),
    ]);
    await rig.time.pass(1000);
    expect(rig.origin.stats().endpoints).toMatchObject([
      { state: 'liar', lies: 1, problem: 'sent a proof of another state root' },
      { state: 'fit', lies: 0, states: 'all' },
    ]);
  });

  it('has its lies in the error even if others only failed', async () => {
    const liar = createFakeEndpoint(
      'liar',
      chain,
      lies('chain_getHeader', () => chain.handle('chain_getHeader', [block(4).hash])),
    );
    const other = createFakeEndpoint('other', chain, {
      result: (call, honest) => {
        if (call.method === 'chain_getHeader') throw new Refused(-32000, 'Out of order');
        return honest();
      },
    });
    const rig = open(chain, [liar, other]);
    await expect(rig.until(header(rig))).rejects.toMatchObject({
      code: 'EndpointLied',
      message: expect.stringMatching(
        /liar sent another header.*other refused chain_getHeader: Out of order|other refused.*liar sent/,
      ),
    });
  });
});

describe('an endpoint that names a genesis block that is none', () => {
  it.each([
    ['of another height', () => block(1).hash],
    ['that it does not know', () => bytesToHex(new Uint8Array(32).fill(5))],
  ])('%s', async (_name, genesis) => {
    const liar = createFakeEndpoint(
      'liar',
      chain,
      lies('chain_getBlockHash', (hash, [number]) => (number === 0 ? genesis() : hash)),
    );
    const rig = open(chain, [liar]);
    await expect(rig.until(rig.origin.facts())).rejects.toMatchObject({
      code: 'EndpointLied',
      message: expect.stringContaining('liar named a genesis block that is none'),
    });
  });
});
