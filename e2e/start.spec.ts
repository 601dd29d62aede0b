import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { createSender, openStill, tree } from './chain-page.ts';
import { ask, hold, letGo, openLine, release } from './node-line.ts';
import { e2eUrl } from './ports.ts';
import { sent } from './send-page.ts';
import { collectFaults, shownBest } from './support.ts';

const card = (page: Page) =>
  page.getByRole('region', { name: /^(Tabnode is a Polkadot SDK node|First steps)/ });

test('the first minute: a transfer is sent, followed to finality, and its two balances are links; closed, it stays away', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await expect(card(page)).toContainText('Nothing leaves your browser');
  await card(page).getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' }).click();
  const way = card(page).getByRole('list', { name: 'Transaction status' });
  await expect(way).toContainText('Pool');
  await expect(card(page).getByRole('status')).toHaveText(/^\s*Finalized in block #\d+\.\s*$/, {
    timeout: 20_000,
  });
  const changed = card(page).getByLabel('What it changed');
  // Once it is final, the card is a line with the outcome.
  await expect(card(page)).toContainText('First steps · 1 of 3 done');
  await expect(changed).toHaveText(/^\s*Alice\s*−5\.\d+ UNIT\s*Bob\s*\+5 UNIT\s*$/);
  expect((await card(page).boundingBox())?.height).toBeLessThan(60);
  await expectAccessible(page);
  await card(page).getByRole('button', { name: 'Expand' }).click();
  await expect(way.getByRole('link')).toHaveCount(3);
  await expect(changed).toContainText('1 000 000 UNIT → 1 000 005 UNIT');
  await expect(changed).toContainText(/−5\.\d+ UNIT/);
  await expect(changed).toContainText(/Fee\s*0\.\d+ UNIT/);
  await expectAccessible(page);
  // On a small laptop most of the page is left to the blocks.
  await page.setViewportSize({ width: 1024, height: 768 });
  const [own, whole] = await Promise.all(
    [card(page), page.getByRole('main')].map((one) => one.boundingBox()),
  );
  expect((own?.height ?? 768) / (whole?.height ?? 1)).toBeLessThan(0.5);
  await page.setViewportSize({ width: 1280, height: 720 });
  await way.getByRole('link', { name: /^In block #\d/ }).click();
  await expect(page.getByRole('complementary')).toContainText('Balances.transfer_keep_alive');
  // Beside a block, the card is a line.
  expect((await card(page).boundingBox())?.height).toBeLessThan(90);
  await changed.getByRole('link', { name: 'Bob' }).click();
  await expect(page.getByRole('region', { name: 'Value', exact: true })).toContainText('1 000 005 UNIT');
  // The Send panel shows it too.
  await page.keyboard.press('5');
  await expect(sent(page)).toContainText('Finalized');
  await page.keyboard.press('1');
  await page.reload();
  await expect(card(page)).toContainText('First steps · 1 of 3 done');
  await expect(tree(page).getByRole('row').first()).toBeVisible();
  await card(page).getByRole('button', { name: 'Dismiss' }).click();
  await expect(card(page)).toHaveCount(0);
  // The list of blocks takes its place, and the focus.
  await expect(tree(page)).toBeFocused();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await expect(page.getByRole('link', { name: /^#\d/ }).first()).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  // The palette shows it again.
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

test('a first transfer whose nonce another one takes is refused at the pool, and is sent again', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'engine_createBlock', true, false);
  const send = await createSender(page);
  const way = card(page).getByRole('list', { name: 'Transaction status' });
  const button = card(page).getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' });
  await hold(page, 'author_submitAndWatchExtrinsic');
  await button.click();
  await expect(way).toHaveText(/^\s*Pool\s*sending…/);
  // As from another tab.
  await ask(page, 'author_submitExtrinsic', send(0, 'System', 'remark', { remark: '0x01' }));
  await letGo(page);
  await release(page);
  await expect(way).toHaveText(/^\s*Pool\s*refused\s*In block\s*–\s*Finalized\s*–\s*$/);
  await expect(card(page).getByRole('status')).toHaveText(
    'Another transaction of Alice with this nonce came first. Send again.',
  );
  await expect(card(page).getByText('✓')).toHaveCount(0);
  await expectAccessible(page);
  await button.click();
  await expect(card(page).getByRole('status')).toContainText('In the pool.');
  await expect(card(page).getByText('✓')).toHaveCount(0);
  await page.reload();
  await expect(card(page).getByRole('status')).toContainText(/In the pool\.|neither in the pool nor/);
  await expect(card(page).getByText('✓')).toHaveCount(0);
});

test('a first transfer whose block is rolled back is not called final any more, and is sent again', async ({
  page,
}) => {
  await openStill(page);
  const status = card(page).getByRole('status');
  const seal = () => ask(page, 'engine_createBlock', true, false);
  await seal();
  await ask(page, 'dev_snapshot', 'before');
  await card(page).getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' }).click();
  await expect(status).toContainText('In the pool.');
  await status.getByRole('button', { name: 'Seal block' }).click();
  await expect(status).toContainText('In block #2. Finality is manual: finalize the block yourself.');
  await expect(card(page).getByRole('link', { name: 'In block #2' })).toBeVisible();
  await expectAccessible(page);
  await ask(page, 'dev_setFinality', 'instant');
  await ask(page, 'engine_finalizeBlock', await ask(page, 'chain_getBlockHash', 2));
  await expect(status).toContainText('Finalized in block #2.');
  await card(page).getByRole('button', { name: 'Expand' }).click();
  await ask(page, 'dev_restore', 'before');
  await expect(status).toContainText(
    'Block #2 is no longer on the best chain. The transaction was undone with it. Send it again.',
  );
  await expect(card(page).getByLabel('What it changed')).toHaveCount(0);
  await expect(card(page).getByRole('list').getByText('–')).toHaveCount(2);
  await card(page).getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' }).click();
  await status.getByRole('button', { name: 'Seal block' }).click();
  await expect(status).toContainText('Finalized in block #2.');
  await ask(page, 'dev_setHead', 1);
  await expect(status).toContainText('Block #2 is no longer on the best chain.');
});

test('demo traffic trades until it is switched off, in manual sealing too', async ({ page }) => {
  // The pauses between transfers pass when the test says so; the node keeps the real time.
  await page.clock.install();
  const passPauses = () => page.clock.fastForward(10_000);
  await openStill(page);
  const badge = page.getByRole('banner').getByText('Demo traffic', { exact: true });
  const pending = async () => (await ask<string[]>(page, 'author_pendingExtrinsics')).length;
  const transfers = tree(page).getByRole('row').filter({ hasText: '→' });
  await card(page).getByRole('checkbox', { name: 'Demo traffic' }).check();
  await expect(badge).toBeVisible();
  for (let sent = 1; sent <= 3; sent += 1) {
    await expect
      .poll(async () => {
        await passPauses();
        return pending();
      })
      .toBeGreaterThan(0);
    await ask(page, 'engine_createBlock', true, false);
    await expect(transfers).toHaveCount(sent);
  }
  // No blocks are sealed: the traffic reports it, and adds nothing more.
  await expect(async () => {
    await passPauses();
    await expect(page.getByRole('banner')).toContainText('Demo traffic is waiting: sealing is manual', {
      timeout: 500,
    });
  }).toPass();
  expect(await pending()).toBe(3);
  await expectAccessible(page);
  await page.getByRole('banner').getByRole('button', { name: 'Stop demo traffic' }).click();
  await expect(badge).toHaveCount(0);
  await expect(card(page).getByRole('checkbox', { name: 'Demo traffic' })).not.toBeChecked();
  await ask(page, 'engine_createBlock', true, false);
  await expect.poll(() => shownBest(page)).toBe(4);
  // A pause passes before each of three blocks: none contains a transfer, only the inherent.
  await ask(page, 'dev_setSealMode', { kind: 'interval', ms: 500 });
  for (const number of [5, 6, 7]) {
    await passPauses();
    await expect.poll(() => shownBest(page)).toBeGreaterThanOrEqual(number);
  }
  for (const number of [5, 6, 7]) {
    const hash = await ask<string>(page, 'chain_getBlockHash', number);
    const { block } = await ask<{ block: { extrinsics: string[] } }>(page, 'chain_getBlock', hash);
    expect(block.extrinsics).toHaveLength(1);
  }
  expect(await pending()).toBe(0);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('demo');
  await expect(page.getByRole('option', { name: /Start demo traffic/ })).toBeVisible();
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
  await card(page).getByRole('button', { name: 'Copy the polkadot-js setup' }).click();
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
