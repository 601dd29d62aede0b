import { expect, type Page, test } from '@playwright/test';
import { ask, openLine } from './node-line.ts';
import { collectFaults, shownBest } from './support.ts';

// A page's local storage is lost or damaged more easily than its databases.

const ready = (page: Page) =>
  expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#\d/, { timeout: 15_000 });
const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
const keep = (page: Page, key: string, text: string) =>
  page.evaluate(([name, value]) => localStorage.setItem(name as string, value as string), [key, text]);

const openChains = async (page: Page, name: string) => {
  await page.getByRole('banner').getByRole('button', { name }).click();
  return page.getByRole('list', { name: 'Chains' });
};

test.beforeEach(({ page }) => openLine(page));

/** Creates a second chain and opens it; returns the hash of its third block or a later one. */
const makeChain = async (page: Page, kind: RegExp, name: string): Promise<string> => {
  await page.goto('/');
  await ready(page);
  await openChains(page, 'Development');
  await page.getByRole('button', { name: 'New chain…' }).click();
  await page.getByRole('radio', { name: kind }).check();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  return ask<string>(page, 'dev_newBlock', { count: 3 });
};

/**
 * Expects the chain on screen to contain this block. Its seal mode may be lost too, so it may have grown by
 * itself.
 */
const expectBlock = async (page: Page, hash: string): Promise<void> => {
  const { number } = await ask<{ readonly number: string }>(page, 'chain_getHeader', hash);
  expect(await ask(page, 'chain_getBlockHash', Number(number))).toBe(hash);
};

/** More of them, and of other lists, in ui/kit/page/kept.test.ts. */
const wrecks = ['no JSON', '[{"id":5}]'];

/**
 * Simulates a browser that stored chains before there was a second copy of their entries: the page's own
 * database has only payloads.
 */
const forgetEntries = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('tabnode-devtools');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const change = opening.result.transaction('entries', 'readwrite');
          change.objectStore('entries').clear();
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );

const poisons = ['', 'no JSON', 'null', '[null,1,{"id":"0x"}]', '{"a":', '1e999', '-1', '[[[]]]'];
const poisoned = ['accounts', 'theme', 'dock', 'chain', 'modes.development', 'sent.development'];

const listed = [/Development/, /Two of us/];

test('whatever becomes of local storage, no stored chain is hidden, a deleted one does not come back, and the page opens its chain', async ({
  page,
}) => {
  const faults = collectFaults(page);
  const best = await makeChain(page, /Local testnet/, 'Two of us');
  for (const wreck of wrecks)
    await test.step(`the list of chains reads ${wreck}`, async () => {
      await page.goto('about:blank');
      // Before the page runs: a running page may write its list again.
      const script = await page.addInitScript((text) => localStorage.setItem('tabnode.chains', text), wreck);
      await page.goto('/');
      await ready(page);
      await script.dispose();
      await expect(page.getByRole('heading', { level: 1, name: 'Two of us' }), wreck).toBeVisible();
      await expectBlock(page, best);
      await expect((await openChains(page, 'Two of us')).getByRole('link'), wreck).toHaveText(listed);
      expect(await kept(page, 'tabnode.chains.broken')).toBe(wreck);
      await page.reload();
      await expect((await openChains(page, 'Two of us')).getByRole('link'), wreck).toHaveText(listed);
    });
  expect(faults).toEqual([]);

  await test.step('without anything in local storage all are listed, and open with their blocks', async () => {
    await page.goto('about:blank');
    // Before the page runs: a running page may write again what was cleared.
    const script = await page.addInitScript(() => localStorage.clear());
    await page.goto('/');
    await ready(page);
    await script.dispose();
    const list = await openChains(page, 'Development');
    await list.getByRole('link', { name: 'Two of us' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Two of us' })).toBeVisible();
    // `ask` uses the node that a page started last, so this makes sure there is only one.
    await page.goto('about:blank');
    await page.goto('/#/@two-of-us/chain');
    await ready(page);
    await expectBlock(page, best);
  });

  await test.step('where the browser does not list its databases, the second copy of the list does', async () => {
    const script = await page.addInitScript(() => Reflect.deleteProperty(IDBFactory.prototype, 'databases'));
    await page.evaluate(() => localStorage.clear());
    await keep(page, 'tabnode.chain', 'never-made');
    await page.goto('about:blank');
    await page.goto('/#/@two-of-us/chain');
    await ready(page);
    await expectBlock(page, best);
    await expect((await openChains(page, 'Two of us')).getByRole('link')).toHaveText(listed);
    expect(faults).toEqual([]);
    await script.dispose();
  });

  await test.step('a chain of which the database alone is left is listed by its id, and known for what it is', async () => {
    await forgetEntries(page);
    await page.evaluate(() => localStorage.clear());
    await page.goto('about:blank');
    await page.goto('/#/@two-of-us/chain');
    await ready(page);
    await expect(page.getByRole('heading', { level: 1, name: 'Two of us' })).toBeVisible();
    await expectBlock(page, best);
    await expect((await openChains(page, 'Two of us')).getByText('local_testnet')).toBeVisible();
  });

  await test.step('a chain that was deleted does not come back', async () => {
    const row = page
      .getByRole('list', { name: 'Chains' })
      .getByRole('listitem')
      .filter({ hasText: 'Two of us' });
    await row.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Development' })).toBeVisible();
    await keep(page, 'tabnode.chains', 'no JSON');
    await page.goto('about:blank');
    await page.goto('/');
    await ready(page);
    await expect((await openChains(page, 'Development')).getByRole('link')).toHaveText([/Development/]);
  });

  await test.step('whatever the choices of a page read, it opens its chain', async () => {
    await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
    const first = await ask(page, 'chain_getBlockHash', 1);
    // Each key with half of them, and each of them in half of the keys.
    for (let round = 0; round < poisons.length; round += 2) {
      const poison = (at: number): string => poisons[(round + (at % 2)) % poisons.length] ?? '';
      for (const [at, key] of poisoned.entries()) await keep(page, `tabnode.${key}`, poison(at));
      await page.goto('about:blank');
      await page.goto('/#/send');
      await ready(page);
      expect(await ask(page, 'chain_getBlockHash', 1), poison(0)).toBe(first);
      await expect(page.getByRole('region', { name: 'JSON-RPC traffic' })).toBeInViewport();
      await expect(page.getByRole('banner')).toBeInViewport({ ratio: 1 });
    }
    expect(faults).toEqual([]);
  });

  await test.step('accounts that cannot be read are set aside when others are kept', async () => {
    const account = { name: 'Kept', id: `0x${'11'.repeat(32)}`, suri: null };
    const text = JSON.stringify([account, { name: 'Other', id: 'half an id' }]);
    await page.evaluate((value) => localStorage.setItem('tabnode.accounts', value), text);
    await page.reload();
    await ready(page);
    const aside = () => page.evaluate(() => localStorage.getItem('tabnode.accounts.broken'));
    await expect.poll(aside).toBe(text);
  });
});
