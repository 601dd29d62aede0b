import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callHttp, startCommand, stopCommand } from '../commands.ts';
import type { Line } from '../figure.ts';
import { openLatencyProxy } from '../latency-proxy.ts';
import { median } from '../measure.ts';

export const latencyMs = 80;
const runs = 5;

/** From the command to its first block. */
const firstBlock = async (requestsSoFar: () => number, ...args: readonly string[]) => {
  const from = performance.now();
  const before = requestsSoFar();
  const { http, child } = await startCommand('fork', ...args);
  try {
    await callHttp(http, 'engine_createBlock', true, true);
    return { ms: performance.now() - from, requests: requestsSoFar() - before };
  } finally {
    await stopCommand(child);
  }
};

/** What the next blocks need is requested once the block is imported, just before the command responds. */
const readAhead = 1;

/** The live chain is one block further for each opening, so that it is another base. */
const openings = [
  { name: `command to first block, ${latencyMs} ms away`, budgetMs: 2200, budgetRequests: 15 + readAhead },
  {
    name: 'the same at another block, with what the first has stored',
    budgetMs: 1500,
    budgetRequests: 5 + readAhead,
  },
] as const;

/** `tabnode fork` behind a slow network, on a second base beside the first, and again from what it stored. */
export const measureCommand = async (): Promise<Line[]> => {
  const live = await startCommand('serve', '--dev', '--seal=manual');
  const proxy = await openLatencyProxy(live.ws, latencyMs);
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-bench-fork-'));
  const spent: number[][] = [[], [], []];
  const requests: number[][] = [[], []];
  try {
    for (let run = 0; run < runs; run++) {
      const place = ['--base-path', join(folder, `${run}`)];
      for (const opening of [0, 1]) {
        await callHttp(live.http, 'engine_createBlock', true, true);
        const { number } = await callHttp<{ number: string }>(live.http, 'chain_getHeader');
        const block = `--block=${Number(number)}`;
        const opened = await firstBlock(proxy.requests, proxy.url, block, ...place);
        spent[opening]?.push(opened.ms);
        requests[opening]?.push(opened.requests);
        if (opening === 0) spent[2]?.push((await firstBlock(proxy.requests, block, ...place)).ms);
      }
    }
  } finally {
    proxy.close();
    await stopCommand(live.child);
    rmSync(folder, { recursive: true });
  }
  const note = `median of ${runs}`;
  return [
    ...openings.flatMap(({ name, budgetMs, budgetRequests }, index): Line[] => [
      { name: `fork: ${name}`, value: median(spent[index] ?? []), unit: 'ms', budget: budgetMs, note },
      {
        name: `fork: requests of it`,
        value: Math.max(...(requests[index] ?? [])),
        unit: 'requests',
        budget: budgetRequests,
        note: `most of ${runs}, with the one that reads ahead`,
      },
    ]),
    {
      name: 'fork: the first from its store, offline',
      value: median(spent[2] ?? []),
      unit: 'ms',
      budget: 1300,
      note: 'the second block',
    },
  ];
};
