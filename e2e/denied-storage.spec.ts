import { expect, type Page, test } from '@playwright/test';
import { collectFaults } from './support.ts';

const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
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
};

for (const [way, lay] of Object.entries(ways))
  test(`a page whose local storage is ${way} starts, and keeps choices as long as it lives`, async ({
    page,
  }) => {
    const faults = collectFaults(page);
    await lay(page);
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
    await page.getByRole('banner').getByRole('button', { name: 'Development' }).click();
    await page.getByRole('button', { name: 'New chain…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Second');
    await page.getByRole('button', { name: 'Create and start' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Second' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
    await page.getByRole('link', { name: 'Send' }).first().click();
    await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toBeVisible();
    expect(faults).toEqual([]);
  });
