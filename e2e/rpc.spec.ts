import { expect, test as fresh } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { jsonEditor } from './json-editor.ts';
import { aliceKey, open, paramsOf, result, run, state } from './rpc-page.ts';
import { test } from './shared-page.ts';
import { collectFaults, shownBest } from './support.ts';

test.describe.configure({ mode: 'default' });

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('methods by namespace: aliases folded, unsafe and deprecated marked, filter by name and by docs', async ({
  page,
}) => {
  await open(page);
  const list = page.getByRole('navigation', { name: 'Methods' });
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
  await expect(list).toContainText('No method matches “no such words”');
  await page.goto('/#/rpc/childstate_getKeys');
  await expect(page.getByText(/^deprecated:/)).toBeVisible();
  // The method named by the URL is scrolled into view in the list.
  await page.getByLabel('Filter methods').fill('');
  await page.goto('/#/rpc/system_version');
  await expect(list.getByRole('link', { name: 'version of system', exact: true })).toBeInViewport();
});

test('five methods by form, and the form writes the JSON', async ({ page }) => {
  const faults = collectFaults(page);
  await open(page, '/chain_getBlockHash');
  await page.getByLabel('hash', { exact: true }).fill('0');
  await run(page);
  // A block hash in a result links to the block.
  const genesis = await result(page)
    .getByRole('link', { name: /^0x[0-9a-f]{64}$/ })
    .innerText();
  await expect.poll(() => paramsOf(page)).toBe('[0]');

  await page.goto('/#/rpc/chain_getHeader');
  await page.getByLabel('hash: which block').selectOption('number');
  await page.getByLabel('hash: block number').fill('0');
  await expect.poll(() => paramsOf(page)).toBe(`["${genesis}"]`);
  await run(page);
  await expect(result(page)).toContainText('"0x0"');
  await page.getByLabel('hash: block number').fill('99999999');
  await expect(page.getByText('No block #99999999 was found.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await page.getByLabel('hash: which block').selectOption('best');
  await expect.poll(() => paramsOf(page)).toBe('');

  await page.goto('/#/rpc/system_accountNextIndex');
  await page.getByLabel(/a known account/).selectOption('Bob');
  await run(page);
  await expect(result(page)).toContainText('0');

  await page.goto('/#/rpc/state_getStorage');
  await page.getByRole('button', { name: 'Build key…' }).click();
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
  await page.getByRole('combobox', { name: 'finalize' }).selectOption('true');
  await expect.poll(() => paramsOf(page)).toBe('[{"count":2,"finalize":true}]');
  await run(page);

  const before = await shownBest(page);
  await page.goto('/#/rpc/engine_createBlock');
  await page.getByRole('combobox', { name: 'create_empty' }).selectOption('true');
  await page.getByRole('combobox', { name: 'finalize' }).selectOption('true');
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
    await jsonEditor(page, 'params').fill(params);
    await run(page);
    await expect(result(page)).toContainText(answer);
  }
  // Form and JSON show the same values.
  await page.goto('/#/rpc/state_getKeysPaged?as=json');
  await jsonEditor(page, 'params').fill('["0x26", 3]');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByLabel('count')).toHaveValue('3');
  await page.getByLabel('count').fill('5');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await expect(jsonEditor(page, 'params')).toHaveText('["0x26", 5]');
  // Marks: invalid JSON cannot be run; a value that the node would refuse is marked beforehand, in
  // plain words.
  await jsonEditor(page, 'params').fill('["0x26", "x"]');
  await expect(page.getByRole('region', { name: 'Arguments' }).getByRole('status')).toContainText(
    'count: expected a whole number',
  );
  await expect(jsonEditor(page, 'params')).toHaveAttribute('aria-description', /expected a whole number/);
  await expect(jsonEditor(page, 'params').locator('.cm-lintRange')).toHaveText('"x"');
  await run(page, 'error -32602');
  await jsonEditor(page, 'params').fill('["0x26",');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await expect(jsonEditor(page, 'params')).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByText('The JSON is incomplete')).toBeVisible();
  expect(faults).toEqual([]);
});

test('a running call is cancelled; an error shows its code; a method of no table can be called', async ({
  page,
}) => {
  await open(page, '/dev_newBlock?params=%5B%7B%22count%22%3A400%7D%5D');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(state(page)).toHaveText('canceled');
  await expect(result(page)).toContainText('Aborted');
  await page.getByLabel('method', { exact: true }).fill('no_such_method');
  await expect(page.getByText('The node does not list this method.')).toBeVisible();
  await run(page, 'error -32601');
  await expect(result(page)).toContainText('Method not found');
});

fresh('a big answer stays quick: cut text, tree made on demand', async ({ page }) => {
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
  // Of its one line of a million characters, only the part on the screen is in the document.
  await result(page).getByRole('button', { name: 'Raw' }).click();
  const raw = jsonEditor(result(page), 'Raw JSON');
  await expect(raw).toHaveText(/^"0x/);
  expect((await raw.innerText()).length).toBeLessThan(100_000);
});

test('by keyboard alone: find, write, run, copy', async ({ page }) => {
  await open(page);
  await expect(page.getByLabel('Filter methods')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('getBlockHash');
  await expect(page.getByRole('navigation', { name: 'Methods' }).getByRole('link')).toHaveCount(1);
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
  await expect(page.getByText('Copied as fetch')).toBeVisible();
  // Letters typed into the JSON editor are text, not commands.
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await jsonEditor(page, 'params').focus();
  await page.keyboard.type('c?b');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Batch' })).toHaveCount(0);
});

test('a call with its result, by form and by JSON, is accessible', async ({ page }) => {
  await open(page, `/state_getStorage?params=${encodeURIComponent(`["${aliceKey}"]`)}`);
  await run(page);
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await expectAccessible(page);
  await page.getByRole('region', { name: 'Arguments' }).getByRole('button', { name: 'JSON' }).click();
  await result(page).getByRole('button', { name: 'Raw' }).click();
  await expect(jsonEditor(result(page), 'Raw JSON')).toBeVisible();
  await expect(jsonEditor(page, 'params')).toBeVisible();
  await expectAccessible(page);
});

fresh('at 390 px: the list, then one method, nothing beyond the edge', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page);
  await page.getByLabel('Filter methods').fill('state_getStorage');
  await page.getByRole('link', { name: 'getStorage of state', exact: true }).click();
  await page.getByRole('button', { name: 'Use example' }).click();
  await run(page);
  await page.getByRole('button', { name: 'Add to batch' }).click();
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: '← All methods' }).click();
  await expect(page.getByLabel('Filter methods')).toBeVisible();
});
