import { readFileSync } from 'node:fs';
import { expect, type Locator, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { openStill } from './chain-page.ts';
import { collectFaults, dropFile, shownBest } from './support.ts';

const runtime = new URL('../public/tabnode-runtime.compact.compressed.wasm', import.meta.url);

test('what a panel keeps goes on living when one comes back to it', async ({ page }) => {
  await page.goto('/#/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await expect(page).toHaveTitle('Chain · Development · Tabnode');
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  await page.goto('/#/rpc/system_name');
  await expect(page.getByText('The name of this implementation.')).toBeVisible();
  await expect(page).toHaveTitle('RPC · Development · Tabnode');
  const best = await shownBest(page);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBe(best + 1);
  await page.goto('/#/chain');
  await expect(page.getByRole('row', { name: new RegExp(`^Block #${best + 1},`) })).toBeVisible();
  await page.goto('/#/rpc/state_getMetadata');
  await expect(page.getByText('The name of this implementation.')).toHaveCount(0);
  await expect(page.getByText(/metadata of a block's runtime/i).first()).toBeVisible();
});

test('an address opens as it was copied; the rail leads back to where each panel was left, and once more to its beginning', async ({
  page,
}) => {
  await page.goto('/#/@development/storage/Sudo/Key?at=0');
  const rail = page.getByRole('navigation', { name: 'Panels' });
  const open = (name: string) => rail.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sudo.Key' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Latest block' })).toBeVisible();
  await expectAccessible(page);
  await open('RPC');
  await page.getByRole('combobox', { name: 'method' }).fill('system_version');
  await expect(page).toHaveURL(/\/rpc\/system_version$/);
  // Leaves before the URL is updated.
  await page.getByRole('combobox', { name: 'method' }).fill('system_name');
  await open('Runtime');
  await page.getByRole('link', { name: 'Types', exact: true }).click();
  await expect(page).toHaveURL(/\/runtime\/types$/);
  await open('Storage');
  await expect(page).toHaveURL(/\/storage\/Sudo\/Key\?at=0$/);
  await page.keyboard.press('6');
  await expect(page).toHaveURL(/\/runtime\/types$/);
  await open('RPC');
  await expect(page.getByRole('combobox', { name: 'method' })).toHaveValue('system_name');
  await expect(page).toHaveURL(/\/rpc\/system_name$/);
  await open('Storage');
  await open('Storage');
  await expect(page).toHaveURL(/\/storage$/);
  await expect(page.getByRole('region', { name: 'Common values' })).toBeVisible();
});

test('an address that means nothing says so, in each panel', async ({ page }) => {
  await page.goto('/#/nonsense');
  await expect(page.getByRole('heading', { name: 'There is no page “nonsense”' })).toBeVisible();
  await expect(page).toHaveTitle('No such page · Development · Tabnode');
  await expectAccessible(page);
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Chain' }).click();
  await expect(page.getByRole('row', { name: /^Block #1,/ })).toBeVisible();
  for (const place of ['runtime/nonsense', 'live/nonsense', 'node/nonsense']) {
    await page.goto(`/#/${place}`);
    await expect(page.getByRole('heading', { name: `There is no page “${place}”` })).toBeVisible();
  }
  for (const [place, words] of [
    ['runtime/pallets/Nothing', 'This runtime has no pallet Nothing.'],
    ['runtime/pallets/System/nothings', 'System has no nothings.'],
    ['runtime/pallets/System/errors/Nothing', 'System has nothing called Nothing among its errors.'],
    ['runtime/apis/Core/nothing', 'Core has no method nothing.'],
    ['runtime/types/nothing', 'This runtime has no type nothing.'],
    ['rpc/state_nothing', 'The node does not list this method.'],
    ['send/Nothing/here', 'This runtime has no call Nothing.here.'],
    ['send/Nothing', /This runtime has no call Nothing\.(?!\.)/],
    ['chain/nothing', 'nothing'],
  ] as const) {
    await page.goto(`/#/${place}`);
    await expect(page.getByRole('main')).toContainText(words);
  }
});

test('the palette goes to panels, methods, storage, blocks and accounts', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const palette = page.getByRole('combobox', { name: 'Search or run' });
  await page.keyboard.press('ControlOrMeta+k');
  await palette.fill('state_getmeta');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/rpc\/state_getMetadata$/);
  await page.keyboard.press('ControlOrMeta+k');
  await palette.fill('system.account');
  await expect(page.getByRole('option', { name: /^System\.Account/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/storage\/System\/Account$/);
  await page.keyboard.press('ControlOrMeta+k');
  await palette.fill('#1');
  await expect(page.getByRole('option', { name: /Block #1/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/chain\/1$/);
  await page.keyboard.press('ControlOrMeta+k');
  await palette.fill('5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY');
  await page.getByRole('option', { name: /Account/ }).click();
  await expect(page).toHaveURL(/storage\/System\/Account\/%5B/);
  await page.keyboard.press('ControlOrMeta+k');
  await palette.fill('no such thing at all');
  await expect(page.getByText('No results for “no such thing at all”.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('the palette has pages and actions before methods of the same name, and asks the node what a hash is', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const palette = page.getByRole('combobox', { name: 'Search or run' });
  const options = page.getByRole('dialog').getByRole('option');
  await page.keyboard.press('ControlOrMeta+k');
  for (const [text, first] of [
    ['restore', /^Snapshot, restore, reset/],
    ['reset', /^Snapshot, restore, reset/],
    ['hash', /^Find a block or a transaction/],
    ['start', /^Show the first steps/],
    ['rpc', /^RPC/],
  ] as const) {
    await palette.fill(text);
    await expect(options.first()).toHaveAccessibleName(first);
  }
  await palette.fill('dev_reset');
  await expect(options.first()).toHaveAccessibleName(/^dev_reset/);
  const best = page.getByRole('link', { name: 'Best block' });
  await palette.fill((await best.getAttribute('title')) ?? '');
  await expect(options).toHaveCount(1);
  await expect(options).toHaveAccessibleName(/^Block 0x/);
  await palette.fill(`0x${'ab'.repeat(32)}`);
  await expect(options.first()).toHaveAccessibleName(/^Transaction 0x/);
});

test('the palette leads to what is done with chains and accounts', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const palette = page.getByRole('combobox', { name: 'Search or run' });
  const find = async (text: string, name: RegExp) => {
    await page.keyboard.press('ControlOrMeta+k');
    await palette.fill(text);
    const options = page.getByRole('dialog').getByRole('option');
    await expect.poll(async () => (await options.allInnerTexts()).slice(0, 3).join(), text).toMatch(name);
    await page.getByRole('option', { name }).click();
  };
  await find('fund', /Fund an account/);
  const fund = page.getByRole('dialog', { name: 'Fund an account' });
  await fund.getByRole('combobox', { name: /known account/ }).selectOption('Eve');
  await fund.getByRole('textbox', { name: 'New free balance' }).fill('7 UNIT');
  await fund.getByRole('button', { name: 'Set balance' }).click();
  await expect(page.getByRole('main')).toContainText(
    /dev_fund \["5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw","7000000000000"\]/,
  );
  await find('undo', /Snapshot, restore, reset/);
  await expect(page).toHaveURL(/chain\/control$/);
  await find('generate', /Add or generate an account/);
  await page.getByRole('button', { name: 'Generate a new key' }).click();
  await expect(page.getByRole('link', { name: /^account Account/ })).toBeVisible();
  await find('export', /Export, rename, duplicate or delete/);
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Export' })).toBeVisible();
  await page.keyboard.press('Escape');
  await find('new chain', /New chain/);
  await expect(page.getByRole('dialog', { name: 'New chain' })).toContainText('Local testnet');
});

test('a dialog that Back left is not there again on the way forward', async ({ page }) => {
  const dialog = page.getByRole('dialog');
  for (const [place, button] of [
    ['send', 'Add account…'],
    ['chain/control', 'Reset the chain…'],
  ] as const) {
    await page.goto('/#/storage');
    await page.goto(`/#/${place}`);
    await page.getByRole('button', { name: button }).click();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('main', { name: 'Storage' })).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await page.goForward();
    await expect(page.getByRole('button', { name: button })).toBeVisible();
    await expect(dialog).toHaveCount(0);
  }
});

test('what is typed while the palette loads is in its field', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/assets\/Palette-.*\.js/, async (route) => {
    asked.resolve();
    await held.promise;
    await route.continue();
  });
  await page.goto('/#/rpc/system_name');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.getByRole('combobox', { name: 'method' }).focus();
  await page.keyboard.press('ControlOrMeta+k');
  await asked.promise;
  await page.keyboard.type('snapx');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('shot');
  held.resolve();
  await expect(page.getByRole('combobox', { name: 'Search or run' })).toHaveValue('snapshot');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/chain\/control$/);
});

test('a method that the palette opened runs with Ctrl+Enter', async ({ page }) => {
  await openStill(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('system_name');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/rpc\/system_name$/);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'ok' })).toBeVisible();
});

test('two chains never have one name: the second is numbered, and the form says so', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: 'Development' }).click();
  await page.getByRole('button', { name: 'New chain…' }).click();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(name).toHaveValue('Development 2');
  await name.fill('development');
  await expect(page.getByRole('dialog').getByRole('status')).toContainText(
    'You already have one named “development”. This one will be named “development 2”.',
  );
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(header.getByRole('heading', { name: 'development 2' })).toBeVisible();
  await expect.poll(() => shownBest(page).catch(() => -1)).toBeGreaterThan(0);
  await header.getByRole('button', { name: 'development 2' }).click();
  const list = page.getByRole('list', { name: 'Chains' });
  await list.getByRole('listitem').last().getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('Development');
  await expect(list.getByRole('status')).toContainText('“Development 2”');
  await list.getByRole('button', { name: 'Rename', exact: true }).last().click();
  await expect(list.getByRole('link', { name: 'Development', exact: true })).toHaveCount(1);
  await expect(list.getByRole('link', { name: 'Development 2', exact: true })).toHaveCount(1);
});

test('on a phone chains are renamed and the theme is chosen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.getByRole('banner').getByRole('button', { name: 'Development' }).click();
  const chains = page.getByRole('list', { name: 'Chains' });
  const leftOf = (text: Locator) =>
    text.evaluate((of) => {
      const range = document.createRange();
      range.selectNodeContents(of);
      return Math.round(range.getBoundingClientRect().left);
    });
  const name = await leftOf(chains.getByRole('link', { name: 'Development' }));
  expect(Math.abs((await leftOf(chains.getByRole('button', { name: 'Rename' }))) - name)).toBeLessThan(3);
  // A name of one long word does not widen the page.
  await chains.getByRole('button', { name: 'Rename' }).click();
  await chains.getByLabel('New name').fill('Wolkenkratzer'.repeat(4));
  await page.keyboard.press('Enter');
  await expect(chains.getByRole('link', { name: /^Wolkenkratzer/ })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.getByRole('dialog').getByLabel('Theme').selectOption('dark');
  expect(await page.evaluate(() => document.documentElement.style.colorScheme)).toBe('dark');
  await expectAccessible(page);
});

test('chains: create, switch, rename, duplicate, delete; each keeps its own blocks', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(1);
  const header = page.getByRole('banner');
  await header.getByRole('button', { name: 'Development' }).click();
  await page.getByRole('button', { name: 'New chain…' }).click();
  await page.getByLabel('Local testnet (Alice and Bob)').check();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Two of us');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(page).toHaveURL(/@two-of-us\//);
  await expect(header.getByRole('heading', { name: 'Two of us' })).toBeVisible();
  await expect.poll(() => shownBest(page).catch(() => -1)).toBeGreaterThan(0);

  await header.getByRole('button', { name: 'Two of us' }).click();
  const list = page.getByRole('list', { name: 'Chains' });
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name });
  await row('Two of us').getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('Couple');
  await list.getByRole('button', { name: 'Rename', exact: true }).last().click();
  await expect(row('Couple')).toBeVisible();
  await row('Development').getByRole('button', { name: 'Duplicate' }).click();
  await list.getByRole('button', { name: 'Duplicate', exact: true }).nth(1).click();
  await expect(row('Development copy')).toBeVisible();
  await row('Development copy').getByRole('link').click();
  await expect(header.getByRole('heading', { name: 'Development copy' })).toBeVisible();
  await expect.poll(() => shownBest(page).catch(() => -1)).toBeGreaterThan(1);

  await header.getByRole('button', { name: 'Development copy' }).click();
  await row('Couple').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('This cannot be undone')).toBeVisible();
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await expect(row('Couple')).toHaveCount(0);
});

test('a dropped runtime becomes a chain; what is neither says why', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await dropFile(page, 'notes.txt', Buffer.from('hello'));
  await expect(page.getByRole('alert')).toContainText('is not a runtime');
  await page.keyboard.press('Escape');
  await dropFile(page, 'my_runtime.wasm', readFileSync(runtime));
  const dialog = page.getByRole('dialog', { name: 'Runtime “my runtime”' });
  await expect(dialog.getByText(/Runtime, /)).toBeVisible();
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  // Of a preset that the runtime does not have, no chain is left: not in the list, and not in the browser.
  const preset = dialog.getByLabel('Genesis preset');
  await preset.fill('absent');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(dialog.getByRole('alert')).toContainText('absent');
  await expect(preset).toHaveValue('absent');
  expect(
    await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)),
  ).not.toContain('my-runtime');
  await preset.fill('development');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'my runtime' })).toBeVisible();
  await expect.poll(() => shownBest(page).catch(() => -1), { timeout: 10_000 }).toBeGreaterThan(0);
});

test('a chain is exported to a file, and the file dropped is the same chain again', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  for (let more = 0; more < 2; more += 1) await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(2);
  const hashOf = async (number: number) => {
    // Selected, because it would be collapsed with other empty blocks.
    await page.evaluate((wanted) => {
      location.hash = `${location.hash.split('/chain')[0]}/chain/${wanted}`;
    }, number);
    return page.locator(`[data-number="${number}"]`).getByRole('link').last().getAttribute('title');
  };
  const second = await hashOf(2);
  await page.getByRole('banner').getByRole('button', { name: 'Development' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const path = await (await download).path();
  await page.keyboard.press('Escape');
  await dropFile(page, 'development.jsonl', readFileSync(path));
  await expect(page.getByRole('dialog', { name: 'Exported chain “Development”' })).toContainText(
    /\d+ blocks\. Each is executed/,
  );
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Again');
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Again' })).toBeVisible();
  await expect.poll(() => shownBest(page).catch(() => -1), { timeout: 10_000 }).toBeGreaterThan(2);
  expect(await hashOf(2)).toBe(second);
});

test('without a chain the first-run screen starts one with one click', async ({ page }) => {
  await page.addInitScript(() => {
    if (localStorage.getItem('tabnode.chains') === null) localStorage.setItem('tabnode.chains', '[]');
  });
  await page.goto('/');
  const start = page.getByRole('button', { name: 'Start a development chain' });
  await expect(start).toBeVisible();
  await expectAccessible(page);
  await start.click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
});

test('the theme is kept, and the line of traffic tells the last call', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const scheme = () => page.evaluate(() => document.documentElement.style.colorScheme);
  await page.getByLabel('Theme').selectOption('dark');
  expect(await scheme()).toBe('dark');
  await page.reload();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  expect(await scheme()).toBe('dark');
  await page.getByLabel('Theme').selectOption('system');
  expect(await scheme()).toBe('light dark');
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(page.getByRole('region', { name: 'JSON-RPC traffic' })).toContainText('engine_createBlock');
});
