import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { shownBest } from './support.ts';

// Two tabs of one browser on one chain: one runs the node, the other uses it, and takes its place.

const open = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toBeVisible();
  return page;
};

const ask = (page: Page, method: string, params: readonly unknown[] = []): Promise<unknown> =>
  page.evaluate(
    ([name, given]) =>
      (
        window as unknown as {
          tabnode: { connection: { request(name: string, params: readonly unknown[]): Promise<unknown> } };
        }
      ).tabnode.connection.request(name as string, given as readonly unknown[]),
    [method, params] as const,
  );

const best = async (page: Page): Promise<{ hash: string; number: number }> => {
  const hash = (await ask(page, 'chain_getBlockHash')) as string;
  const { number } = (await ask(page, 'chain_getHeader', [hash])) as { number: string };
  return { hash, number: Number(number) };
};

test('a second tab shows the chain of the first, and changes it', async ({ context }) => {
  const first = await open(context);
  const second = await open(context);
  await ask(second, 'dev_setSealMode', ['manual']);
  await ask(second, 'dev_newBlock');
  const sealed = await best(second);
  expect(await best(first)).toEqual(sealed);
  await expect.poll(() => shownBest(first)).toBe(sealed.number);
  await expect.poll(() => shownBest(second)).toBe(sealed.number);
  // A link that is opened in a tab of its own leads to its place.
  const third = await context.newPage();
  await third.goto(`${second.url().split('#')[0]}#/chain/1`);
  await expect(third.getByRole('main')).toContainText('Block #1');
});

test('when the tab with the node closes, another takes its place, and no block is lost', async ({
  context,
}) => {
  const first = await open(context);
  await ask(first, 'dev_setSealMode', ['manual']);
  const second = await open(context);
  const third = await open(context);
  await ask(second, 'dev_newBlock');
  const before = await best(second);
  await first.close();
  for (const page of [second, third]) {
    await expect.poll(() => best(page).catch(() => null)).toEqual(before);
    await expect.poll(() => shownBest(page)).toBe(before.number);
  }
  await ask(third, 'dev_newBlock');
  await expect.poll(() => shownBest(second)).toBe(before.number + 1);
});

test('a chain that one tab deletes is not started again by another', async ({ context }) => {
  const first = await open(context);
  const second = await open(context);
  await first.getByRole('button', { name: 'Development' }).click();
  const row = first.getByRole('list', { name: 'Chains' }).getByRole('listitem').first();
  await row.getByRole('button', { name: 'Delete' }).click();
  await row.getByRole('button', { name: 'Delete for good' }).click();
  await expect(second.getByRole('alert')).toContainText('was closed in another tab');
  await second.getByRole('button', { name: 'Open it here' }).click();
  await expect(second.getByText('This browser has no chain “development”')).toBeVisible();
});

test('what a tab had open ends with it, however often it is reloaded', async ({ context }) => {
  const first = await open(context);
  const second = await open(context);
  // More than one tab may have open, all together.
  for (let visit = 0; visit < 6; visit += 1) {
    await second.evaluate(async () => {
      const { tabnode } = window as unknown as { tabnode: { connect(): Promise<unknown> } };
      await Promise.all(Array.from({ length: 40 }, () => tabnode.connect()));
    });
    await second.reload();
    await expect(second.getByRole('link', { name: 'Best block' })).toBeVisible();
  }
  await ask(second, 'dev_setSealMode', ['manual']);
  expect(await best(await open(context))).toEqual(await best(first));
});

/** More of them by hand: TABNODE_TAB_DEATHS=200 npx playwright test e2e/tabs.spec.ts */
const deaths = Number(process.env['TABNODE_TAB_DEATHS'] ?? 4);

const crash = async (page: Page): Promise<void> => {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
};

test('whether tabs close or crash, every block that a tab was told of stays', async ({ context }) => {
  test.setTimeout(60_000 + deaths * 15_000);
  let leader = await open(context);
  await ask(leader, 'dev_setSealMode', [{ kind: 'interval', ms: 50 }]);
  const gaps: number[] = [];
  for (let death = 0; death < deaths; death += 1) {
    const follower = await open(context);
    await expect.poll(async () => (await best(follower)).number).toBeGreaterThan(1);
    const told = await best(follower);
    const from = performance.now();
    if (death % 2 === 0) await leader.close({ runBeforeUnload: false });
    else await crash(leader);
    await expect
      .poll(() => ask(follower, 'chain_getBlockHash', [told.number]).catch(() => null), { intervals: [10] })
      .toBe(told.hash);
    gaps.push(performance.now() - from);
    await expect.poll(async () => (await best(follower)).number).toBeGreaterThan(told.number);
    leader = follower;
  }
  // Each block follows the one before it.
  const last = await best(leader);
  let parent = (await ask(leader, 'chain_getBlockHash', [0])) as string;
  for (let number = 1; number <= last.number; number += 1) {
    const hash = (await ask(leader, 'chain_getBlockHash', [number])) as string;
    const header = (await ask(leader, 'chain_getHeader', [hash])) as { parentHash: string };
    expect(header.parentHash).toBe(parent);
    parent = hash;
  }
  gaps.sort((one, other) => one - other);
  test.info().annotations.push({
    type: 'gaps in ms',
    description: `median ${gaps[gaps.length >> 1]?.toFixed(0)}, most ${gaps.at(-1)?.toFixed(0)}`,
  });
});
