import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { createSender, openStill } from './chain-page.ts';
import { ask, hold, holdNoMore, letGo, openLine, refuseHeld, release } from './node-line.ts';
import { clipboard } from './rpc-page.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('long bytes are copied whole, and shown by their true ends', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  await ask(page, 'dev_newBlock');
  const remark = `0x${'ab'.repeat(9_998)}1234`;
  await ask(page, 'author_submitExtrinsic', send(0, 'System', 'remark', { remark }));
  await ask(page, 'dev_newBlock');
  await page.goto('/#/chain/2/1');
  const field = page.locator('div', { has: page.locator('dt', { hasText: /^remark$/ }) }).last();
  await expect(field).toContainText('0xabab…1234');
  await expect(field).toContainText('10 000 bytes');
  await field.getByRole('button', { name: /^Copy/ }).click();
  await expect(field.getByText('Copied')).toBeAttached();
  expect(await clipboard(page)).toBe(remark);
});

test('an export of keys is whole, or there is none', async ({ page }) => {
  const files: string[] = [];
  page.on('download', (file) => files.push(file.suggestedFilename()));
  await openLine(page);
  await page.addInitScript(() =>
    Object.assign(window, { testHeld: { method: 'state_queryStorageAt', refused: false, waiting: [] } }),
  );
  await page.goto('/#/storage/System/Account');
  const keys = page.getByRole('region', { name: 'Keys of Account' });
  const count = keys.getByRole('status').first();
  await expect(count).toHaveText(/^\d+$/, { timeout: 15_000 });
  await keys.getByRole('button', { name: 'Export' }).click();
  await expect(keys.getByText('Exporting: 0 read')).toBeVisible();
  await refuseHeld(page);
  const alert = keys.getByRole('alert').filter({ hasText: 'The export failed' });
  await expect(alert).toContainText('Not every value could be read, so no file was saved.');
  expect(files).toEqual([]);
  await release(page);
  const download = page.waitForEvent('download');
  await alert.getByRole('button', { name: 'Try again' }).click();
  const file = await download;
  const pairs = Object.entries(
    JSON.parse(readFileSync(await file.path(), 'utf8')) as Record<string, unknown>,
  );
  expect(pairs).toHaveLength(Number(await count.innerText()));
  expect(pairs.filter(([, value]) => !/^0x[0-9a-f]+$/.test(String(value)))).toEqual([]);
  await expect(alert).toHaveCount(0);
  expect(files).toEqual(['System.Account.json']);
});

test('the state of an old block is read with its own runtime’s metadata, also while that is slow to come', async ({
  page,
}) => {
  await openStill(page);
  const specAt = async (number: number): Promise<string> => {
    const hash = await ask(page, 'chain_getBlockHash', number);
    const { specVersion } = await ask<{ specVersion: number }>(page, 'state_getRuntimeVersion', hash);
    return `spec_version: ${specVersion}`;
  };
  await ask(page, 'dev_newBlock');
  const code = readFileSync('public/tabnode-runtime-next.compact.compressed.wasm').toString('hex');
  await ask(page, 'dev_setStorage', [['0x3a636f6465', `0x${code}`]]);
  await ask(page, 'dev_newBlock', { count: 2 });
  const [before, after] = [await specAt(0), await specAt(1)];
  expect(after).not.toBe(before);
  // The constant System.Version is part of the metadata.
  await page.goto('/#/runtime/pallets/System/constants/Version?at=1');
  const bar = page.getByRole('main').getByText(/^at #\d/);
  const version = page
    .getByRole('main')
    .getByText(/spec_version: \d+/)
    .first();
  const shows = async (block: string, spec: string) => {
    await expect(bar).toContainText(block);
    await expect(version).toContainText(spec);
  };
  await shows('#1', after);
  await hold(page, 'state_getStorageHash');
  await page.goto('/#/runtime/pallets/System/constants/Version?at=0');
  await expect(page.getByText('Reading 0')).toBeVisible();
  await shows('#1', after);
  await holdNoMore(page);
  await page.goto('/#/runtime/pallets/System/constants/Version?at=2');
  await shows('#2', after);
  await letGo(page);
  await ask(page, 'system_health');
  await shows('#2', after);
  await page.getByRole('button', { name: 'Previous block' }).click();
  await shows('#1', after);
  await page.getByRole('button', { name: 'Previous block' }).click();
  await shows('#0', before);
});
