import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations beside it for the module
import { idleFeatures, launchOptions } from '../scripts/chromium.mjs';

/**
 * A browser in which tabs behind others are hidden, as for a user. Those that Playwright opens all count as
 * visible, and visible tabs are never frozen.
 */
export type OwnChromium = {
  readonly context: BrowserContext;
  readonly browser: Browser;
  close(): Promise<void>;
};

export const openOwnChromium = async (): Promise<OwnChromium> => {
  const { executablePath = chromium.executablePath(), args } = await launchOptions();
  const folder = await mkdtemp(join(tmpdir(), 'tabnode-chromium-'));
  const flags = [
    '--headless',
    '--no-first-run',
    '--remote-debugging-port=0',
    '--window-size=1280,900',
    `--user-data-dir=${folder}`,
    // Tabs of one origin may share a process, and then crash together.
    `--disable-features=${['ProcessPerSiteUpToMainFrameThreshold', ...idleFeatures].join(',')}`,
  ];
  const child = spawn(executablePath, [...args, ...flags, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /DevTools listening on (\S+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then(() => reject(new Error('Chromium ended')));
  });
  const browser = await chromium.connectOverCDP(address, { noDefaults: true });
  const [context = await browser.newContext()] = browser.contexts();
  return {
    context,
    browser,
    close: async () => {
      await browser.close();
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
};

/** As the browser itself freezes a tab, which must be hidden, and wakes it up. */
export const setLife = async (page: Page, state: 'frozen' | 'active'): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state });
  await session.detach();
};

/** Ends a tab as when its process crashes. */
export const crash = async (page: Page): Promise<void> => {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
};
