import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { crash, type OwnChromium, openOwnChromium, setLife } from './own-chromium.ts';
import { e2eUrl } from './ports.ts';
import { shownBest } from './support.ts';

// Two tabs of one browser on one chain: one runs the node, the other uses it, and takes over when it ends.

const open = async (
  context: BrowserContext,
  prepare: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<Page> => {
  const page = await context.newPage();
  await prepare(page);
  await page.goto(e2eUrl('app'));
  await page.bringToFront();
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

/** Each block follows the one before it. */
const expectWhole = async (page: Page): Promise<void> => {
  const last = await best(page);
  let parent = (await ask(page, 'chain_getBlockHash', [0])) as string;
  for (let number = 1; number <= last.number; number += 1) {
    const hash = (await ask(page, 'chain_getBlockHash', [number])) as string;
    const header = (await ask(page, 'chain_getHeader', [hash])) as { parentHash: string };
    expect(header.parentHash).toBe(parent);
    parent = hash;
  }
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
  // A link opened in a new tab leads to its target.
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
  await expect(first.getByRole('button', { name: 'Start a development chain' })).toBeVisible();
  await second.getByRole('button', { name: 'Open it here' }).click();
  await expect(second.getByText('This browser has no chain “development”')).toBeVisible();
});

test('what a tab had open ends with it, however often it is reloaded', async ({ context }) => {
  const first = await open(context);
  const second = await open(context);
  // Together more than one tab may have open.
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

const own = test.extend<{ chromium: OwnChromium }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the requested fixtures
  chromium: async ({}, use) => {
    const chromium = await openOwnChromium();
    await use(chromium);
    await chromium.close();
  },
});

own(
  'a tab that the browser freezes leaves the chain to another, and uses that one when it wakes up',
  async ({ chromium: { context } }) => {
    const first = await open(context);
    await ask(first, 'dev_setSealMode', ['manual']);
    const second = await open(context);
    await ask(second, 'dev_newBlock');
    const before = await best(second);
    await setLife(first, 'frozen');
    await expect.poll(() => best(second).catch(() => null)).toEqual(before);
    await ask(second, 'dev_newBlock');
    const after = await best(second);
    await setLife(first, 'active');
    await expect.poll(() => best(first).catch(() => null)).toEqual(after);
    await expect.poll(() => shownBest(first)).toBe(after.number);
  },
);

/** From `hurry` on, the time that this page gives others to answer passes ten times as fast. Clocks of Playwright need all pages. */
const makeHasty = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const wait = window.setTimeout as (run: TimerHandler, ms?: number) => number;
    const patient = (run: TimerHandler, ms = 0): number =>
      wait(run, 'testHaste' in window && ms <= 2000 ? ms / 10 : ms);
    Object.assign(window, { setTimeout: patient });
  });
const hurry = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    Object.assign(window, { testHaste: true });
  });

test('a tab that hangs loses the chain to another, and writes no more when it goes on', async ({
  context,
}) => {
  const first = await open(context);
  await ask(first, 'dev_setSealMode', [{ kind: 'interval', ms: 50 }]);
  const second = await open(context, makeHasty);
  const told = await best(second);
  // The page blocks on this response; its worker continues to seal.
  const released = Promise.withResolvers<void>();
  await first.route('**/hang', async (route) => {
    await released.promise;
    await route.fulfill({ body: '' });
  });
  const hanging = first.evaluate(() => {
    const request = new XMLHttpRequest();
    request.open('GET', '/hang', false);
    request.send();
  });
  await hurry(second);
  await expect
    .poll(
      () =>
        ask(second, 'dev_setSealMode', ['manual']).then(
          () => true,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  await ask(second, 'dev_newBlock');
  expect(await ask(second, 'chain_getBlockHash', [told.number])).toBe(told.hash);
  const after = await best(second);
  released.resolve();
  await hanging;
  await expect.poll(() => best(first).catch(() => null)).toEqual(after);
  await ask(first, 'dev_newBlock');
  expect((await best(second)).number).toBe(after.number + 1);
  await expectWhole(second);
});

/** More of them by hand: TABNODE_TAB_DEATHS=200 npx playwright test e2e/tabs.spec.ts */
const deaths = Number(process.env['TABNODE_TAB_DEATHS'] ?? 6);

const freeze = (page: Page): Promise<void> => setLife(page, 'frozen');
const close = (page: Page): Promise<void> => page.close({ runBeforeUnload: false });

own(
  'whether tabs close, crash or freeze, every block that a tab was told of stays',
  async ({ chromium: { context } }) => {
    test.setTimeout(60_000 + deaths * 15_000);
    let leader = await open(context);
    await ask(leader, 'dev_setSealMode', [{ kind: 'interval', ms: 50 }]);
    const gaps: number[] = [];
    for (let death = 0; death < deaths; death += 1) {
      const follower = await open(context);
      await expect.poll(async () => (await best(follower)).number).toBeGreaterThan(1);
      const told = await best(follower);
      const from = performance.now();
      const end = [close, crash, freeze][death % 3] ?? close;
      await end(leader);
      await expect
        .poll(() => ask(follower, 'chain_getBlockHash', [told.number]).catch(() => null), { intervals: [10] })
        .toBe(told.hash);
      gaps.push(performance.now() - from);
      await expect.poll(async () => (await best(follower)).number).toBeGreaterThan(told.number);
      if (end === freeze) {
        await setLife(leader, 'active');
        await expect
          .poll(() => ask(leader, 'chain_getBlockHash', [told.number]).catch(() => null))
          .toBe(told.hash);
      }
      if (end !== close) await leader.close();
      leader = follower;
    }
    await expectWhole(leader);
    gaps.sort((one, other) => one - other);
    test.info().annotations.push({
      type: 'gaps in ms',
      description: `median ${gaps[gaps.length >> 1]?.toFixed(0)}, most ${gaps.at(-1)?.toFixed(0)}`,
    });
  },
);
