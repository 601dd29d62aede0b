import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { originOf } from '../../test/fork/chain-origin.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { openLiveView } from '../../worker/fork/live-view.ts';
import { replayBlock } from '../../worker/fork/replay.ts';
import { createNode, type Node } from '../../worker/node.ts';
import type { Bench, Line } from '../figure.ts';
import { openLatencyProxy } from '../latency-proxy.ts';
import { median, timed } from '../measure.ts';
import { openNode, seal, sealAll } from '../nodes.ts';
import { signTransfers } from '../signer.ts';

const latencyMs = 80;
const runs = 5;
const command = fileURLToPath(new URL('../../bridge/tabnode.ts', import.meta.url));
const anyPorts = ['--json', '--ws-port=0', '--rpc-port=0'];

type Ready = { readonly ws: string; readonly http: string };

const start = async (...args: readonly string[]): Promise<Ready & { readonly child: ChildProcess }> => {
  const child = spawn(process.execPath, [command, ...args, ...anyPorts], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ...(JSON.parse(line) as Ready), child };
};

const stop = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM');
  await once(child, 'exit');
};

const call = async <T>(http: string, method: string, ...params: unknown[]): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(http, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
};

/** From the command to its first block. */
const firstBlock = async (...args: readonly string[]): Promise<number> => {
  const from = performance.now();
  const { http, child } = await start('fork', ...args);
  await call(http, 'engine_createBlock', true, true);
  const ms = performance.now() - from;
  await stop(child);
  return ms;
};

/** `tabnode fork` behind a slow network, and again from what it stored. */
const measureCommand = async (): Promise<Line[]> => {
  const live = await start('serve', '--dev', '--seal=manual');
  await call(live.http, 'engine_createBlock', true, true);
  const proxy = await openLatencyProxy(live.ws, latencyMs);
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-bench-fork-'));
  const fresh: number[] = [];
  const again: number[] = [];
  let requests = 0;
  for (let run = 0; run < runs; run++) {
    const place = ['--base-path', join(folder, `${run}`)];
    const before = proxy.requests();
    fresh.push(await firstBlock(proxy.url, ...place));
    requests = proxy.requests() - before;
    again.push(await firstBlock(...place));
  }
  proxy.close();
  await stop(live.child);
  rmSync(folder, { recursive: true });
  return [
    {
      name: `fork: command to first block, ${latencyMs} ms away`,
      value: median(fresh),
      unit: 'ms',
      budget: 2200,
      note: `median of ${runs}, ${requests} requests in all`,
    },
    {
      name: 'fork: the same from its store, offline',
      value: median(again),
      unit: 'ms',
      budget: 1300,
      note: 'the second block',
    },
  ];
};

const blocks = 200;
const warmUp = 20;

/** The median time of an empty block. */
const emptyBlock = async (node: Node): Promise<number> => {
  const spent: number[] = [];
  for (let round = 0; round < warmUp + blocks; round++) {
    const { ms } = await timed(() => seal(node));
    if (round >= warmUp) spent.push(ms);
  }
  return median(spent);
};

const openFork = (live: Node): Promise<Node> =>
  createNode(
    { ...createTestPlatform(), openOrigin: () => originOf(live) },
    testConfig({ fork: { endpoints: ['ws://live'], block: 'best' } }),
  );

const measureBlocks = async (): Promise<Line[]> => {
  const live = await openNode();
  await seal(live);
  const fork = await openFork(live);
  const local = await openNode();
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const own = await emptyBlock(local);
    ratios.push((await emptyBlock(fork)) / own);
  }
  for (const node of [fork, local, live]) await node.close();
  return [
    {
      name: 'fork: empty block, to that of a local chain',
      value: median(ratios),
      unit: '×',
      budget: 1.3,
      note: `median of ${runs}, each of ${blocks} blocks`,
    },
  ];
};

const transfers = 200;

/** Blocks of transfers, executed by an import and by a replay on nodes that are known already. */
const measureReplay = async (): Promise<Line[]> => {
  const live = await openNode();
  for (const extrinsic of await signTransfers(live, transfers))
    await live.parts.pool.submit(Uint8Array.from(Buffer.from(extrinsic.slice(2), 'hex')), 1);
  const made = await sealAll(live);
  const crypto = await loadCrypto();
  const throwing = (error: unknown): void => {
    throw error;
  };
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const importer = await openNode();
    let imported = 0;
    for (const { hash } of made.blocks) {
      const block = await live.parts.chain.loadBlock(hash);
      if (block === null) throw new Error('no block');
      imported += (await timed(() => importer.parts.chain.import(block))).ms;
    }
    await importer.close();
    const view = await openLiveView({
      crypto,
      executor: createExecutor({ crypto }),
      origin: originOf(live),
      onError: throwing,
    });
    const replay = (hash: BlockHash) =>
      replayBlock(view, hash, { withChanges: false, nowMs: () => performance.now() });
    for (const { hash } of made.blocks) await replay(hash);
    let replayed = 0;
    for (const { hash } of made.blocks) replayed += (await timed(() => replay(hash))).ms;
    ratios.push(replayed / imported);
  }
  await live.close();
  return [
    {
      name: 'fork: replay of a full block, to its import',
      value: median(ratios),
      unit: '×',
      budget: 1.5,
      note: `${made.blocks.length} blocks with ${transfers} transfers, without the network`,
    },
  ];
};

export const fork: Bench = {
  name: 'fork',
  about: 'forks of a live chain: first block, empty blocks, replay',
  run: async () => [...(await measureCommand()), ...(await measureBlocks()), ...(await measureReplay())],
};
