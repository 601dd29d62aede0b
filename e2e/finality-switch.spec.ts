import { expect, test } from '@playwright/test';
import { detail, fixSlots, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';

test('a finality mode that would finalize what waits asks first, and then does; letters act on the row that has the focus', async ({
  page,
}) => {
  await openStill(page);
  await test.step('Ctrl+Enter in the palette runs nothing', async () => {
    await page.goto('/#/storage');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('combobox');
    await expect(field).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await expect(field).toBeFocused();
    expect(new URL(page.url()).hash).toContain('/storage');
    await page.keyboard.press('Escape');
  });

  await fixSlots(page);
  await ask(page, 'dev_newBlock', { count: 3 });
  const fork = await ask<string>(page, 'dev_newBlock', {
    parent: await ask<string>(page, 'chain_getBlockHash', 1),
  });
  await page.goto('/#/chain/control');
  const choice = detail(page).getByRole('group', { name: 'Finality' });
  const dialog = page.getByRole('dialog');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#3');
  await expect(choice.getByRole('button', { pressed: true })).toHaveText('manual');
  for (const mode of ['delayed', 'instant']) {
    await choice.getByRole('button', { name: mode }).click();
    await expect(dialog).toHaveAccessibleName('Finalize block #3?');
    await expect(dialog).toContainText(`With ${mode} finality, the best block is finalized at once.`);
    await expect(dialog).toContainText('#1 to #3 (3 blocks) become final.');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(choice.getByRole('button', { pressed: true })).toHaveText('manual');
  }
  expect(await ask(page, 'chain_getHeader', fork)).toMatchObject({ number: '0x2' });
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#0\b/);
  await choice.getByRole('button', { name: 'instant' }).click();
  await dialog.getByRole('button', { name: 'Finalize #3' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#3\b/);
  await expect(choice.getByRole('button', { pressed: true })).toHaveText('instant');
  expect(await ask(page, 'chain_getHeader', fork)).toBeNull();
  // No block waits for finality any more, so there is no question.
  await choice.getByRole('button', { name: 'delayed' }).click();
  await expect(choice.getByRole('button', { pressed: true })).toHaveText('delayed');

  await test.step('letters act on the row that has the focus', async () => {
    await choice.getByRole('button', { name: 'manual' }).click();
    await expect(choice.getByRole('button', { pressed: true })).toHaveText('manual');
    await page.goto('/#/chain');
    await ask(page, 'dev_newBlock', { count: 4 });
    await page.locator('[data-number="5"]').getByRole('link').first().focus();
    await page.keyboard.press('f');
    await expect(dialog).toHaveAccessibleName('Finalize block #5?');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('[data-number="5"]').getByRole('link').first().focus();
    await page.keyboard.press('b');
    await expect
      .poll(async () => (await ask<readonly string[]>(page, 'archive_v1_hashByHeight', 6)).length)
      .toBe(2);
  });
});
