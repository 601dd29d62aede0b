import { blockHashToBytes, bytesToBlockHash } from '../../worker/codec/identity.ts';
import { loadProofCrypto, verifyJustification } from '../../worker/consensus/grandpa/verify.ts';
import { connectSiblings, type Gossip } from '../../worker/consensus/grandpa/voter/gossip.ts';
import { type BlockLink, createLineage } from '../../worker/consensus/grandpa/voter/lineage.ts';
import { loadMachineModule } from '../../worker/consensus/grandpa/voter/machine.ts';
import { createPeer } from '../../worker/consensus/grandpa/voter/peer.fixture.ts';
import { noCarrier } from '../../worker/consensus/grandpa/voter/polite.ts';
import { chooseTarget } from '../../worker/consensus/grandpa/voter/targets.ts';
import { createVoters, encodeVotes, signPrecommit } from '../../worker/consensus/grandpa/votes.fixture.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Node } from '../../worker/node.ts';
import type { Bench, Line } from '../figure.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal } from '../nodes.ts';

/** The delay of decision 15, which the voters keep (decision 47). */
const lagMs = 1500;
const blockMs = 2000;

const chainOf = (count: number): BlockLink[] => {
  const hashOf = (number: number) => {
    const bytes = new Uint8Array(32);
    new DataView(bytes.buffer).setUint32(0, number + 1);
    return bytesToBlockHash(bytes);
  };
  return Array.from({ length: count }, (_, number) => ({
    hash: hashOf(number),
    number,
    parent: hashOf(number - 1),
  }));
};

const nextFinal = ({ parts }: Node): Promise<void> =>
  new Promise((resolve) => {
    const off = parts.chain.onEvent(({ kind }) => {
      if (kind !== 'finalized') return;
      off();
      resolve();
    });
  });

/** Seals a block and waits until it is final, a few times. */
const finalizeBlocks = async (kind: 'grandpa' | 'delayed') => {
  const finality = kind === 'grandpa' ? { kind } : { kind, ms: lagMs };
  const node = await openNode('development', { config: { finality, seal: { kind: 'instant' } } });
  const spent = [];
  for (let i = 0; i < 6; i++) {
    await seal(node);
    spent.push(await timed(() => nextFinal(node)));
  }
  await node.close();
  // The first one loads the voter.
  const rest = spent.slice(1);
  return { ms: median(rest.map(({ ms }) => ms)), cpuMs: median(rest.map(({ cpuMs }) => cpuMs)) };
};

const oneVoter = async (): Promise<Line[]> => {
  const votes = await finalizeBlocks('grandpa');
  const clock = await finalizeBlocks('delayed');
  const share = (votes.cpuMs - clock.cpuMs) / blockMs;
  return [
    {
      name: 'one voter: a block is final, beyond delay and gossip durations',
      value: votes.ms - lagMs,
      unit: 'ms',
      budget: 50,
      note: `${votes.ms.toFixed(0)} ms after it is best, by the clock ${clock.ms.toFixed(0)}`,
    },
    {
      name: 'one voter: its share of a processor with a block every 2 s',
      value: share,
      unit: '×',
      budget: 0.05,
      note: `${votes.cpuMs.toFixed(1)} ms between best and final, by the clock ${clock.cpuMs.toFixed(1)}`,
    },
  ];
};

/** The voters of the tests, with short signatures, in real time. */
const fourVoters = async (): Promise<Line[]> => {
  const gossipMs = 50;
  const module = await loadMachineModule();
  const [genesis, ...blocks] = chainOf(6) as [BlockLink, ...BlockLink[]];
  const outside: Gossip = { ...noCarrier, broadcast: () => undefined };
  const links = connectSiblings(outside, 4);
  const finals = new Map<number, number>();
  const listeners = new Set<() => void>();
  const world = {
    module,
    genesis,
    voters: 4,
    gossipMs,
    now: () => performance.now(),
    schedule: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    disk: async () => undefined,
    link: (index: number) => links[index] ?? outside,
    onFinal: (_index: number, { number }: { readonly number: number }) => {
      finals.set(number, (finals.get(number) ?? 0) + 1);
      for (const listener of listeners) listener();
    },
    onError: (_index: number, error: unknown) => {
      throw error;
    },
  };
  const peers = [0, 1, 2, 3].map((index) => createPeer(world, index));
  for (const peer of peers) peer.start();
  const spent: number[] = [];
  for (const block of blocks) {
    const done = new Promise<void>((resolve) => {
      listeners.add(() => {
        if (finals.get(block.number) === 4) resolve();
      });
    });
    for (const peer of peers) peer.import(block);
    spent.push((await timed(() => done)).ms);
    listeners.clear();
  }
  for (const peer of peers) peer.crash();
  const value = median(spent) / (4 * gossipMs);
  return [
    {
      name: 'four voters: a block is final on all, in rounds',
      value,
      unit: '×',
      budget: 2,
      note: `median of ${spent.length}; gossip duration ${gossipMs} ms, a round is four`,
    },
  ];
};

const largeJustification = async (): Promise<Line[]> => {
  const crypto = await loadCrypto();
  const voters = createVoters(crypto, 200);
  const [, target] = chainOf(2) as [BlockLink, BlockLink];
  const at = { round: 1n, setId: 0n };
  const proof = encodeVotes(
    1n,
    target,
    voters.map((voter) => signPrecommit(crypto, voter, target, at)),
  );
  const block = { hash: blockHashToBytes(target.hash), number: target.number };
  const spent: number[] = [];
  const fast = await loadProofCrypto(crypto, proof);
  for (let i = 0; i < 30; i++) {
    const { ms, value } = await timed(() =>
      verifyJustification(fast, proof, block, { setId: 0n, authorities: voters }),
    );
    if (value !== null) throw new Error(value.message);
    spent.push(ms);
  }
  return [{ name: 'justification of 200 precommits verified', value: median(spent), unit: 'ms', budget: 15 }];
};

const longChain = async (): Promise<Line[]> => {
  const lineage = createLineage();
  const blocks = chainOf(10_000);
  for (const block of blocks) lineage.add(block);
  const best = blocks.at(-1) as BlockLink;
  const view = { lineage, best: () => best, leaves: () => [best], changeHeight: () => null, isRuled: true };
  const spent: number[] = [];
  for (let i = 0; i < 50; i++)
    spent.push((await timed(() => chooseTarget(view, (blocks[0] as BlockLink).hash))).ms);
  return [
    { name: 'vote target found over 10,000 unfinalized blocks', value: median(spent), unit: 'ms', budget: 1 },
  ];
};

export const grandpa: Bench = {
  name: 'grandpa',
  about: 'votes: time to finality, their cost, justifications and targets',
  run: async () => [
    ...(await oneVoter()),
    ...(await fourVoters()),
    ...(await largeJustification()),
    ...(await longChain()),
  ],
};
