import { expect, type Page, test } from '@playwright/test';
import { collectFaults, shownBest } from './support.ts';

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const eve = '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw';
const dave = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';

const open = async (page: Page, place = '#/send'): Promise<void> => {
  await page.goto(`/${place}`);
  await expect(page.getByTestId('best')).toHaveText(/#[1-9]/);
};
const pickCall = async (page: Page, words: string, name: string): Promise<void> => {
  const call = page.getByRole('combobox', { name: 'Call' });
  await call.click();
  await call.fill(words);
  await page.getByRole('option', { name }).first().click();
  await expect(call).toHaveValue(name);
};
const transfer = async (page: Page, to: string, value: string): Promise<void> => {
  await page.getByLabel('dest Id', { exact: true }).fill(to);
  await page.getByLabel('value', { exact: true }).fill(value);
};
const dryRun = (page: Page) => page.getByTestId('dry-run');
const send = (page: Page) => page.getByRole('button', { name: /^Sign and send/ }).click();
const newest = (page: Page) => page.getByTestId('sent').first();
const manual = async (page: Page): Promise<void> => {
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
};

test('a transfer built by form is foretold, sent and followed to finalised', async ({ page }) => {
  const faults = collectFaults(page);
  await open(page);
  await pickCall(page, 'transfer keep', 'balances.transferKeepAlive');
  await transfer(page, bob, '1_500_000_000_000');
  await expect(page.getByRole('region', { name: 'Encoded call' })).toContainText('hash');
  await expect(dryRun(page)).toHaveText('succeeds');
  const forecast = page.getByLabel('Forecast');
  await expect(forecast).toContainText(/0\.\d+ UNIT/);
  await expect(forecast).toContainText('valid');
  const before = await page.getByTestId('balance').innerText();
  await send(page);
  const item = newest(page);
  await expect(item).toContainText('balances.transferKeepAlive');
  await expect(item.getByRole('status')).toHaveText('finalized', { timeout: 15_000 });
  await expect(item).toContainText('succeeded');
  await item.locator('> details > summary').click();
  await expect(item.getByRole('list', { name: 'Events' })).toContainText('balances.Transfer');
  await expect(item.getByRole('list', { name: 'Statuses' })).toContainText('inBlock');
  await expect(item.getByRole('link', { name: /of the block/ })).toHaveAttribute('href', /chain\/0x/);
  await expect(page.getByTestId('balance')).not.toHaveText(before);
  expect(faults).toEqual([]);
});

test('JSON and form stay in step, and the address brings everything back', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '5');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = page.getByLabel('Arguments as JSON');
  await expect(json).toHaveValue(new RegExp(bob));
  await json.fill(JSON.stringify({ dest: { Id: eve }, value: '7000000000000' }));
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByLabel('value', { exact: true })).toHaveValue('7000000000000');
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Bob' });
  await page.getByLabel('tip').fill('12');
  await page.getByLabel('valid for').selectOption('null');
  await expect(page).toHaveURL(/call=0x/);
  await expect(page).toHaveURL(/era=immortal/);
  await page.reload();
  await expect(page.getByLabel('dest Id', { exact: true })).toHaveValue(eve);
  await expect(page.getByLabel('value', { exact: true })).toHaveValue('7000000000000');
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Bob');
  await expect(page.getByLabel('tip')).toHaveValue('12');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('finalized', { timeout: 15_000 });
  await expect(newest(page)).toContainText('by Bob');
});

test('a wrong argument is named, a failing dispatch is told in words before and after', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await page.getByLabel('dest Id', { exact: true }).fill('nobody');
  await expect(page.getByText('dest.Id: an address (SS58)', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await pickCall(page, 'proxy removeProxy', 'proxy.removeProxy');
  await page.getByLabel('delegate Id', { exact: true }).fill(bob);
  const words = 'proxy.NotFound: Proxy registration not found.';
  await expect(dryRun(page)).toHaveText(words);
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('finalized', { timeout: 15_000 });
  await expect(newest(page)).toContainText(words);
});

test('as sudo: the call runs as root, and what fails inside is told', async ({ page }) => {
  await open(page, '#/send/Balances/force_set_balance');
  await page.getByLabel('who Id', { exact: true }).fill(eve);
  await page.getByLabel('new_free', { exact: true }).fill('123000000000000');
  await page.getByLabel('as sudo').check();
  await expect(page).toHaveURL(/sudo=1/);
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('sudo: balances.forceSetBalance');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  await pickCall(page, 'force transfer', 'balances.forceTransfer');
  await page.getByLabel('source Id', { exact: true }).fill(dave);
  await page.getByLabel('dest Id', { exact: true }).fill(bob);
  await page.getByLabel('value', { exact: true }).fill('99999999999999999999999');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('sudo.Sudid: Arithmetic.Underflow', { timeout: 15_000 });
});

test('an account without a key is impersonated, after a word about it', async ({ page }) => {
  await open(page, '#/send/Balances/force_set_balance');
  // An account that nobody has a key for, funded by sudo.
  const treasury = `0x${'6d6f646c70792f7472737279'.padEnd(64, '0')}`;
  await page.getByLabel('who Id', { exact: true }).fill(treasury);
  await page.getByLabel('new_free', { exact: true }).fill('50000000000000');
  await page.getByLabel('as sudo').check();
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  await page.getByLabel('as sudo').uncheck();
  await pickCall(page, 'transfer keep', 'balances.transferKeepAlive');
  await transfer(page, bob, '1000000000000');
  await page.getByLabel('From', { exact: true }).selectOption('other');
  await page.getByLabel('Address of the sender').fill(treasury);
  await expect(page.getByText('impersonated', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await page.getByRole('button', { name: /^Impersonate/ }).click();
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('impersonated');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
});

test('the pool shows ready and future transactions with what they wait for; remove asks first', async ({
  page,
}) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await manual(page);
  await transfer(page, bob, '1000000000000');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('ready');
  await page.getByLabel('nonce').fill('2');
  await expect(page.getByLabel('Forecast')).toContainText('waits for an earlier nonce');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('future');
  await page.getByRole('link', { name: 'Pool', exact: true }).click();
  const ready = page.getByRole('region', { name: 'Ready transactions' });
  const future = page.getByRole('region', { name: 'Future transactions' });
  await expect(ready.getByTestId('pooled')).toHaveCount(1);
  await expect(future.getByTestId('pooled')).toContainText('waits for Alice nonce 1');
  await future.getByRole('button', { name: /^Remove…/ }).click();
  await future.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(future).toHaveCount(0);
  await page.getByRole('button', { name: 'Seal a block now' }).click();
  await expect(page.getByText('The pool is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Build a call' }).first().click();
  await expect(page.getByTestId('sent').nth(0).getByRole('status')).toHaveText('invalid');
  await expect(page.getByTestId('sent').nth(1)).toContainText('succeeded');
});

test('the runtime is upgraded, and the new metadata is used at once', async ({ page }) => {
  await open(page, '#/send/upgrade');
  const running = page.getByTestId('running');
  await expect(running).toHaveText('tabnode 100');
  await page
    .getByLabel('Runtime, a .wasm file')
    .setInputFiles('public/tabnode-runtime-next.compact.compressed.wasm');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 20_000 });
  await expect(running).toHaveText('tabnode 101', { timeout: 15_000 });
  const best = await shownBest(page);
  await expect.poll(() => shownBest(page), { timeout: 10_000 }).toBeGreaterThan(best);
});

test('signed bytes from elsewhere are decoded and submitted; a refusal is told', async ({ page }) => {
  await open(page, '#/send/raw');
  const bytes = page.getByLabel('A signed extrinsic, with its length');
  await bytes.fill('0x1234');
  await expect(page.getByText('It cannot be decoded', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Submit and follow' }).click();
  await expect(newest(page).getByRole('status')).toHaveText('refused');
  await expect(newest(page)).toContainText('invalid format');
});
