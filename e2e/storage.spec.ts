import { readFileSync } from 'node:fs';
import { expect, test as fresh } from '@playwright/test';
import { openStill } from './chain-page.ts';
import { jsonEditor } from './json-editor.ts';
import { ask } from './node-line.ts';
import { test } from './shared-page.ts';
import { collectFaults, shownBest } from './support.ts';

test.describe.configure({ mode: 'default' });

const aliceAccount = `#/storage/System/Account/${encodeURIComponent('["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"]')}`;

test('from pallet to entry to a decoded value, its JSON and its bytes', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/#/storage');
  await page.getByRole('link', { name: /^System/ }).click();
  await page.getByRole('link', { name: /^Account/ }).click();
  await expect(page.getByRole('heading', { name: 'System.Account' })).toBeVisible();
  await page.getByRole('link', { name: /^Alice(?!\/)/ }).click();
  await expect(page).toHaveURL(/storage\/System\/Account\/%5B/);
  const value = page.getByRole('region', { name: 'Value', exact: true });
  await expect(value).toContainText('free');
  await expect(value).toContainText('1 000 000 000 000 000 000');
  await expect(value).toContainText('= 1 000 000 UNIT');
  // For free, reserved and frozen; flags have no unit.
  await expect(value.getByText(/^=\s.* UNIT$/)).toHaveCount(3);
  await value.getByRole('button', { name: 'JSON', exact: true }).click();
  await expect(value).toContainText('"providers": 1');
  // A window so low that the JSON scrolls.
  await page.setViewportSize({ width: 1280, height: 240 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await value.getByRole('button', { name: 'Bytes', exact: true }).click();
  await expect(value.getByRole('region', { name: 'Bytes' })).toContainText('0010');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Value', exact: true })).toContainText(
    '1 000 000 000 000 000 000',
  );
  expect(faults).toEqual([]);
});

test('a default is distinguished from a stored value, and nothing from both', async ({ page }) => {
  await page.goto(`/#/storage/System/Account/${encodeURIComponent(`["0x${'77'.repeat(32)}"]`)}`);
  const value = page.getByRole('region', { name: 'Value', exact: true });
  await expect(value).toContainText('Default value');
  await page.goto('/#/storage/Sudo/Key');
  await expect(value.getByText('Set', { exact: true })).toBeVisible();
  await page.goto('/#/storage/key?key=0x0123');
  await expect(page.getByText('Nothing is stored under this key')).toBeVisible();
  await page.goto('/#/storage/System/UpgradedToU32RefCount');
  await expect(page.getByRole('region', { name: 'Value', exact: true })).toContainText(/Set|Default value/);
});

test('a value is live, and stepping back shows it at an older block', async ({ page }) => {
  await page.goto('/#/storage/Timestamp/Now');
  const value = page.getByRole('region', { name: 'Value', exact: true });
  const number = value.getByRole('region', { name: 'Decoded value' });
  await expect(number).toBeVisible();
  const first = await number.innerText();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(number).not.toHaveText(first);
  // There must be blocks two steps back from here.
  await expect.poll(() => shownBest(page)).toBeGreaterThanOrEqual(2);
  await expect(page.getByRole('region', { name: 'Blocks that changed this value' })).toContainText(/#\d/);
  await page.getByRole('button', { name: 'Previous block' }).click();
  await expect(page).toHaveURL(/at=\d+/);
  await expect(page.getByRole('link', { name: 'Latest block' })).toBeVisible();
  const old = await number.innerText();
  await page.getByRole('button', { name: 'Previous block' }).click();
  await expect(number).not.toHaveText(old);
});

fresh('an edit is written into the state and shown', async ({ page }) => {
  await page.goto(`/${aliceAccount}`);
  const value = page.getByRole('region', { name: 'Value', exact: true });
  await value.getByRole('button', { name: 'Edit value…' }).click();
  const form = page.getByRole('form', { name: 'Edit the value' });
  await form.getByLabel('value data free').fill('not a number');
  await expect(form).toContainText('data.free');
  await expect(form.getByRole('button', { name: 'Set value' })).toBeDisabled();
  await form.getByLabel('value data free').fill('2.5 UNIT');
  await expect(form.getByLabel('value data free')).toHaveAccessibleDescription('= 2 500 000 000 000');
  // Invalid JSON is not written, and nothing else in its place.
  await form.getByRole('button', { name: 'JSON', exact: true }).click();
  await jsonEditor(form, 'value as JSON').fill('{ "free"');
  await expect(form.getByRole('button', { name: 'Set value' })).toBeDisabled();
  await form.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(form.getByRole('button', { name: 'Set value' })).toBeDisabled();
  await form.getByRole('button', { name: 'Discard the text' }).click();
  await expect(form.getByRole('button', { name: 'Set value' })).toBeEnabled();
  // JSON is encoded as it is: an amount with a unit is only accepted in the form, and the error says so.
  await form.getByRole('button', { name: 'JSON', exact: true }).click();
  const account = { nonce: 0, consumers: 0, providers: 1, sufficients: 0 };
  const data = { free: '1.5 UNIT', reserved: '0', frozen: '0', flags: '0' };
  await jsonEditor(form, 'value as JSON').fill(JSON.stringify({ ...account, data }));
  await expect(form.getByRole('status')).toContainText(
    'In JSON, amounts are whole numbers in the smallest unit: "1500000000000" for "1.5 UNIT"',
  );
  await form.getByRole('button', { name: 'Form', exact: true }).click();
  await form.getByLabel('value data free').fill('123456789');
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
  await form.getByRole('button', { name: 'Set value' }).click();
  await expect(form).toHaveCount(0);
  await expect(value).toContainText('free 123 456 789', { useInnerText: true });
  await expect(page.getByRole('list', { name: 'Changed in' })).toContainText(/#\d+\s*edited/);
  // Undo is offered on every panel, also after a reload, and by Ctrl+Z, which first shows what was edited.
  await page.reload();
  await page.goto('/#/node');
  await expect(page.getByText('1 edit by hand')).toBeVisible();
  await page.keyboard.press('Control+z');
  const undo = page.getByRole('button', { name: 'Undo the edit of System.Account [Alice]' });
  await expect(undo).toBeFocused();
  await expect(page.getByText(/^before: 1\s000\s000 UNIT/)).toBeVisible();
  await page.goto(`/${aliceAccount}`);
  await expect(value).toContainText('free 123 456 789', { useInnerText: true });
  await value.getByRole('button', { name: 'Undo edit' }).click();
  await expect(value).toContainText('= 1 000 000 UNIT');
  await expect(value.getByRole('button', { name: 'Undo edit' })).toHaveCount(0);
  await expect(undo).toHaveCount(0);
});

test('long docs of an entry wait behind a paragraph; an empty Balances.Account names where balances are, whose rows tell them', async ({
  page,
}) => {
  await page.goto('/#/storage/Balances/Account');
  const about = page.getByText('The Balances pallet example of storing the balance of an account.');
  const more = page.getByText('You can also store the balance of an account in the System pallet.');
  await expect(about).toBeVisible();
  await expect(more).toBeHidden();
  await about.click();
  await expect(more).toBeVisible();
  await page.getByRole('link', { name: 'Balances are in System.Account' }).click();
  await expect(page.getByRole('link', { name: /^Alice(?!\/)/ })).toContainText('1 000 000 UNIT · nonce 0');
});

fresh('an address stands whole in the rows of a map where there is room', async ({ page }) => {
  await openStill(page);
  // Each account of the genesis has a name.
  await ask(page, 'dev_fund', `0x${'12'.repeat(32)}`, '1000000000000');
  await page.goto('/#/storage/System/Account');
  const rows = page.getByRole('region', { name: 'Keys of Account' }).getByRole('link');
  const row = rows.filter({ hasText: /5\w{5}…/ }).first();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(row).toHaveText(/^\s*5\w{47}\b/, { useInnerText: true });
  const cut = await row.getByText(/^5\w{47}$/).evaluate((text) => text.scrollWidth - text.clientWidth);
  expect(cut).toBe(0);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect(row).toHaveText(/^\s*5\w{5}…\w{6}\b/, { useInnerText: true });
});

test('what Balances has issued is read and typed in the unit', async ({ page }) => {
  await page.goto('/#/storage/Balances/TotalIssuance');
  const value = page.getByRole('region', { name: 'Value', exact: true });
  await expect(value).toContainText(/\d =\s[\d\s.]+ UNIT/);
  await value.getByRole('button', { name: 'Edit value…' }).click();
  const field = page.getByRole('form', { name: 'Edit the value' }).getByLabel('value', { exact: true });
  await field.fill('1.5 UNIT');
  await expect(field).toHaveAccessibleDescription('= 1 500 000 000 000');
});

fresh('what was written and not set waits at its key, until it is discarded', async ({ page }) => {
  await page.goto(`/${aliceAccount}`);
  const form = page.getByRole('form', { name: 'Edit the value' });
  const free = form.getByLabel('value data free');
  await page.getByRole('button', { name: 'Edit value…' }).click();
  await expect(form.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await free.fill('42');
  await expect(form).toContainText('Draft');
  // After visiting another key, block or panel, the draft is still there, and only there.
  await page.goto('/#/storage/Sudo/Key');
  await expect(page.getByRole('button', { name: 'Edit value…' })).toBeVisible();
  await expect(form).toHaveCount(0);
  await page.goto(`/${aliceAccount}?at=0`);
  await expect(page.getByText('You have a draft.')).toBeVisible();
  await expect(form).toHaveCount(0);
  await page.goto('/#/rpc');
  await page.goto(`/${aliceAccount}`);
  await expect(free).toHaveValue('42');
  // A reload does not lose it either. Incomplete JSON is restored as it was, and is not set.
  await page.reload();
  await expect(free).toHaveValue('42');
  await form.getByRole('button', { name: 'JSON', exact: true }).click();
  await jsonEditor(form, 'value as JSON').fill('{ "free": 4');
  await page.goto('/#/rpc');
  await page.goto(`/${aliceAccount}`);
  await expect(jsonEditor(form, 'value as JSON')).toHaveText('{ "free": 4');
  await expect(form.getByRole('status')).toContainText('JSON');
  await expect(form.getByRole('button', { name: 'Set value' })).toBeDisabled();
  await page.reload();
  await expect(jsonEditor(form, 'value as JSON')).toHaveText('{ "free": 4');
  await form.getByRole('button', { name: 'Form', exact: true }).click();
  await form.getByRole('button', { name: 'Discard the text' }).click();
  await expect(free).toHaveValue('42');
  await expect(form.getByRole('button', { name: 'Set value' })).toBeEnabled();
  await form.getByRole('button', { name: 'Discard' }).click();
  await expect(form).toHaveCount(0);
  await page.getByRole('button', { name: 'Edit value…' }).click();
  await expect(free).toHaveValue('1000000000000000000');
});

test('a pasted key is explained; well-known keys, child tries and a comparison are there', async ({
  page,
}) => {
  await page.goto('/#/storage/key');
  await page
    .getByLabel('key or prefix')
    .fill('0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9');
  await expect(page.getByRole('status').first()).toContainText('System.Account');
  // Rows of a list begin with what distinguishes them.
  const rows = page.getByRole('listitem').filter({ hasText: 'System.Account' });
  await expect(rows.filter({ hasText: /^\s*Alice\s+System[.]Account/ })).toHaveCount(1);
  await rows.getByRole('link', { name: 'Alice', exact: true }).click();
  await expect(page.getByRole('status').first()).toContainText(/System[.]Account\s+Alice/);
  await page.getByRole('link', { name: ':code', exact: true }).click();
  await expect(page.getByText('The runtime: WebAssembly')).toBeVisible();
  await page.getByLabel('key or prefix').fill('0x1');
  await expect(page.getByText('pairs of hexadecimal digits')).toBeVisible();
  await page.goto('/#/storage/child');
  await expect(page.getByText('No child tries')).toBeVisible();
  await expect(async () => {
    await page.getByRole('button', { name: 'Seal block' }).click();
    expect(await shownBest(page)).toBeGreaterThan(2);
  }).toPass();
  await page.goto('/#/storage/diff?from=1&to=2');
  await expect(page.getByText(/keys differ/)).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('heading', { name: /^Timestamp/ })).toBeVisible();
});

test('a proof is a list of trie nodes', async ({ page }) => {
  await page.goto(`/${aliceAccount}`);
  await page.getByText('Proof: the trie nodes').click();
  await expect(page.getByText(/^\d+ nodes at block/)).toBeVisible();
});

test('an unknown block, pallet and entry say so', async ({ page }) => {
  await page.goto('/#/storage/System/Account?at=99999999');
  await expect(page.getByText('This node has no block 99999999')).toBeVisible();
  // The alert is only as high as its text, and has a link.
  const notice = page.getByRole('main').getByRole('heading', { name: 'No such block' }).locator('..');
  expect((await notice.boundingBox())?.height).toBeLessThan(200);
  // Anything that is not a number refers to no block, especially not to the best one.
  await page.goto('/#/storage/System/Account?at=nonsense');
  await expect(page.getByText('“nonsense” is neither a block number nor a hash')).toBeVisible();
  await notice.getByRole('link', { name: 'Latest block' }).click();
  await expect(page.getByRole('region', { name: 'Keys of Account' })).toBeVisible();
  // A hash is wider than a narrow page.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/#/storage/System/Account?at=0x${'ab'.repeat(32)}`);
  const missing = page.getByText('This node has no block 0xabab');
  expect(await missing.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
  // The list of pallets has no link to itself, and the other views stay in sight below it.
  await page.goto('/#/storage');
  const pallets = page.getByRole('navigation', { name: 'Pallets' });
  await expect(pallets.getByRole('link', { name: 'Observer' })).toBeVisible();
  await expect(page.getByRole('link', { name: '← Pallets' })).toBeHidden();
  await page.setViewportSize({ width: 1024, height: 600 });
  await expect(pallets.getByRole('link', { name: 'Compare two blocks' })).toBeInViewport({ ratio: 1 });
  await pallets.getByRole('link', { name: 'Observer' }).focus();
  await expect(pallets.getByRole('link', { name: 'Observer' })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('/#/storage/Nothing/Here');
  await expect(page.getByText('No such pallet')).toBeVisible();
  await page.goto('/#/storage/System/Account/Alice');
  await expect(page.getByText('“Alice” is not a JSON list of keys')).toBeVisible();
  await page.goto('/#/storage/System/Nothing');
  await expect(page.getByText('No such entry')).toBeVisible();
});

fresh('the history of a value names its blocks, and goes back to older ones', async ({ page }) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 130 });
  await page.goto('/#/storage/Timestamp/Now');
  const history = page.getByRole('region', { name: 'Blocks that changed this value' });
  await expect(history).toContainText('Last 120 blocks: #11–#130');
  await history.getByRole('button', { name: 'Older' }).click();
  await expect(history).toContainText('10 blocks: #1–#10');
  await expect(history.getByRole('link', { name: '#10', exact: true })).toBeVisible();
  await expect(history.getByRole('button', { name: 'Older' })).toHaveCount(0);
  // A new block does not change an older window.
  await ask(page, 'engine_createBlock', true, false);
  await expect.poll(() => shownBest(page)).toBe(131);
  await expect(history).toContainText('10 blocks: #1–#10');
  await history.getByRole('button', { name: 'Newer' }).click();
  await expect(history).toContainText('#131');
});

fresh(
  'exported keys are read back into the state, after a question; what does not fit is refused',
  async ({ page }) => {
    await page.goto('/#/storage/System/Account');
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
    await page.getByLabel('Seal mode').selectOption('manual');
    await expect(page.getByLabel('Seal mode')).toBeEnabled();
    const keys = page.getByRole('region', { name: 'Keys of Account' });
    await expect(keys.getByRole('link', { name: /^Alice(?!\/)/ })).toBeVisible();
    const download = page.waitForEvent('download');
    await keys.getByRole('button', { name: 'Export' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    const all = Object.entries(JSON.parse(text) as Record<string, string>);
    const [first, second] = all;
    if (!first || !second) throw new Error('too few accounts');
    const file = keys.getByLabel('Keys and values of System.Account');
    const give = (content: unknown) =>
      file.setInputFiles({
        name: 'keys.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(content)),
      });
    await give({ '0x26aa': '0x00' });
    await expect(keys.getByRole('alert')).toContainText('belongs to another entry');
    // Another nonce: only keys that change are written.
    await give({ [first[0]]: `0x05${first[1].slice(4)}`, [second[0]]: null });
    const question = keys.getByRole('dialog');
    await expect(question).toContainText('Write 2 keys of System.Account');
    await expect(question).toContainText('1 of them deleted');
    await question.getByRole('button', { name: 'Write' }).click();
    await expect(keys.getByText('2 keys written.')).toBeVisible();
    await expect(keys.getByRole('status').first()).toHaveText(String(all.length - 1));
    await keys.getByRole('button', { name: 'Undo the import' }).click();
    await expect(keys.getByText('2 keys restored.')).toBeVisible();
    await expect(keys.getByRole('status').first()).toHaveText(String(all.length));
  },
);
