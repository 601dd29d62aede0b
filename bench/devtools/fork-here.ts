import type { Browser } from 'playwright';
import { callHttp, startCommand, stopCommand } from '../commands.ts';
import type { Line } from '../figure.ts';
import { openLatencyProxy } from '../latency-proxy.ts';
import { median } from '../measure.ts';

const latencyMs = 80;
const runs = 5;
const blocks = 3;

/** From the click on a block's page, which shows a node, to the frame that shows a block of the fork in this page. */
const forkHere = async (browser: Browser, page: string, rpc: string): Promise<number> => {
  const context = await browser.newContext();
  try {
    const tab = await context.newPage();
    await tab.goto(`${page}?rpc=${encodeURIComponent(rpc)}#/chain/${blocks - 1}`);
    const button = tab.getByRole('button', { name: 'Fork here' });
    await button.waitFor();
    const from = performance.now();
    await button.click();
    await tab.getByRole('heading', { level: 1, name: `at #${blocks - 1}` }).waitFor();
    await tab
      .getByLabel(`Best block #${blocks - 1}`)
      .first()
      .waitFor();
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    return performance.now() - from;
  } finally {
    await context.close();
  }
};

/** *Fork here* while the devtools show a node that is far away. */
export const measureForkHere = async (browser: Browser, url: string): Promise<Line[]> => {
  const live = await startCommand('serve', '--dev', '--seal=manual');
  const proxy = await openLatencyProxy(`${live.ws}/?dialect=polkadot-sdk`, latencyMs);
  try {
    for (let block = 0; block < blocks; block++) await callHttp(live.http, 'engine_createBlock', true, true);
    const spent: number[] = [];
    for (let run = 0; run < runs; run++) spent.push(await forkHere(browser, url, proxy.url));
    return [
      {
        name: `devtools: “Fork here” to the first block on the screen, ${latencyMs} ms away`,
        value: median(spent),
        unit: 'ms',
        budget: 3000,
        note: `fresh context, median of ${runs}, most ${Math.max(...spent).toFixed(0)}`,
      },
    ];
  } finally {
    proxy.close();
    await stopCommand(live.child);
  }
};
