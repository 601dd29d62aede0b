import { type Browser, chromium } from 'playwright';
import { launchOptions } from '../scripts/chromium.mjs';
import type { Server } from './devtools/serve.ts';
import type { Line } from './figure.ts';

/** What is measured in a headless Chromium on what a server of this process serves. */
export const measureServed = async (
  serve: () => Promise<Server>,
  measure: (browser: Browser, url: string) => Promise<Line[]>,
): Promise<Line[]> => {
  const server = await serve();
  const browser = await chromium.launch(await launchOptions());
  try {
    return await measure(browser, server.url);
  } finally {
    await browser.close();
    await server.close();
  }
};
