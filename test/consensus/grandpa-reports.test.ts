import { afterEach, expect, test } from 'vitest';
import type { BlockRef } from '../../worker/chain/tree.ts';
import {
  encodeMessage,
  prevote,
  type VoteKind,
  votePayload,
} from '../../worker/consensus/grandpa/voter/messages.ts';
import { encodeLinkMessage, type LinkMessage } from '../../worker/link/wire.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
let port: MessagePort;
afterEach(async () => {
  port.close();
  await dev.stop();
});

const send = (message: LinkMessage): void => port.postMessage(encodeLinkMessage(message));

/** Alice's node, linked to a peer that has Bob's key. */
const start = async (): Promise<void> => {
  const changes = { finality: { kind: 'grandpa' }, keys: ['//Alice'] } as const;
  dev = await startDevNode({ chain: 'local_testnet', changes });
  const { port1, port2 } = new MessageChannel();
  port = port2 as unknown as MessagePort;
  await dev.node.parts.links.open(port1 as unknown as MessagePort);
  const { genesisHash: genesis } = dev.node.parts.chain;
  const block = { hash: genesis, number: 0 };
  send({ type: 'status', genesis, best: block, finalized: block });
};

const voteAs = (suri: string, kind: VoteKind, round: bigint, target: BlockRef): void => {
  const { crypto } = dev.node.parts;
  const { publicKey, secret } = crypto.suriToPair(suri, 'ed25519');
  const signature = crypto.ed25519Sign(secret, votePayload({ kind, target }, round, 0n));
  const vote = { kind, target, signature, voter: publicKey };
  send({ type: 'grandpa', bytes: encodeMessage({ type: 'vote', round, setId: 0n, vote }) });
};

const waiting = (): number => dev.node.parts.pool.readyCount() + dev.node.parts.pool.futureCount();

test('a double vote of another is reported through the runtime, and a block takes the report', async () => {
  await start();
  await dev.call('dev_newBlock', { count: 2 });
  const { voting, chain, crypto } = dev.node.parts;
  await expect.poll(() => voting.rounds()?.best.round).toBe(1n);
  const first = { hash: (await chain.loadHashAt(1)) ?? chain.genesisHash, number: 1 };
  for (const target of [first, dev.best()]) voteAs('//Bob', prevote, 1n, target);
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
  for (const target of [first, dev.best()]) voteAs('//Alice', prevote, 1n, target);
  await expect.poll(() => voting.doubleVotes().length, { timeout: 10_000 }).toBe(1);
  await dev.call('dev_newBlock');
  expect(waiting()).toBe(0);
  expect(await dev.call('state_getKeysPaged', dev.itemKey('Offences', 'Reports'), 10)).toEqual([]);
});
