import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { collectFaults, shownBest } from './support.ts';

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const eve = '5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw';
const dave = '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy';

const open = async (page: Page, place = '#/send'): Promise<void> => {
  await page.goto(`/${place}`);
  await expect(page.getByTestId('best')).toHaveText(/#[1-9]/);
};
const pickCall = async (page: Page, words: string, name: string): Promise<void> => {
  const call = page.getByRole('combobox', { name: 'Call', exact: true });
  await call.click();
  await call.fill(words);
  await page.getByRole('option', { name }).first().click();
  await expect(call).toHaveValue(name);
};
const transfer = async (page: Page, to: string, value: string): Promise<void> => {
  await page.getByLabel('dest Id', { exact: true }).fill(to);
  await page.getByLabel('value', { exact: true }).fill(value);
};
const dryRun = (page: Page) => page.getByTestId('dry-run');
const send = (page: Page) => page.getByRole('button', { name: /^Sign and send/ }).click();
const newest = (page: Page) => page.getByTestId('sent').first();
const manual = async (page: Page): Promise<void> => {
  await page.getByLabel('Seal mode').selectOption('manual');
  await expect(page.getByLabel('Seal mode')).toBeEnabled();
};

test('a transfer built by form is foretold, sent and followed to finalised', async ({ page }) => {
  const faults = collectFaults(page);
  await open(page);
  await pickCall(page, 'transfer keep', 'balances.transferKeepAlive');
  await transfer(page, bob, '1_500_000_000_000');
  await expect(page.getByRole('region', { name: 'Encoded call' })).toContainText('hash');
  await expect(dryRun(page)).toHaveText('succeeds');
  const forecast = page.getByLabel('Forecast');
  await expect(forecast).toContainText(/0\.\d+ UNIT/);
  await expect(forecast).toContainText('valid');
  const before = await page.getByTestId('balance').innerText();
  await send(page);
  const item = newest(page);
  await expect(item).toContainText('balances.transferKeepAlive');
  await expect(item.getByRole('status')).toHaveText('finalized', { timeout: 15_000 });
  await expect(item).toContainText('succeeded');
  await item.locator('> details > summary').click();
  await expect(item.getByRole('list', { name: 'Events' })).toContainText('balances.Transfer');
  await expect(item.getByRole('list', { name: 'Statuses' })).toContainText('inBlock');
  await expect(item.getByRole('link', { name: /of the block/ })).toHaveAttribute('href', /chain\/0x/);
  await expect(page.getByTestId('balance')).not.toHaveText(before);
  expect(faults).toEqual([]);
});

test('JSON and form stay in step, and the address brings everything back', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await transfer(page, bob, '5');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = page.getByLabel('Arguments as JSON');
  await expect(json).toHaveValue(new RegExp(bob));
  await json.fill(JSON.stringify({ dest: { Id: eve }, value: '7000000000000' }));
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByLabel('value', { exact: true })).toHaveValue('7000000000000');
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Bob' });
  await page.getByLabel('tip').fill('12');
  await page.getByLabel('valid for').selectOption('null');
  await expect(page).toHaveURL(/call=0x/);
  await expect(page).toHaveURL(/era=immortal/);
  await page.reload();
  await expect(page.getByLabel('dest Id', { exact: true })).toHaveValue(eve);
  await expect(page.getByLabel('value', { exact: true })).toHaveValue('7000000000000');
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Bob');
  await expect(page.getByLabel('tip')).toHaveValue('12');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('finalized', { timeout: 15_000 });
  await expect(newest(page)).toContainText('by Bob');
});

test('a wrong argument is named, a failing dispatch is told in words before and after', async ({ page }) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await page.getByLabel('dest Id', { exact: true }).fill('nobody');
  await expect(page.getByText('dest.Id: an address (SS58)', { exact: false })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await pickCall(page, 'proxy removeProxy', 'proxy.removeProxy');
  await page.getByLabel('delegate Id', { exact: true }).fill(bob);
  const words = 'proxy.NotFound: Proxy registration not found.';
  await expect(dryRun(page)).toHaveText(words);
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('finalized', { timeout: 15_000 });
  await expect(newest(page)).toContainText(words);
});

test('as sudo: the call runs as root, and what fails inside is told', async ({ page }) => {
  await open(page, '#/send/Balances/force_set_balance');
  await page.getByLabel('who Id', { exact: true }).fill(eve);
  await page.getByLabel('new_free', { exact: true }).fill('123000000000000');
  await page.getByLabel('as sudo').check();
  await expect(page).toHaveURL(/sudo=1/);
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('sudo: balances.forceSetBalance');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  await pickCall(page, 'force transfer', 'balances.forceTransfer');
  await page.getByLabel('source Id', { exact: true }).fill(dave);
  await page.getByLabel('dest Id', { exact: true }).fill(bob);
  await page.getByLabel('value', { exact: true }).fill('99999999999999999999999');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('sudo.Sudid: Arithmetic.Underflow', { timeout: 15_000 });
});

test('an account without a key is impersonated, after a word about it', async ({ page }) => {
  await open(page, '#/send/Balances/force_set_balance');
  // An account that nobody has a key for, funded by sudo.
  const treasury = `0x${'6d6f646c70792f7472737279'.padEnd(64, '0')}`;
  await page.getByLabel('who Id', { exact: true }).fill(treasury);
  await page.getByLabel('new_free', { exact: true }).fill('50000000000000');
  await page.getByLabel('as sudo').check();
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
  await page.getByLabel('as sudo').uncheck();
  await pickCall(page, 'transfer keep', 'balances.transferKeepAlive');
  await transfer(page, bob, '1000000000000');
  await page.getByLabel('From', { exact: true }).selectOption('other');
  await page.getByLabel('Address of the sender').fill(treasury);
  await expect(page.getByText('impersonated', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign and send/ })).toBeDisabled();
  await page.getByRole('button', { name: /^Impersonate/ }).click();
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('impersonated');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
});

test('the pool shows ready and future transactions with what they wait for; remove asks first', async ({
  page,
}) => {
  await open(page, '#/send/Balances/transfer_keep_alive');
  await manual(page);
  await transfer(page, bob, '1000000000000');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('ready');
  await page.getByLabel('nonce').fill('2');
  await expect(page.getByLabel('Forecast')).toContainText('waits for an earlier nonce');
  await send(page);
  await expect(newest(page).getByRole('status')).toHaveText('future');
  await page.getByRole('link', { name: 'Pool', exact: true }).click();
  const ready = page.getByRole('region', { name: 'Ready transactions' });
  const future = page.getByRole('region', { name: 'Future transactions' });
  await expect(ready.getByTestId('pooled')).toHaveCount(1);
  await expect(future.getByTestId('pooled')).toContainText('waits for Alice nonce 1');
  await future.getByRole('button', { name: /^Remove…/ }).click();
  await future.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(future).toHaveCount(0);
  await page.getByRole('button', { name: 'Seal a block now' }).click();
  await expect(page.getByText('The pool is empty')).toBeVisible();
  await page.getByRole('link', { name: 'Build a call' }).first().click();
  await expect(page.getByTestId('sent').nth(0).getByRole('status')).toHaveText('invalid');
  await expect(page.getByTestId('sent').nth(1)).toContainText('succeeded');
});

test('the runtime is upgraded, and the new metadata is used at once', async ({ page }) => {
  await open(page, '#/send/upgrade');
  const running = page.getByTestId('running');
  await expect(running).toHaveText('tabnode 100');
  await page
    .getByLabel('Runtime, a .wasm file')
    .setInputFiles('public/tabnode-runtime-next.compact.compressed.wasm');
  await expect(dryRun(page)).toHaveText('succeeds');
  await send(page);
  await expect(newest(page)).toContainText('succeeded', { timeout: 20_000 });
  await expect(running).toHaveText('tabnode 101', { timeout: 15_000 });
  const best = await shownBest(page);
  await expect.poll(() => shownBest(page), { timeout: 10_000 }).toBeGreaterThan(best);
});

test('signed bytes from elsewhere are decoded and submitted; a refusal is told', async ({ page }) => {
  await open(page, '#/send/raw');
  const bytes = page.getByLabel('A signed extrinsic, with its length');
  await bytes.fill('0x1234');
  await expect(page.getByText('It cannot be decoded', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Submit and follow' }).click();
  await expect(newest(page).getByRole('status')).toHaveText('refused');
  await expect(newest(page)).toContainText('invalid format');
});

test('keyboard alone: find a call, fill it, send it', async ({ page }) => {
  await open(page, '#/chain');
  await page.keyboard.press('5');
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('system.remarkWithEvent');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toHaveValue(
    'system.remarkWithEvent',
  );
  while ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) !== 'remark')
    await page.keyboard.press('Tab');
  await page.keyboard.type('0x1234');
  await expect(dryRun(page)).toHaveText('succeeds');
  await page.keyboard.press('Control+Enter');
  await expect(newest(page)).toContainText('system.remarkWithEvent');
  await expect(newest(page)).toContainText('succeeded', { timeout: 15_000 });
});

test('a key of its own signs while the tab lives, and is kept nowhere else', async ({ page }) => {
  await open(page, '#/send/System/remark');
  await page.getByRole('button', { name: 'Add account…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add an account' });
  await sheet.getByLabel('Name').fill('Stash');
  await sheet.getByLabel('Secret').fill('bottom drive obey lake');
  await sheet.getByRole('button', { name: 'Add key' }).click();
  await expect(sheet.getByRole('alert')).toContainText('not 4');
  await sheet.getByLabel('Secret').fill('//Alice//stash');
  await sheet.getByRole('button', { name: 'Add key' }).click();
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Stash');
  const stored = await page.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage)]);
  expect(stored[0]).toContain('//Alice//stash');
  expect(stored[1]).not.toContain('//Alice//stash');
  await page.getByLabel('remark', { exact: true }).fill('0x');
  await expect(page.getByLabel('Forecast')).toContainText(/valid/);
});

test('a wallet extension is asked to sign the same payload', async ({ page }) => {
  // A wallet that answers with a made-up signature: the node must refuse it, so it did sign for us.
  await page.addInitScript((address) => {
    const signer = {
      signPayload: async (payload: unknown) => {
        Object.assign(window, { asked: payload });
        return { id: 1, signature: `0x01${'11'.repeat(64)}` };
      },
    };
    const accounts = { get: async () => [{ address, name: 'Mine' }] };
    Object.assign(window, {
      injectedWeb3: { 'test-wallet': { enable: async () => ({ accounts, signer }) } },
    });
  }, '5EYCAe5ijiYfyeZ2JJCGq56LmPyNRAKzpG4QkoQkkQNB5e6Z');
  await open(page, '#/send/System/remark');
  await page.getByRole('button', { name: 'Add account…' }).click();
  await page.getByRole('button', { name: 'Ask test-wallet' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('From', { exact: true }).locator('option:checked')).toHaveText('Mine');
  await page.getByLabel('remark', { exact: true }).fill('0x00');
  await expect(page.getByText('The wallet signs when you send', { exact: false })).toBeVisible();
  await send(page);
  await expect(newest(page)).toContainText(/bad signature/i);
  const asked = await page.evaluate(() => (window as unknown as { asked: Record<string, unknown> }).asked);
  expect(asked).toMatchObject({ version: 4, nonce: '0x00000000', mode: 0 });
  expect(asked['signedExtensions']).toContain('CheckMortality');
  expect(asked['method']).toMatch(/^0x00/);
});

test('hex of a call is loaded, nonsense is told, and a call of thirty fields fits the page', async ({
  page,
}) => {
  await open(page, '#/send/Utility/batch');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const calls = Array.from({ length: 10 }, (_, index) => ({
    Balances: { transfer_keep_alive: { dest: { Id: bob }, value: String(index + 1) } },
  }));
  await page.getByLabel('Arguments as JSON').fill(JSON.stringify({ calls }));
  await expect(dryRun(page)).toHaveText('succeeds');
  const link = new URL(page.url()).hash;
  const hex = new URLSearchParams(link.split('?')[1]).get('call') ?? '';
  await pickCall(page, 'system.remark', 'system.remark');
  await page.getByRole('button', { name: 'Paste hex…' }).click();
  const paste = page.getByLabel('Bytes of a call or of an extrinsic');
  await paste.fill('0xffff');
  await paste.press('Enter');
  await expect(page.getByRole('alert')).toContainText('no call of this runtime');
  await paste.fill(hex);
  await paste.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toHaveValue('utility.batch');
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(page.getByLabel('calls 9 Balances transfer_keep_alive value')).toHaveValue('10');
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const place of ['send', 'send/upgrade', 'send/raw', 'send/pool']) {
      await page.evaluate((to) => {
        location.hash = `#/${to}`;
      }, place);
      await expect(page.getByRole('navigation', { name: 'Ways to send' })).toBeVisible();
      const beyond = await page.evaluate(() => {
        const content = document.querySelector('main') as HTMLElement;
        return Math.max(
          document.documentElement.scrollWidth - innerWidth,
          content.scrollWidth - content.clientWidth,
        );
      });
      expect(beyond, `${place} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in the ${colorScheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, '#/send/Balances/transfer_keep_alive');
    const check = async (what: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
        what,
      ).toEqual([]);
    };
    await transfer(page, bob, '1000000000000');
    await expect(dryRun(page)).toHaveText('succeeds');
    await manual(page);
    await send(page);
    await expect(newest(page).getByRole('status')).toHaveText('ready');
    await newest(page).locator('> details > summary').click();
    await check('build');
    await page.getByRole('combobox', { name: 'Call', exact: true }).click();
    await check('search');
    await page.getByRole('button', { name: 'Add account…' }).click();
    await check('accounts');
    await page.keyboard.press('Escape');
    for (const name of ['Upgrade runtime', 'Signed bytes', 'Pool']) {
      await page.getByRole('link', { name, exact: true }).click();
      if (name === 'Pool') await page.getByTestId('pooled').locator('summary').first().click();
      await check(name);
    }
  });
}
