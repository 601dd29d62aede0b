import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';

test('an address that names a chain this browser has not says so and lists those it has', async ({
  page,
}) => {
  await page.goto('/#/@development/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const notice = page.getByRole('heading', { name: 'This browser has no chain “westend-2”' });
  // A link opened in a running page, and one opened in a new page.
  await page.goto('/#/@westend-2/storage/System/Account');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveCount(0);
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveCount(0);
  await expectAccessible(page);
  expect(new URL(page.url()).hash).toBe('#/@westend-2/storage/System/Account');
  await page.getByRole('list', { name: 'Chains' }).getByRole('link', { name: 'Development' }).click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.goBack();
  await expect(notice).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
});
