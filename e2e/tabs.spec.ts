import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { crash, type OwnChromium, openOwnChromium, setLife } from './own-chromium.ts';
import { e2eUrl } from './ports.ts';
import { shownBest } from './support.ts';
import { ask } from './tab-actions.ts';

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

/** What the page offers to its console. */
type Tabnode = {
  readonly connection: { request(name: string, params: readonly unknown[]): Promise<unknown> };
  connect(): Promise<unknown>;
};
type TabnodeWindow = { readonly tabnode: Tabnode };

const best = async (page: Page): Promise<{ hash: string; number: number }> => {
  const hash = await ask<string>(page, 'chain_getBlockHash');
  const { number } = await ask<{ number: string }>(page, 'chain_getHeader', hash);
  return { hash, number: Number(number) };
};

/** Each block follows the one before it. */
const expectWhole = async (page: Page): Promise<void> => {
  const { number } = await best(page);
  const blocks = await page.evaluate(async (last) => {
    const { connection } = (window as unknown as TabnodeWindow).tabnode;
    const read = async (height: number) => {
      const hash = (await connection.request('chain_getBlockHash', [height])) as string;
      const header = (await connection.request('chain_getHeader', [hash])) as { parentHash: string };
      return { hash, parent: header.parentHash };
    };
    return Promise.all(Array.from({ length: last + 1 }, (_, height) => read(height)));
  }, number);
  expect(blocks.slice(1).map(({ parent }) => parent)).toEqual(blocks.slice(0, -1).map(({ hash }) => hash));
};

/** While it is hasty, the time that this page gives others to answer passes ten times as fast. Clocks of Playwright need all pages. */
const makeHasty = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const wait = window.setTimeout as (run: TimerHandler, ms?: number) => number;
    const patient = (run: TimerHandler, ms = 0): number =>
      wait(run, (window as { testHaste?: boolean }).testHaste && ms <= 2000 ? ms / 10 : ms);
    Object.assign(window, { setTimeout: patient });
  });
const setHasty = (page: Page, isHasty: boolean): Promise<unknown> =>
  page.evaluate((testHaste) => {
    Object.assign(window, { testHaste });
  }, isHasty);

test('tabs of one browser share a chain, which outlives a tab that hangs or closes; what one deletes, none starts again', async ({
  context,
}) => {
  const second = await open(context);
  await ask(second, 'dev_setSealMode', { kind: 'interval', ms: 100 });
  const first = await open(context, makeHasty);
  await test.step('a tab that hangs loses the chain to another, and writes no more when it goes on', async () => {
    const known = await best(first);
    // The page blocks on this response; its worker continues to seal.
    const released = Promise.withResolvers<void>();
    await second.route('**/hang', async (route) => {
      await released.promise;
      await route.fulfill({ body: '' });
    });
    const hanging = second.evaluate(() => {
      const request = new XMLHttpRequest();
      request.open('GET', '/hang', false);
      request.send();
    });
    await setHasty(first, true);
    await expect
      .poll(
        () =>
          ask(first, 'dev_setSealMode', 'manual').then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
    await ask(first, 'dev_newBlock');
    expect(await ask(first, 'chain_getBlockHash', known.number)).toBe(known.hash);
    const after = await best(first);
    released.resolve();
    await hanging;
    await expect.poll(() => best(second).catch(() => null)).toEqual(after);
    await ask(second, 'dev_newBlock');
    expect((await best(first)).number).toBe(after.number + 1);
    await expectWhole(first);
    await setHasty(first, false);
  });

  const third = await test.step('a second tab shows the chain of the first, and changes it', async () => {
    await ask(second, 'dev_newBlock');
    const sealed = await best(second);
    expect(await best(first)).toEqual(sealed);
    await expect.poll(() => shownBest(first)).toBe(sealed.number);
    await expect.poll(() => shownBest(second)).toBe(sealed.number);
    // A link opened in a new tab leads to its target.
    const opened = await context.newPage();
    await opened.goto(`${second.url().split('#')[0]}#/chain/1`);
    await expect(opened.getByRole('main')).toContainText('Block #1');
    return opened;
  });

  await test.step('what a tab had open ends with it', async () => {
    // Together more than all tabs may have open, which is 200.
    for (let visit = 0; visit < 2; visit += 1) {
      await second.evaluate(async () => {
        const { tabnode } = window as unknown as TabnodeWindow;
        for (let part = 0; part < 3; part += 1)
          await Promise.all(Array.from({ length: 40 }, () => tabnode.connect()));
      });
      await second.reload();
      await expect(second.getByRole('link', { name: 'Best block' })).toBeVisible();
    }
    await ask(second, 'dev_newBlock');
    expect(await best(third)).toEqual(await best(first));
  });

  await test.step('when the tab with the node closes, another takes its place, and no block is lost', async () => {
    const before = await best(second);
    await first.close();
    for (const page of [second, third]) {
      await expect.poll(() => best(page).catch(() => null)).toEqual(before);
      await expect.poll(() => shownBest(page)).toBe(before.number);
    }
    await ask(third, 'dev_newBlock');
    await expect.poll(() => shownBest(second)).toBe(before.number + 1);
  });

  await test.step('a chain that one tab deletes is not started again by another', async () => {
    await third.bringToFront();
    await third.getByRole('button', { name: 'Development' }).click();
    const row = third.getByRole('list', { name: 'Chains' }).getByRole('listitem').first();
    await row.getByRole('button', { name: 'Delete' }).click();
    await row.getByRole('button', { name: 'Delete for good' }).click();
    await expect(second.getByRole('alert')).toContainText('“Development” was deleted in another tab');
    for (const page of [second, third])
      await expect(page.getByRole('button', { name: 'Start a development chain' })).toBeVisible();
    await second.reload();
    await expect(second.getByRole('button', { name: 'Start a development chain' })).toBeVisible();
    await expect(second.getByRole('alert')).toHaveCount(0);
  });
});

const own = test.extend<{ chromium: OwnChromium }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the requested fixtures
  chromium: async ({}, use) => {
    const chromium = await openOwnChromium();
    await use(chromium);
    await chromium.close();
  },
});

/** One of each kind. More by hand: TABNODE_TAB_DEATHS=200 npx playwright test e2e/tabs.spec.ts */
const deaths = Number(process.env['TABNODE_TAB_DEATHS'] ?? 3);

const freeze = (page: Page): Promise<void> => setLife(page, 'frozen');
const close = (page: Page): Promise<void> => page.close({ runBeforeUnload: false });

own(
  'a frozen tab leaves the chain to another; whether tabs close, crash or freeze, every block that a tab was told of stays',
  async ({ chromium: { context } }) => {
    test.setTimeout(60_000 + deaths * 15_000);
    const first = await open(context);
    let leader = await open(context);
    await test.step('a tab that the browser freezes uses the other one when it wakes up', async () => {
      await ask(first, 'dev_setSealMode', 'manual');
      await ask(leader, 'dev_newBlock');
      const before = await best(leader);
      await setLife(first, 'frozen');
      await expect.poll(() => best(leader).catch(() => null)).toEqual(before);
      await ask(leader, 'dev_newBlock');
      const after = await best(leader);
      await setLife(first, 'active');
      await expect.poll(() => best(first).catch(() => null)).toEqual(after);
      await expect.poll(() => shownBest(first)).toBe(after.number);
      await first.close();
    });

    await ask(leader, 'dev_setSealMode', { kind: 'interval', ms: 50 });
    const gaps: number[] = [];
    for (let death = 0; death < deaths; death += 1) {
      const follower = await open(context);
      await expect.poll(async () => (await best(follower)).number).toBeGreaterThan(1);
      const known = await best(follower);
      const from = performance.now();
      const end = [close, crash, freeze][death % 3] ?? close;
      await end(leader);
      await expect
        .poll(() => ask(follower, 'chain_getBlockHash', known.number).catch(() => null), {
          intervals: [10],
        })
        .toBe(known.hash);
      gaps.push(performance.now() - from);
      await expect.poll(async () => (await best(follower)).number).toBeGreaterThan(known.number);
      if (end === freeze) {
        await setLife(leader, 'active');
        await expect
          .poll(() => ask(leader, 'chain_getBlockHash', known.number).catch(() => null))
          .toBe(known.hash);
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
