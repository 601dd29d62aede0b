import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';

test('a report for a bug is found by its name, and copied whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#/);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('report');
  await page.getByRole('option', { name: /Copy a bug report/ }).click();
  await expect(page).toHaveURL(/node\/report/);
  const report = page.locator('pre').filter({ hasText: '## Versions' });
  await expect(report).toContainText('"genesisHash": "0x');
  await expect(report).toContainText(/Tabnode \d/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Copy the report' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(await report.textContent());
});
