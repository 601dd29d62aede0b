import { describe, expect, it } from 'vitest';
import { lies, proofLies } from '../../test/origin/lies.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { createFakeEndpoint, openOrigins } from './fake-endpoint.fixture.ts';
import { createLiveChain, mapKey, mapPrefix } from './live-chain.fixture.ts';

const chain = await createLiveChain();
const { block, hashOf } = chain;

const open = openOrigins();

type Rig = ReturnType<typeof open>;
const keys = [mapKey(3), mapKey(17), mapKey(200)];

const proof = ({ origin }: Rig) =>
  origin.nodes(hashOf(9), [{ child: null, keys }], [block(9).header.stateRoot]);

describe('made-up data that does no harm', () => {
  it('drops nodes that are not on the way to the keys', async () => {
    const garbage = ['0x00112233', bytesToHex(new Uint8Array(5000))];
    const liar = createFakeEndpoint(
      'liar',
      chain,
      proofLies((nodes) => [...garbage, ...nodes, ...nodes]),
    );
    const rig = open(chain, [liar]);
    const right = open(chain, [createFakeEndpoint('honest', chain)]);
    expect(await rig.until(proof(rig))).toEqual(await right.until(proof(right)));
  });

  it('ends endless pages at the requested number', async () => {
    let last = 0;
    const endless = lies('state_getKeysPaged', (_, [prefix, size]) =>
      Array.from({ length: size }, () => `${prefix}${(last++).toString(16).padStart(8, '0')}`),
    );
    const rig = open(chain, [createFakeEndpoint('liar', chain, endless)]);
    expect((await rig.until(rig.origin.keysPaged(hashOf(9), mapPrefix, 3500, null))).length).toBe(3500);
  });
});

/** A development node whose state of this block is another one, and that says so. */
const editedNode = (number: number) =>
  createFakeEndpoint('node', chain, {
    result: (call, honest) => {
      if (call.method === 'dev_status') return { edited: [block(number).hash] };
      if (call.method === 'rpc_methods') return { methods: ['state_getReadProof', 'dev_status'] };
      return call.method === 'state_getReadProof'
        ? chain.handle('state_getReadProof', [call.params[0], block(4).hash])
        : honest();
    },
  });

describe('an edited state', () => {
  it('is no lie of a development node that says so', async () => {
    const node = editedNode(9);
    const rig = open(chain, [node]);
    await expect(rig.until(proof(rig))).rejects.toMatchObject({
      code: 'EndpointUnfit',
      message: expect.stringMatching(/node has edited the state of this block, .*: take the next one/),
    });
    expect(rig.origin.stats()).toMatchObject({ lies: 0, endpoints: [{ state: 'fit' }] });
  });

  it('is none either when a node is probed', async () => {
    const node = editedNode(10);
    const rig = open(chain, [node, createFakeEndpoint('honest', chain)]);
    await rig.time.pass(1000);
    expect(node.count('dev_status')).toBe(1);
    expect(rig.origin.stats()).toMatchObject({ lies: 0, endpoints: [{ state: 'fit' }, { state: 'fit' }] });
  });
});
