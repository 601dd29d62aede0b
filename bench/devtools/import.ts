import type { Browser, Page } from 'playwright';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Line } from '../figure.ts';
import { median, sleep } from '../measure.ts';
import { openClient, openNode, sealAll } from '../nodes.ts';
import type { DevtoolsPage } from '../page/devtools.ts';
import { signTransfers } from '../signer.ts';
import { openWorkerThread } from './threads.ts';

const blockSize = 200;
/** Blocks of one turn; what the page asks because of one falls into the import of the next, so the first do not count. */
const perTurn = 8;
const uncounted = 2;
/** Turns of each place, open and closed in alternation. */
const turns = 7;
/** A panel that has just opened has asked all it needs by then. */
const settleMs = 700;

type Place = {
  readonly name: string;
  /** Links that lead there, by what they say. */
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

/** Lines of `dev_exportChain`, each a block of 200 transfers. */
const createBlocks = async (count: number): Promise<string[]> => {
  const node = await openNode();
  const signed = await signTransfers(node, count * blockSize);
  for (let at = 0; at < signed.length; at += blockSize) {
    for (const text of signed.slice(at, at + blockSize)) await node.parts.pool.submit(hexToBytes(text), 2);
    await sealAll(node);
  }
  const client = openClient(node);
  const text = String(await client.request('dev_exportChain', ['json', 1]));
  client.close();
  await node.close();
  return text.split('\n').filter((line) => line.includes('"block"'));
};

type Turn = { readonly blocks: readonly number[]; readonly cpu: number };
type Told = { readonly devtoolsPage: DevtoolsPage };

/** The same blocks again, on the chain as it was at its genesis; `between` comes before the clock starts. */
const importTurn = async (
  page: Page,
  lines: readonly string[],
  cpuNow: () => Promise<number>,
  between: () => Promise<void> = async () => undefined,
): Promise<Turn> => {
  await page.evaluate(() => (globalThis as unknown as Told).devtoolsPage.reset());
  await between();
  const before = await cpuNow();
  const blocks = await page.evaluate(
    (all) => (globalThis as unknown as Told).devtoolsPage.importBlocks(all),
    lines,
  );
  return { blocks: blocks.slice(uncounted), cpu: (await cpuNow()) - before };
};

const show = async (page: Page, { way }: Place): Promise<void> => {
  await page.evaluate(() => (globalThis as unknown as Told).devtoolsPage.open());
  for (const name of way) await page.getByRole('link', { name }).first().click();
  await page.getByTestId('best').filter({ hasText: /#\d/ }).waitFor();
  await sleep(settleMs);
};

const hide = (page: Page): Promise<void> =>
  page.evaluate(() => (globalThis as unknown as Told).devtoolsPage.close());

const toLine = ({ name }: Place, open: readonly Turn[], closed: readonly Turn[]): Line => {
  const clock = (all: readonly Turn[]): number => median(all.flatMap(({ blocks }) => blocks));
  const work = (all: readonly Turn[]): number => median(all.map(({ cpu }) => cpu));
  const cpu = work(open) / work(closed);
  return {
    name: `devtools: import while open on ${name}, against closed`,
    value: clock(open) / clock(closed),
    ...(Number.isNaN(cpu) ? {} : { cpu }),
    unit: '×',
    budget: 1.1,
    note: `median of ${turns * (perTurn - uncounted)} blocks of ${blockSize} transfers each; CPU: the worker's thread, median of ${turns} turns`,
  };
};

/** How much longer the same blocks take to import while the devtools are open, by panel. */
export const measureImports = async (browser: Browser, url: string): Promise<Line[]> => {
  const lines = await createBlocks(perTurn);
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  await page.goto(`${url}devtools.html`);
  await page.waitForFunction(() => 'devtoolsPage' in globalThis);
  const cpuNow = await openWorkerThread(browser);
  // Every panel's first visit is over before anything counts: what it reads once is no block's.
  for (const place of places) {
    await importTurn(page, lines, cpuNow, () => show(page, place));
    await hide(page);
  }
  const found: Line[] = [];
  for (const place of places) {
    const open: Turn[] = [];
    const closed: Turn[] = [];
    for (let turn = 0; turn < turns; turn++) {
      closed.push(await importTurn(page, lines, cpuNow));
      open.push(await importTurn(page, lines, cpuNow, () => show(page, place)));
      await hide(page);
    }
    found.push(toLine(place, open, closed));
  }
  await page.context().close();
  return found;
};
