import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { ask, openLine } from './node-line.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults } from './support.ts';

const card = (page: Page) => page.getByRole('region', { name: /^Tabnode is a Polkadot SDK node/ });

test('the first minute: a transfer is sent, followed to finality, and its two balances are links; closed, it stays away', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await expect(card(page)).toContainText('nothing leaves your browser');
  await card(page).getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' }).click();
  const way = card(page).getByRole('list', { name: 'The transaction’s way' });
  await expect(way).toContainText('Pool');
  await expect(card(page).getByRole('status')).toHaveText(/^\s*Finalized in block #\d+\.\s*$/, {
    timeout: 20_000,
  });
  await expect(way.getByRole('link')).toHaveCount(3);
  const changed = card(page).getByLabel('What it changed');
  await expect(changed).toContainText('1 000 000 UNIT → 1 000 005 UNIT');
  await expect(changed).toContainText(/−5\.\d+ UNIT/);
  await expect(changed).toContainText(/Fee\s*0\.\d+ UNIT/);
  await expectAccessible(page);
  await way.getByRole('link', { name: /^In block #\d/ }).click();
  await expect(page.getByRole('complementary')).toContainText('balances.transferKeepAlive');
  await changed.getByRole('link', { name: 'Bob' }).click();
  await expect(page.getByRole('region', { name: 'Value', exact: true })).toContainText('1 000 005 UNIT');
  // The Send panel has it too.
  await page.keyboard.press('5');
  await expect(page.getByTestId('sent')).toContainText('finalized');
  await page.keyboard.press('1');
  await card(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(card(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await expect(page.getByRole('link', { name: /^#\d/ }).first()).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  // The palette brings it back.
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('first steps');
  await page.keyboard.press('Enter');
  await expect(card(page)).toBeVisible();
  expect(faults).toEqual([]);
});

test('the first transfer waits in words where sealing is manual, and by the keyboard it is sealed', async ({
  page,
}) => {
  await openLine(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await ask(page, 'dev_setSealMode', 'manual');
  await page.getByLabel('Seal mode').selectOption('manual');
  const send = card(page).getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' });
  await send.focus();
  await page.keyboard.press('Enter');
  await expect(card(page).getByRole('status')).toContainText('In the pool. Sealing is manual.');
  await card(page).getByRole('status').getByRole('button', { name: 'Seal block' }).press('Enter');
  await expect(card(page).getByRole('status')).toContainText(/Finalized in block #\d+/, { timeout: 20_000 });
});

test('what is copied for a dApp is whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await card(page).getByRole('button', { name: 'Copy the three lines of a dApp' }).click();
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual([
    "import { startNode } from 'tabnode';",
    'const node = await startNode();',
    'console.log(await node.rpc.chain_getHeader());',
  ]);
  await card(page).getByRole('button', { name: 'Copy the set-up of polkadot-js' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    "new WsProvider('ws://127.0.0.1:9944/?dialect=polkadot-sdk')",
  );
});

test('embedded devtools have no such card', async ({ page }) => {
  await page.goto(`${e2eUrl('pages')}devtools.html`);
  await page.getByRole('button', { name: 'Tabnode' }).click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#\d/);
  await expect(page.getByRole('link', { name: /^#\d/ }).first()).toBeVisible();
  await expect(card(page)).toHaveCount(0);
});
