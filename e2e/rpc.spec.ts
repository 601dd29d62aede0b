import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { collectFaults, shownBest } from './support.ts';

const aliceKey =
  '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59fd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const state = (page: Page) => result(page).getByRole('status').first();
const run = async (page: Page, expected = 'ok') => {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveText(expected);
};
const open = async (page: Page, place = '') => {
  await page.goto(`/#/rpc${place}`);
  await expect(page.getByTestId('best')).toHaveText(/#[1-9]/);
};
const paramsOf = (page: Page): Promise<string> =>
  page.evaluate(() => new URLSearchParams(location.hash.split('?')[1] ?? '').get('params') ?? '');
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('methods by namespace: aliases folded, unsafe and deprecated marked, filter by name and by docs', async ({
  page,
}) => {
  await open(page);
  const list = page.locator('.methods');
  await expect(list.getByRole('heading', { name: /^chain / })).toBeVisible();
  await expect(list.getByRole('link', { name: 'getHead of chain', exact: true })).toHaveCount(0);
  await list.getByRole('link', { name: 'getBlockHash of chain', exact: true }).click();
  await expect(list.getByRole('link', { name: 'getHead of chain', exact: true })).toBeVisible();
  await expect(list.getByRole('listitem').filter({ hasText: 'newBlock' })).toContainText('unsafe');
  await page.getByLabel('Filter methods').fill('system_');
  await expect(list.getByRole('heading', { name: /^chain / })).toHaveCount(0);
  await page.getByLabel('Filter methods').fill('canonical block at a height');
  await expect(list.getByRole('link')).toHaveText([/getBlockHash/, /getHead/]);
  await page.getByLabel('Filter methods').fill('no such words');
  await expect(list).toContainText('No method has “no such words”');
  await page.goto('/#/rpc/childstate_getKeys');
  await expect(page.getByText(/^deprecated:/)).toBeVisible();
  // The method of a link is in view in the list.
  await page.getByLabel('Filter methods').fill('');
  await page.goto('/#/rpc/system_version');
  await expect(list.getByRole('link', { name: 'version of system', exact: true })).toBeInViewport();
});

test('five methods by form, and the form writes the JSON', async ({ page }) => {
  const faults = collectFaults(page);
  await open(page, '/chain_getBlockHash');
  await page.getByLabel('hash', { exact: true }).fill('0');
  await run(page);
  const genesis = (
    await result(page)
      .getByText(/^"0x[0-9a-f]{64}"$/)
      .innerText()
  ).replaceAll('"', '');
  await expect.poll(() => paramsOf(page)).toBe('[0]');

  await page.goto('/#/rpc/chain_getHeader');
  await page.getByLabel('hash: which block').selectOption('number');
  await page.getByLabel('hash: block number').fill('0');
  await expect.poll(() => paramsOf(page)).toBe(`["${genesis}"]`);
  await run(page);
  await expect(result(page)).toContainText('"0x0"');
  await page.getByLabel('hash: block number').fill('99999999');
  await expect(page.getByText('there is no block #99999999')).toBeVisible();
  await page.getByLabel('hash: which block').selectOption('best');
  await expect.poll(() => paramsOf(page)).toBe('');

  await page.goto('/#/rpc/system_accountNextIndex');
  await page.getByLabel(/a known account/).selectOption('Bob');
  await run(page);
  await expect(result(page)).toContainText('0');

  await page.goto('/#/rpc/state_getStorage');
  await page.getByRole('button', { name: 'build key…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Storage key' });
  await sheet.getByLabel('entry').selectOption('Account');
  await sheet.getByLabel(/a known account/).selectOption('Alice');
  await sheet.getByRole('button', { name: 'Use this key' }).click();
  await expect(page.getByLabel('key', { exact: true })).toHaveValue(aliceKey);
  await expect(page.getByRole('link', { name: 'System.Account' })).toBeVisible();
  await run(page);
  await result(page).getByRole('button', { name: 'Decoded' }).click();
  await expect(result(page)).toContainText('AccountInfo');
  await expect(result(page)).toContainText('free');

  await page.goto('/#/rpc/dev_newBlock');
  await page.getByLabel('count').fill('2');
  await page.getByRole('switch', { name: 'finalize' }).click();
  await expect.poll(() => paramsOf(page)).toBe('[{"count":2,"finalize":true}]');
  await run(page);

  const before = await shownBest(page);
  await page.goto('/#/rpc/engine_createBlock');
  await page.getByRole('switch', { name: 'create_empty' }).click();
  await page.getByRole('switch', { name: 'finalize' }).click();
  await expect.poll(() => paramsOf(page)).toBe('[true, true]');
  await run(page);
  await expect(result(page)).toContainText(/hash\s*0x[0-9a-f]{64}/);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(before);
  expect(faults).toEqual([]);
});

test('five methods by JSON, kept in step with the form', async ({ page }) => {
  const faults = collectFaults(page);
  const calls = [
    ['chain_getBlockHash', '[[0, 1]]', /\[2\]/],
    [
      'state_getKeysPaged',
      '["0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9", 2]',
      /\[2\]/,
    ],
    ['state_getStorageSize', `{"key": "${aliceKey}"}`, /80/],
    ['state_call', '["Core_version", "0x"]', /"0x/],
    ['system_chain', '', /"Development"/],
  ] as const;
  for (const [method, params, answer] of calls) {
    await open(page, `/${method}?as=json`);
    await page.getByLabel('params').fill(params);
    await run(page);
    await expect(result(page)).toContainText(answer);
  }
  // What is written in one face stands in the other.
  await page.goto('/#/rpc/state_getKeysPaged?as=json');
  await page.getByLabel('params').fill('["0x26", 3]');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByLabel('count')).toHaveValue('3');
  await page.getByLabel('count').fill('5');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await expect(page.getByLabel('params')).toHaveValue('["0x26", 5]');
  // Marks: what is no JSON cannot run; what the node would refuse is told beforehand, in its words.
  await page.getByLabel('params').fill('["0x26", "x"]');
  await expect(page.locator('#params-fault')).toContainText('expected u32');
  await expect(page.locator('.editor .mark.warn')).toHaveText('"x"');
  await run(page, 'error -32602');
  await page.getByLabel('params').fill('["0x26",');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await expect(page.locator('.editor .mark.bad')).toHaveCount(1);
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByText('The JSON is not whole')).toBeVisible();
  expect(faults).toEqual([]);
});

test('a running call is cancelled; an error shows its code; a method of no table can be called', async ({
  page,
}) => {
  await open(page, '/dev_newBlock?params=%5B%7B%22count%22%3A400%7D%5D');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(state(page)).toHaveText('cancelled');
  await expect(result(page)).toContainText('Aborted');
  await page.getByLabel('method', { exact: true }).fill('no_such_method');
  await expect(page.getByText('The node does not list this method.')).toBeVisible();
  await run(page, 'error -32601');
  await expect(result(page)).toContainText('Method not found');
});

test('history and favourites survive a reload; label, run again, forget, clear', async ({ page }) => {
  await open(page, '/system_chain');
  await run(page);
  await page.goto('/#/rpc/system_version');
  await run(page);
  await page.goto('/#/rpc/state_getMetadata');
  await run(page);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await expect(history.getByRole('listitem').first()).toContainText('state_getMetadata');
  await history.getByRole('button', { name: 'Favourite system_chain' }).click();
  await history.getByRole('button', { name: 'Label system_chain' }).click();
  await page.getByLabel('Label of system_chain').fill('my chain');
  await page.keyboard.press('Enter');
  await page.reload();
  await expect(history.getByRole('listitem')).toHaveCount(3, { timeout: 15_000 });
  await history
    .getByRole('button', { name: /state_getMetadata/ })
    .first()
    .click();
  await expect(result(page)).toContainText('The first 20.0 kB of the answer were kept.');
  await history.getByRole('button', { name: 'Clear' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(1);
  await expect(history.getByRole('listitem')).toContainText('my chain');
  await expect(history.getByRole('button', { name: 'Favourites 1' })).toBeVisible();
  await history.getByRole('button', { name: 'Run my chain again' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(state(page)).toHaveText('ok');
  await expect(page.getByLabel('method', { exact: true })).toHaveValue('system_chain');
  await history.getByRole('button', { name: 'Forget my chain' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(1);
});

test('a call copies in every form', async ({ page }) => {
  await open(page, `/state_getStorage?params=${encodeURIComponent(`["${aliceKey}"]`)}`);
  const copied = async (label: string) => {
    await page.getByRole('button', { name: 'Copy as…' }).click();
    await page
      .getByRole('list', { name: 'Copy as' })
      .getByRole('button', { name: label, exact: true })
      .click();
    await expect(page.getByText(`Copied as ${label}`)).toBeVisible();
    return clipboard(page);
  };
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"state_getStorage","params":["${aliceKey}"]}`;
  expect(await copied('JSON-RPC')).toBe(rpc);
  expect(await copied('curl')).toBe(
    `curl -s -H 'Content-Type: application/json' -d '${rpc}' http://127.0.0.1:9944`,
  );
  expect(await copied('websocat')).toContain(`echo '${rpc}' | websocat -n1`);
  expect(await copied('WebSocket (JavaScript)')).toContain('socket.send(');
  expect(await copied('fetch')).toContain("method: 'POST'");
  expect(await copied('polkadot-js')).toContain(`provider.send("state_getStorage", ["${aliceKey}"])`);
  expect(await copied('PAPI')).toContain(`client._request("state_getStorage", ["${aliceKey}"])`);
  expect(await copied('node.rpc (tabnode)')).toBe(`await node.rpc.state_getStorage({ key: "${aliceKey}" });`);
});

test('a batch goes over a connection of its own and answers in order', async ({ page }) => {
  await open(page, '/system_chain');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await page.goto('/#/rpc/chain_getBlockHash?params=%5B0%5D');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await page.getByLabel('method', { exact: true }).fill('no_such_method');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  const tray = page.getByRole('region', { name: 'Batch' });
  await expect(tray.getByRole('listitem')).toHaveCount(3);
  await tray.getByRole('button', { name: 'Send batch' }).click();
  await expect(state(page)).toHaveText('ok');
  await expect(result(page)).toContainText(
    /system_chain[\s\S]*"Development"[\s\S]*chain_getBlockHash[\s\S]*-32601/,
  );
  await tray.getByRole('button', { name: 'Copy as…' }).click();
  await page.getByRole('list', { name: 'Copy as' }).getByRole('button', { name: 'JSON-RPC' }).click();
  expect(JSON.parse(await clipboard(page))).toHaveLength(3);
  await tray.getByRole('button', { name: /Take call 3/ }).click();
  await tray.getByRole('button', { name: 'Send batch' }).click();
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveCount(2);
  await expect(result(page)).not.toContainText('-32601');
});

test('a call that takes something away asks first', async ({ page }) => {
  await open(page, '/dev_reset');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(1);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const ask = page.getByRole('dialog', { name: 'Run dev_reset?' });
  await expect(ask).toContainText('All blocks above genesis');
  await page.keyboard.press('Escape');
  await expect(ask).toHaveCount(0);
  await expect(page.getByText('No call yet')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await ask.getByRole('button', { name: 'Run dev_reset' }).click();
  await expect(state(page)).toHaveText('ok');
});

test('a subscription runs, counts, stops, and opens in Live', async ({ page }) => {
  await open(page, '/chain_subscribeNewHeads');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveText('subscribed');
  await expect(result(page)).toContainText(/[2-9] received/, { timeout: 10_000 });
  await expect(page.getByRole('link', { name: 'open in Live' })).toHaveAttribute(
    'href',
    /#\/(@[^/]+\/)?live\?method=chain_subscribeNewHeads/,
  );
  await result(page).getByRole('button', { name: 'Stop' }).click();
  await expect(state(page)).toHaveText('ok');
  const count = await result(page)
    .getByText(/received/)
    .innerText();
  const best = await shownBest(page);
  await expect.poll(() => shownBest(page), { timeout: 10_000 }).toBeGreaterThan(best);
  await expect(result(page)).toContainText(count);
});

test('a copied link brings back method, params and face', async ({ page, context }) => {
  await open(page, '/state_getKeysPaged?as=json');
  await page.getByLabel('params').fill('["0x26aa", 7, null]');
  await page.getByRole('button', { name: 'Copy link to this call' }).click();
  const link = await clipboard(page);
  await page.close();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByLabel('params')).toHaveValue('["0x26aa", 7, null]', { timeout: 15_000 });
  await expect(other.getByLabel('method', { exact: true })).toHaveValue('state_getKeysPaged');
  await other.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(other.getByLabel('count')).toHaveValue('7');
  await other.goBack();
});

test('a big answer stays quick: cut text, tree made on demand', async ({ page }) => {
  await open(page, '/state_getStorage?params=%5B%220x3a636f6465%22%5D');
  await run(page);
  await expect(result(page)).toContainText(/\d+(\.\d)? (kB|MB)/);
  const show = result(page).getByRole('button', { name: /Show all/ });
  await expect(show).toBeVisible();
  await show.click();
  const frames = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0;
        const step = () => (++count === 10 ? resolve(count) : requestAnimationFrame(step));
        requestAnimationFrame(step);
      }),
  );
  expect(frames).toBe(10);
  await result(page).getByRole('button', { name: 'Raw' }).click();
  await expect(result(page).getByRole('button', { name: /Show all/ })).toBeVisible();
});

test('by keyboard alone: find, write, run, copy', async ({ page }) => {
  await open(page);
  await page.keyboard.press('/');
  await page.keyboard.type('getBlockHash');
  await expect(page.locator('.methods').getByRole('link')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('method', { exact: true })).toHaveValue('chain_getBlockHash');
  await page.getByLabel('hash', { exact: true }).focus();
  await page.keyboard.type('0');
  await page.keyboard.press('Control+Enter');
  await expect(state(page)).toHaveText('ok');
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied as curl')).toBeVisible();
  // Letters typed into the JSON editor are letters, no commands.
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await page.getByLabel('params').focus();
  await page.keyboard.type('c?b');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Batch' })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, `/state_getStorage?params=${encodeURIComponent(`["${aliceKey}"]`)}`);
    await run(page);
    await page.getByRole('button', { name: 'Add to batch' }).click();
    const check = async () =>
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [
        id,
        nodes.map((node) => node.html),
      ]);
    expect(await check()).toEqual([]);
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await result(page).getByRole('button', { name: 'Raw' }).click();
    await expect(result(page).getByRole('region', { name: 'Raw JSON' })).toBeVisible();
    await expect(page.getByLabel('params')).toBeVisible();
    expect(await check()).toEqual([]);
  });
}

test('at 390 px: the list, then one method, nothing beyond the edge', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  await page.getByLabel('Filter methods').fill('state_getStorage');
  await page.getByRole('link', { name: 'getStorage of state', exact: true }).click();
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await run(page);
  await page.getByRole('button', { name: 'Add to batch' }).click();
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: '← All methods' }).click();
  await expect(page.getByLabel('Filter methods')).toBeVisible();
});
