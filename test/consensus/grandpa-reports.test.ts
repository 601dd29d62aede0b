import { afterEach, expect, test } from 'vitest';
import type { BlockRef } from '../../worker/chain/tree.ts';
import {
  encodeMessage,
  prevote,
  type VoteKind,
  votePayload,
} from '../../worker/consensus/grandpa/voter/messages.ts';
import { type MadeUpPeer, meet } from '../network/made-up-peer.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
let peer: MadeUpPeer;
afterEach(async () => {
  peer.leave();
  await dev.stop();
});

/** Alice's node, linked to a peer that has Bob's key. */
const start = async (): Promise<void> => {
  const changes = { finality: { kind: 'grandpa' }, keys: ['//Alice'] } as const;
  dev = await startDevNode({ chain: 'local_testnet', changes });
  peer = await meet(dev.node);
};

const voteAs = (suri: string, kind: VoteKind, round: bigint, target: BlockRef): Promise<void> => {
  const { crypto } = dev.node.parts;
  const { publicKey, secret } = crypto.suriToPair(suri, 'ed25519');
  const signature = crypto.ed25519Sign(secret, votePayload({ kind, target }, round, 0n));
  const vote = { kind, target, signature, voter: publicKey };
  return peer.vote(encodeMessage({ type: 'vote', round, setId: 0n, vote }));
};

const waiting = (): number => dev.node.parts.pool.readyCount() + dev.node.parts.pool.futureCount();

test('a double vote of another is reported through the runtime, and a block takes the report', async () => {
  await start();
  await dev.call('dev_newBlock', { count: 2 });
  const { voting, chain, crypto } = dev.node.parts;
  await expect.poll(() => voting.rounds()?.best.round).toBe(1n);
  const first = { hash: (await chain.loadHashAt(1)) ?? chain.genesisHash, number: 1 };
  for (const target of [first, dev.best()]) await voteAs('//Bob', prevote, 1n, target);
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  const bob = crypto.suriToPair('//Bob', 'ed25519').publicKey;
  expect(voting.doubleVotes()).toMatchObject([{ phase: 'prevote', voter: bob }]);

  await dev.call('dev_newBlock');
  expect(waiting()).toBe(0);
  // Offences.Reports: the runtime accepted the evidence.
  const prefix = dev.itemKey('Offences', 'Reports');
  expect(await dev.call('state_getKeysPaged', prefix, 10)).toHaveLength(1);
});

test('a node does not report itself', async () => {
  await start();
  await dev.call('dev_newBlock', { count: 2 });
  const { voting, chain } = dev.node.parts;
  await expect.poll(() => voting.rounds()?.best.round).toBe(1n);
  const first = { hash: (await chain.loadHashAt(1)) ?? chain.genesisHash, number: 1 };
  for (const target of [first, dev.best()]) await voteAs('//Alice', prevote, 1n, target);
  await expect.poll(() => voting.doubleVotes().length, { timeout: 10_000 }).toBe(1);
  await dev.call('dev_newBlock');
  expect(waiting()).toBe(0);
  expect(await dev.call('state_getKeysPaged', dev.itemKey('Offences', 'Reports'), 10)).toEqual([]);
});
