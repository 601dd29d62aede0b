import { expect, type Locator, type Page, test } from '@playwright/test';
import { detail, openStill, tree } from './chain-page.ts';
import { ask } from './node-line.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults } from './support.ts';

type Heads = { readonly best: number; readonly finalized: number };
const headsOf = async (page: Page): Promise<Heads> => {
  const numberOf = async (...params: unknown[]) =>
    Number((await ask<{ number: string }>(page, 'chain_getHeader', ...params)).number);
  return { best: await numberOf(), finalized: await numberOf(await ask(page, 'chain_getFinalizedHead')) };
};
/**
 * Blocks are built one after another, so any block that the keys requested would be below the one requested
 * here.
 */
const expectUntouched = async (page: Page, keys: string, where: string): Promise<void> => {
  const before = await headsOf(page);
  for (const key of keys) await page.keyboard.press(key);
  await ask(page, 'dev_newBlock');
  expect(await headsOf(page), where).toEqual({ ...before, best: before.best + 1 });
};

test('letters change the chain only while its list or tree has the focus; finalizing asks first', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 4 });
  await page.goto('/#/storage');
  await expect(page.getByRole('region', { name: 'Common values' })).toBeVisible();
  await expectUntouched(page, 'sudobf', 'the storage panel');
  await page.goto('/#/chain');
  await expect(tree(page).getByRole('row', { name: /^Block #5,/ })).toBeVisible();
  await expectUntouched(page, 'sbf', 'nothing focused');
  await page.goto('/#/chain/3');
  await detail(page).getByRole('button', { name: 'Show' }).or(detail(page).getByRole('link')).first().focus();
  await expectUntouched(page, 'sbf', 'beside the list');

  const row = page.locator('[data-number="3"]');
  await row.click({ position: { x: 300, y: 8 } });
  await page.keyboard.press('s');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#8');
  expect(await headsOf(page)).toEqual({ best: 8, finalized: 0 });
  await page.keyboard.press('b');
  const child = tree(page).getByRole('row', { name: /#4, on a fork/ });
  await expect(child).toHaveCount(1);
  await expect(child).toHaveAttribute('aria-selected', 'true');
  await row.click({ position: { x: 300, y: 8 } });
  await page.keyboard.press('s');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#9');
  const hash = await ask<string>(page, 'chain_getBlockHash', 3);
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('f');
  await expect(dialog).toHaveAccessibleName('Finalize block #3?');
  await expect(dialog).toContainText(hash.slice(0, 6));
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await headsOf(page)).finalized).toBe(0);
  await tree(page).focus();
  await page.keyboard.press('f');
  await dialog.getByRole('button', { name: 'Finalize #3' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#3\b/);
  // The button next to the block asks as well.
  await page.goto('/#/chain/6');
  await detail(page).getByRole('button', { name: 'Finalize this…' }).click();
  await expect(dialog).toHaveAccessibleName('Finalize block #6?');
  await expect(dialog).toContainText('#4 to #6 (3 blocks) become final.');
  await dialog.getByRole('button', { name: 'Finalize #6' }).click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#6\b/);
  expect(faults).toEqual([]);
});

test('the keys can be turned off, and the sheet of keys says what is so', async ({ page }) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 2 });
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('In the list of blocks');
  await sheet.getByLabel('Single-key shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await tree(page).focus();
  await expectUntouched(page, 'sbf', 'keys are off');
  await page.keyboard.press('6');
  await page.keyboard.press('?');
  await expect(sheet).toHaveCount(0);
  // The list does not update while the pointer is over it.
  await page.mouse.move(0, 0);
  await expect(tree(page).getByRole('row', { name: /^Block #3, on the best chain$/ })).toBeVisible();
  // Arrow keys stay enabled: they are not letters.
  await page.keyboard.press('ArrowDown');
  await expect(tree(page).getByRole('row', { selected: true })).toHaveAccessibleName(/^Block #2,/);
  expect(new URL(page.url()).hash).toMatch(/^#\/@development\/chain/);
  await page.reload();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await sheet.getByLabel('Single-key shortcuts').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('6');
  await expect(page).toHaveURL(/\/runtime/);
});

test('the button that seals leaves finality to the mode, and says what comes of it', async ({ page }) => {
  await openStill(page);
  const seal = page.getByRole('banner').getByRole('button', { name: /^Seal/ });
  await expect(seal).toHaveText('Seal block');
  await seal.click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#1');
  expect(await headsOf(page)).toEqual({ best: 1, finalized: 0 });
  await page.goto('/#/chain/control');
  await detail(page).getByRole('button', { name: 'instant' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Finalize #1' }).click();
  await expect(seal).toHaveText('Seal block and finalize');
  await seal.click();
  await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#2\b/);
  expect(await headsOf(page)).toEqual({ best: 2, finalized: 2 });
  // Another client changes the mode. The button must use the current mode, even if the page has not been
  // notified of it.
  await ask(page, 'dev_setFinality', 'manual');
  await seal.click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#3');
  expect(await headsOf(page)).toEqual({ best: 3, finalized: 2 });
});

test('in embedded devtools the tree hears its arrows, and the page keeps its own', async ({ page }) => {
  await page.goto(`${e2eUrl('pages')}devtools.html`);
  await page.getByRole('button', { name: 'Tabnode' }).click();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(tree(page).getByRole('row', { name: /^Block #1,/ })).toBeVisible();
  await tree(page).focus();
  await page.keyboard.press('ArrowDown');
  const walked = tree(page).getByRole('row', { selected: true });
  await expect(walked).toHaveAccessibleName(/^Block #0,/);
  await page.evaluate(() =>
    addEventListener('keydown', (event) => {
      document.body.dataset['taken'] = String(event.defaultPrevented);
    }),
  );
  await page.getByRole('heading', { name: 'A dApp' }).click();
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('body')).toHaveAttribute('data-taken', 'false');
  await expect(walked).toHaveAccessibleName(/^Block #0,/);
});

/** Presses Tab until the element has the focus. */
const tabTo = async (page: Page, target: Locator): Promise<void> => {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
};

test('by keys alone, a stored value is edited, and one goes to another chain and back', async ({ page }) => {
  await openStill(page);
  const main = page.getByRole('main');
  const header = page.getByRole('banner');
  const { keyboard } = page;

  await test.step('a value of a map is chosen, edited and set', async () => {
    await keyboard.press('2');
    await expect(page.getByLabel('Filter pallets')).toBeVisible();
    await keyboard.press('/');
    await keyboard.type('system');
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/storage\/System$/);
    const entries = page.getByRole('navigation', { name: 'Storage of System' });
    await tabTo(page, entries.getByRole('link', { name: /^Account/ }));
    await keyboard.press('Enter');
    await tabTo(
      page,
      page.getByRole('region', { name: 'Keys of Account' }).getByRole('link', { name: /^Bob \d/ }),
    );
    await keyboard.press('Enter');
    await expect(page).toHaveURL(/storage\/System\/Account\/./);
    // The row is gone: the focus is where it was, so that Tab leads into the value.
    await expect(main.getByRole('article')).toBeFocused();
    await tabTo(page, main.getByRole('button', { name: 'Edit value…' }));
    await keyboard.press('Enter');
    await expect(main.getByLabel('value nonce', { exact: true })).toBeFocused();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('7');
    await tabTo(page, main.getByRole('button', { name: 'Set value' }));
    await keyboard.press('Enter');
    await expect(main.getByRole('button', { name: 'Edit value…' })).toBeFocused();
    await expect(main.getByRole('region', { name: 'Value', exact: true })).toContainText(/nonce\s*7/);
  });

  await test.step('a second chain is created, and the menu leads back to the first', async () => {
    await tabTo(page, header.getByRole('button', { name: 'Development' }));
    await keyboard.press('Enter');
    const menu = page.getByRole('dialog', { name: 'Your chains' });
    await expect(menu.getByRole('link', { name: 'Development', exact: true })).toBeFocused();
    await tabTo(page, menu.getByRole('button', { name: 'New chain…' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'New chain' })).toBeVisible();
    await tabTo(page, page.getByRole('button', { name: 'Create and start' }));
    await keyboard.press('Enter');
    await expect(header.getByRole('heading', { name: 'Development 2' })).toBeVisible();
    await expect(main).toBeFocused();
    await tabTo(page, header.getByRole('button', { name: 'Development 2' }));
    await keyboard.press('Enter');
    await expect(menu.getByRole('link', { name: 'Development 2' })).toBeFocused();
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await expect(header.getByRole('heading', { name: 'Development', exact: true })).toBeVisible();
    await expect(main).toBeFocused();
  });
});
