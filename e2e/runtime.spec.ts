import { expect } from '@playwright/test';
import { jsonEditor } from './json-editor.ts';
import { test } from './shared-page.ts';
import { collectFaults } from './support.ts';

test.describe.configure({ mode: 'default' });

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

test('the version: spec, and every API by name with its id', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await page.keyboard.press('6');
  const version = page.getByRole('region', { name: 'Version' });
  await expect(version.getByRole('heading', { name: 'tabnode 101' })).toBeVisible();
  await expect(version).toContainText('V16');
  const apis = page.getByRole('region', { name: 'Runtime APIs' });
  const core = apis.getByRole('row', { name: /^Core/ });
  await expect(core).toContainText('0xdf6acb689907609b');
  await expect(apis.getByText('unknown', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Transaction extensions' })).toContainText('CheckNonce');
  await page.getByRole('searchbox').fill('existential deposit');
  const found = page.getByRole('list', { name: 'Found in the runtime' });
  await found.getByRole('link', { name: /constant Balances.ExistentialDeposit/ }).click();
  await expect(page).toHaveURL(/runtime\/pallets\/Balances\/constants\/ExistentialDeposit$/);
  expect(faults).toEqual([]);
});

test('a pallet: calls, docs, errors, and a constant decoded with its bytes', async ({ page }) => {
  await page.goto('/#/runtime/pallets/Balances/errors');
  await expect(page.getByText('Balance too low to send value.')).toBeVisible();
  await page.getByRole('link', { name: /^calls/ }).click();
  await expect(page.getByText('kill the origin account', { exact: false }).first()).toBeVisible();
  // Docs contain no rustdoc markup: names are shown as code, and headings as headings.
  const calls = page.getByRole('main');
  await expect(calls.getByText('Same as the transfer_allow_death call, but with a check')).toBeVisible();
  await expect(
    calls.locator('code').getByText('transfer_allow_death', { exact: true }).first(),
  ).toBeVisible();
  await expect(calls).not.toContainText(/\[`|`\]|## /);
  await expect(page.getByRole('link', { name: 'transfer_keep_alive', exact: true })).toHaveAttribute(
    'href',
    /#\/.*send\/Balances\/transfer_keep_alive$/,
  );
  await page.getByRole('link', { name: /^storage/ }).click();
  await expect(page.getByRole('link', { name: 'Account', exact: true })).toHaveAttribute(
    'href',
    /storage\/Balances\/Account$/,
  );
  await page.goto('/#/runtime/pallets/System/constants/SS58Prefix');
  const constant = page.getByRole('listitem').filter({ hasText: 'SS58Prefix' });
  await expect(constant).toContainText('42');
  await expect(constant.getByRole('region', { name: 'Bytes' })).toContainText('2a00');
  await page.goto('/#/runtime/pallets/Nonsense');
  await expect(page.getByText('This runtime has no pallet Nonsense.')).toBeVisible();
});

test('runtime APIs: by form at a block, by an address with arguments, by name with bytes', async ({
  page,
}) => {
  await page.goto('/#/runtime/apis');
  await page.getByRole('link', { name: 'version', exact: true }).click();
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  await expect(answer).toContainText('"tabnode"');
  await expect(answer).toContainText(/spec_version\s*101/);
  await page.goto('/#/runtime/apis/AccountNonceApi/account_nonce');
  await expect(page.getByRole('button', { name: 'Call', exact: true })).toBeDisabled();
  await page
    .getByLabel(/^account/)
    .and(page.locator('select'))
    .selectOption({ label: 'Alice' });
  await expect(page).toHaveURL(/args=/);
  await page.getByLabel('State at block: number or hash').fill('0');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/at=0/);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(answer.getByTitle('u32', { exact: true })).toHaveText('0');
  await page.goto(
    `/#/runtime/apis/AccountNonceApi/account_nonce?args=${encodeURIComponent(JSON.stringify([alice]))}`,
  );
  await page.reload();
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(answer.getByTitle('u32', { exact: true })).toHaveText('0');
  await page.goto('/#/runtime/apis/raw?method=Core_version');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(answer).toContainText('1c7461626e6f6465');
  await page.getByLabel('function').fill('No_such');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('No_such is not found');
});

test('bytes of any type are decoded and encoded', async ({ page }) => {
  await page.goto('/#/runtime/decode?type=sp_weights%3A%3Aweight_v2%3A%3AWeight&hex=0x0428');
  const decoded = page.getByRole('region', { name: 'Decoded', exact: true });
  await expect(decoded).toContainText(/ref_time\s*1/);
  await expect(decoded).toContainText(/proof_size\s*10/);
  await page.getByLabel('bytes', { exact: true }).fill('0x04');
  await expect(decoded).toContainText('Shown as bytes');
  await page.getByText('Encode JSON of this type').click();
  await jsonEditor(page, 'JSON of the value').fill('{"ref_time":"2","proof_size":"3"}');
  await page.getByRole('button', { name: 'Use these bytes' }).click();
  await expect(page).toHaveURL(/hex=0x080c/);
  await page.goto('/#/runtime/decode?call=0x00000401');
  await expect(decoded).toContainText('remark');
  await expect(decoded.getByRole('link', { name: 'Open in the call builder' })).toBeVisible();
  // System.CodeUpdated, in the form in which the palette links to it.
  await page.goto(`/#/runtime/decode?event=0x0002${'11'.repeat(32)}`);
  await expect(decoded).toContainText('CodeUpdated');
  await page.getByLabel(/^Type of the bytes/).fill('NoSuchType');
  await expect(page.getByText('This runtime has no type NoSuchType.')).toBeVisible();
});

test('types link to their parts, and the module lists its host functions', async ({ page }) => {
  await page.goto('/#/runtime?q=weight_v2');
  await page.getByRole('link', { name: /sp_weights::weight_v2::Weight/ }).click();
  await expect(page.getByRole('heading', { name: 'Weight', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'ref_time' })).toBeVisible();
  await page.getByRole('link', { name: 'Module', exact: true }).click();
  const used = page.getByRole('region', { name: 'Host functions used' });
  await expect(used.getByRole('row', { name: /ext_storage_get_version_1/ })).toContainText('(i64) → i64');
  await expect(page.getByRole('region', { name: 'Exports' })).toContainText('Core_execute_block');
});

test('the log is live, filtered, paused and cleared', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto('/#/runtime/logs');
  await expect(page.getByText('No lines yet')).toBeVisible();
  await page.getByRole('button', { name: 'Show trace' }).click();
  await expect(page).toHaveURL(/level=trace/);
  const log = page.getByRole('list', { name: 'Log', exact: true });
  await expect(log.getByRole('listitem').filter({ hasText: 'Used block length' }).first()).toBeVisible();
  await expect(log.getByRole('link', { name: /^#\d/ }).first()).toBeVisible();
  await page.getByLabel('Filter the log').fill('used length');
  await expect(log.getByRole('listitem').filter({ hasNotText: 'Used block length' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  const lines = await log.getByRole('listitem').count();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(page.getByRole('button', { name: /Resume · [1-9]/ })).toBeVisible();
  expect(await log.getByRole('listitem').count()).toBe(lines);
  await page.getByRole('button', { name: /Resume/ }).click();
  await expect.poll(() => log.getByRole('listitem').count()).toBeGreaterThan(lines);
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByRole('status').filter({ hasText: /^[0-2] lines$/ })).toBeVisible();
  expect(faults).toEqual([]);
});

test('types of one name are told apart by their crate, and numbers stay whole', async ({ page }) => {
  await page.goto('/#/runtime/types');
  const list = page.getByRole('navigation', { name: 'Types' });
  await expect(list.getByRole('link', { name: /^Call pallet_balances \d+$/ })).toHaveCount(1);
  const long = list.getByRole('link', { name: /^EquivocationProof<Header/ });
  const number = long.getByText(/^\d+$/);
  expect((await number.boundingBox())?.height).toBeLessThan(24);
});
