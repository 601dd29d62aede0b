import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { collectFaults } from './support.ts';

const number = '0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac';
const sub = (...calls: readonly (readonly [method: string, params: readonly unknown[]])[]): string =>
  `/#/live?sub=${encodeURIComponent(JSON.stringify(calls))}`;
const heads = ['chain_subscribeNewHeads', []] as const;
const finalized = ['chain_subscribeFinalizedHeads', []] as const;

const column = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const rows = (of: Locator): Locator => of.getByRole('button', { name: /^Notification \d/ });
const ready = (page: Page) => expect(page.getByTestId('best')).toHaveText(/#[1-9]/);
const traffic = (page: Page): Locator => page.getByRole('region', { name: 'All traffic' });

/** A second client of the page's node: another connection, of which the devtools know only what the node tells. */
const openSecond = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const texts: MessagePort[] = [];
    Object.assign(window, { secondPorts: texts });
    // The control's `connect` hands a port to the worker: one more is asked for in the same way.
    const send = Worker.prototype.postMessage;
    const last: { worker?: Worker; message?: { id?: string; path?: unknown } } = {};
    Worker.prototype.postMessage = function (this: Worker, message: never, transfer: never) {
      const path = (message as { path?: unknown[] }).path;
      if (Array.isArray(path) && path[0] === 'connect') Object.assign(last, { worker: this, message });
      return send.call(this, message, transfer);
    } as typeof send;
    Object.assign(window, {
      openSecond: () => {
        const { port1, port2 } = new MessageChannel();
        const source = last.message as {
          argumentList: { type: string; name?: string; value: unknown }[];
        };
        const argumentList = source.argumentList.map((argument, index) =>
          index === 0 ? { ...argument, value: port2 } : argument,
        );
        send.call(last.worker as Worker, { ...last.message, id: crypto.randomUUID(), argumentList }, [
          port2,
        ] as never);
        port1.start();
        texts.push(port1);
        return port1;
      },
    });
  });
};

const sayAs = (page: Page, method: string, params: readonly unknown[] = []): Promise<void> =>
  page.evaluate(
    ([name, list]) => {
      const { secondPorts, openSecond: open } = window as unknown as {
        secondPorts: MessagePort[];
        openSecond: () => MessagePort;
      };
      const port = secondPorts[0] ?? open();
      port.postMessage(JSON.stringify({ jsonrpc: '2.0', id: 77, method: name, params: list }));
    },
    [method, params] as const,
  );

/** The node tells of other clients only while the log is open: waits until it does. */
const listening = (page: Page): Promise<void> =>
  expect(async () => {
    await sayAs(page, 'system_health');
    await expect(
      traffic(page)
        .locator('.row')
        .filter({ hasText: /port \d+/ })
        .first(),
    ).toBeVisible({ timeout: 500 });
  }).toPass();

test('three subscriptions by form stand side by side, and the address brings them back', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await ready(page);
  await page.keyboard.press('4');
  await expect(page.getByText('No subscriptions yet')).toBeVisible();
  await page.getByRole('button', { name: 'Follow the heads' }).click();
  await expect(column(page, 'chain_subscribeNewHeads')).toBeVisible();

  await page.getByRole('button', { name: 'Subscribe…' }).click();
  const form = page.getByRole('form', { name: 'New subscription' });
  await form.getByLabel('subscribe to').selectOption('state_subscribeStorage');
  await form.getByLabel('entry').selectOption('Number');
  await expect(form.getByRole('status')).toContainText(number);
  await form.getByRole('button', { name: 'Subscribe' }).click();
  const storage = column(page, 'state_subscribeStorage');
  await expect(storage.getByRole('heading')).toContainText('System.Number');
  await expect(storage.getByText(/^System\.Number$/).first()).toBeVisible();
  await expect(rows(storage).nth(1)).toBeVisible({ timeout: 10_000 });

  const newHeads = column(page, 'chain_subscribeNewHeads');
  await expect(newHeads).toContainText(/slot \d+ · by authority 0/);
  await expect(newHeads.getByRole('link', { name: /^#\d/ }).first()).toHaveAttribute(
    'href',
    /#\/@[^/]+\/chain\/\d+$/,
  );
  // Newest on top.
  const numbers = await newHeads.getByRole('link', { name: /^#\d/ }).allInnerTexts();
  expect(numbers.map((text) => Number(text.replace(/\D/g, '')))).toEqual(
    numbers.map((text) => Number(text.replace(/\D/g, ''))).sort((a, b) => b - a),
  );

  await newHeads.getByRole('button', { name: 'Move chain_subscribeNewHeads right' }).click();
  const order = page.getByRole('main').getByRole('heading', { level: 2 });
  await expect(order.first()).toContainText('chain_subscribeFinalizedHeads');
  await page.reload();
  await ready(page);
  await expect(order).toHaveText([/FinalizedHeads/, /NewHeads/, /subscribeStorage.*System\.Number/]);
  await expect(rows(column(page, 'chain_subscribeNewHeads')).first()).toBeVisible();
  expect(faults).toEqual([]);
});

test('a column pauses with a count, filters, clears, stops and closes', async ({ page }) => {
  await page.goto(sub(heads, finalized));
  await ready(page);
  const column1 = column(page, 'chain_subscribeNewHeads');
  await expect(rows(column1).first()).toBeVisible();
  await column1.getByRole('button', { name: 'Pause' }).click();
  const frozen = await rows(column1).count();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(column1.getByRole('button', { name: /[2-9] new/ })).toBeVisible({ timeout: 10_000 });
  expect(await rows(column1).count()).toBe(frozen);
  await column1.getByRole('button', { name: /\d new/ }).click();
  await expect.poll(() => rows(column1).count()).toBeGreaterThan(frozen + 1);
  await expect(column1).toContainText(/\d+\.\d\/s/);

  await column1.getByLabel('Filter chain_subscribeNewHeads').fill('no such text');
  await expect(column1).toContainText('Nothing that is kept matches the filter.');
  await column1.getByLabel('Filter chain_subscribeNewHeads').fill('"number":"0x1"');
  await column1.getByLabel('Filter chain_subscribeNewHeads').fill('');
  await rows(column1).first().click();
  await expect(column1).toContainText('stateRoot');

  await column1.getByRole('button', { name: 'Stop' }).click();
  await expect(column1).toContainText('stopped');
  await column1.getByRole('button', { name: 'Clear' }).click();
  await expect(column1).toContainText('Cleared.');
  await column1.getByRole('button', { name: 'Close chain_subscribeNewHeads' }).click();
  await expect(column1).toHaveCount(0);
  await expect(page).not.toHaveURL(/NewHeads/);
  await expect(column(page, 'chain_subscribeFinalizedHeads')).toBeVisible();
});

test('a subscription by JSON; one that the node refuses says why', async ({ page }) => {
  await page.goto('/#/live');
  await ready(page);
  await page.getByRole('button', { name: 'Subscribe…' }).click();
  const form = page.getByRole('form', { name: 'New subscription' });
  await form.getByLabel('subscribe to').selectOption('state_subscribeStorage');
  await form.getByRole('button', { name: 'JSON' }).click();
  await form.getByLabel('params').fill('[["0x');
  await expect(form.getByRole('button', { name: 'Subscribe' })).toBeDisabled();
  await form.getByLabel('params').fill(`[["${number}"]]`);
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await expect(rows(column(page, 'state_subscribeStorage')).first()).toBeVisible();
  await page.goto(sub(['state_subscribeStorage', [['not hex']]]));
  await expect(page.getByText('The node refused this subscription')).toBeVisible();
  await page.goto('/#/live?sub=oops');
  await expect(page.getByText('The address names no subscriptions')).toBeVisible();
});

test('the traffic of a second client shows up, folded, filtered, compared, without its secrets', async ({
  page,
}) => {
  await openSecond(page);
  await page.goto('/#/live/traffic');
  await ready(page);
  const log = traffic(page);
  await listening(page);
  await sayAs(page, 'system_properties');
  await sayAs(page, 'chain_subscribeNewHeads');
  await sayAs(page, 'no_such_method', ['needle in a haystack']);
  await sayAs(page, 'author_insertKey', ['babe', 'my secret words', '0x00']);
  // The newest connection is the second client's; panels may have some of their own.
  await expect(log.locator('.row').filter({ hasText: 'author_insertKey' })).toHaveCount(1);
  const said = await log.locator('.row').filter({ hasText: 'author_insertKey' }).innerText();
  await page.getByLabel('Filter by client').selectOption(/port \d+/.exec(said)?.[0] ?? '');
  await expect(page).toHaveURL(/client=port/);
  const line = (text: string | RegExp) => log.locator('.row').filter({ hasText: text });
  await expect(line('system_properties')).toHaveCount(1);
  await expect(line('system_properties')).toContainText('ok');
  await expect(line('chain_subscribeNewHeads')).toContainText(/open\s*· \d/);
  await expect(line('no_such_method')).toContainText('error');
  await expect(line('author_insertKey')).toContainText('(hidden)');
  await expect(page.getByText('my secret words')).toHaveCount(0);

  // Notifications lie under their subscription.
  await log.getByRole('button', { name: 'Notifications of chain_subscribeNewHeads' }).click();
  await expect(line(/#1\b.*chain_newHead/)).toHaveCount(1);
  await log.getByRole('button', { name: 'Notifications of chain_subscribeNewHeads' }).click();
  await expect(line(/chain_newHead/)).toHaveCount(0);

  await page.getByLabel('Filter by status').selectOption('error');
  await expect(line('system_properties')).toHaveCount(0);
  await expect(line('no_such_method')).toHaveCount(1);
  await page.getByLabel('Filter by status').selectOption('');
  await page.getByLabel('Find in messages').fill('needle haystack');
  await expect(log.locator('.row')).toHaveCount(1);
  await line('no_such_method').getByRole('button').first().click();
  const detail = page.getByRole('article', { name: 'Exchange no_such_method' });
  await expect(detail.getByRole('region', { name: 'Error' })).toContainText('-32601');
  await detail.getByRole('region', { name: 'Request' }).getByRole('button', { name: 'Raw' }).click();
  await expect(detail.getByRole('region', { name: 'Request' })).toContainText(
    '"params":["needle in a haystack"]',
  );
  await detail.getByRole('button', { name: 'Close' }).click();

  await page.getByLabel('Find in messages').fill('');
  await page.getByLabel('Filter by method').fill('system_');
  await expect(page).toHaveURL(/method=system_/);
  await expect(line('no_such_method')).toHaveCount(0);
  await sayAs(page, 'system_name');
  await line('system_properties').getByRole('button').first().click();
  await line('system_name').hover();
  await line('system_name').getByRole('button', { name: 'Compare system_name' }).click();
  await expect(page.getByRole('region', { name: 'Differences' })).toContainText('request.method');
  await expect(page.getByRole('article')).toHaveCount(2);
});

test('recorded traffic is saved, loaded and browsed; it reads as polkadot-api writes it', async ({
  page,
}) => {
  await openSecond(page);
  await page.goto('/#/live/traffic');
  await ready(page);
  await listening(page);
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Stop recording' })).toBeVisible();
  await sayAs(page, 'system_properties');
  await sayAs(page, 'chain_subscribeNewHeads');
  await expect(
    traffic(page)
      .locator('.row')
      .filter({ hasText: /^.*port \d+.*system_properties/ }),
  ).toHaveCount(1);
  const bar = page.getByRole('region', { name: 'Recording' });
  await expect(bar).toContainText(/[1-9]\d* messages/);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(
    traffic(page)
      .locator('.row')
      .filter({ hasText: /port \d+.*chain_subscribeNewHeads.*open\s*· [2-9]/ }),
  ).toHaveCount(1, { timeout: 10_000 });
  await bar.getByRole('button', { name: 'Stop recording' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: /^Save \d+ messages/ }).click(),
  ]);
  const file = await download.path();
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(file, 'utf8');
  for (const line of text.trim().split('\n')) expect(line).toMatch(/^\d+-.{24}-(<<|>>)-\{.*\}$/);
  expect(text).toContain('"method":"system_properties"');

  await page.goto('/#/live/recording');
  await page.getByLabel('Load a recording').setInputFiles(file);
  const log = page.getByRole('region', { name: 'Recorded traffic' });
  const line = log.locator('.row').filter({ hasText: 'system_properties' });
  await expect(line).toContainText('ok');
  await line.getByRole('button').first().click();
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('tokenDecimals');
  await page.getByLabel('Find in messages').fill('chain_subscribeNewHeads');
  await log.getByRole('button', { name: 'Notifications of chain_subscribeNewHeads' }).first().click();
  await expect(log.locator('.row').filter({ hasText: /#1\b/ }).first()).toBeVisible();

  const [broken] = [{ name: 'x.log', mimeType: 'text/plain', buffer: Buffer.from('1-nothing') }];
  await page.getByLabel('Load a recording').setInputFiles(broken as never);
  await expect(page.getByRole('alert')).toContainText('Line 1');
});

test('a flood keeps the page and its memory small, and a pause holds the list', async ({ page }) => {
  await openSecond(page);
  await page.goto('/#/live/traffic');
  await ready(page);
  const flood = (count: number) =>
    page.evaluate(async (calls) => {
      const { secondPorts, openSecond: open } = window as unknown as {
        secondPorts: MessagePort[];
        openSecond: () => MessagePort;
      };
      const port = secondPorts[0] ?? open();
      let left = calls;
      await new Promise<void>((done) => {
        port.onmessage = () => {
          left -= 1;
          if (left === 0) done();
        };
        const pour = (sent: number): void => {
          for (let one = 0; one < 100 && sent + one < calls; one++)
            port.postMessage(`{"jsonrpc":"2.0","id":${sent + one},"method":"system_chain","params":[]}`);
          if (sent + 100 < calls) setTimeout(() => pour(sent + 100), 50);
        };
        pour(0);
      });
    }, count);
  await flood(4000);
  const log = traffic(page);
  const count = page.locator('search .count');
  await expect(count).toHaveText(/^\s*2,[0-5]\d\d/);
  expect(await log.locator('.row').count()).toBeLessThan(120);
  // The newest stands at the end, in sight.
  await expect(log.locator('.row').last()).toBeInViewport();

  await log.focus();
  await page.mouse.move(500, 400);
  const newest = page.getByRole('button', { name: /↓ [\d,]+ new/ });
  // The list has left its end; what comes from now on is counted. A redraw may hold the first turn of the wheel.
  await expect(async () => {
    await page.mouse.wheel(0, -2000);
    const toGo = await log
      .locator('.view')
      .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    expect(toGo).toBeGreaterThan(500);
  }).toPass();
  const top = await log.locator('.row').first().innerText();
  await flood(1000);
  await expect(newest).toHaveText(/↓ (1,\d{3}|9\d\d) new/);
  expect(await log.locator('.row').first().innerText()).toBe(top);
  await newest.click();
  await expect(newest).toHaveCount(0);
  await page.keyboard.press('p');
  await flood(200);
  await expect(page.getByRole('button', { name: /Resume · 2\d\d waiting/ })).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(count).toHaveText(/^\s*0/);
});

test('by keyboard: walk the log, open, compare, leave', async ({ page }) => {
  await page.goto('/#/live/traffic');
  await ready(page);
  const log = traffic(page);
  await expect(log.locator('.row').nth(3)).toBeVisible();
  await log.focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  const picked = log.locator('.row.picked');
  const before = await picked.getAttribute('data-id');
  await page.keyboard.press('ArrowUp');
  await expect(picked).not.toHaveAttribute('data-id', before ?? '');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article')).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(log.locator('.row').last()).toBeInViewport();
});

test('the dock opens the same log, is resized by keys and pointer, and remembers', async ({ page }) => {
  await page.goto('/#/chain');
  await ready(page);
  const dock = page.getByRole('region', { name: 'JSON-RPC traffic' });
  await expect(dock).toContainText(/\d+\/s/);
  await dock.getByRole('button', { name: 'Traffic' }).click();
  const log = page.getByRole('region', { name: 'Traffic log' });
  await expect(log.locator('.row').first()).toBeVisible();
  const grip = page.getByRole('separator', { name: 'Height of the traffic log' });
  await grip.focus();
  const height = Number(await grip.getAttribute('aria-valuenow'));
  await page.keyboard.press('ArrowUp');
  await expect(grip).toHaveAttribute('aria-valuenow', String(height + 24));
  const box = (await grip.boundingBox()) as { x: number; y: number };
  await page.mouse.move(box.x + 200, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 2 - 60);
  await page.mouse.up();
  await expect(grip).toHaveAttribute('aria-valuenow', String(height + 84));
  await page.reload();
  await ready(page);
  await expect(grip).toHaveAttribute('aria-valuenow', String(height + 84));
  await dock.getByRole('link', { name: 'All traffic' }).click();
  await expect(traffic(page)).toBeVisible();
  await expect(grip).toHaveCount(0);
});

for (const scheme of ['light', 'dark'] as const) {
  test(`axe finds nothing, ${scheme}; nothing overflows at 390 px`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(sub(heads, ['state_subscribeStorage', [[number]]]));
    await ready(page);
    await expect(rows(column(page, 'state_subscribeStorage')).first()).toBeVisible();
    await rows(column(page, 'chain_subscribeNewHeads')).first().click();
    const check = async (): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => [
          id,
          nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
        ]),
      ).toEqual([]);
    };
    await check();
    await page.getByRole('button', { name: 'Subscribe…' }).click();
    await check();
    await page.goto('/#/live/traffic');
    await traffic(page).focus();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('article')).toBeVisible();
    await check();
    await page.goto('/#/live/recording');
    await check();
    await page.setViewportSize({ width: 390, height: 800 });
    for (const place of ['/#/live', '/#/live/traffic', '/#/live/recording']) {
      await page.goto(place);
      await expect(page.getByRole('navigation', { name: 'Live' })).toBeVisible();
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(beyond, place).toBeLessThanOrEqual(0);
    }
  });
}
