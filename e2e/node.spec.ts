import { expect, test } from '@playwright/test';
import { test as shared } from './shared-page.ts';
import { collectFaults, shownBest } from './support.ts';

test.describe.configure({ mode: 'default' });

test('timings of blocks are charted and told as a table', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await page.keyboard.press('7');
  const about = page.getByLabel('This node');
  await expect(about).toContainText(
    /Development.*genesis.*0x.*version.*runtime tabnode \d+.*stored.*IndexedDB/s,
  );
  await expect(about).toContainText(/IndexedDB of this browser, [\d.\u202f]+ (k|M)?B/);
  await expect(about.getByRole('button', { name: 'Copy genesis hash' })).toBeAttached();
  const blocks = page.getByRole('region', { name: 'Blocks', exact: true });
  await expect(blocks).toContainText(/build\s*[\d.]+\s*min\s[\d.]+\s+· median\s[\d.]+\s+· max\s[\d.]+/);
  await blocks.getByRole('button', { name: 'Table' }).click();
  await expect(page).toHaveURL(/tables=0/);
  const rows = blocks.getByRole('row', { name: /^#\d/ });
  await expect(rows.first().getByRole('cell')).toHaveText([/^[\d.]+$/, /^[\d.]+$/, /^[\d.]+$/]);
  // The table has ten rows at most.
  const best = await shownBest(page);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(blocks.getByRole('row', { name: new RegExp(`^#${best + 1}\\b`) })).toBeVisible();
  const memory = page.getByRole('region', { name: 'Memory of Wasm instances', exact: true });
  await memory.getByRole('button', { name: 'Table' }).click();
  await expect(memory.getByRole('row', { name: /:\d\d/ }).first().getByRole('cell')).toHaveText(/^[\d.]+$/);
  const rate = page.getByRole('region', { name: 'JSON-RPC of this page', exact: true });
  await expect(rate).toContainText(/rate\s*[\d.]+/);
  await expect(page.getByRole('region', { name: 'Pool', exact: true })).toContainText(/ready\s*0/);
  await page.reload();
  await expect(blocks.getByRole('row', { name: /^#\d/ }).first()).toBeVisible();
  expect(faults).toEqual([]);
});

shared('the keystore lists public keys and takes one', async ({ page }) => {
  await page.goto('/#/node/keys');
  const keys = page.getByRole('table', { name: 'Keys' });
  await expect(keys.getByRole('row', { name: /babe block production sr25519/ })).toContainText('Alice');
  const bob = '0x8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48';
  await page.getByLabel('type', { exact: true }).fill('imon');
  await page.getByLabel('secret URI').fill('//Bob');
  await expect(page.getByRole('button', { name: 'Insert' })).toBeDisabled();
  await page.getByLabel('public key', { exact: true }).fill(bob);
  await page.getByRole('button', { name: 'Insert' }).click();
  // The call without the secret.
  await expect(page.getByText(/^author_insertKey \["\(hidden\)"\] → null$/)).toBeVisible();
  await expect(keys.getByRole('row', { name: /imon heartbeats sr25519/ })).toContainText('Bob');
  const before = await keys.getByRole('row').count();
  await page.getByRole('button', { name: 'Generate session keys' }).click();
  await expect.poll(() => keys.getByRole('row').count()).toBeGreaterThan(before);
  await expect(keys).not.toContainText('//Bob');
});

shared('offchain storage is set, read and cleared', async ({ page }) => {
  await page.goto('/#/node/offchain');
  await page.getByLabel('key', { exact: true }).fill('greeting');
  await page.getByLabel('value', { exact: true }).fill('0x68656c6c6f');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await expect(page.getByText(/^offchain_localStorageSet .* → null$/)).toBeVisible();
  await page.getByRole('button', { name: 'Get', exact: true }).click();
  const stored = page.getByRole('region', { name: 'Stored value' });
  await expect(stored).toContainText('hello');
  await expect(stored).toContainText('68656c6c6f');
  await expect(page).toHaveURL(/key=greeting/);
  await page.getByRole('button', { name: 'Local', exact: true }).click();
  await page.getByRole('button', { name: 'Get', exact: true }).click();
  await expect(stored).toContainText('Nothing is stored under this key.');
  await page.goto('/#/node/offchain?key=greeting');
  await page.getByRole('button', { name: 'Clear…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText(/^offchain_localStorageClear .* → null$/)).toBeVisible();
  await page.getByRole('button', { name: 'Get', exact: true }).click();
  await expect(stored).toContainText('Nothing is stored under this key.');
});

shared('the storage in use is told', async ({ page }) => {
  await page.goto('/#/node/storage');
  await expect(page.getByText('IndexedDB of this browser', { exact: true })).toBeVisible();
  await expect(
    page.getByRole('list', { name: 'Databases of this page' }).getByRole('listitem').first(),
  ).toContainText('version');
});
