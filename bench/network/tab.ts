import { type Browser, chromium, type Page } from 'playwright';
import { launchOptions } from '../../scripts/chromium.mjs';
import type { peerBench } from '../page/peer.ts';
import { servePage } from '../serve-page.ts';

type PeerBench = typeof peerBench;
type Bound = { readonly bench: PeerBench };

/** Otherwise the browser tells its memory when it collects garbage by itself, which may take long. */
const measuresAtOnce = '--enable-blink-features=ForceEagerMeasureMemory';

/** A node in a tab of a headless Chromium. */
export type TabPeer = {
  readonly id: string;
  state(): ReturnType<PeerBench['peerState']>;
  takeHeads(): Promise<ReturnType<PeerBench['takeHeads']>>;
  hashAt(number: number): ReturnType<PeerBench['hashAt']>;
};

/** Chromium with the page of the benchmarks. */
export const openTabs = async () => {
  const server = await servePage({ isIsolated: true, folder: 'bench-soak' });
  const options = await launchOptions();
  const browser: Browser = await chromium.launch({ ...options, args: [...options.args, measuresAtOnce] });
  const open = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(server.url, { waitUntil: 'load' });
    return page;
  };
  return {
    join: async (...given: Parameters<PeerBench['joinNetwork']>): Promise<TabPeer> => {
      const page = await open();
      const id = await page.evaluate(
        (all) => (globalThis as unknown as Bound).bench.joinNetwork(...all),
        given,
      );
      return {
        id,
        state: () => page.evaluate(() => (globalThis as unknown as Bound).bench.peerState()),
        takeHeads: () => page.evaluate(() => (globalThis as unknown as Bound).bench.takeHeads()),
        hashAt: (number) => page.evaluate((at) => (globalThis as unknown as Bound).bench.hashAt(at), number),
      };
    },
    close: async (): Promise<void> => {
      await browser.close();
      await server.close();
    },
  };
};

export type Tabs = Awaited<ReturnType<typeof openTabs>>;
