import { expect, type Page, test } from '@playwright/test';
import { alice, bob, fixSlots, openStill, tree, walkTo } from './chain-page.ts';
import { ask } from './node-line.ts';
import { newest } from './send-page.ts';

// The main tasks as done by a screen reader user: by keys, names and roles, with the announcements of live
// regions.

/**
 * Records the text of live regions each time it changes, except the names of copy buttons, which change when
 * pressed.
 */
const listen = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const announced: string[] = [];
    const known = new WeakMap<Element, string>();
    Object.assign(window, { announced });
    const hear = () => {
      for (const region of document.querySelectorAll(
        ':is([role=status], [role=alert], [aria-live=polite]):not(button *)',
      )) {
        const text = (region.textContent ?? '').replace(/\s+/g, ' ').trim();
        if (text === (known.get(region) ?? '')) continue;
        known.set(region, text);
        if (text !== '') announced.push(text);
      }
    };
    new MutationObserver(hear).observe(document, { subtree: true, childList: true, characterData: true });
  });
};

/** The announcements since the last call. */
const announced = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as { announced: string[] }).announced.splice(0));

/** Expects the focus to be on an element of the page, not lost to its body. */
const expectFocus = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

const find = async (page: Page, words: string): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search or run' })).toBeFocused();
  await page.keyboard.insertText(words);
  await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
};

/** Presses F6 until a part of the page has the focus. */
const goTo = (page: Page, part: string): Promise<void> =>
  expect(async () => {
    await page.keyboard.press('F6');
    await expect(page.getByRole('main').getByLabel(part, { exact: true })).toBeFocused({ timeout: 200 });
  }).toPass();

test('blocks, forks, values, methods and transfers are read and made by keys, each told once', async ({
  page,
}) => {
  await listen(page);
  await openStill(page);
  await test.step('a fork is made and finalized, after a question, and the focus stays in the list', async () => {
    await fixSlots(page);
    for (const number of [1, 2]) {
      await ask(page, 'dev_newBlock');
      await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(`#${number}`);
    }
    await goTo(page, 'Blocks, newest first');
    await walkTo(page, 'ArrowDown', /#1/);
    await announced(page);
    await page.keyboard.press('b');
    await expect(tree(page).getByRole('row', { selected: true })).toHaveAccessibleName(/#2.*fork/);
    await tree(page).focus();
    await page.keyboard.press('f');
    const question = page.getByRole('dialog');
    await expect(question).toContainText('#2');
    await question.getByRole('button', { name: /^Finalize/ }).focus();
    await page.keyboard.press('Enter');
    await expect(tree(page).getByRole('row', { selected: true })).toHaveAccessibleName(/#2, finalized/);
    await expectFocus(page);
    const words = await announced(page);
    expect(new Set(words).size, words.join(' | ')).toBe(words.length);
  });

  await test.step('the newest block is found and read; blocks that come say nothing', async () => {
    await ask(page, 'dev_newBlock');
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#3');
    await goTo(page, 'Blocks, newest first');
    await walkTo(page, 'ArrowUp', /#3/);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('complementary').getByRole('heading', { name: /Block #3/ })).toBeVisible();
    await expectFocus(page);
    await announced(page);
    for (const number of [4, 5]) {
      await ask(page, 'dev_newBlock');
      await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(`#${number}`);
    }
    expect(await announced(page)).toEqual([]);
    await expectFocus(page);
  });

  await test.step('a stored value is found by the name of its account, and read field by field', async () => {
    await find(page, alice);
    const value = page.getByRole('region', { name: 'Decoded value' });
    await expect(value.getByRole('button', { name: 'free', exact: true })).toBeVisible();
    await expectFocus(page);
    await announced(page);
    await goTo(page, 'Decoded value');
    await page.keyboard.press('End');
    await expect(value.getByRole('button', { name: 'flags', exact: true })).toBeFocused();
    await ask(page, 'dev_newBlock');
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#6');
    expect(await announced(page)).toEqual([]);
    await expect(value.getByRole('button', { name: 'flags', exact: true })).toBeFocused();
  });

  await test.step('a method is found and called, and its answer is told once', async () => {
    await find(page, 'system_chain');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await expect(run).toBeVisible();
    await expectFocus(page);
    await run.focus();
    await announced(page);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('"');
    await expect(run).toBeFocused();
    expect(await announced(page)).toEqual(['running', 'ok']);
  });

  await test.step('a transfer is sent, and each of its stages is told once', async () => {
    await page.goto('/#/send/Balances/transfer_keep_alive');
    const to = page.getByLabel('dest Id', { exact: true });
    await expect(to).toBeVisible();
    await to.focus();
    await page.keyboard.insertText(bob);
    await page.keyboard.press('Tab');
    await page.keyboard.insertText('5000000000000');
    await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeEnabled();
    await announced(page);
    await page.keyboard.press('ControlOrMeta+Enter');
    const status = newest(page).getByRole('status');
    await expect(status).toHaveText('Ready');
    await ask(page, 'dev_newBlock');
    await expect(status).toHaveText('In block');
    await ask(page, 'dev_finalise', await ask(page, 'chain_getBlockHash'));
    await expect(status).toHaveText('Finalized');
    await expectFocus(page);
    const words = await announced(page);
    for (const stage of ['Ready', 'In block', 'Finalized'])
      expect(
        words.filter((one) => one === stage),
        words.join(' | '),
      ).toHaveLength(1);
  });
});
