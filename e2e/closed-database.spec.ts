import { expect, type Page, test, type Worker } from '@playwright/test';
import { collectFaults, shownBest } from './support.ts';

const nodeOf = async (page: Page): Promise<Worker> => {
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  const [worker] = page.workers();
  if (worker === undefined) throw new Error('no worker');
  return worker;
};

/** What a browser does that needs the memory or suspends the page, and whether it opens the database again. */
const closeByForce = (worker: Worker, opensAgain: boolean) =>
  worker.evaluate(async (opens) => {
    const { transaction } = IDBDatabase.prototype;
    const handle = await new Promise<IDBDatabase>((resolve) => {
      IDBDatabase.prototype.transaction = function (...given) {
        resolve(this);
        return transaction.apply(this, given);
      };
    });
    IDBDatabase.prototype.transaction = transaction;
    if (!opens)
      IDBFactory.prototype.open = () => {
        throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError');
      };
    handle.close();
    handle.dispatchEvent(new Event('close'));
  }, opensAgain);

test('a database that the browser closes is opened again; if it cannot be, the page says so, and a reload continues', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await page.goto('/');
  const worker = await nodeOf(page);
  const alert = page.getByRole('banner').getByRole('alert');
  await closeByForce(worker, true);
  const closedAt = await shownBest(page);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(closedAt);
  await expect(alert).toHaveCount(0);
  await closeByForce(worker, false);
  await expect(alert).toContainText('The node cannot use its database: The browser closed the database');
  const stuckAt = await shownBest(page);
  await alert.getByRole('button', { name: 'Reload' }).click();
  await nodeOf(page);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(stuckAt);
  expect(faults.filter((fault) => !fault.includes('The browser closed the database'))).toEqual([]);
  // Chromium closes the databases of a site by force when the user deletes its data.
  const devtools = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await expect(alert).toContainText('The node cannot use its database: This chain was deleted');
  await alert.getByRole('button', { name: 'Reload' }).click();
  await nodeOf(page);
  await expect(alert).toHaveCount(0);
});
