import type { ChildProcess } from 'node:child_process';
import { installChopsticks, startChopsticks, whyNoChopsticks } from '../chopsticks.ts';
import { callHttp, startCommand, stopCommand } from '../commands.ts';
import type { Bench, Line } from '../figure.ts';
import { openLatencyProxy } from '../latency-proxy.ts';
import { median, timed } from '../measure.ts';
import { openNode } from '../nodes.ts';
import { signTransfers } from '../signer.ts';
import { latencyMs } from './fork-command.ts';

const openings = 3;
/** Blocks, in turn on both forks. */
const rounds = 15;
/** Of ours in each round, as one of its blocks is too short to measure. */
const oursEach = 10;

type Fork = { readonly http: string; readonly child: ChildProcess };
type Program = { open(url: string): Promise<Fork>; build(fork: Fork): Promise<unknown> };

const tabnode: Program = {
  open: (url) => startCommand('fork', url, '--seal=manual'),
  build: ({ http }) => callHttp(http, 'engine_createBlock', true, true),
};
const chopsticks: Program = {
  open: startChopsticks,
  build: ({ http }) => callHttp(http, 'dev_newBlock'),
};

/** From the command to the first block. The fork goes on. */
const openOne = async ({ open, build }: Program, live: string) => {
  const proxy = await openLatencyProxy(live, latencyMs);
  const { ms, value: fork } = await timed(async () => {
    const opened = await open(proxy.url);
    await build(opened);
    return opened;
  });
  const close = async (): Promise<void> => {
    await stopCommand(fork.child);
    proxy.close();
  };
  return { fork, ms, requests: proxy.requests, first: proxy.requests(), close };
};

type Opened = Awaited<ReturnType<typeof openOne>>;

const submit = ({ http }: Fork, extrinsic: string): Promise<unknown> =>
  callHttp(http, 'author_submitExtrinsic', extrinsic);

/** Block by block, in turn. */
const measureInTurn = async (ours: Opened, theirs: Opened) => {
  // The development preset of both, so the same genesis hash and accounts.
  const signer = await openNode();
  const transfers = await signTransfers(signer, rounds * oursEach + 2 * oursEach, { senders: 1 });
  await signer.close();
  const spent = { ours: [] as number[], theirs: [] as number[] };
  const transferred = { ours: [] as number[], theirs: [] as number[] };
  let [next, nextTheirs] = [0, 0];
  const build = async (program: Program, { fork }: Opened, extrinsic?: string): Promise<number> =>
    (
      await timed(async () => {
        if (extrinsic !== undefined) await submit(fork, extrinsic);
        await program.build(fork);
      })
    ).ms;
  for (let block = 0; block < 2 * oursEach; block++) await build(tabnode, ours, transfers[next++]);
  for (let block = 0; block < 2; block++) await build(chopsticks, theirs, transfers[nextTheirs++]);
  const counted = { ours: ours.requests(), theirs: theirs.requests() };
  for (let round = 0; round < rounds; round++) {
    for (let block = 0; block < oursEach; block++) spent.ours.push(await build(tabnode, ours));
    spent.theirs.push(await build(chopsticks, theirs));
  }
  const requests = {
    ours: (ours.requests() - counted.ours) / (rounds * oursEach),
    theirs: (theirs.requests() - counted.theirs) / rounds,
  };
  for (let round = 0; round < rounds; round++) {
    for (let block = 0; block < oursEach; block++)
      transferred.ours.push(await build(tabnode, ours, transfers[next++]));
    transferred.theirs.push(await build(chopsticks, theirs, transfers[nextTheirs++]));
  }
  return { spent, transferred, requests };
};

const compare = async (): Promise<Line[]> => {
  const live = await startCommand('serve', '--dev', '--seal=manual');
  const opened: { ours: Opened[]; theirs: Opened[] } = { ours: [], theirs: [] };
  try {
    const url = `${live.ws}/?dialect=polkadot-sdk`;
    for (let run = 0; run < openings; run++) {
      await callHttp(live.http, 'engine_createBlock', true, true);
      for (const [program, all] of [[chopsticks, opened.theirs] as const, [tabnode, opened.ours] as const]) {
        await all.at(-1)?.close();
        all.push(await openOne(program, url));
      }
    }
    const [ours, theirs] = [opened.ours.at(-1) as Opened, opened.theirs.at(-1) as Opened];
    return toLines(opened, await measureInTurn(ours, theirs));
  } finally {
    for (const all of [opened.ours, opened.theirs]) await all.at(-1)?.close();
    await stopCommand(live.child);
  }
};

const toLines = (
  { ours, theirs }: { readonly ours: readonly Opened[]; readonly theirs: readonly Opened[] },
  { spent, transferred, requests }: Awaited<ReturnType<typeof measureInTurn>>,
): Line[] => {
  const line = (
    what: string,
    own: readonly number[],
    other: readonly number[],
    budget: number | null,
  ): Line => ({
    name: `fork: ${what}, to that of chopsticks`,
    value: median(own) / median(other),
    unit: '×',
    budget,
    note: `${median(own).toFixed(1)} and ${median(other).toFixed(0)} ms, ${(median(other) / median(own)).toFixed(1)} times as fast`,
  });
  const count = (what: string, own: number, other: number): Line => ({
    name: `fork: requests of ${what}`,
    value: own,
    unit: 'requests',
    budget: null,
    note: `chopsticks: ${other}`,
  });
  const ms = (all: readonly Opened[]): number[] => all.map((one) => one.ms);
  return [
    line(`command to first block, ${latencyMs} ms away`, ms(ours), ms(theirs), null),
    count('it', ours.at(-1)?.first ?? 0, theirs.at(-1)?.first ?? 0),
    line('empty block', spent.ours, spent.theirs, 1 / 20),
    count('an empty block', requests.ours, requests.theirs),
    line('submitted and built transfer', transferred.ours, transferred.theirs, 1 / 20),
  ];
};

/** Both fork the same chain, in turn in one run. */
export const forkChopsticks: Bench = {
  name: 'fork-chopsticks',
  about: 'forks of a live chain by Tabnode and by chopsticks; installed by --chopsticks',
  run: async (options) => {
    if (options.chopsticks) installChopsticks();
    const why = whyNoChopsticks();
    return why === null ? compare() : [{ name: 'fork: to chopsticks', skipped: why }];
  },
};
