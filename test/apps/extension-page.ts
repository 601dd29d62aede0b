import { type BrowserContext, chromium } from 'playwright';
import { launchOptions } from '../../scripts/chromium.mjs';

/**
 * A Chromium with the unpacked extension of a folder, and the address of its `index.html`. Chromium derives the extension's id from
 * the folder and lists it on a page of its own.
 */
export const openExtension = async (
  folder: string,
  profile: string,
): Promise<{ readonly context: BrowserContext; readonly url: string }> => {
  const { args, ...options } = await launchOptions();
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    channel: 'chromium',
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [...args, `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  const page = await context.newPage();
  await page.goto('chrome://extensions');
  const id = await page.evaluate(async () => {
    type Info = { readonly id: string; readonly location: string };
    type Extensions = { getExtensionsInfo(): Promise<readonly Info[]> };
    const { developerPrivate } = (globalThis as unknown as { chrome: { developerPrivate: Extensions } })
      .chrome;
    // Chromium's own extensions, such as the PDF viewer, are listed before this one is loaded.
    for (let tries = 0; tries < 300; tries++) {
      const all = await developerPrivate.getExtensionsInfo();
      const found = all.find(({ location }) => location === 'UNPACKED');
      if (found !== undefined) return found.id;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return undefined;
  });
  await page.close();
  if (id !== undefined) return { context, url: `chrome-extension://${id}/index.html` };
  await context.close();
  throw new Error('Chromium has not loaded the extension');
};
