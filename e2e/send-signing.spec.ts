import { expect, test } from '@playwright/test';
import { bob, dave, dryRun, eve, freeBalance, newest, open, pickCall, send, transfer } from './send-page.ts';

test('as sudo: the call runs as root, and what fails inside is told', async ({ page }) => {
  await open(page, '#/send/Balances/force_set_balance');
  await page.getByLabel('who Id', { exact: true }).fill(eve);
  await page.getByLabel('new_free', { exact: true }).fill('123000000000000');
  await page.getByLabel('as sudo').check();
  await expect(page).toHaveURL(/sudo=1/);
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('sudo: Balances.force_set_balance');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  await pickCall(page, 'force transfer', 'Balances.force_transfer');
  await page.getByLabel('source Id', { exact: true }).fill(dave);
  await page.getByLabel('dest Id', { exact: true }).fill(bob);
  await page.getByLabel('value', { exact: true }).fill('99999999999999999999999');
  await expect(dryRun(page)).toContainText('Sudo.Sudid: Arithmetic.Underflow');
  await send(page);
  await expect(newest(page)).toContainText('Sudo.Sudid: Arithmetic.Underflow', { timeout: 15_000 });
});

test('an account without a key is impersonated, after a word about it', async ({ page }) => {
  await open(page, '#/send/Balances/force_set_balance');
  // An account without a known key, funded by sudo.
  const treasury = `0x${'6d6f646c70792f7472737279'.padEnd(64, '0')}`;
  await page.getByLabel('who Id', { exact: true }).fill(treasury);
  await page.getByLabel('new_free', { exact: true }).fill('50000000000000');
  await page.getByLabel('as sudo').check();
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  await page.getByLabel('as sudo').uncheck();
  await pickCall(page, 'transfer keep', 'Balances.transfer_keep_alive');
  await transfer(page, bob, '1000000000000');
  await page.getByLabel('From', { exact: true }).selectOption('other');
  await page.getByLabel('Address of the sender').fill(treasury);
  await expect(page.getByText('mock signature', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await page.getByRole('button', { name: /^Impersonate/ }).click();
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('mock signature');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
});

test('signed bytes from elsewhere are decoded and submitted; a refusal is told', async ({ page }) => {
  await open(page, '#/send/raw');
  const bytes = page.getByLabel('Signed extrinsic');
  await bytes.fill('0x1234');
  await expect(page.getByText('It cannot be decoded', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(newest(page).getByRole('status')).toHaveText('Refused');
  await expect(newest(page)).toContainText('invalid format');
});

test('a key of its own signs while the page lives, and is stored nowhere', async ({ page }) => {
  await open(page, '#/send/System/remark');
  await page.getByRole('button', { name: 'Add account…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add an account' });
  await sheet.getByLabel('Name').fill('Stash');
  await sheet.getByLabel('Secret').fill('bottom drive obey lake');
  await sheet.getByRole('button', { name: 'Add key' }).click();
  await expect(sheet.getByRole('alert')).toContainText('not 4');
  await sheet.getByLabel('Secret').fill('//Alice//stash');
  await sheet.getByRole('button', { name: 'Add key' }).click();
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Stash');
  const stored = await page.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage)]);
  expect(stored[1]).toContain('Stash');
  expect(stored[0]).not.toContain('//Alice//stash');
  expect(stored[1]).not.toContain('//Alice//stash');
  await page.getByLabel('remark', { exact: true }).fill('0x');
  await expect(page.getByLabel('Forecast')).toContainText(/valid/);
});

test('a new account is generated, funded, and pays', async ({ page }) => {
  await open(page, '#/send/System/remark');
  await page.getByRole('button', { name: 'Add account…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add an account' });
  await sheet.getByRole('button', { name: 'Generate a new key' }).click();
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Account');
  await page.getByRole('button', { name: 'Fund with 1 000 UNIT' }).click();
  await expect(freeBalance(page)).toHaveText(/1\s000 UNIT\s*$/);
  await expect(page.getByRole('button', { name: /^Fund with/ })).toHaveCount(0);
  await page.getByLabel('remark', { exact: true }).fill('0x');
  await expect(page.getByLabel('Forecast')).toContainText('succeeds');
});

test('an account that was generated has its name in every picker, in links and in the palette', async ({
  page,
}) => {
  await open(page, '#/send');
  await page.getByRole('button', { name: 'Add account…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add an account' });
  await sheet.getByLabel('Name').fill('Zoe');
  await sheet.getByRole('button', { name: 'Generate a new key' }).click();
  const main = page.getByRole('main');
  const link = main.getByRole('link', { name: /^account Zoe/ });
  await expect(link).toBeVisible();
  const address = (await link.getAttribute('title')) ?? '';
  const picker = main.getByLabel(/: a known account$/);
  await picker.selectOption('Zoe');
  await expect(page.getByLabel('dest Id', { exact: true })).toHaveValue(address);
  await link.click();
  await expect(page).toHaveURL(/storage\/System\/Account\/%5B/);
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'RPC' }).click();
  await page.getByRole('combobox', { name: 'method' }).fill('system_accountNextIndex');
  await picker.selectOption('Zoe');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('zoe');
  await page.getByRole('option', { name: /^Account Zoe/ }).click();
  await page.goto('/#/storage/System/Account');
  await picker.selectOption('Zoe');
});

test('a wallet extension is asked to sign the same payload', async ({ page }) => {
  // A wallet that returns a made-up signature: it must be refused, which proves that the wallet signed.
  await page.addInitScript((address) => {
    const signer = {
      signPayload: async (payload: unknown) => {
        Object.assign(window, { asked: payload });
        return { id: 1, signature: `0x01${'11'.repeat(64)}` };
      },
    };
    const accounts = { get: async () => [{ address, name: 'Mine' }] };
    Object.assign(window, {
      injectedWeb3: { 'test-wallet': { enable: async () => ({ accounts, signer }) } },
    });
  }, '5EYCAe5ijiYfyeZ2JJCGq56LmPyNRAKzpG4QkoQkkQNB5e6Z');
  await open(page, '#/send/System/remark');
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByRole('button', { name: 'Connect test-wallet' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Mine');
  await page.getByLabel('remark', { exact: true }).fill('0x00');
  await expect(page.getByText('Validity and outcome are known once the wallet has signed.')).toBeVisible();
  await send(page);
  await expect(newest(page)).toContainText('The signature that test-wallet returned is not that of Mine');
  const asked = await page.evaluate(() => (window as unknown as { asked: Record<string, unknown> }).asked);
  expect(asked).toMatchObject({ version: 4, nonce: '0x00000000', mode: 0 });
  expect(asked['signedExtensions']).toContain('CheckMortality');
  expect(asked['method']).toMatch(/^0x00/);
});
