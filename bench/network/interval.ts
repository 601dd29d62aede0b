import { readFile } from 'node:fs/promises';
import { writeAuthoritiesSpec } from '../../e2e/authorities.ts';
import type { NodeConfig } from '../../src/protocol/node.ts';
import type { NativeNode } from '../../test/native/native-rig.ts';
import { openSqliteDatabase } from '../../worker/db/sqlite.ts';
import type { Node } from '../../worker/node.ts';
import { median, sleep } from '../measure.ts';
import { inUse } from '../memory.ts';
import { type Allowance, findGrowth } from './growth.ts';
import { type RunningNative, serveNative, watchReports } from './native.ts';
import { inThePast, type Peer, startPeer } from './peer.ts';
import type { TabPeer, Tabs } from './tab.ts';

const blockMs = 2000;
const sampleMs = 30_000;
/** How many blocks a node may lack when a sample is taken, and how far finality may be behind. */
const mostBehind = 5;

/**
 * So many blocks are sealed one after another before the first sample. They fill the caches of trie nodes and what remembers blocks,
 * at most 1,024. Two things fill up later: the pool remembers 16,384 extrinsics, and a node the 1,024 last announcements of each
 * peer, 0.2 kB each.
 */
const fillBlocks = 1200;
const cacheBytes = 2_000_000;
/** The others may lack so many blocks meanwhile. */
const mostAhead = 64;

/** Of three nodes. */
const memory: Allowance = { factor: 1, amount: 1.5 };
const tabMemory: Allowance = { factor: 1, amount: 0.8 };
/** Other programs on the machine take time. */
const lag: Allowance = { factor: 1.5, amount: 20 };

type Parts = {
  /** Null if there is none beside the repository. */
  readonly native: NativeNode | null;
  readonly tabs: Tabs;
  readonly folder: string;
};

type Watched = 'voter' | 'follower' | 'tab';

/** Milliseconds from the moment a block is sealed until the others have it. */
const watchLags = (sealer: Node, others: Readonly<Record<'voter' | 'follower', Node>>) => {
  const sealedAt = new Map<number, number>();
  const lags: Record<Watched, number[]> = { voter: [], follower: [], tab: [] };
  const seen = (name: Watched, number: number, atMs: number): void => {
    const from = sealedAt.get(number);
    if (from !== undefined) lags[name].push(atMs - from);
  };
  sealer.parts.chain.onEvent(({ kind, number }) => {
    if (kind !== 'imported') return;
    sealedAt.set(number, Date.now());
    sealedAt.delete(number - 100);
  });
  for (const name of ['voter', 'follower'] as const)
    others[name].parts.chain.onEvent(({ kind, number }) => {
      if (kind === 'imported') seen(name, number, Date.now());
    });
  return { seen, take: (name: Watched): number => median(lags[name].splice(0)) };
};

type Network = {
  readonly sealer: Peer;
  readonly voter: Peer;
  readonly follower: Peer;
  readonly tab: TabPeer;
  readonly native: RunningNative | null;
};

/** Those that lack blocks, or whose finality is behind, as sentences. */
const findBehind = async ({ sealer, voter, follower, tab, native }: Network): Promise<string[]> => {
  const best = sealer.node.parts.chain.best().number;
  const tabState = await tab.state();
  const heights: [name: string, best: number, final: number][] = [
    ...[['voter', voter] as const, ['follower', follower] as const].map(
      ([name, { node }]): [string, number, number] => [
        name,
        node.parts.chain.best().number,
        node.parts.chain.finalized().number,
      ],
    ),
    ['tab', tabState.best, tabState.finalized],
  ];
  if (native !== null) {
    const { number } = await native.call<{ number: string }>('chain_getHeader');
    const final = await native.call<string>('chain_getFinalizedHead');
    const header = await native.call<{ number: string }>('chain_getHeader', final);
    heights.push(['native node', Number(number), Number(header.number)]);
  }
  return heights.flatMap(([name, at, final]) =>
    at >= best - mostBehind && final >= best - 2 * mostBehind
      ? []
      : [`The ${name} is at block ${at}, final ${final}, of ${best}`],
  );
};

const columns = ['nodes MB', 'tab MB', 'voter ms', 'follower ms', 'tab ms'] as const;
const allowances: Readonly<Record<(typeof columns)[number], Allowance>> = {
  'nodes MB': memory,
  'tab MB': tabMemory,
  'voter ms': lag,
  'follower ms': lag,
  'tab ms': lag,
};

const untilAllFollow = async (network: Network): Promise<void> => {
  while ((await findBehind(network)).length > 0) await sleep(1000);
};

/** Seals as fast as the others follow, and resolves when all have the blocks and their finality. */
const fill = async (network: Network): Promise<void> => {
  const { author, chain } = network.sealer.node.parts;
  while (chain.best().number < fillBlocks) {
    const sealed = await author.seal({ createEmpty: true, finalize: false });
    if (!sealed.ok) throw new Error(sealed.message);
    if (sealed.number % mostAhead > 0) continue;
    const awaited = Math.max(1, sealed.number - mostAhead);
    while ((await network.tab.hashAt(awaited)) === null) await sleep(20);
  }
  await untilAllFollow(network);
};

const follow = async (network: Network, minutes: number): Promise<string[]> => {
  const { sealer, voter, follower, tab, native } = network;
  const lags = watchLags(sealer.node, { voter: voter.node, follower: follower.node });
  const reports = native === null ? null : watchReports(native);
  const samples: number[][] = columns.map(() => []);
  sealer.node.parts.sealing.setMode({ kind: 'interval', ms: blockMs });
  const endMs = Date.now() + minutes * 60_000;
  while (Date.now() < endMs) {
    await sleep(sampleMs);
    for (const { number, atMs } of await tab.takeHeads()) lags.seen('tab', number, atMs);
    const tabBytes = (await tab.state()).memory ?? Number.NaN;
    const values = [
      inUse() / 1e6,
      tabBytes / 1e6,
      lags.take('voter'),
      lags.take('follower'),
      lags.take('tab'),
    ];
    for (const [index, value] of values.entries()) samples[index]?.push(value);
    const figures = columns.map((name, index) => `${name} ${values[index]?.toFixed(1)}`).join(', ');
    const charges = reports?.check() ?? [];
    console.log(
      `Interval: block ${sealer.node.parts.chain.best().number}, ${figures}, lowest reputation ${reports?.lowest() ?? 0}`,
    );
    const faults = [...charges, ...(await findBehind(network))];
    if (faults.length > 0) return faults;
  }
  return columns.flatMap((name, index) => findGrowth(name, samples[index] ?? [], allowances[name]) ?? []);
};

/**
 * For so many minutes, a headless node seals a block every two seconds, another votes with it, and a third, a tab and a
 * native node follow. Returns what went wrong, as sentences.
 */
export const soakInterval = async (
  { native: program, tabs, folder }: Parts,
  minutes: number,
): Promise<string[]> => {
  const spec = await writeAuthoritiesSpec(['Alice', 'Bob'], folder);
  const chain = { specJson: await readFile(spec, 'utf8') };
  const open: (() => Promise<void>)[] = [];
  const kept = { cacheBytes, statePruning: 64 };
  /** In a file. */
  const start = async (
    name: string,
    keys: readonly string[],
    bootNodes: readonly string[] = [],
    more: Partial<NodeConfig> = {},
  ): Promise<Peer> => {
    const db = await openSqliteDatabase(`${folder}/${name}.sqlite`);
    const peer = await startPeer(chain, { db, keys, network: { bootNodes }, ...kept, ...more });
    open.push(peer.close);
    return peer;
  };
  try {
    const voter = await start('voter', ['//Bob']);
    const sealer = await start('sealer', ['//Alice'], voter.addresses, {
      clock: inThePast,
    });
    const follower = await start('follower', [], voter.addresses);
    const boot = [...sealer.addresses, ...voter.addresses];
    const tab = await tabs.join(chain.specJson, boot, { keys: [], seal: 'manual', ...kept });
    await fill({ sealer, voter, follower, tab, native: null });
    // Not before: announcements in quick succession make it ask for the same blocks again, for which others refuse it.
    const native = program === null ? null : await serveNative(program, spec, '--bootnodes', boot[0] ?? '');
    if (native !== null) open.push(native.stop);
    const network = { sealer, voter, follower, tab, native };
    await untilAllFollow(network);
    return await follow(network, minutes);
  } finally {
    for (const close of open.reverse()) await close();
  }
};
