import { expect, type Page } from '@playwright/test';

export const aliceKey =
  '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59fd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

export const result = (page: Page) => page.getByRole('region', { name: 'Result' });
export const state = (page: Page) => result(page).getByRole('status').first();
export const run = async (page: Page, expected: string | RegExp = 'ok') => {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveText(expected);
};
export const open = async (page: Page, place = '') => {
  await page.goto(`/#/rpc${place}`);
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
};
export const paramsOf = (page: Page): Promise<string> =>
  page.evaluate(() => new URLSearchParams(location.hash.split('?')[1] ?? '').get('params') ?? '');
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
