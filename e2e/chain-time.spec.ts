import { expect, test } from '@playwright/test';
import { detail, expectKeptStill, openStill, tree } from './chain-page.ts';
import { ask } from './node-line.ts';
import { collectFaults, fact, shownBest } from './support.ts';

test('a block a day later is drawn with its date, at even and odd heights, and after a reload', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  await expectKeptStill(page);
  for (const height of [1, 2]) {
    await ask(page, 'dev_reset');
    await ask(page, 'dev_newBlock', { count: height });
    await page.goto('/#/chain/control');
    await page.reload();
    await expect.poll(() => shownBest(page)).toBe(height);
    await detail(page).getByRole('button', { name: '+1 d…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move the clock' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'dev_timeTravel' })).toBeVisible();
    for (let later = 1; later <= 4; later += 1) {
      await ask(page, 'dev_newBlock');
      const name = new RegExp(`^Block #${height + later},`);
      await expect(tree(page).getByRole('row', { name })).toBeVisible();
    }
    const time = await fact(detail(page), 'best block').innerText();
    const [day = ''] = time.split(' ');
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    await expect(tree(page)).toContainText(day);
    await page.reload();
    await expect(tree(page)).toContainText(day);
  }
  expect(faults).toEqual([]);
});

test('a panel that fails says so in words, and a reset of its view opens it at its beginning', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const write = Date.prototype.toISOString;
    Date.prototype.toISOString = function () {
      if ('testBroken' in window) throw new Error('https://svelte.dev/e/each_key_duplicate');
      return write.call(this);
    };
  });
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 3 });
  await page.goto('/#/storage');
  await page.goto('/#/chain/2?sel=0x12');
  await expect(detail(page).getByRole('heading', { name: 'Block #2' })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { testBroken: true }));
  await ask(page, 'dev_newBlock', { count: 3 });
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('Something went wrong in this panel');
  await expect(alert).toContainText('Your chain is unaffected');
  // Must not be just the URL of a page that explains the error.
  await expect(alert.locator('pre')).toHaveText(/^Internal error: each key duplicate\b/);
  await alert.getByRole('button', { name: 'Reset this view' }).click();
  await expect(alert).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(window, 'testBroken'));
  await alert.getByRole('button', { name: 'Reset this view' }).click();
  await expect(tree(page).getByRole('row', { name: /^Block #6,/ })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('#/chain');
});
