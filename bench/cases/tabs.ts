import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { crash, openOwnChromium, setLife } from '../../e2e/own-chromium.ts';
import type { Bench, Line } from '../figure.ts';
import { median, sleep } from '../measure.ts';
import type { tabsBench } from '../page/tabs.ts';
import { servePage } from '../serve-page.ts';
import { measureServed } from '../served-page.ts';

const rounds = 15;
const nodes = 16;
/** Meanwhile, a follower compiles the runtime. */
const readyMs = 1500;

type Bound = { readonly bench: typeof tabsBench };

const ends: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  closes: (page) => page.close({ runBeforeUnload: false }),
  crashes: crash,
  freezes: (page) => setLife(page, 'frozen'),
};

const openTab = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: 'load' });
  await page.evaluate(() => (globalThis as unknown as Bound).bench.share());
  return page;
};

const takeOver = async (context: BrowserContext, url: string, how: string): Promise<Line> => {
  const end = ends[how] as (page: Page) => Promise<unknown>;
  const gaps: number[] = [];
  const missed: number[] = [];
  let leader = await openTab(context, url);
  for (let round = 0; round < rounds; round++) {
    const follower = await openTab(context, url);
    // Tabs behind it are hidden.
    await follower.bringToFront();
    await sleep(readyMs);
    const next = follower.evaluate(() => (globalThis as unknown as Bound).bench.nextAnswer());
    // A reply to a later request shows that the page received the earlier one.
    await follower.evaluate(() => 0);
    const from = Date.now();
    const ended = end(leader);
    const told = await next;
    gaps.push(told.answered - from);
    missed.push(told.missed - from);
    await ended;
    await leader.close();
    leader = follower;
  }
  await leader.close();
  const note = `median of ${rounds}, most ${Math.max(...gaps)}; missed after ${median(missed)} ms`;
  return {
    name: `tabs: the tab with the node ${how}, next call answered`,
    value: median(gaps),
    unit: 'ms',
    budget: 500,
    note,
  };
};

/** Proportional set size of the pages' processes, in bytes. */
const pagesSize = async (browser: Browser): Promise<number> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  let total = 0;
  for (const { type, id } of processInfo) {
    if (type !== 'renderer') continue;
    const text = await readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '');
    total += Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  }
  return total;
};

const manyNodes = async (browser: Browser, url: string): Promise<Line> => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url, { waitUntil: 'load' });
  const before = await pagesSize(browser);
  await page.evaluate((count) => (globalThis as unknown as Bound).bench.startMany(count), nodes);
  const after = await pagesSize(browser);
  await page.context().close();
  return {
    name: `tabs: ${nodes} development nodes in one page`,
    value: after - before,
    unit: 'B',
    budget: 400_000_000,
    note: `${((after - before) / 1e6).toFixed(0)} MB, each with a block`,
  };
};

/** Each in a separate process; the first of the waiting tabs keeps a worker ready. */
const waitingTabs = async (browser: Browser, url: string): Promise<Line> => {
  const context = await browser.newContext();
  await openTab(context, url);
  const sizes: number[] = [];
  for (let tab = 0; tab < 3; tab++) {
    sizes.push(await pagesSize(browser));
    if (tab === 2) break;
    await openTab(context, url);
    await sleep(readyMs);
  }
  await context.close();
  const [none = 0, first = 0, second = 0] = sizes;
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  return {
    name: 'tabs: the worker that stands by',
    value: first - none - (second - first),
    unit: 'B',
    budget: null,
    note: `the tab that has it ${mb(first - none)}, the next one ${mb(second - first)}`,
  };
};

const run = (measure: (browser: Browser, url: string) => Promise<Line[]>): Promise<Line[]> =>
  measureServed(servePage, measure);

export const tabs: readonly Bench[] = [
  {
    name: 'tabs-takeover',
    about: 'from the end of the tab with the node to the next answer; in a headless Chromium',
    run: async () => {
      const server = await servePage();
      const chromium = await openOwnChromium();
      const lines: Line[] = [];
      try {
        for (const how of Object.keys(ends)) lines.push(await takeOver(chromium.context, server.url, how));
      } finally {
        await chromium.close();
        await server.close();
      }
      return lines;
    },
  },
  {
    name: 'tabs-memory',
    about: `memory of ${nodes} nodes in one page, and of tabs that wait; in a headless Chromium`,
    run: () => run(async (browser, url) => [await manyNodes(browser, url), await waitingTabs(browser, url)]),
  },
];
