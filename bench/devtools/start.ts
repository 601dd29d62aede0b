import type { Browser, BrowserContext, Page } from 'playwright';
import type { Line } from '../figure.ts';
import { median, sleep } from '../measure.ts';
import { openMainThread } from './threads.ts';

const starts = 7;
/**
 * A new Chromium window draws its address bar in a separate process, which keeps a core busy for a second.
 */
const windowMs = 1500;
/** As in Lighthouse: a page is interactive once there was no 50 ms task for this long. */
const quietMs = 5000;

type Start = {
  readonly paint: number;
  readonly interactive: number;
  readonly blocks: number;
  readonly busy: number;
};
type Told = {
  /** Tells this process that the blocks are shown. */
  readonly benchTell?: (text: string) => void;
  readonly benchRail?: number;
  readonly benchBlocks?: number;
  /** When the last 50 ms task ended. */
  readonly benchBusy?: number;
};

/**
 * Runs in the page before anything else: records when the links exist, and when the status bar shows a best
 * block and there is a first row, each at the end of the frame that shows it, with the event loop idle again.
 */
const watchInPage = (): void => {
  const note = (name: string, then = (): void => undefined): void => {
    requestAnimationFrame(() =>
      setTimeout(() => {
        Object.assign(globalThis, { [name]: performance.now() });
        then();
      }),
    );
  };
  const isReady = (): boolean =>
    document.querySelector('[aria-label^="Best block #"]') !== null &&
    document.querySelector('main [data-number] a') !== null;
  let hasRail = false;
  const observer = new MutationObserver(() => {
    if (!hasRail && document.querySelector('nav a') !== null) {
      hasRail = true;
      note('benchRail');
    }
    if (!isReady()) return;
    observer.disconnect();
    note('benchBlocks', () => (globalThis as Told).benchTell?.(''));
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      Object.assign(globalThis, { benchBusy: startTime + duration });
  }).observe({ type: 'longtask', buffered: true });
};

const waitForQuiet = (page: Page): Promise<unknown> =>
  page.waitForFunction((ms) => performance.now() - ((globalThis as Told).benchBusy ?? 0) > ms, quietMs, {
    polling: 500,
  });

const visit = async (context: BrowserContext, url: string): Promise<Start> => {
  const page = await context.newPage();
  await sleep(windowMs);
  const thread = await openMainThread(page);
  await page.addInitScript(watchInPage);
  // Playwright's own functions, which wait in the page, are 30 ms of script there.
  await thread.session.send('Runtime.enable');
  await thread.session.send('Runtime.addBinding', { name: 'benchTell' });
  const shown = new Promise((resolve) => thread.session.once('Runtime.bindingCalled', resolve));
  await page.goto(url, { waitUntil: 'commit' });
  await shown;
  const { all: busy } = await thread.read();
  await waitForQuiet(page);
  const { paint, rail, blocks, lastBusy } = await page.evaluate(() => {
    const { benchRail = Number.NaN, benchBlocks = Number.NaN, benchBusy = 0 } = globalThis as Told;
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
    return { paint, rail: benchRail, blocks: benchBlocks, lastBusy: benchBusy };
  });
  // Verifies the result: the first row opens its block.
  const row = page.locator('main [data-number] a').first();
  await row.click();
  await page.waitForURL(/chain\/\d+$/);
  await page.close();
  return { paint, interactive: Math.max(paint, rail, lastBusy), blocks, busy };
};

type Visits = { readonly first: Start; readonly second: Start };

const visitTwice = async (browser: Browser, url: string): Promise<Visits> => {
  const context = await browser.newContext();
  try {
    return { first: await visit(context, url), second: await visit(context, url) };
  } finally {
    await context.close();
  }
};

/** A fresh context each time, from a server that has already been used; then again, with the chain stored. */
export const measureStart = async (browser: Browser, url: string): Promise<Line[]> => {
  await visitTwice(browser, url);
  const all: Visits[] = [];
  for (let round = 0; round < starts; round++) all.push(await visitTwice(browser, url));
  const note = `fresh context, warm local server, median of ${starts}`;
  type Asked = { name: string; of: keyof Start; budget: number; what?: string; on?: keyof Visits };
  const lineOf = ({ name, of, budget, what = '', on = 'first' }: Asked): Line => {
    const values = all.map((one) => one[on][of]);
    return {
      name: `devtools: ${name}`,
      value: median(values),
      unit: 'ms',
      budget,
      note: `${what}${note}, least ${Math.min(...values).toFixed(0)}`,
    };
  };
  const onScreen = 'best block and block list, rows answer; ';
  return [
    lineOf({ name: 'first contentful paint', of: 'paint', budget: 200 }),
    lineOf({
      name: 'interactive',
      of: 'interactive',
      budget: 350,
      what: 'painted, its links answer, no task of 50 ms for 5 s after it; ',
    }),
    {
      ...lineOf({ name: 'blocks on screen', of: 'blocks', budget: 600, what: onScreen }),
      cpu: median(all.map(({ first }) => first.busy)),
    },
    {
      ...lineOf({
        name: 'blocks on screen, second visit',
        of: 'blocks',
        on: 'second',
        budget: 300,
        what: onScreen,
      }),
      cpu: median(all.map(({ second }) => second.busy)),
    },
  ];
};
