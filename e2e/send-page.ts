import { expect, type Page } from '@playwright/test';
import { fact } from './support.ts';

export const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
export const eve = '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw';
export const dave = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';

/**
 * Opens the panel on a chain that seals and finalizes what is sent at once. Its first block, from which on
 * signatures are checked, exists.
 */
export const open = async (page: Page, place = '#/send'): Promise<void> => {
  await page.addInitScript(() => {
    const key = 'tabnode.modes.development';
    const modes = { seal: { kind: 'instant' }, finality: { kind: 'instant' }, clock: 'chain' };
    if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(modes));
  });
  await page.goto(`/${place}`);
  await page.getByRole('button', { name: /^Seal (block|and)/ }).click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
};
export const pickCall = async (page: Page, words: string, name: string): Promise<void> => {
  const call = page.getByRole('combobox', { name: 'Call', exact: true });
  await call.click();
  await call.fill(words);
  await page.getByRole('option', { name }).first().click();
  await expect(call).toHaveValue(name);
};
export const transfer = async (page: Page, to: string, value: string): Promise<void> => {
  await page.getByLabel('dest Id', { exact: true }).fill(to);
  await page.getByLabel('value', { exact: true }).fill(value);
};
export const dryRun = (page: Page) => fact(page, 'Execution');
export const send = (page: Page) =>
  page.getByRole('button', { name: /^(Sign and send|Send anyway)/ }).click();
/** Sent transactions, newest first. Each row shows its status. */
export const sent = (page: Page) =>
  page
    .getByRole('region', { name: 'Recent transactions' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('status') });
export const newest = (page: Page) => sent(page).first();
export const freeBalance = (page: Page) => page.getByText('free balance', { exact: true }).locator('..');
/** The current runtime, and the one of the selected file. */
export const runtimeLine = (page: Page) =>
  page.getByRole('paragraph').filter({ hasText: /^(Current runtime|Upgrade):/ });
/** Transactions in the pool. */
export const pooled = (page: Page, queue = 'Ready|Future') =>
  page.getByRole('region', { name: new RegExp(`^(${queue}) transactions$`) }).getByRole('listitem');
export const manual = async (page: Page): Promise<void> => {
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
};
