import { expect, test } from '@playwright/test';
import { eventsKey } from '../src/scale/events.ts';
import { expectAccessible } from './axe.ts';
import { bob, createSender, openStill } from './chain-page.ts';
import { jsonEditor } from './json-editor.ts';
import { column, finalized, heads, number, ready, rows, sub, traffic } from './live-page.ts';
import { ask } from './node-line.ts';
import { test as shared } from './shared-page.ts';
import { collectFaults } from './support.ts';

test.describe.configure({ mode: 'default' });

test('three subscriptions by form stand side by side, and the address brings them back', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await ready(page);
  await page.keyboard.press('4');
  await expect(page.getByText('No subscriptions yet')).toBeVisible();
  await page.getByRole('button', { name: 'Watch new blocks' }).click();
  await expect(column(page, 'chain_subscribeNewHeads')).toBeVisible();

  await page.getByRole('button', { name: 'Subscribe…' }).click();
  const form = page.getByRole('form', { name: 'New subscription' });
  await form.getByLabel('subscribe to').selectOption('state_subscribeStorage');
  await form.getByLabel('entry').selectOption('Number');
  await expect(form).toContainText(number);
  await form.getByRole('button', { name: 'Subscribe' }).click();
  const storage = column(page, 'state_subscribeStorage');
  await expect(storage.getByRole('heading')).toContainText('System.Number');
  await expect(storage.getByText(/^System\.Number$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(rows(storage).nth(1)).toBeVisible();

  const newHeads = column(page, 'chain_subscribeNewHeads');
  await expect(newHeads).toContainText(/slot [\d\s]+ · by authority 0/);
  await expect(newHeads.getByRole('link', { name: /^#\d/ }).first()).toHaveAttribute(
    'href',
    /#\/@[^/]+\/chain\/\d+$/,
  );
  // The newest is on top.
  const numbers = await newHeads.getByRole('link', { name: /^#\d/ }).allInnerTexts();
  expect(numbers.map((text) => Number(text.replace(/\D/g, '')))).toEqual(
    numbers.map((text) => Number(text.replace(/\D/g, ''))).sort((a, b) => b - a),
  );

  await newHeads.getByRole('button', { name: 'Move chain_subscribeNewHeads right' }).click();
  const order = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(order.first()).toContainText('chain_subscribeFinalizedHeads');
  await page.reload();
  await ready(page);
  await expect(order).toHaveText([/FinalizedHeads/, /NewHeads/, /subscribeStorage.*System\.Number/]);
  await expect(rows(column(page, 'chain_subscribeNewHeads')).first()).toBeVisible();
  expect(faults).toEqual([]);
});

shared('a column pauses with a count, filters, clears, stops and closes', async ({ page }) => {
  await page.goto(sub(heads, finalized));
  await ready(page);
  const column1 = column(page, 'chain_subscribeNewHeads');
  await expect(rows(column1).first()).toBeVisible();
  await column1.getByRole('button', { name: 'Pause' }).click();
  await expect(column1.getByText('paused', { exact: true })).toBeVisible();
  const frozen = await rows(column1).count();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(column1.getByRole('button', { name: /[2-9] new/ })).toBeVisible();
  expect(await rows(column1).count()).toBe(frozen);
  await column1.getByRole('button', { name: /\d new/ }).click();
  await expect.poll(() => rows(column1).count()).toBeGreaterThan(frozen + 1);
  await expect(column1).toContainText(/\d+\.\d\/s/);

  await column1.getByLabel('Filter chain_subscribeNewHeads').fill('no such text');
  await expect(column1).toContainText('No notification matches the filter.');
  await column1.getByLabel('Filter chain_subscribeNewHeads').fill('"number":"0x1"');
  await column1.getByLabel('Filter chain_subscribeNewHeads').fill('');
  await rows(column1).first().click();
  await expect(column1).toContainText('stateRoot');

  await column1.getByRole('button', { name: 'Stop' }).click();
  await expect(column1).toContainText('stopped');
  await column1.getByRole('button', { name: 'Clear' }).click();
  await expect(column1).toContainText('Cleared.');
  await column1.getByRole('button', { name: 'Close chain_subscribeNewHeads' }).click();
  await expect(column1).toHaveCount(0);
  await expect(page).not.toHaveURL(/NewHeads/);
  await expect(column(page, 'chain_subscribeFinalizedHeads')).toBeVisible();
});

shared('a subscription by JSON; one that the node refuses says why', async ({ page }) => {
  await page.goto('/#/live');
  await ready(page);
  await page.getByRole('button', { name: 'Subscribe…' }).click();
  const form = page.getByRole('form', { name: 'New subscription' });
  await form.getByLabel('subscribe to').selectOption('state_subscribeStorage');
  await form.getByRole('button', { name: 'JSON' }).click();
  await jsonEditor(form, 'params').fill('[["0x');
  await expect(form.getByRole('button', { name: 'Subscribe' })).toBeDisabled();
  await jsonEditor(form, 'params').fill(`[["${number}"]]`);
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(rows(column(page, 'state_subscribeStorage')).first()).toBeVisible();
  await page.goto(sub(['state_subscribeStorage', [['not hex']]]));
  await expect(page.getByText('The node refused this subscription')).toBeVisible();
  await page.goto('/#/live?sub=oops');
  await expect(page.getByText('The URL has no valid subscriptions')).toBeVisible();
});

test('a failed dispatch reads as the error and its docs, in statuses and in events', async ({ page }) => {
  await openStill(page);
  const sendAsAlice = await createSender(page);
  const args = { delegate: { Id: bob }, proxy_type: 'Any', delay: 0 };
  const first = sendAsAlice(0, 'Proxy', 'remove_proxy', args);
  const second = sendAsAlice(1, 'Proxy', 'remove_proxy', args);
  await page.goto(
    sub(
      ['author_submitAndWatchExtrinsic', [first]],
      ['transactionWatch_v1_submitAndWatch', [second]],
      ['state_subscribeStorage', [[eventsKey]]],
    ),
  );
  // A link sends nothing by itself.
  for (const method of ['author_submitAndWatchExtrinsic', 'transactionWatch_v1_submitAndWatch'])
    await column(page, method).getByRole('button', { name: 'Submit', exact: true }).click();
  await expect(column(page, 'transactionWatch_v1_submitAndWatch')).toContainText('validated');
  await expect(column(page, 'author_submitAndWatchExtrinsic')).toContainText('ready');
  await ask(page, 'dev_newBlock');
  const words = 'Proxy.NotFound: Proxy registration not found.';
  const status = (method: string, word: string) =>
    column(page, method).getByRole('listitem').filter({ hasText: word });
  await expect(status('author_submitAndWatchExtrinsic', 'inBlock')).toContainText(words);
  await expect(status('transactionWatch_v1_submitAndWatch', 'bestChainBlockIncluded')).toContainText(words);
  const events = column(page, 'state_subscribeStorage');
  await rows(events).first().click();
  await expect(events).toContainText(words);
});

shared('what is opened in the panel is accessible too', async ({ page }) => {
  await page.goto(sub(heads, ['state_subscribeStorage', [[number]]]));
  await ready(page);
  await expect(rows(column(page, 'state_subscribeStorage')).first()).toBeVisible();
  await rows(column(page, 'chain_subscribeNewHeads')).first().click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Subscribe…' }).click();
  await expectAccessible(page);
  await page.goto('/#/live/traffic');
  await traffic(page).getByRole('listitem').last().getByRole('button').last().press('ArrowUp');
  await expect(page.getByRole('article')).toBeVisible();
  await expectAccessible(page);
});
