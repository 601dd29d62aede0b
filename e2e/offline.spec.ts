import { expect, type Locator, test } from '@playwright/test';
import { bob, dryRun, transfer } from './send-page.ts';
import { kept, shownBest } from './support.ts';

/** Each panel, with something that only its own code renders. */
const panels: readonly (readonly [name: string, shown: (main: Locator) => Locator])[] = [
  ['Storage', (main) => main.getByRole('navigation', { name: 'Pallets' })],
  ['RPC', (main) => main.getByLabel('Filter methods')],
  ['Live', (main) => main.getByRole('button', { name: 'Subscribe…' }).first()],
  ['Runtime', (main) => main.getByRole('navigation', { name: 'Views of the runtime' })],
  ['Node', (main) => main.getByRole('navigation')],
  ['Send', (main) => main.getByRole('combobox', { name: 'Call', exact: true })],
];

test('what was never opened opens offline, once the page has stored its code', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.goto('/');
  await kept(page);
  await context.setOffline(true);
  const missing: string[] = [];
  page.on('requestfailed', (request) => missing.push(request.url()));
  const main = page.getByRole('main');
  for (const [name, shown] of panels) {
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name }).click();
    await expect(shown(main)).toBeVisible();
  }
  await transfer(page, bob, '1 UNIT');
  await expect(dryRun(page)).toHaveText('succeeds');
  await page.goto('/#/chain/1');
  await expect(page.getByRole('heading', { name: 'Block #1' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or run' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Development' }).click();
  await page.getByRole('button', { name: /New chain/ }).click();
  await expect(page.getByRole('dialog', { name: 'New chain' })).toBeVisible();
  // The browser requests the tab's icon at each URL.
  expect(missing.filter((url) => !url.includes('/icon-'))).toEqual([]);
  await context.close();
});

test('code of the page, of its node or of a panel that does not come is told of, and comes when asked again', async ({
  page,
}) => {
  await test.step('a page whose script does not load, or ends at once, reloads when asked', async () => {
    const address = '**/assets/index-*.js';
    const endings = [
      ['', (url: string) => page.route(url, (route) => route.abort())],
      [
        'Error: no such thing',
        (url: string) =>
          page.route(url, (route) =>
            route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("no such thing")' }),
          ),
      ],
    ] as const;
    for (const [why, end] of endings) {
      await end(address);
      await page.goto('/');
      const notice = page.getByRole('alert');
      await expect(notice).toContainText('Tabnode could not be loaded.');
      await expect(notice).toContainText(why);
      await page.unroute(address);
      await notice.getByRole('button', { name: 'Reload' }).click();
      await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
    }
  });

  const panel = /\/runtime-[^/]*\.(js|css)$/;
  await test.step('a node that lacked code starts when asked again', async () => {
    await page.route(panel, (route) => route.abort());
    const address = '**/assets/first-*.js';
    await page.route(address, (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('The page’s code could not be loaded');
    await page.unroute(address);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
    await expect(page.getByRole('grid', { name: 'Blocks, newest first' })).toBeVisible();
  });

  await test.step('code that does not come at first is loaded when asked again', async () => {
    await page.getByRole('link', { name: /^Runtime/ }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'couldn’t load' });
    await expect(notice).toBeVisible();
    await page.unroute(panel);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('navigation', { name: 'Views of the runtime' })).toBeVisible();
  });

  await test.step('a style sheet is asked for again', async () => {
    const address = /\/rpc-[^/]*\.css$/;
    const failed = page.waitForEvent('requestfailed', (request) => address.test(request.url()));
    await page.route(address, (route) => route.abort());
    await page.goto('about:blank');
    await page.goto('/#/rpc');
    await failed;
    const came = page.waitForResponse(address);
    await page.unroute(address);
    expect((await came).ok()).toBe(true);
    await expect(page.getByLabel('Filter methods')).toBeVisible();
  });
});
