import { expect, type Page, test } from '@playwright/test';
import { openStill } from './chain-page.ts';
import { jsonEditor } from './json-editor.ts';
import { ask } from './node-line.ts';
import { e2eUrl } from './ports.ts';
import { state } from './rpc-page.ts';
import { bob, dryRun, newest, sent, transfer } from './send-page.ts';

const pooled = async (page: Page): Promise<number> =>
  (await ask<readonly unknown[]>(page, 'author_pendingExtrinsics')).length;

test('Ctrl+Enter in a form of the console or of Send runs it once, and not from elsewhere', async ({
  page,
}) => {
  await openStill(page);
  const history = page.getByRole('region', { name: 'History' });
  const rows = history.getByRole('listitem');
  await test.step('text in a field for a number or a block is refused in the field, and not sent', async () => {
    await page.goto('/#/rpc/chain_getBlockHash');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    const form = page.getByRole('region', { name: 'Arguments' });
    const field = page.getByLabel('hash', { exact: true });
    await field.fill('abc');
    await expect(form.getByText('Enter a whole number, or hex with 0x.')).toBeVisible();
    await expect(run).toBeDisabled();
    await field.press('Control+Enter');
    await expect(history).toHaveCount(0);
    await field.fill('0');
    await field.press('Control+Enter');
    await expect(state(page)).toHaveText('ok');
    await page.goto('/#/rpc/chain_getHeader');
    await page.getByLabel('hash: which block').selectOption('number…');
    const height = page.getByLabel('hash: block number');
    await expect(form.getByRole('link', { name: /block hash/ })).toBeVisible();
    await height.fill('abc');
    await expect(form.getByText('Enter a block number or a hash.')).toBeVisible();
    await expect(run).toBeDisabled();
    await height.fill('0');
    await expect(run).toBeEnabled();
  });

  await test.step('in the filter of the methods it runs the one that was chosen there', async () => {
    await page.goto('/#/rpc/system_health');
    const filter = page.getByLabel('Filter methods');
    const method = page.getByRole('combobox', { name: 'method' });
    await expect(page.getByRole('link', { name: 'newBlock of dev' })).toBeVisible();
    await filter.fill('dev_newBlock');
    // The method in the filter is not the selected one, so this only selects it.
    await filter.press('Control+Enter');
    await expect(method).toHaveValue('dev_newBlock');
    await filter.fill('system_name');
    await filter.press('Enter');
    await expect(method).toHaveValue('system_name');
    await expect(filter).toBeFocused();
    await filter.press('Control+Enter');
    await expect(state(page)).toHaveText('ok');
    await expect(rows).toHaveCount(2);
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
  });

  await test.step('in any field of a call it runs the call', async () => {
    await page.goto('/#/rpc/dev_newBlock?as=json');
    await jsonEditor(page, 'params').fill('[{"count": 2}]');
    await page.keyboard.press('Control+Enter');
    await expect(state(page)).toHaveText('ok');
    await expect(rows).toHaveCount(3);
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#2');
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByLabel('count').press('Control+Enter');
    await expect(rows).toHaveCount(4);
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#4');
    // On the button, which Enter alone also presses.
    await page.getByRole('button', { name: 'Run', exact: true }).press('Control+Enter');
    await expect(rows).toHaveCount(5);
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#6');
  });

  // A transfer that is ready to submit.
  await page.goto('/#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '1 UNIT');
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeEnabled();
  await expect(page.getByLabel('Forecast')).toContainText('valid');
  await test.step('in a dialog over the form it is the dialog’s', async () => {
    await page.getByRole('button', { name: 'Add account…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').first().press('Control+Enter');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(dryRun(page)).toHaveText('succeeds');
    await page.getByLabel('dest Id', { exact: true }).press('Control+Enter');
    await expect(newest(page).getByRole('status')).toHaveText('Ready');
    await expect(sent(page)).toHaveCount(1);
    expect(await pooled(page)).toBe(1);
  });

  await test.step('under the palette and elsewhere it does nothing', async () => {
    await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeEnabled();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await expect(palette).toBeVisible();
    await page.keyboard.type('zzzz');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await expect(palette).toHaveCount(0);
    await page.getByRole('link', { name: 'Pool', exact: true }).focus();
    await page.getByLabel('Seal mode').focus();
    await page.keyboard.press('Control+Enter');
    await page.getByLabel('value', { exact: true }).press('Control+Enter');
    await expect(sent(page)).toHaveCount(2);
    await expect(newest(page).getByRole('status')).toHaveText('Ready');
    expect(await pooled(page)).toBe(2);
  });

  await test.step('in a field of the page around embedded devtools it sends nothing', async () => {
    await page.goto(`${e2eUrl('pages')}devtools.html`);
    await page.getByRole('button', { name: 'Tabnode' }).click();
    await page.getByRole('button', { name: 'Seal block' }).click();
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#1');
    await page.getByRole('link', { name: /^Send/ }).click();
    await transfer(page, bob, '1 UNIT');
    await expect(dryRun(page)).toHaveText('succeeds');
    await page.getByLabel('amount').press('Control+Enter');
    await page.getByLabel('value', { exact: true }).press('Control+Enter');
    await expect(newest(page)).toContainText('succeeded');
    await expect(sent(page)).toHaveCount(1);
  });
});
