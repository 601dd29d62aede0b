import { expect, type Page, test } from '@playwright/test';
import { ask, openLine } from './node-line.ts';
import { shownBest } from './support.ts';

test.beforeEach(({ page }) => openLine(page));

/** Flips a bit of a record, such as the one with the chain's position. */
const damage = (page: Page, store: string, keyHex: string) =>
  page.evaluate(
    ([name, hex]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('development');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const key = Uint8Array.from((hex as string).match(/../g) ?? [], (byte) =>
            Number.parseInt(byte, 16),
          );
          const change = opening.result.transaction(name as string, 'readwrite');
          const records = change.objectStore(name as string);
          const reading = records.get(key.buffer);
          reading.onsuccess = () => {
            const bytes = reading.result as Uint8Array;
            bytes[8] = (bytes[8] as number) ^ 1;
            records.put(bytes, key.buffer);
          };
          change.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    [store, keyHex],
  );

/** A chain of at least five blocks, and no automatic ones. */
const openFiveBlocks = async (page: Page): Promise<void> => {
  await page.goto('/');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
  await ask<string>(page, 'dev_newBlock', { count: 5 });
};

test('a damaged chain is told, says what a repair would lose, is repaired when asked, and lives', async ({
  page,
}) => {
  await openFiveBlocks(page);
  const best = await shownBest(page);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(4);
  const hash = await ask<string>(page, 'chain_getBlockHash');
  const parent = (await ask<{ parentHash: string }>(page, 'chain_getHeader')).parentHash;
  await page.goto('about:blank');
  await page.goto('/runtime-manifest.json');
  await damage(page, 'headers', hash.slice(2));
  await page.goto('/');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('The node could not start');
  await expect(alert).toContainText('StorageBroken: The database is damaged');
  await alert.getByRole('button', { name: 'Repair…' }).click();
  await expect(alert.getByRole('status')).toContainText(
    /The last intact block is #\d+\. Lost: blocks #\d+ to #\d+/,
  );
  await alert.getByRole('button', { name: /Go back to block/ }).click();
  await alert.getByRole('button', { name: 'Repair', exact: true }).click();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  expect(await ask(page, 'chain_getBlockHash')).toBe(parent);
  await ask<string>(page, 'dev_newBlock', { count: 2 });
  await expect.poll(() => shownBest(page)).toBeGreaterThan(best);
});

test('a node runs on with an old block damaged: the error says where it can be repaired, and there it is', async ({
  page,
}) => {
  await openFiveBlocks(page);
  const hash = await ask<string>(page, 'chain_getBlockHash', 1);
  await page.goto('about:blank');
  await page.goto('/runtime-manifest.json');
  await damage(page, 'bodies', hash.slice(2));
  await page.goto('/#/@development/chain/1');
  await expect(page.getByRole('complementary', { name: 'Picked block' })).toContainText('list of chains');
  await page.getByRole('banner').getByRole('button', { name: 'Development' }).click();
  await page.getByRole('list', { name: 'Chains' }).getByRole('button', { name: 'Repair…' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Repair Development' });
  await alert.getByRole('button', { name: 'Repair…' }).click();
  await alert.getByRole('button', { name: 'Go back to block #0' }).click();
  await alert.getByRole('button', { name: 'Repair', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/^#0\b/);
  await ask<string>(page, 'dev_newBlock', { count: 2 });
  await expect.poll(() => shownBest(page)).toBe(2);
});
