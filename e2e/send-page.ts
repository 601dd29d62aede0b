import { expect, type Page } from '@playwright/test';

export const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
export const eve = '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw';
export const dave = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';

/** The panel on a chain that seals what is sent at once, and finalizes it with that; its first block, which checks signatures, is there. */
export const open = async (page: Page, place = '#/send'): Promise<void> => {
  await page.addInitScript(() => {
    const key = 'tabnode.modes.development';
    const modes = { seal: { kind: 'instant' }, finality: { kind: 'instant' }, clock: 'chain' };
    if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(modes));
  });
  await page.goto(`/${place}`);
  await page.getByRole('button', { name: 'Seal block' }).click();
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
export const dryRun = (page: Page) => page.getByTestId('dry-run');
export const send = (page: Page) => page.getByRole('button', { name: /^Sign and send/ }).click();
export const newest = (page: Page) => page.getByTestId('sent').first();
export const manual = async (page: Page): Promise<void> => {
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
};
