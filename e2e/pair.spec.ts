import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { detail, openStill } from './chain-page.ts';
import { collectFaults, fact } from './support.ts';

const peer = (page: Page, name: string) => detail(page).getByRole('region', { name, exact: true });
const numberOf = async (page: Page, name: string, what: string): Promise<number> =>
  Number((await fact(peer(page, name), what).innerText()).replace(/[^\d]/g, ''));

/** A block comes four times as often as the page requests from its nodes. */
const hurry = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const post = Worker.prototype.postMessage as (this: Worker, ...given: unknown[]) => void;
    Worker.prototype.postMessage = function (this: Worker, message: unknown, ...rest: unknown[]): void {
      const { path, argumentList } = (message ?? {}) as {
        readonly path?: readonly string[];
        readonly argumentList?: readonly [{ readonly value: { readonly seal?: { ms?: number } } }];
      };
      const seal = path?.[0] === 'start' ? argumentList?.[0].value.seal : undefined;
      if (seal?.ms !== undefined) seal.ms /= 4;
      post.call(this, message, ...rest);
    };
  });

test('Alice and Bob finalize; without Bob finality waits, and catches up with him', async ({ page }) => {
  await hurry(page);
  const faults = collectFaults(page);
  const reaches = (name: string, what: string, number: number) =>
    expect.poll(() => numberOf(page, name, what), { timeout: 60_000 }).toBeGreaterThanOrEqual(number);
  await openStill(page);
  await page.goto('/#/chain/epoch');
  await detail(page).getByRole('link', { name: 'Watch Alice and Bob vote' }).click();
  await expectAccessible(page);
  await detail(page).getByRole('button', { name: 'Start Alice and Bob' }).click();
  for (const name of ['Alice', 'Bob']) await reaches(name, 'finalized', 3);
  await expect(detail(page)).toContainText('Both are voting.');
  await expectAccessible(page);

  await detail(page).getByRole('button', { name: 'Stop Bob' }).click();
  await expect(detail(page)).toContainText('Two votes are needed, so finality waits for Bob.');
  const best = await numberOf(page, 'Alice', 'best');
  await reaches('Alice', 'best', best + 5);
  // Votes that had arrived may still have finalized what was best then, but nothing later.
  const final = await numberOf(page, 'Alice', 'finalized');
  expect(final).toBeLessThanOrEqual(best);
  await expect(detail(page)).toContainText(/\d blocks wait for finality/);
  await expect(peer(page, 'Alice')).toContainText('no vote yet: Bob');

  await detail(page).getByRole('button', { name: 'Start Bob' }).click();
  for (const name of ['Alice', 'Bob']) await reaches(name, 'finalized', best + 6);
  // Neither ended by itself, and the chain of the page is as it was.
  await expect(detail(page).getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/^#0\b/);

  await page.goto('/#/chain/control');
  await expect
    .poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
    .not.toContain('tabnode-pair-bob');
  expect(faults).toEqual([]);
});
