import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { shownBest } from './support.ts';

const ready = (page: Page) =>
  expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#\d/, { timeout: 15_000 });
const kept = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('tabnode.modes.development') ?? 'null') as unknown);

test('modes of a chain are those of before after a reload, and the bar tells them', async ({ page }) => {
  await page.goto('/#/chain/control');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  const bar = page.getByRole('banner');
  const control = page.getByRole('complementary');
  await expect(bar.getByRole('link', { name: 'manual' })).toHaveCount(0);
  await control.getByRole('group', { name: 'Clock' }).getByRole('button', { name: 'wall clock' }).click();
  await ready(page);
  await expect(bar.getByRole('link', { name: 'wall', exact: true })).toBeVisible();
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  const notice = page.getByRole('status').filter({ hasText: 'Finality is instant now' });
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: /^Storage/ }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole('link', { name: /^Chain/ }).click();
  await control.getByRole('group', { name: 'Finality' }).getByRole('button', { name: 'manual' }).click();
  await expect(bar.getByRole('link', { name: 'manual' })).toBeVisible();
  const best = await shownBest(page);
  await page.reload();
  await ready(page);
  await expect(page.getByLabel('Seal mode')).toHaveValue('manual');
  await expect(bar.getByRole('link', { name: 'manual' })).toBeVisible();
  await expect(bar.getByRole('link', { name: 'wall', exact: true })).toBeVisible();
  expect(await shownBest(page)).toBe(best);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBe(best + 1);
  expect(await kept(page)).toEqual({
    seal: { kind: 'manual' },
    finality: { kind: 'manual' },
    clock: 'wall',
    states: 'recent',
  });
  await expectAccessible(page);

  await test.step('a chain kept by a page from before finality lagged has the default now; a choice of instant is kept', async () => {
    // Before the page runs: one that runs stores the modes again with each status of its node.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('kept') !== null) return;
      sessionStorage.setItem('kept', 'once');
      localStorage.setItem(
        'tabnode.modes.development',
        '{"seal":{"kind":"interval","ms":2000},"finality":"instant","clock":"chain"}',
      );
    });
    await page.reload();
    await ready(page);
    const choice = control.getByRole('group', { name: 'Finality' });
    await expect(choice.getByRole('button', { pressed: true })).toHaveText('grandpa');
    await choice.getByRole('button', { name: 'instant' }).click();
    await expect.poll(() => kept(page)).toMatchObject({ finality: { kind: 'instant' } });
    await page.reload();
    await ready(page);
    await expect(choice.getByRole('button', { pressed: true })).toHaveText('instant');
  });

  await test.step('modes are a chain’s own, go with its copy and leave with it', async () => {
    await page.goto('/#/chain');
    await page.getByLabel('Seal mode').selectOption('every 6 s');
    await expect.poll(() => kept(page)).toMatchObject({ seal: { kind: 'interval', ms: 6000 } });
    await page.evaluate(() =>
      localStorage.setItem('tabnode.modes.local-testnet', '{"seal":{"kind":"nonsense"}}'),
    );
    const header = page.getByRole('banner');
    await header.getByRole('button', { name: 'Development' }).click();
    await page.getByRole('button', { name: 'New chain…' }).click();
    await page.getByRole('radio', { name: /Local testnet/ }).check();
    await page.getByRole('button', { name: 'Create and start' }).click();
    await ready(page);
    await expect(page.getByLabel('Seal mode')).toHaveValue('every 2 s');
    await header.getByRole('button', { name: 'Local testnet' }).click();
    const list = page.getByRole('list', { name: 'Chains' });
    await list.getByRole('listitem').filter({ hasText: 'Development' }).getByRole('link').click();
    await ready(page);
    await expect(page.getByLabel('Seal mode')).toHaveValue('every 6 s');
  });
});
