import { expect, it } from 'vitest';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import type { Block } from '../../worker/codec/block.ts';
import { createNode } from '../../worker/node.ts';
import { lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { originOf } from './chain-origin.ts';
import { liveChain, openForkOf } from './fork-rig.ts';
import { rpcOrigin } from './rpc-origin.ts';

const baseNumber = 4;

const live = liveChain(baseNumber);

it('refuses a block of a branch that finality has abandoned, and leaves the database empty', async () => {
  const node = await createNode(
    createTestPlatform(),
    testConfig('development', { keys: ['//Alice'], finality: { kind: 'manual' } }),
  );
  await sealOn(node);
  const parent = node.parts.chain.best().hash;
  const left = await node.parts.author.seal({ createEmpty: true, finalize: false });
  const right = await node.parts.author.seal({ createEmpty: true, finalize: false, parent });
  if (!left.ok || !right.ok) throw new Error('not sealed');
  const block = (await node.parts.chain.loadBlock(right.hash)) as Block;
  // Until one of them is final, each may become part of the chain.
  const early = await openForkOf(node, { block: right.hash });
  expect(early.node.parts.chain.base.hash).toBe(right.hash);
  await early.node.close();
  await node.parts.chain.finalize(left.hash);
  // As of a node that keeps the blocks of abandoned branches.
  const inner = originOf(node);
  const origin: Origin = {
    ...inner,
    block: async () => ({ hash: hexToBytes(right.hash), block }),
  };
  const db = lastingDatabase();
  await expect(openForkOf(node, { db, origin, block: right.hash })).rejects.toMatchObject({
    code: 'UnknownBlock',
    message: `Block ${right.hash} is on an abandoned fork: the chain's block #2 is ${left.hash}`,
  });
  expect(await db.range('headers')).toEqual([]);
  expect(await db.range('meta')).toEqual([]);
  await node.close();
});

it('refuses an endpoint that has only the new JSON-RPC, and leaves the database empty', async () => {
  const db = lastingDatabase();
  const origin = await rpcOrigin(live().node, {
    methods: ['chainHead_v1_follow', 'archive_v1_header'],
  });
  await expect(openForkOf(live().node, { db, origin })).rejects.toMatchObject({
    code: 'EndpointUnfit',
    message: expect.stringContaining('other does not offer state_getReadProof'),
  });
  expect(await db.range('headers')).toEqual([]);
  expect(await db.range('meta')).toEqual([]);
});

it('an endpoint that becomes one of another chain is named, and the fork goes on with what it has', async () => {
  const other = await startDevNode({ chain: 'local_testnet' });
  let now = live().node;
  const origin = await rpcOrigin(() => now, { isConfirmed: true });
  const { node, ask } = await openForkOf(live().node, { origin });
  await sealOn(node);
  const before = node.parts.chain.best().hash;
  now = other.node;
  const { error } = await ask('state_getStorage', live().accountKey(live().pair('//Eve').publicKey));
  expect(error?.data).toBe('EndpointLied');
  for (const part of ['other changed its chain', other.node.parts.chain.genesisHash])
    expect(error?.message).toContain(part);
  expect(node.parts.chain.best().hash).toBe(before);
  await sealOn(node);
  await node.close();
  await other.stop();
});
