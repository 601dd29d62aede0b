import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { rates } from '../../worker/consensus/grandpa/voter/gossip.ts';
import { reputationChanges } from '../../worker/network/reputation-changes.ts';
import { loadBlocks } from '../consensus/grandpa-rig.ts';
import { startDevNode } from '../rigs/dev-node.ts';
import { type MadeUpPeer, meet } from './made-up-peer.ts';
import { type Misbehavior, networkMisbehavior, type Victim, voteMisbehavior } from './misbehavior.ts';
import { createSkippingClock } from './skipping-clock.ts';

/** By what the reputation of each peer was changed, in order. */
const changes = vi.hoisted(() => new Map<string, number[]>());

vi.mock('../../worker/network/peers/reputation.ts', async (load) => {
  const real = await load<typeof import('../../worker/network/peers/reputation.ts')>();
  return {
    ...real,
    createReputations: (...given: Parameters<typeof real.createReputations>) => {
      const { rate, punish, ...rest } = real.createReputations(...given);
      const noting = (change: typeof rate) => (id: string, by: number) => {
        changes.set(id, [...(changes.get(id) ?? []), by]);
        change(id, by);
      };
      return { ...rest, rate: noting(rate), punish: noting(punish) };
    },
  };
});

let victim: Victim;
/** A peer that behaves well. */
let witness: MadeUpPeer;
let seed = 1;
let served = 0;

const peerIds = (): string[] => victim.dev.node.parts.network.peers().map(({ id }) => id);

beforeAll(async () => {
  const chain = 'local_testnet';
  const old = { keys: ['//Alice', '//Bob'], clock: { startMs: Date.UTC(2029, 0, 1) } };
  const other = await startDevNode({ chain, changes: { ...old, finality: { kind: 'manual' } } });
  await other.call('dev_newBlock');
  const [block] = await loadBlocks(other.node, 1);
  await other.stop();
  const clock = createSkippingClock();
  const { schedule } = clock;
  const dev = await startDevNode({ chain, changes: { finality: { kind: 'grandpa' } }, schedule });
  const transfer = await dev.transfer('//Alice', dev.pair('//Charlie').publicKey, 10n ** 15n, 0);
  if (block === undefined) throw new Error('There is no block');
  victim = { dev, clock, block, transfer };
  witness = await meet(dev.node);
  await witness.ready;
});

/** Of this test, so that one that fails disturbs no other. */
const met: MadeUpPeer[] = [];
const enter = async (options: Parameters<typeof meet>[1]): Promise<MadeUpPeer> => {
  const peer = await meet(victim.dev.node, options);
  met.push(peer);
  return peer;
};

afterEach(async () => {
  for (const peer of met.splice(0)) peer.leave();
  await expect.poll(peerIds).toEqual([witness.id]);
  // Each request differs from those before.
  expect(await witness.request({ from: 0, max: ++served })).toHaveLength(Math.min(served, 1 + best()));
});

const best = (): number => victim.dev.best().number;

afterAll(async () => {
  witness.leave();
  // Throws if the node reported an error.
  await victim.dev.stop();
  vi.restoreAllMocks();
});

/** The node has charged the peer for what it does, and nothing else. */
const run = async <Entry extends string>(
  table: Readonly<Record<Entry, number>>,
  { sdk, outcome, act, ...row }: Misbehavior<Entry>,
): Promise<void> => {
  const options = { seed: ++seed, ...row.peer?.(victim) };
  const peer = await enter(options);
  if (outcome !== 'is banned') await peer.ready;
  await act?.(peer, victim);
  const seen = () => (changes.get(peer.id) ?? []).slice(0, sdk.length);
  await expect.poll(seen).toEqual(sdk);
  for (const [index, entry] of row.entries.entries())
    expect(Math.abs(sdk[index] ?? 0) % Math.abs(table[entry])).toBe(0);
  if (outcome === undefined) {
    // The response comes after whatever else the node does about it.
    await peer.request({ from: 0, max: 100 });
    expect([peerIds().includes(peer.id), changes.get(peer.id)]).toEqual([true, sdk]);
    return;
  }
  await peer.connection.closed;
  await expect.poll(peerIds).toEqual([witness.id]);
  const again = await enter({ seed: options.seed });
  if (outcome === 'is banned') await again.connection.closed;
  else await again.ready;
};

describe('a peer that', () => {
  for (const row of networkMisbehavior)
    test(`${row.does} ${row.outcome ?? 'stays'}: ${row.sdk.join(', ')}`, () => run(reputationChanges, row));
  for (const row of voteMisbehavior)
    test(`${row.does} ${row.outcome ?? 'stays'}: ${row.sdk.join(', ')}`, () => run(rates, row));
});

/** Reached by tests of one part: two authority sets would be needed here. */
const elsewhere = ['honestOutOfScope'];

test('each reputation change is reached by what a peer does', () => {
  const reached = (rows: readonly Misbehavior<string>[]) => new Set(rows.flatMap(({ entries }) => entries));
  expect(reached(networkMisbehavior)).toEqual(new Set(Object.keys(reputationChanges)));
  expect(reached(voteMisbehavior)).toEqual(
    new Set(Object.keys(rates).filter((name) => !elsewhere.includes(name))),
  );
});
