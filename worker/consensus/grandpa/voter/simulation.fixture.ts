import { createRandom } from '../../../../test/rigs/random.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { type Evil, tamper } from './evil.fixture.ts';
import type { Gossip } from './gossip.ts';
import type { BlockLink } from './lineage.ts';
import { decodeMessage } from './messages.ts';
import { createPeer, type Peer, type World } from './peer.fixture.ts';

export type Setting = {
  readonly voters: number;
  /** How the last voters misbehave. */
  readonly evil: readonly Evil[];
  readonly altered?: World['altered'];
};

export type Outcome = {
  /** Conflicting final blocks, and second votes of honest voters. */
  readonly violations: readonly string[];
  /** Whether all honest voters finalized a block that was best when the network healed. */
  readonly hasProgress: boolean;
  readonly finalized: number;
  readonly rounds: number;
  readonly crashes: number;
};

const gossipMs = 50;
const chaosMs = 5_000;
/** The longest time that the healed network gets. */
const calmMs = 40_000;
const blockMs = 300;

/** Events in virtual time. Those of one moment run in the order in which they were added. */
const createClock = () => {
  type Timed = { readonly at: number; readonly order: number; run: (() => void) | null };
  let now = 0;
  let order = 0;
  const queue: Timed[] = [];
  const isEarlier = (a: Timed, b: Timed): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
  const add = (ms: number, run: () => void): (() => void) => {
    const one: Timed = { at: now + ms, order: order++, run };
    let index = queue.length;
    while (index > 0 && isEarlier(one, queue[index - 1] as Timed)) index--;
    queue.splice(index, 0, one);
    return () => {
      one.run = null;
    };
  };
  return {
    now: () => now,
    add,
    /** Runs the next event and everything that follows without a wait. */
    step: async (): Promise<void> => {
      const next = queue.shift();
      if (next === undefined) return;
      now = next.at;
      if (next.run === null) return;
      next.run();
      await new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
};

const hashOf = (seed: number, id: number) => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, id);
  bytes[31] = seed & 0xff;
  return bytesToBlockHash(bytes);
};

/** Messages between peers: late, lost or cut off while there is chaos. */
const createNetwork = (random: () => number, clock: ReturnType<typeof createClock>, voters: number) => {
  const listeners = new Map<number, (peer: string, bytes: Uint8Array) => void>();
  const groups = new Array<number>(voters).fill(0);
  let loss = 0.15;
  const deliver = (from: number, to: number, bytes: Uint8Array): void => {
    if (groups[from] !== groups[to] || random() < loss) return;
    clock.add(5 + random() * 80, () => listeners.get(to)?.(`${from}`, bytes));
  };
  const toOthers = (index: number, bytes: Uint8Array, from?: string): void => {
    for (let to = 0; to < voters; to++) if (to !== index && `${to}` !== from) deliver(index, to, bytes);
  };
  return {
    deliver,
    toOthers,
    divide: (): void => {
      for (let index = 0; index < voters; index++) groups[index] = random() < 0.35 ? 1 : 0;
    },
    heal: (): void => {
      groups.fill(0);
      loss = 0;
    },
    link: (index: number): Gossip => ({
      broadcast: (bytes, from) => toOthers(index, bytes, from),
      send: (peer, bytes) => deliver(index, Number(peer), bytes),
      rate: () => undefined,
      onMessage: (listener) => {
        listeners.set(index, listener);
        return () => void listeners.delete(index);
      },
      onPeer: () => () => undefined,
      onLeave: () => () => undefined,
    }),
  };
};

/** Watches what honest voters sign and finalize. */
const createWatch = () => {
  const violations: string[] = [];
  const cast = new Map<string, string>();
  const final = new Map<number, string>();
  return {
    violations,
    onSent: (index: number, publicKey: string, bytes: Uint8Array): void => {
      const message = decodeMessage(bytes);
      if (message?.type !== 'vote' || `${message.vote.voter}` !== publicKey) return;
      const name = `voter ${index}, round ${message.round}, kind ${message.vote.kind}`;
      const { hash } = message.vote.target;
      if ((cast.get(name) ?? hash) !== hash) violations.push(`double vote of ${name}`);
      cast.set(name, hash);
    },
    /** `path`: the block and those below it, down to what the peer had final. */
    onFinal: (path: readonly BlockRef[]): void => {
      for (const { hash, number } of path) {
        if ((final.get(number) ?? hash) !== hash) violations.push(`two final blocks at height ${number}`);
        final.set(number, hash);
      }
    },
    rounds: () => cast.size,
  };
};

/** Runs one world until its voters agree again after chaos, or too much time has passed. */
export const simulate = async (
  module: WebAssembly.Module,
  seed: number,
  setting: Setting,
): Promise<Outcome> => {
  const random = createRandom(seed);
  const clock = createClock();
  const { voters, evil, altered } = setting;
  const honest = voters - evil.length;
  const network = createNetwork(random, clock, voters);
  const watch = createWatch();
  const genesis: BlockLink = { hash: hashOf(seed, 0), number: 0, parent: hashOf(seed, 0xffff_ffff) };
  const blocks: BlockLink[] = [genesis];
  let crashes = 0;
  let isCalm = false;
  const linkOf = (index: number): Gossip => {
    const link = network.link(index);
    const kind = evil[index - honest];
    if (kind !== undefined)
      return tamper(kind, link, { random, blocks, voters, index, deliver: network.deliver });
    const key = `${new Uint8Array(32).fill(index + 1)}`;
    const broadcast: Gossip['broadcast'] = (bytes, from) => {
      watch.onSent(index, key, bytes);
      link.broadcast(bytes, from);
    };
    return { ...link, broadcast };
  };
  const world: World = {
    module,
    genesis,
    voters,
    gossipMs,
    altered,
    now: clock.now,
    schedule: clock.add,
    disk: () => new Promise((resolve) => void clock.add(random() * 10, () => resolve())),
    link: linkOf,
    onFinal: (index, block) => {
      if (index >= honest) return;
      const path: BlockRef[] = [];
      let link = peers[index]?.chain.lineage.get(block.hash) ?? null;
      for (; link !== null; link = peers[index]?.chain.lineage.get(link.parent) ?? null) path.push(link);
      watch.onFinal(path);
    },
    onError: (index, error) => {
      if (index < honest) watch.violations.push(`voter ${index} has ended: ${String(error)}`);
    },
  };
  const peers: Peer[] = Array.from({ length: voters }, (_, index) => createPeer(world, index));
  const all = peers.slice(0, honest);
  runChain({ clock, random, seed, peers, blocks, isCalm: () => isCalm });
  for (const peer of peers) clock.add(random() * 50, peer.start);
  runChaos({ clock, random, network, peers: all, onCrash: () => crashes++ });
  while (clock.now() < chaosMs) await clock.step();
  isCalm = true;
  network.heal();
  for (const peer of all) if (!peer.isUp()) peer.start();
  const goal = Math.max(...blocks.map(({ number }) => number));
  const isDone = (): boolean => all.every(({ chain }) => chain.finalized().number >= goal);
  while (clock.now() < chaosMs + calmMs && !isDone() && watch.violations.length === 0) await clock.step();
  const hasProgress = isDone();
  for (const peer of peers) peer.crash();
  const finalized = Math.max(...all.map(({ chain }) => chain.finalized().number));
  return { violations: watch.violations, hasProgress, finalized, rounds: watch.rounds(), crashes };
};

type Chaining = {
  readonly clock: ReturnType<typeof createClock>;
  readonly random: () => number;
  readonly seed: number;
  readonly peers: readonly Peer[];
  readonly blocks: BlockLink[];
  readonly isCalm: () => boolean;
};

/** Blocks with forks reach each peer late, parents always before children. */
const runChain = ({ clock, random, seed, peers, blocks, isCalm }: Chaining): void => {
  const offer = (peer: Peer, block: BlockLink): void => {
    if (peer.import(block) || peer.chain.lineage.get(block.hash) !== null) return;
    clock.add(40, () => offer(peer, block));
  };
  const grow = (): void => {
    const author = peers[Math.floor(random() * peers.length)] as Peer;
    const recent = author.chain.recent();
    const isFork = !isCalm() && random() < 0.4;
    const parent = (isFork ? recent[Math.floor(random() * recent.length)] : author.chain.best()) as BlockLink;
    const block = { hash: hashOf(seed, blocks.length), number: parent.number + 1, parent: parent.hash };
    blocks.push(block);
    for (const peer of peers) clock.add(random() * 150, () => offer(peer, block));
    clock.add(blockMs, grow);
  };
  clock.add(blockMs, grow);
};

type Chaos = {
  readonly clock: ReturnType<typeof createClock>;
  readonly random: () => number;
  readonly network: ReturnType<typeof createNetwork>;
  readonly peers: readonly Peer[];
  readonly onCrash: () => void;
};

/** Cuts the network and stops voters now and then. */
const runChaos = ({ clock, random, network, peers, onCrash }: Chaos): void => {
  const disturb = (): void => {
    if (clock.now() >= chaosMs) return;
    if (random() < 0.3) network.divide();
    const peer = peers[Math.floor(random() * peers.length)] as Peer;
    if (random() < 0.5 && peer.isUp()) {
      onCrash();
      peer.crash();
      clock.add(random() * 800, () => {
        if (!peer.isUp()) peer.start();
      });
    }
    clock.add(100 + random() * 400, disturb);
  };
  clock.add(300, disturb);
};
