import { type Disposable, expect, type Page, test } from '@playwright/test';
import { collectFaults } from './support.ts';

const block = (): void => {
  const deny = (): never => {
    throw new DOMException('The request was denied.', 'SecurityError');
  };
  const reject = async () => deny();
  Object.assign(LockManager.prototype, { request: reject, query: reject });
  Object.assign(IDBFactory.prototype, { open: deny, deleteDatabase: deny, databases: reject });
};

const ways: Readonly<Record<string, (page: Page) => Promise<Disposable>>> = {
  denied: (page) =>
    page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          configurable: true,
          get: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        });
    }),
  full: (page) =>
    page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    }),
  // As Chromium does where site data is blocked.
  blocked: async (page) => {
    await page.route(/worker-main-[^/]*\.js$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: `(${block.toString()})();${await response.text()}` });
    });
    return page.addInitScript(block);
  },
};

test('a page that can store nothing, or no choices, starts, and keeps its chains or choices as long as it lives', async ({
  page,
}) => {
  const faults = collectFaults(page);
  for (const [way, lay] of Object.entries(ways))
    await test.step(way, async () => {
      const script = await lay(page);
      await page.goto('/');
      if (way === 'blocked') {
        await expect(page.getByRole('alert')).toContainText('The browser stores nothing for this page');
        await page.getByRole('button', { name: 'Start a chain in memory' }).click();
      }
      await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
      await page.getByRole('banner').getByRole('button', { name: 'Development' }).click();
      await page.getByRole('button', { name: 'New chain…' }).click();
      // What is about to be lost.
      const isLost = way === 'blocked' ? 1 : 0;
      await expect(page.getByText('Development is in memory: its blocks are lost')).toHaveCount(isLost);
      await expect(page.getByRole('banner').getByText('in memory')).toHaveCount(isLost);
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`Second, ${way}`);
      await page.getByRole('button', { name: 'Create and start' }).click();
      await expect(page.getByRole('heading', { level: 1, name: `Second, ${way}` })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
      await page.getByRole('link', { name: 'Send' }).first().click();
      await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toBeVisible();
      expect(faults).toEqual([]);
      await script.dispose();
      await page.goto('about:blank');
    });
});
