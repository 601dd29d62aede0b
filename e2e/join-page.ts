import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Locator, type Page } from '@playwright/test';

const tabnode = fileURLToPath(new URL('../bridge/tabnode.ts', import.meta.url));

/** Writes the raw specification of a chain whose authorities are Alice and Bob. */
export const writeLocalSpec = async (path: string): Promise<string> => {
  const args = [tabnode, 'build-spec', '--chain', 'local_testnet', '--raw', '--output', path];
  await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 });
  return path;
};

/** Opens the form of a chain that joins a network, with the specification of a file. */
export const openJoin = async (page: Page, spec: string, url = '/'): Promise<Locator> => {
  await page.goto(url);
  await expect(page.getByRole('link', { name: 'Best block' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('New chain');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New chain' });
  await dialog.getByRole('radio', { name: 'Join a network' }).check();
  await dialog.getByLabel('Chain specification').setInputFiles(spec);
  return dialog;
};

/** The peers of the page's node, in its top bar. */
export const networkBadge = (page: Page): Locator =>
  page.getByRole('button', { name: /^(\d+ peers?|no peers|syncing|not joined)/ });
