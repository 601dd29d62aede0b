import { afterEach, expect, test, vi } from 'vitest';
import { methodResults } from '../../src/protocol/rpc/results/results.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockRef } from '../../worker/chain/tree.ts';
import { createSet } from '../../worker/consensus/grandpa/authorities.ts';
import { encodeMessage, prevote, votePayload } from '../../worker/consensus/grandpa/voter/messages.ts';
import { type Carrier, noCarrier } from '../../worker/consensus/grandpa/voter/polite.ts';
import { startVoting } from '../../worker/consensus/grandpa/voting.ts';
import { final } from '../consensus/finality-events.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const keyOf = (name: string) => dev.node.parts.crypto.suriToPair(name, 'ed25519');
const read = async () => {
  const answer = await dev.call('dev_grandpa');
  expect(methodResults.dev_grandpa.schema.safeParse(answer).error).toBeUndefined();
  return answer;
};

test('the authority of a development chain, and the round that finalized a block', async () => {
  dev = await startDevNode({ changes: { finality: { kind: 'grandpa' } } });
  const set = {
    setId: '0',
    totalWeight: '1',
    thresholdWeight: '1',
    authorities: [{ id: bytesToHex(keyOf('//Alice').publicKey), weight: '1', isOwn: true }],
    changes: [],
    doubleVotes: [],
  };
  expect(await read()).toEqual({ ...set, justified: null });
  await dev.call('engine_createBlock', true, false);
  await final(dev, 1);
  const { hash, number } = dev.best();
  expect(await read()).toEqual({ ...set, justified: { hash, number, round: '1' } });
});

test('of two authorities both are needed, and one is ours', async () => {
  dev = await startDevNode({ chain: 'local_testnet', changes: { finality: { kind: 'manual' } } });
  expect(await read()).toMatchObject({
    totalWeight: '2',
    thresholdWeight: '2',
    authorities: [{ isOwn: true }, { isOwn: false }],
    justified: null,
  });
});

test('pending changes, with the height at which they take effect', async () => {
  dev = await startDevNode();
  const { grandpa, chain } = dev.node.parts;
  const authorities = [{ publicKey: keyOf('//Bob').publicKey, weight: 2n }];
  const { hash } = chain.best();
  const change = { hash, number: 7, delay: 3, authorities };
  const loadSet = vi.spyOn(grandpa, 'loadSet').mockResolvedValue({
    ...createSet(4n, authorities),
    scheduled: [{ ...change, medianFinalized: null }],
    forced: [{ ...change, delay: 0, medianFinalized: 5 }],
  });
  const shown = { hash, number: 7, authorities: [{ id: bytesToHex(keyOf('//Bob').publicKey), weight: '2' }] };
  expect(await read()).toMatchObject({
    setId: '4',
    changes: [
      { ...shown, effectiveNumber: 10, isForced: false },
      { ...shown, effectiveNumber: 7, isForced: true },
    ],
  });
  loadSet.mockResolvedValue(null);
  expect(await read()).toBeNull();
});

test('a voter that votes twice in a phase is shown', async () => {
  dev = await startDevNode({ chain: 'local_testnet', changes: { finality: { kind: 'manual' } } });
  const { parts } = dev.node;
  const genesis = dev.best();
  await dev.call('engine_createBlock', true, false);
  const bob = keyOf('//Bob');
  const listeners: Parameters<Carrier['onMessage']>[0][] = [];
  const nothing = (): void => undefined;
  const heard = Promise.withResolvers<void>();
  const voting = startVoting({
    ...parts,
    db: dev.db,
    now: () => performance.now(),
    schedule: () => nothing,
    settled: async () => undefined,
    submit: async () => ({ ok: true }),
    onError: heard.reject,
    gossip: {
      ...noCarrier,
      peers: () => ['bob'],
      send: () => heard.resolve(),
      onMessage: (listener) => {
        listeners.push(listener);
        return nothing;
      },
    },
  });
  const vote = ({ hash, number }: BlockRef): Uint8Array => {
    const cast = { kind: prevote, target: { hash, number } } as const;
    const signature = parts.crypto.ed25519Sign(bob.secret, votePayload(cast, 1n, 0n));
    const signed = { ...cast, signature, voter: bob.publicKey };
    return encodeMessage({ type: 'vote', round: 1n, setId: 0n, vote: signed });
  };
  await heard.promise;
  for (const target of [genesis, dev.best()]) for (const hear of listeners) hear('bob', vote(target));
  vi.spyOn(parts.voting, 'doubleVotes').mockImplementation(voting.doubleVotes);
  await vi.waitFor(async () =>
    expect(await read()).toMatchObject({
      doubleVotes: [{ round: '1', phase: 'prevote', voter: bytesToHex(bob.publicKey) }],
    }),
  );
  await voting.close();
});
