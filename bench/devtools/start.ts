import type { Browser } from 'playwright';
import type { Line } from '../figure.ts';
import { median } from '../measure.ts';
import { openMainThread } from './threads.ts';

const starts = 7;

type Start = { readonly paint: number; readonly ready: number; readonly busy: number };
type Told = { readonly benchReady?: number };

/**
 * Runs in the page before anything else: notes when the status bar first says a best block and the block list has its first
 * row, at the end of the frame that shows them.
 */
const watchInPage = (): void => {
  const isReady = (): boolean =>
    /#\d/.test(document.querySelector('[data-testid="best"]')?.textContent ?? '') &&
    document.querySelector('main li[data-number] a') !== null;
  const observer = new MutationObserver(() => {
    if (!isReady()) return;
    observer.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => Object.assign(globalThis, { benchReady: performance.now() })),
    );
  });
  observer.observe(document, { childList: true, subtree: true, characterData: true });
};

const startOnce = async (browser: Browser, url: string): Promise<Start> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const thread = await openMainThread(page);
  await page.addInitScript(watchInPage);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'benchReady' in globalThis);
  const { all: busy } = await thread.read();
  const { paint, ready } = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    ready: (globalThis as Told).benchReady ?? Number.NaN,
  }));
  // That it was so is tried: the first row opens its block.
  const row = page.locator('main li[data-number] a').first();
  await row.click();
  await page.waitForURL(/chain\/\d+$/);
  await context.close();
  return { paint, ready, busy };
};

/** A fresh context each time, from a server that has been asked before. */
export const measureStart = async (browser: Browser, url: string): Promise<Line[]> => {
  await startOnce(browser, url);
  const all: Start[] = [];
  for (let round = 0; round < starts; round++) all.push(await startOnce(browser, url));
  const note = `fresh context, warm local server, median of ${starts}`;
  const least = (of: keyof Start): string => Math.min(...all.map((one) => one[of])).toFixed(0);
  return [
    {
      name: 'devtools: first contentful paint',
      value: median(all.map(({ paint }) => paint)),
      unit: 'ms',
      budget: 300,
      note: `${note}, least ${least('paint')}`,
    },
    {
      name: 'devtools: interactive',
      value: median(all.map(({ ready }) => ready)),
      cpu: median(all.map(({ busy }) => busy)),
      unit: 'ms',
      budget: 500,
      note: `best block and block list on screen, rows answer; ${note}, least ${least('ready')}`,
    },
  ];
};
