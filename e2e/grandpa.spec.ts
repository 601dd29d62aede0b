import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { detail, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';
import { fact } from './support.ts';

test('a block sealed by hand becomes final by votes, and the pages show by which', async ({ page }) => {
  await openStill(page);
  await page.goto('/#/chain/epoch');
  await expect(detail(page)).toContainText('This node does not vote.');
  await detail(page).getByRole('link', { name: 'Choose grandpa in Control' }).click();
  const choice = detail(page).getByRole('group', { name: 'Finality' });
  await choice.getByRole('button', { name: 'grandpa' }).click();
  await expect(choice.getByRole('button', { pressed: true })).toHaveText('grandpa');
  await expect(detail(page)).toContainText('Blocks are finalized by the votes of the GRANDPA authorities.');
  await detail(page).getByRole('button', { name: 'Build on #0' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#1\b/);

  await page.goto('/#/chain/1');
  await expect(detail(page)).toContainText('final');
  await expect(detail(page)).toContainText(/round 1, 1 signed for #1/);

  await page.goto('/#/chain/epoch');
  await expect(fact(detail(page), 'last finalized by votes')).toHaveText(/#1\s+in round 1/);
  await expect(fact(detail(page), 'finality needs')).toHaveText('1 of 1 votes');
  const voters = detail(page).getByRole('table', { name: 'GRANDPA authorities' });
  await expect(voters.getByRole('row').nth(1)).toContainText(/Alice.*this node/s);
  await expect(
    detail(page)
      .getByRole('region', { name: /^Round \d+$/ })
      .first(),
  ).toContainText('running');
  // Narrow, the page is alone on the screen.
  for (const width of [800, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  }

  // The page follows: another block, without a visit to another page.
  await ask(page, 'dev_newBlock');
  await expect(fact(detail(page), 'last finalized by votes')).toHaveText(/#2\s+in round \d+/);
});

test('what waits under manual finality becomes final by votes, after a question', async ({ page }) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 3 });
  await page.goto('/#/chain/control');
  const choice = detail(page).getByRole('group', { name: 'Finality' });
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#3');
  await choice.getByRole('button', { name: 'grandpa' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveAccessibleName('Finalize block #3?');
  await expect(dialog).toContainText('With grandpa finality, the best block is finalized by votes.');
  await dialog.getByRole('button', { name: 'Finalize #3' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#3\b/);
  expect(await ask(page, 'dev_grandpa')).toMatchObject({ justified: { number: 3 } });
});
