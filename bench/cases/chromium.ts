import { chromium as browserType, type Page } from 'playwright';
import { launchOptions } from '../../scripts/chromium.mjs';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import type { Node } from '../../worker/node.ts';
import type { Bench, Line } from '../figure.ts';
import { median } from '../measure.ts';
import { openNode, sealAll } from '../nodes.ts';
import type { PageBench } from '../page/page.ts';
import { readLines } from '../reads.ts';
import { servePage } from '../serve-page.ts';
import { signTransfers } from '../signer.ts';
import { portCalls, tripLine } from '../trips.ts';
import { loadBlocks } from './transfers.ts';

const measured = 2000;
const starts = 5;
const emptyRounds = 60;
const importSize = 200;
const importBlocks = 16;

type Bound = { readonly bench: PageBench };

const measurePage = async (page: Page, signed: readonly string[]): Promise<Line[]> => {
  const slice = (at: number): string[] => signed.slice(at * measured, (at + 1) * measured);
  const empty = await page.evaluate(
    (rounds) => (globalThis as unknown as Bound).bench.emptyBlock(rounds),
    emptyRounds,
  );
  const transfer = (texts: string[]) =>
    page.evaluate((all) => (globalThis as unknown as Bound).bench.submitAndInclude(all), texts);
  await transfer(slice(0));
  const { submit, include, blocks } = await transfer(slice(1));
  const waits = await page.evaluate(
    (all) => (globalThis as unknown as Bound).bench.healthDuring(all),
    slice(2),
  );
  const trips: Line[] = [];
  for (const call of portCalls) {
    const measuredTrips = await page.evaluate(
      ([method, params]) => (globalThis as unknown as Bound).bench.roundTrips(method, params),
      call,
    );
    trips.push(tripLine('Chromium: ', call[0], measuredTrips));
  }
  const ms = 'ms' as const;
  return [
    {
      name: 'Chromium: empty block, default runtime',
      value: median(empty.slice(10)),
      unit: ms,
      budget: 4,
      note: 'in the page: engine_createBlock and chain_newHead',
    },
    {
      name: 'Chromium: signed transfer, submit + include',
      value: (submit + include) / measured,
      unit: ms,
      budget: 0.8,
      note: `from the page, ${blocks} block(s)`,
    },
    { name: '  of it: submit', value: submit / measured, unit: ms, budget: null },
    { name: '  of it: include', value: include / measured, unit: ms, budget: null },
    {
      name: 'Chromium: system_health during a big block',
      value: Math.max(...waits),
      unit: ms,
      budget: 50,
      note: `slowest of ${waits.length}, median ${median(waits).toFixed(1)} ms`,
    },
    ...trips,
  ];
};

const importLines = async (page: Page, blocks: readonly SignedBlockJson[]): Promise<Line[]> => {
  const all = await page.evaluate(
    (list) => (globalThis as unknown as Bound).bench.importBlocks(list),
    blocks,
  );
  const full = all.filter((_, index) => (blocks[index]?.block.extrinsics.length ?? 0) > importSize);
  return [
    {
      name: `Chromium: import of a ${importSize}-transfer block, per transfer`,
      value: median(full.slice(full.length / 2)) / importSize,
      unit: 'ms',
      budget: 0.4,
      note: `median of ${Math.ceil(full.length / 2)} blocks, all checks`,
    },
    ...readLines('Chromium: ', await page.evaluate(() => (globalThis as unknown as Bound).bench.readState())),
  ];
};

/** Builds blocks of 200 transfers with a node in this process. */
const buildBlocks = async (node: Node, signed: readonly string[]): Promise<SignedBlockJson[]> => {
  for (let at = 0; at < importBlocks * importSize; at += importSize) {
    for (const text of signed.slice(at, at + importSize)) await node.parts.pool.submit(hexToBytes(text), 2);
    await sealAll(node);
  }
  return (await loadBlocks(node)).map((block) => signedBlockToJson({ ...block, justifications: null }));
};

export const chromium: Bench = {
  name: 'chromium',
  about: 'the same in a headless Chromium, seen from the page',
  run: async () => {
    const signer = await openNode();
    const signed = await signTransfers(signer, 3 * measured);
    const blocks = await buildBlocks(signer, signed);
    await signer.close();
    const server = await servePage();
    const browser = await browserType.launch(await launchOptions());
    try {
      const colds: number[] = [];
      let page: Page | null = null;
      for (let round = 0; round < starts; round++) {
        await page?.context().close();
        page = await (await browser.newContext()).newPage();
        await page.goto(server.url, { waitUntil: 'load' });
        colds.push(await page.evaluate(() => (globalThis as unknown as Bound).bench.coldStart()));
      }
      if (page === null) throw new Error('no page');
      const cold: Line = {
        name: 'Chromium: cold start to first answer',
        value: median(colds),
        unit: 'ms',
        budget: 400,
        note: `fresh context, built page, median of ${starts}`,
      };
      return [cold, ...(await measurePage(page, signed)), ...(await importLines(page, blocks))];
    } finally {
      await browser.close();
      await server.close();
    }
  },
};
