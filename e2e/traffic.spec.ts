import { expect, test } from '@playwright/test';
import { listening, openSecond, ready, sayAs, traffic } from './live-page.ts';

test('the traffic of a second client shows up, folded, filtered, without its secrets', async ({ page }) => {
  await openSecond(page);
  await page.goto('/#/live/traffic');
  await ready(page);
  const log = traffic(page);
  await listening(page);
  await sayAs(page, 'system_properties');
  await sayAs(page, 'chain_subscribeNewHeads');
  await sayAs(page, 'state_getStorage', ['needle in a haystack']);
  await sayAs(page, 'no_such_method', ['my secret words']);
  await sayAs(page, 'author_insertKey', ['babe', 'my secret words', '0x00']);
  // The newest connection is the second client's; panels may have connections of their own.
  await expect(log.getByRole('listitem').filter({ hasText: 'author_insertKey' })).toHaveCount(1);
  const row = await log.getByRole('listitem').filter({ hasText: 'author_insertKey' }).innerText();
  await page.getByLabel('Filter by client').selectOption(/port \d+/.exec(row)?.[0] ?? '');
  await expect(page).toHaveURL(/client=port/);
  const line = (text: string | RegExp) => log.getByRole('listitem').filter({ hasText: text });
  await expect(line('system_properties')).toHaveCount(1);
  await expect(line('system_properties')).toContainText('ok');
  await expect(line('chain_subscribeNewHeads')).toContainText(/open\s*· \d/);
  await expect(line('no_such_method')).toContainText('error');
  await expect(line('author_insertKey')).toContainText('(hidden)');
  // It may be a misspelled method with secrets.
  await expect(line('no_such_method')).toContainText('(hidden)');
  await expect(page.getByText('my secret words')).toHaveCount(0);

  // Notifications are grouped under their subscription.
  await log.getByRole('button', { name: 'Notifications of chain_subscribeNewHeads' }).click();
  await expect(line(/#1\b.*chain_newHead/)).toHaveCount(1);
  await log.getByRole('button', { name: 'Notifications of chain_subscribeNewHeads' }).click();
  await expect(line(/chain_newHead/)).toHaveCount(0);

  await page.getByLabel('Filter by status').selectOption('error');
  await expect(line('system_properties')).toHaveCount(0);
  await expect(line('no_such_method')).toHaveCount(1);
  await page.getByLabel('Filter by status').selectOption('');
  await page.getByLabel('Find method, params, result').fill('needle haystack');
  await expect(log.getByRole('listitem')).toHaveCount(1);
  await line('state_getStorage').getByRole('button').first().click();
  const detail = page.getByRole('article', { name: 'Exchange state_getStorage' });
  await expect(detail.getByRole('region', { name: 'Error' })).toContainText('-32602');
  await detail.getByRole('region', { name: 'Request' }).getByRole('button', { name: 'Raw' }).click();
  await expect(detail.getByRole('region', { name: 'Request' })).toContainText(
    '"params":["needle in a haystack"]',
  );
  // Half the log's width is enough for the method names, even next to the detail.
  await page.setViewportSize({ width: 1024, height: 720 });
  await expect(line('state_getStorage').getByText('state_getStorage')).toBeInViewport({ ratio: 0.9 });
  await detail.getByRole('button', { name: 'Close' }).click();

  await page.getByLabel('Find method, params, result').fill('');
  await page.getByLabel('Filter by method').fill('system_');
  await expect(page).toHaveURL(/method=system_/);
  await expect(line('no_such_method')).toHaveCount(0);
});

test('what the page reads by itself is hidden until it is asked for; what a person calls is not', async ({
  page,
}) => {
  await page.goto('/#/live/traffic');
  await ready(page);
  const log = traffic(page);
  const calls = (text: RegExp) => log.getByRole('listitem').filter({ hasText: text });
  const own = page.getByRole('checkbox', { name: 'Show devtools’ own calls' });
  await expect(own).not.toBeChecked();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(calls(/engine_createBlock/)).toHaveCount(1);
  await page.goto('/#/rpc/system_name');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('"');
  await page.goto('/#/live/traffic');
  await expect(calls(/system_name/)).toHaveCount(1);
  await expect(calls(/chain_getBlockHash|chain_getHeader/)).toHaveCount(0);

  await own.check();
  await expect(page).toHaveURL(/own=1/);
  await expect(calls(/chain_/).first()).toBeVisible();
  await expect(log.getByText('Method and parameters')).toBeVisible();
  await own.uncheck();
  await expect(calls(/chain_/)).toHaveCount(0);
  await expect(calls(/system_name/)).toHaveCount(1);
});

test('the devtools of two tabs know each other’s reads, whichever was there first', async ({
  page,
  context,
}) => {
  await page.goto('/#/live/traffic?own=1');
  await ready(page);
  const other = await context.newPage();
  await other.goto('/#/live/traffic?own=1');
  await ready(other);
  for (const one of [page, other]) {
    const clients = one.getByLabel('Filter by client');
    await expect(clients).toContainText(/other devtools \d/);
    await expect(clients).not.toContainText('port');
  }
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
  // Messages sent before the node reports traffic are not recorded.
  const bar = page.getByRole('region', { name: 'Recording' });
  await expect(bar).toContainText(/[1-9]\d* messages/);
  await sayAs(page, 'system_properties');
  await sayAs(page, 'chain_subscribeNewHeads');
  await expect(
    traffic(page)
      .getByRole('listitem')
      .filter({ hasText: /^.*port \d+.*system_properties/ }),
  ).toHaveCount(1);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(
    traffic(page)
      .getByRole('listitem')
      .filter({ hasText: /port \d+.*chain_subscribeNewHeads.*open\s*· [2-9]/ }),
  ).toHaveCount(1, { timeout: 10_000 });
  await page.getByRole('link', { name: 'Recording', exact: true }).click();
  const main = page.getByRole('main');
  await expect(main).toContainText('Recording in progress');
  await expect(bar).toContainText(/[\d\s]+ messages · [\d\s.]+ k?B/);
  await expect(main).not.toContainText('No recording');
  await bar.getByRole('button', { name: 'Stop recording' }).click();
  await expect(page.getByRole('region', { name: 'Recorded traffic' })).toBeVisible();
  await expect(main).not.toContainText('Recording in progress');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    main.getByRole('button', { name: 'Save', exact: true }).click(),
  ]);
  const file = await download.path();
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(file, 'utf8');
  for (const line of text.trim().split('\n')) expect(line).toMatch(/^\d+-.{24}-(<<|>>)-\{.*\}$/);
  expect(text).toContain('"method":"system_properties"');

  await page.goto('/#/live/recording');
  await page.getByLabel('Load a recording').setInputFiles(file);
  const log = page.getByRole('region', { name: 'Recorded traffic' });
  const line = log.getByRole('listitem').filter({ hasText: 'system_properties' });
  await expect(line).toContainText('ok');
  await line.getByRole('button').first().click();
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('tokenDecimals');
  await page.getByLabel('Find method, params, result').fill('chain_subscribeNewHeads');
  await log.getByRole('button', { name: 'Notifications of chain_subscribeNewHeads' }).first().click();
  await expect(log.getByRole('listitem').filter({ hasText: /#1\b/ }).first()).toBeVisible();

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
  const count = page.getByRole('search').getByText(/ exchanges/);
  await expect(count).toHaveText(/^\s*2\s[0-5]\d\d/);
  expect(await log.getByRole('listitem').count()).toBeLessThan(120);
  // The newest message is at the end, in view.
  await expect(log.getByRole('listitem').last()).toBeInViewport();

  await page.mouse.move(500, 400);
  const newest = page.getByRole('button', { name: /^↓/ });
  // The list has been scrolled away from its end, and new messages are counted. A redraw may undo the first
  // turn of the wheel.
  await expect(async () => {
    await page.mouse.wheel(0, -2000);
    await expect(newest).toBeVisible({ timeout: 500 });
  }).toPass();
  // Scrolling by wheel continues for a few frames.
  const first = () => log.getByRole('listitem').first().innerText();
  await expect(async () => {
    const before = await first();
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await first()).toBe(before);
  }).toPass();
  const top = await first();
  await flood(1000);
  await expect(newest).toHaveText(/↓ (1\s\d{3}|9\d\d) new/);
  expect(await first()).toBe(top);
  await newest.click();
  await expect(newest).toHaveCount(0);
  await page.keyboard.press('p');
  const resume = page.getByRole('button', { name: 'Resume' });
  await expect(resume).toHaveText(/Resume · [\d\s]+ waiting/);
  await flood(200);
  // A busy machine may deliver the end of the flood before only now, or drop some of this one.
  await expect.poll(async () => Number((await resume.innerText()).replace(/\D/g, ''))).toBeGreaterThan(150);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(count).toHaveText(/^\s*0/);
});

test('by keyboard: walk the log, open, leave', async ({ page }) => {
  await page.goto('/#/live/traffic?own=1');
  await ready(page);
  const log = traffic(page);
  await expect(log.getByRole('listitem').nth(3)).toBeVisible();
  await log.getByRole('listitem').last().getByRole('button').last().focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  // The button of the selected row is marked as current.
  const picked = log.getByRole('listitem').filter({ has: page.locator('[aria-current]') });
  await expect(picked).toHaveCount(1);
  const before = await picked.innerText();
  await page.keyboard.press('ArrowUp');
  await expect(picked).not.toHaveText(before, { useInnerText: true });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article')).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(log.getByRole('listitem').last()).toBeInViewport();
});

test('a recording is dropped on its own page, and the drop zone of the whole page stays away', async ({
  page,
}) => {
  await page.goto('/#/live/recording');
  await ready(page);
  const target = page.getByText('Load a recording');
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['no line of a recording'], 'dropped.log'));
    return transfer;
  });
  const zone = page.getByText(/^Drop a runtime/);
  await page.dispatchEvent('header', 'dragenter', { dataTransfer });
  await expect(zone).toBeVisible();
  await target.dispatchEvent('dragenter', { dataTransfer });
  await target.dispatchEvent('dragover', { dataTransfer });
  await expect(zone).toHaveCount(0);
  await target.dispatchEvent('drop', { dataTransfer });
  await expect(page.getByRole('main')).toContainText('This is not a recording');
  await expect(zone).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the dock tells the rate of what people and other clients send, and that of the devtools apart', async ({
  page,
}) => {
  await page.goto('/#/chain');
  await ready(page);
  const dock = page.getByRole('region', { name: 'JSON-RPC traffic' });
  // What the devtools read for themselves is counted apart.
  await expect(dock).toContainText(/No client calls yet, [1-9]\d*\/s by devtools/);
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(dock).not.toContainText('by devtools');
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(dock).toContainText(/[1-9]\d*\/s by clients/);
  await expect(dock).toContainText(/\b0\/s by clients/);
});

test('the dock opens the same log, is resized by keys and pointer, and remembers', async ({ page }) => {
  await page.goto('/#/chain');
  await ready(page);
  const dock = page.getByRole('region', { name: 'JSON-RPC traffic' });
  await dock.getByRole('button', { name: 'Traffic' }).click();
  const log = page.getByRole('region', { name: 'Traffic log' });
  await dock.getByRole('checkbox', { name: /own calls/ }).check();
  await expect(log.getByRole('listitem').first()).toBeVisible();
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

test('what another client said before the log was opened is in it', async ({ page }) => {
  await openSecond(page);
  await page.goto('/#/chain');
  await ready(page);
  // The bar at the foot tells of the last call, whoever made it.
  await expect(async () => {
    await sayAs(page, 'system_properties');
    await expect(page.getByRole('region', { name: 'JSON-RPC traffic' })).toContainText('system_properties', {
      timeout: 500,
    });
  }).toPass();
  await page.goto('/#/live/traffic');
  await expect(
    traffic(page).getByRole('listitem').filter({ hasText: 'system_properties' }).first(),
  ).toContainText(/port \d+/);
});
