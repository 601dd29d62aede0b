import type { BrowserContext, Locator, Page } from '@playwright/test';

/**
 * Keeps track of every worker that a page starts, so that a test can end one without notice, as a crash
 * would.
 */
export const trackWorkers = async (context: BrowserContext | Page): Promise<void> => {
  await context.addInitScript(() => {
    const workers: Worker[] = [];
    Object.assign(window, { testWorkers: workers });
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        workers.push(this);
      }
    };
  });
};

/** Terminates the newest worker of the page. */
export const killWorker = (page: Page): Promise<void> =>
  page.evaluate(() => (window as unknown as { testWorkers: Worker[] }).testWorkers.at(-1)?.terminate());

/** Collects errors and violations of the content security policy, of which a page should have none. */
export const collectFaults = (page: Page): string[] => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return faults;
};

/** The value next to a name in a list of facts. */
export const fact = (of: Page | Locator, name: string): Locator =>
  of
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]');

/** The best block number shown by the page. */
export const shownBest = async (page: Page): Promise<number> => {
  const text = await page.getByRole('link', { name: 'Best block' }).innerText();
  return Number(text.replace(/[^\d]/g, '') || -1);
};

/** Drops a file on the page. */
export const dropFile = async (page: Page, name: string, bytes: Buffer): Promise<void> => {
  const data = await page.evaluateHandle(
    ([fileName, base64]) => {
      const content = Uint8Array.from(atob(base64 as string), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName as string));
      return transfer;
    },
    [name, bytes.toString('base64')],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
};

/** The color painted at a point of the page: red, green and blue. */
const paintedAt = async (page: Page, x: number, y: number): Promise<readonly number[]> => {
  const png = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  return page.evaluate(
    async (bytes) => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
      const brush = new OffscreenCanvas(1, 1).getContext('2d');
      brush?.drawImage(picture, 0, 0);
      return [...(brush?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
    },
    [...png],
  );
};

/** Whether the corner of an element, where only its background is visible, is painted light or dark. */
export const paintedTheme = async (element: Locator): Promise<'light' | 'dark' | 'between'> => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('nothing is painted');
  const [red = 0, green = 0, blue = 0] = await paintedAt(element.page(), box.x + 2, box.y + 2);
  const mean = (red + green + blue) / 3;
  return mean < 80 ? 'dark' : mean > 200 ? 'light' : 'between';
};

/** Resolves once a service worker controls the page, which has then stored all of its code. */
export const kept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller === null)
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
  });

/** Sets whether pages of an origin may connect to programs of this computer. */
export const setPermission = async (
  page: Page,
  origin: string,
  setting: 'denied' | 'prompt',
): Promise<void> => {
  const cdp = await page.context().newCDPSession(page);
  const { browserContextId } = (await cdp.send('Target.getTargetInfo')).targetInfo;
  const permission = { name: 'loopback-network' };
  const id = browserContextId === undefined ? {} : { browserContextId };
  await cdp.send('Browser.setPermission', { permission, setting, origin, ...id });
};
