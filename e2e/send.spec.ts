import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { openStill } from './chain-page.ts';
import { jsonEditor } from './json-editor.ts';
import { ask } from './node-line.ts';
import {
  bob,
  dryRun,
  eve,
  freeBalance,
  manual,
  newest,
  open,
  pickCall,
  pooled,
  runtimeLine,
  send,
  sent,
  transfer,
} from './send-page.ts';
import { collectFaults, shownBest } from './support.ts';

test('a transfer built by form is forecast, sent and followed until it is finalized', async ({ page }) => {
  const faults = collectFaults(page);
  await open(page);
  await pickCall(page, 'transfer keep', 'Balances.transfer_keep_alive');
  await transfer(page, bob, '1_500_000_000_000');
  await expect(page.getByRole('region', { name: 'Encoded call' })).toContainText('hash');
  await expect(dryRun(page)).toHaveText('succeeds');
  const forecast = page.getByLabel('Forecast');
  await expect(forecast).toContainText(/0\.\d+ UNIT/);
  await expect(forecast).toContainText('accepts');
  const before = await freeBalance(page).innerText();
  await send(page);
  const item = newest(page);
  await expect(item).toContainText('Balances.transfer_keep_alive { dest: Id Bob, value: 1.5 UNIT }');
  await expect(item.getByRole('status')).toHaveText('Finalized', { timeout: 15_000 });
  await expect(item).toContainText(/succeeded in #\d/);
  await item.locator('> details > summary').click();
  await expect(item.getByRole('list', { name: 'Events' })).toContainText('Balances.Transfer');
  const moved = item.getByRole('listitem').filter({ hasText: 'Balances.Transfer' }).last();
  await expect(moved.locator('summary').first()).toContainText('amount: 1.5 UNIT');
  await moved.locator('summary').first().click();
  await expect(moved).toContainText('1 500 000 000 000 = 1.5 UNIT');
  await expect(item.getByRole('list', { name: 'Statuses' })).toContainText('In block');
  await expect(freeBalance(page)).not.toHaveText(before);
  const link = await item.getByRole('link', { name: /^#\d+$/ }).getAttribute('href');
  await page.goto(`/${link?.match(/#.*0x[0-9a-f]{64}/)}`);
  const row = page.getByRole('listitem').filter({ hasText: 'Balances.transfer_keep_alive' });
  await expect(row.first()).toContainText('value: 1.5 UNIT');
  expect(faults).toEqual([]);
});

test('what was sent is listed after a reload; what was pending is looked for, or told not to be included', async ({
  page,
}) => {
  await open(page);
  await pickCall(page, 'transfer keep', 'Balances.transfer_keep_alive');
  await transfer(page, bob, '1 UNIT');
  await send(page);
  const item = newest(page);
  await expect(item.getByRole('status')).toHaveText('Finalized');
  await manual(page);
  await transfer(page, bob, '2 UNIT');
  await send(page);
  await expect(item).toContainText('2 UNIT');
  await expect(item.getByRole('status')).toHaveText('Ready');
  await page.reload();
  const rows = sent(page);
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText(/^Finalized .*1 UNIT.*by Alice.*succeeded in #\d/);
  await expect(item).toContainText('2 UNIT');
  await expect(item.getByRole('status')).toHaveText(/^(Ready|Not included)$/);
  const hash = item.getByRole('link', { name: /^transaction hash/ });
  await item.locator('> details > summary').click();
  await expect(hash).toHaveAttribute('href', /chain\/tx\/0x/);
  await page.getByRole('button', { name: 'Clear completed' }).click();
  await expect(rows).not.toHaveCount(2);
  await page.getByRole('button', { name: 'Undo clear' }).click();
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
});

test('what was in a block when the page was closed is followed to finality after a reload', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'dev_newBlock');
  await page.goto('/#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '1 UNIT');
  await send(page);
  const status = newest(page).getByRole('status');
  await expect(status).toHaveText('Ready');
  await ask(page, 'dev_newBlock');
  await expect(status).toHaveText('In block');
  await page.reload();
  await expect(status).toHaveText('In block');
  await expect(newest(page)).toContainText('succeeded in #2');
  await ask(page, 'engine_finalizeBlock', await ask(page, 'chain_getBlockHash', 2));
  await expect(status).toHaveText('Finalized');
});

test('at genesis, where signatures cannot be checked, the outcome is not forecast; from the first block on it is', async ({
  page,
}) => {
  await page.addInitScript(() =>
    localStorage.setItem(
      'tabnode.modes.development',
      JSON.stringify({ seal: { kind: 'manual' }, finality: 'instant', clock: 'chain' }),
    ),
  );
  await page.goto('/#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '1.5 UNIT');
  await expect(page.getByLabel('Forecast')).toContainText(/accepts.*valid for 6\d blocks/);
  await expect(dryRun(page)).toHaveText('known from block #1 on, because genesis cannot check signatures');
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(dryRun(page)).toHaveText('succeeds');
});

test('bytes in the address that are no call leave the call that it names', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive?call=0xff34');
  await expect(page.getByText('These bytes are not a call of this runtime')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toHaveValue(
    'Balances.transfer_keep_alive',
  );
});

test('JSON and form stay in step, and the address brings everything back', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '5');
  await page.getByLabel('value', { exact: true }).fill('1,500,000,000,000');
  await expect(page.getByLabel('value', { exact: true })).toHaveAccessibleDescription('= 1.5 UNIT');
  const value = page.getByLabel('value', { exact: true });
  await value.fill('0.0000000000001 UNIT');
  await expect(value).toHaveAccessibleDescription('UNIT has 12 decimals, not 13');
  const wrong = 'Enter a whole number, or an amount with its unit such as 1.5 UNIT';
  const other = page.getByText(/enter a whole number|an amount as the tip/).filter({ visible: true });
  for (const field of [value, page.getByLabel('tip')])
    for (const text of ['1.5', '0,5 UNIT', '1 DOT']) {
      await field.fill(text);
      await expect(field).toHaveAccessibleDescription(wrong);
      await expect(other).toHaveCount(0);
    }
  await page.getByLabel('tip').fill('');
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await value.fill('1.25 unit');
  await expect(value).toHaveAccessibleDescription('= 1 250 000 000 000');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = jsonEditor(page, 'Arguments as JSON');
  await expect(json).toHaveText(/"value": "1250000000000"/);
  await expect(json).toHaveText(new RegExp(bob));
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(value).toHaveValue('1250000000000');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const sends = page.getByRole('button', { name: /^Sign and send/ });
  await expect(sends).toBeEnabled();
  // The JSON is incomplete: the last complete arguments must not be sent instead.
  await json.fill('{ "dest": ');
  await expect(sends).toBeDisabled();
  await json.fill(JSON.stringify({ dest: { Id: eve }, value: '7000000000000' }));
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByLabel('value', { exact: true })).toHaveValue('7000000000000');
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Bob' });
  await page.getByLabel('tip').fill('0.5 UNIT');
  await expect(page).toHaveURL(/tip=500000000000(&|$)/);
  await page.getByLabel('tip').fill('12');
  await expect(page.getByLabel('tip')).toHaveAccessibleDescription('= 0.000000000012 UNIT');
  await page.getByLabel('valid for').selectOption({ label: 'no expiry (immortal)' });
  await expect(page).toHaveURL(/call=0x/);
  await expect(page).toHaveURL(/era=immortal/);
  await page.reload();
  await expect(page.getByLabel('dest Id', { exact: true })).toHaveValue(eve);
  await expect(page.getByLabel('value', { exact: true })).toHaveValue('7000000000000');
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Bob');
  await expect(page.getByLabel('tip')).toHaveValue('12');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('Finalized', { timeout: 15_000 });
  await expect(newest(page)).toContainText('by Bob');
});

test('a wrong argument is named, a failing dispatch is told in words before and after', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await page.getByLabel('dest Id', { exact: true }).fill('nobody');
  await expect(page.getByText('Enter an SS58 address or a 0x public key.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await pickCall(page, 'proxy removeProxy', 'Proxy.remove_proxy');
  await page.getByLabel('delegate Id', { exact: true }).fill(bob);
  const words = 'Proxy.NotFound: Proxy registration not found.';
  await expect(dryRun(page)).toHaveText(`fails: ${words}`);
  await expect(page.getByRole('button', { name: 'Send anyway' })).toHaveAccessibleDescription(
    /would fail and cost 0\.\d+ UNIT/,
  );
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('Failed', { timeout: 15_000 });
  await expect(newest(page)).toContainText(words);
});

test('the pool shows ready and future transactions with what they wait for; remove asks first', async ({
  page,
}) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await manual(page);
  await transfer(page, bob, '1000000000000');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('Ready');
  await page.getByLabel('nonce').fill('2');
  await expect(page.getByLabel('Forecast')).toContainText('waits for an earlier nonce');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('Future');
  await page.getByRole('link', { name: 'Pool', exact: true }).click();
  const future = page.getByRole('region', { name: 'Future transactions' });
  await expect(pooled(page, 'Ready')).toHaveCount(1);
  await expect(pooled(page, 'Future')).toContainText('waits for Alice nonce 1');
  await future.getByRole('button', { name: /^Remove…/ }).click();
  await future.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(future).toHaveCount(0);
  await page.getByRole('button', { name: 'Seal a block now' }).click();
  await expect(page.getByText('The pool is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Build a call' }).first().click();
  await expect(sent(page).nth(0).getByRole('status')).toHaveText('Invalid');
  await expect(sent(page).nth(0)).toContainText('It was removed from the pool');
  await expect(sent(page).nth(1)).toContainText('succeeded');
});

test('the runtime is upgraded, and the new metadata is used at once', async ({ page }) => {
  await open(page, '#/send/upgrade');
  const running = runtimeLine(page);
  await expect(running).toHaveText('Current runtime: tabnode 101');
  await page
    .getByLabel('Runtime, a .wasm file')
    .setInputFiles('public/tabnode-runtime-next.compact.compressed.wasm');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 20_000 });
  await expect(running).toHaveText(/: tabnode 102\b/, { timeout: 15_000 });
  const best = await shownBest(page);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(best);
});

test('keyboard alone: find a call, fill it, send it', async ({ page }) => {
  await open(page, '#/chain');
  await page.keyboard.press('5');
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('System.remark_with_event');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toHaveValue(
    'System.remark_with_event',
  );
  while ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) !== 'remark')
    await page.keyboard.press('Tab');
  await page.keyboard.type('0x1234');
  await expect(dryRun(page)).toHaveText('succeeds');
  await page.keyboard.press('Control+Enter');
  await expect(newest(page)).toContainText('System.remark_with_event');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
});

test('hex of a call is loaded, nonsense is told, and a call of thirty fields fits the page', async ({
  page,
}) => {
  await open(page, '#/send/Utility/batch');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const calls = Array.from({ length: 10 }, (_, index) => ({
    Balances: { transfer_keep_alive: { dest: { Id: bob }, value: String(index + 1) } },
  }));
  await jsonEditor(page, 'Arguments as JSON').fill(JSON.stringify({ calls }));
  await expect(dryRun(page)).toHaveText('succeeds');
  const link = new URL(page.url()).hash;
  const hex = new URLSearchParams(link.split('?')[1]).get('call') ?? '';
  await pickCall(page, 'System.remark', 'System.remark');
  await page.getByRole('button', { name: 'Paste hex…' }).click();
  const paste = page.getByLabel('Bytes of a call or an extrinsic');
  await paste.fill('0xffff');
  await paste.press('Enter');
  await expect(page.getByRole('alert')).toContainText('not a call of this runtime');
  await paste.fill(hex);
  await paste.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toHaveValue('Utility.batch');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  const last = page.getByLabel('calls 9 Balances transfer_keep_alive value');
  await expect(last).toHaveValue('10');
  await expect(last).toHaveAccessibleDescription('= 0.00000000001 UNIT');
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const place of ['send', 'send/upgrade', 'send/raw', 'send/pool']) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`;
      }, place);
      await expect(page.getByRole('navigation', { name: 'Ways to send' })).toBeVisible();
      const beyond = await page.evaluate(() => {
        const content = document.querySelector('main') as HTMLElement;
        return Math.max(
          document.documentElement.scrollWidth - innerWidth,
          content.scrollWidth - content.clientWidth,
        );
      });
      expect(beyond, `${place} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test('what is opened while a call is built and sent is accessible', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '1000000000000');
  await expect(dryRun(page)).toHaveText('succeeds');
  await manual(page);
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('Ready');
  await newest(page).locator('> details > summary').click();
  await expectAccessible(page, 'build');
  await page.getByRole('combobox', { name: 'Call', exact: true }).click();
  await expectAccessible(page, 'search');
  await page.getByRole('button', { name: 'Add account…' }).click();
  await expectAccessible(page, 'accounts');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Pool', exact: true }).click();
  await pooled(page).locator('summary').first().click();
  await expectAccessible(page, 'pool');
});

test('the calls of a batch keep their fields within a phone, and show whole addresses on a wide page', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '#/send/Utility/batch_all');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const calls = [{ Balances: { transfer_keep_alive: { dest: { Id: bob }, value: '1' } } }];
  await jsonEditor(page, 'Arguments as JSON').fill(JSON.stringify({ calls }));
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  const address = page.locator('input').and(page.getByLabel(/^calls 0 .*dest Id$/));
  await expect(address).toHaveValue(bob);
  const box = await address.boundingBox();
  expect(box?.width).toBeGreaterThan(150);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  const remove = await page.getByRole('button', { name: /^.?\s*Remove call 0/ }).boundingBox();
  expect((remove?.x ?? 0) + (remove?.width ?? 0)).toBeLessThanOrEqual(390);
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await address.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  }
});
