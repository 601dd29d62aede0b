import type { Browser, Page } from 'playwright';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Line } from '../figure.ts';
import { middleMean, sleep, standardError } from '../measure.ts';
import { openClient, openNode, sealAll } from '../nodes.ts';
import type { DevtoolsPage } from '../page/devtools.ts';
import { signTransfers } from '../signer.ts';
import { openWorkerThread } from './threads.ts';

const blockSize = 200;
/**
 * Blocks of one turn, imported by one call, like an exported chain. The block before them is imported
 * earlier, so that an open panel has read the metadata that it needs for any block.
 */
const perTurn = 32;
/**
 * Pairs of runs per panel, closed and open, alternating which comes first: repeated until the ratio is
 * clearly on one side of the budget. One turn in a slow phase of the machine takes up to half as long again, so ten
 * pairs are not enough to say.
 */
const fewestPairs = 16;
const mostPairs = 40;
const clearErrors = 3;
const budget = 1.05;
/**
 * Until then, a newly opened panel has loaded everything it needs; the page without devtools waits as long.
 */
const settleMs = 500;

type Place = {
  readonly name: string;
  /** Links that lead there, by their text. */
  readonly way: readonly RegExp[];
};

const places: readonly Place[] = [
  { name: 'Chain', way: [/^Chain$/] },
  { name: 'Storage', way: [/^Storage$/] },
  { name: 'RPC', way: [/^RPC$/] },
  { name: 'Live, traffic log', way: [/^Live$/, /^All traffic$/] },
  { name: 'Send', way: [/^Send$/] },
  { name: 'Runtime', way: [/^Runtime$/] },
  { name: 'Node', way: [/^Node$/] },
];

type Blocks = { readonly first: string; readonly others: string };

/** Lines of `dev_exportChain` for blocks of 200 transfers each, without the header line. */
const createBlocks = async (): Promise<Blocks> => {
  const node = await openNode();
  const signed = await signTransfers(node, (1 + perTurn) * blockSize);
  for (let at = 0; at < signed.length; at += blockSize) {
    for (const text of signed.slice(at, at + blockSize)) await node.parts.pool.submit(hexToBytes(text), 2);
    await sealAll(node);
  }
  const client = openClient(node);
  const text = String(await client.request('dev_exportChain', ['json', 1]));
  client.close();
  await node.close();
  const [first = '', ...others] = text.split('\n').filter((line) => line.includes('"block"'));
  return { first, others: others.join('\n') };
};

type Turn = { readonly ms: number; readonly cpu: number };
type Told = { readonly devtoolsPage: DevtoolsPage };
type Rig = { readonly page: Page; readonly blocks: Blocks; cpuNow(): Promise<number> };

const show = async (page: Page, { way }: Place): Promise<void> => {
  await page.evaluate(() => (globalThis as unknown as Told).devtoolsPage.open());
  for (const name of way) await page.getByRole('link', { name }).first().click();
  await page.getByRole('link', { name: 'Best block' }).filter({ hasText: /#\d/ }).waitFor();
};

const hide = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as unknown as Told).devtoolsPage.close());

/** Imports the same blocks again, on the chain reset to genesis. */
const importTurn = async ({ page, blocks, cpuNow }: Rig, place: Place | null): Promise<Turn> => {
  await page.evaluate(() => (globalThis as unknown as Told).devtoolsPage.reset());
  if (place !== null) await show(page, place);
  const load = (data: string, count: number): Promise<number> =>
    page.evaluate(
      (lines) => (globalThis as unknown as Told).devtoolsPage.importBlocks(lines.data, lines.count),
      {
        data,
        count,
      },
    );
  await load(blocks.first, 1);
  await sleep(settleMs);
  const before = await cpuNow();
  const ms = await load(blocks.others, perTurn);
  const cpu = (await cpuNow()) - before;
  if (place !== null) await hide(page);
  return { ms, cpu };
};

type Pair = { readonly open: Turn; readonly closed: Turn };

const toRatio = ({ open, closed }: Pair): number => open.ms / closed.ms;

/** Compares runs that are adjacent in time, so that a slow phase of the machine affects both. */
const importPairs = async (rig: Rig, place: Place | null): Promise<Pair[]> => {
  const all: Pair[] = [];
  for (let at = 0; at < mostPairs; at++) {
    const ratios = all.map(toRatio);
    if (at >= fewestPairs && Math.abs(middleMean(ratios) - budget) > clearErrors * standardError(ratios))
      break;
    const first = await importTurn(rig, at % 2 === 0 ? null : place);
    const second = await importTurn(rig, at % 2 === 0 ? place : null);
    all.push(at % 2 === 0 ? { closed: first, open: second } : { closed: second, open: first });
  }
  return all;
};

const toLine = (name: string, line: number | null, all: readonly Pair[]): Line => {
  const ratios = all.map(toRatio);
  const cpu = middleMean(all.map(({ open, closed }) => open.cpu / closed.cpu));
  return {
    name,
    value: middleMean(ratios),
    ...(Number.isNaN(cpu) ? {} : { cpu }),
    unit: '×',
    budget: line,
    note: `± ${standardError(ratios).toFixed(2)}; ${all.length} pairs of imports of ${perTurn} blocks of ${blockSize} transfers; CPU: the worker's thread`,
  };
};

/** How much longer the same blocks take to import while the devtools are open, by panel. */
export const measureImports = async (browser: Browser, url: string): Promise<Line[]> => {
  const blocks = await createBlocks();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(`${url}devtools.html`);
  await page.waitForFunction(() => 'devtoolsPage' in globalThis);
  const rig: Rig = { page, blocks, cpuNow: await openWorkerThread(browser) };
  // Visit every panel once before measuring, because its initial loading is not caused by blocks.
  for (const place of places) await importTurn(rig, place);
  const found = [toLine('devtools: import while closed, against closed', null, await importPairs(rig, null))];
  for (const place of places) {
    const name = `devtools: import while open on ${place.name}, against closed`;
    found.push(toLine(name, budget, await importPairs(rig, place)));
  }
  await page.context().close();
  return found;
};
