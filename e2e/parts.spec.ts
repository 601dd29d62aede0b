import { expect, test } from '@playwright/test';
import { expectAccessible, findSmallTargets } from './axe.ts';
import { bob, openStill } from './chain-page.ts';
import { ask, hold, letGo, openLine, release } from './node-line.ts';
import { open, result, run } from './rpc-page.ts';
import { test as shared } from './shared-page.ts';

test.describe.configure({ mode: 'default' });

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const hashOfNothing = `0x${'77'.repeat(32)}`;

shared('an option acts on a click alone, as a screen reader presses it', async ({ page }) => {
  await open(page, '/system_chain');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('system_version');
  await page.getByRole('option', { name: /^system_version/ }).dispatchEvent('click');
  await expect(page).toHaveURL(/rpc\/system_version$/);
  // The button keeps the focus, and Escape only closes the list.
  const copy = page.getByRole('combobox', { name: 'Copy as…' });
  const list = page.getByRole('listbox', { name: 'Copy as' });
  await copy.click();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('option', { selected: true })).toHaveText('fetch');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(copy).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied as curl')).toBeVisible();
  await expect(copy).toBeFocused();
});

test('the palette knows accounts by name, and what can be done', async ({ page }) => {
  await openStill(page);
  const palette = page.getByRole('combobox', { name: 'Search or run' });
  const go = async (text: string, option: RegExp) => {
    await page.keyboard.press('ControlOrMeta+k');
    await palette.fill(text);
    await page.getByRole('option', { name: option }).click();
  };
  await go('alice', /^Account Alice(?!\/)/);
  await expect(page).toHaveURL(/storage\/System\/Account\//);
  await go('balance free', /^System\.Account/);
  await expect(page).toHaveURL(/storage\/System\/Account$/);
  await go('snapshot', /^Snapshot/);
  await expect(page).toHaveURL(/chain\/control$/);
  await go(bob, /^Send to Bob/);
  await expect(page.getByLabel('dest Id', { exact: true })).toHaveValue(bob);
});

test('a question that is answered gives the focus back', async ({ page }) => {
  await openStill(page);
  await page.goto('/#/chain/control');
  const aside = page.getByRole('complementary');
  await aside.getByLabel('Snapshot name').fill('one');
  await aside.getByRole('button', { name: 'Save snapshot' }).click();
  const restore = aside.getByRole('button', { name: 'Restore…' });
  await restore.click();
  await page.keyboard.press('Escape');
  await expect(restore).toBeFocused();
  await restore.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(restore).toBeFocused();
});

test('a hash typed while another is asked for stays', async ({ page }) => {
  await openLine(page);
  await open(page, '/chain_getBlock');
  await hold(page, 'chain_getFinalizedHead');
  const way = page.getByLabel('hash: which block');
  await way.selectOption('finalized now');
  await way.selectOption('hash…');
  const field = page.getByLabel('hash', { exact: true });
  await field.fill(hashOfNothing);
  await letGo(page);
  await release(page);
  // The node has responded to the calls held back before this one.
  await ask(page, 'system_chain');
  await expect(field).toHaveValue(hashOfNothing);
});

test('the list of methods begins at its top, and Enter in its filter takes the first', async ({ page }) => {
  await page.goto('/#/rpc');
  const list = page.getByRole('navigation', { name: 'Methods' });
  await expect(list.getByRole('link').first()).toBeInViewport();
  await expect(list.locator('[aria-current]')).toHaveCount(0);
  await page.getByLabel('Filter methods').fill('getruntimeversion');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/rpc\/state_getRuntimeVersion$/);
  await run(page);
  await page.goto('/#/rpc/chain_getBlockHash?params=%5B0%5D');
  await expect(result(page)).toContainText('result of another method');
  await run(page);
  await expect(result(page)).not.toContainText('result of another method');
  // The result is a block hash that links to the block.
  await result(page).getByRole('link', { name: /^0x/ }).click();
  await expect(page).toHaveURL(/chain\/0x[0-9a-f]{64}$/);
});

shared('the fields of the console write the parameters of a subscription', async ({ page }) => {
  await page.goto('/#/live');
  await page.getByRole('button', { name: 'Subscribe…' }).click();
  const form = page.getByRole('form', { name: 'New subscription' });
  await form.getByLabel('subscribe to').selectOption('author_submitAndWatchExtrinsic');
  await expect(form.getByRole('button', { name: 'Subscribe' })).toBeDisabled();
  await expect(form).toContainText('bytes is required');
  await form.getByLabel('bytes', { exact: true }).fill('0x00');
  await expect(form.getByRole('status').last()).toContainText('author_submitAndWatchExtrinsic("0x00")');
  await form.getByLabel('subscribe to').selectOption('state_subscribeStorage');
  await form.getByLabel('entry').selectOption('Account');
  await form.getByLabel('key 1: a known account').selectOption('Alice');
  await expect(form.getByRole('status').last()).toContainText(
    '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c',
  );
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { name: /System\.Account\(Alice\)/ })).toBeVisible();
});

shared('what a pointer is to hit is 24 px, or stands alone', async ({ page }) => {
  await open(page, '/state_getRuntimeVersion');
  await run(page);
  const places = [
    ['#/rpc/state_getRuntimeVersion', /specName/],
    ['#/live?sub=%5B%5B%22chain_subscribeNewHeads%22%2C%5B%5D%5D%5D', /by authority/],
    ['#/live/traffic?own=1', /chain_/],
    [`#/storage/System/Account/${encodeURIComponent(JSON.stringify([alice]))}`, /reserved/],
  ] as const;
  for (const [place, shows] of places) {
    await page.goto(`/${place}`);
    await expect(page.getByRole('main')).toContainText(shows);
    expect(await findSmallTargets(page, 'main'), place).toEqual([]);
  }
});
