import { expect, test } from '@playwright/test';
import { jsonEditor } from './json-editor.ts';
import {
  hasRealChains,
  readReal,
  readRealLines,
  readWestend,
  sdkNodeArchive,
  startDropped,
  westendArchive,
} from './real-chain.ts';
import { result, run } from './rpc-page.ts';
import { dryRun, eve, newest, pickCall, send, transfer } from './send-page.ts';

test.skip(!hasRealChains, 'needs ../shared/fixtures');
test.setTimeout(300_000);

type Recorded = {
  readonly request: { readonly method: string; readonly params?: unknown };
  readonly response: { readonly result?: unknown };
};

/** The native node's response to the same request. */
const answered = (all: readonly Recorded[], method: string, params: readonly unknown[]): unknown => {
  const found = all.find(
    ({ request, response }) =>
      request.method === method &&
      JSON.stringify(request.params) === JSON.stringify(params) &&
      response.result !== undefined,
  );
  if (found === undefined) throw new Error(`${method} was not recorded`);
  return found.response.result;
};

test('chains of others: a native node’s, one of 2020, and the runtime of a relay chain', async ({ page }) => {
  await test.step('the chain of a native node: its blocks, its answers, its state, its runtime', async () => {
    const recorded = readRealLines<Recorded>('sdk-node/static.jsonl');
    await startDropped(page, 'sdk-node.jsonl', sdkNodeArchive(), 'SDK node');
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#63');
    const best = answered(recorded, 'chain_getBlockHash', [63]) as string;
    await expect(page.locator('[data-number="63"]').getByRole('link').last()).toHaveAttribute('title', best);
    // Its session key was rotated: we cannot seal a block on it, and the error says so.
    await expect(page.getByRole('alert')).toContainText('No key of the keystore may author block #64');
    await expect(page.getByLabel('Seal mode')).toHaveValue('every 2 s');
    await page.getByRole('link', { name: 'Add an authority key' }).click();
    await expect(page).toHaveURL(/\/node\/keys/);
    await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click();

    await page.goto('/#/chain/12');
    const detail = page.getByRole('complementary');
    await expect(detail).toContainText('Balances.transfer_all');
    await expect(detail).toContainText('Scheduler.Dispatched');
    await expect(detail).toContainText('BadOrigin');
    await expect(detail).toContainText('authority 0, secondary plain');
    const hash = await detail.getByRole('link', { name: /0xaf68/ }).getAttribute('title');
    await page.goto(`/#/chain/tx/${hash}`);
    await expect(detail).toContainText('transfer_all');
    // The block where the authority set changed.
    await page.goto('/#/chain/41');
    await expect(detail).toContainText('round 27');

    const calls = [
      ['chain_getBlockHash', [5]],
      ['state_call', ['BabeApi_current_epoch', '0x']],
      ['state_getKeysPaged', ['0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9', 3]],
      ['state_getStorage', ['0x26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7']],
      ['account_nextIndex', ['5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty']],
    ] as const;
    for (const [method, params] of calls) {
      await page.goto(`/#/rpc/${method}?as=json`);
      await expect(page.getByLabel('method', { exact: true })).toHaveValue(method);
      await jsonEditor(page, 'params').fill(JSON.stringify(params));
      await run(page);
      await result(page).getByRole('button', { name: 'Raw', exact: true }).click();
      const raw = jsonEditor(result(page), 'Raw JSON');
      await expect(async () =>
        expect(JSON.parse(await raw.innerText()), method).toEqual(answered(recorded, method, params)),
      ).toPass({ timeout: 20_000 });
    }

    await page.goto('/#/storage/System/Account');
    await page.getByRole('link', { name: /^Bob(?!\/)/ }).click();
    const value = page.getByRole('region', { name: 'Value', exact: true });
    await expect(value).toContainText('nonce');
    await expect(value.getByRole('region', { name: 'Decoded value' })).toContainText(/nonce\s*23\s/);
    await page.goto('/#/storage/child');
    await expect(page.getByText(/5de5.*cf7e/).first()).toBeVisible();

    await page.goto('/#/runtime/pallets/Contracts');
    await expect(page.getByRole('heading', { name: 'Contracts' })).toBeVisible();
    await page.goto('/#/chain/epoch');
    await expect(detail).toContainText('Authorities');
  });

  await test.step('a chain of 2020, whose metadata only names its types: all of it is decoded', async () => {
    const isHistoric = (url: string): boolean => /historic-[^/]*\.js$/.test(new URL(url).pathname);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    expect(requested.some(isHistoric)).toBe(false);
    await startDropped(page, 'westend.jsonl', westendArchive(), 'Westend');
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#128');
    const last = readWestend().at(-1)?.hash ?? '';
    await expect(page.locator('[data-number="128"]').getByRole('link').last()).toHaveAttribute('title', last);
    await page.goto('/#/chain/12');
    const detail = page.getByRole('complementary');
    await expect(detail).toContainText('Timestamp.set');
    await expect(detail).toContainText('{ now: 2020-04-07 16:57:48 UTC }');
    await expect(detail).toContainText('Parachains.set_heads');
    await expect(detail).toContainText('weight: 10 000, class: Mandatory, pays_fee: true');
    await expect(detail).toContainText('authority 1, primary');
    await expect(detail).not.toContainText('cannot be');
    expect(requested.some(isHistoric)).toBe(true);

    await page.goto('/#/storage/System/Account');
    await expect(page.getByRole('main')).toContainText('5CBncD7XtbnzqhmwonZyi7q5fTaisomsvhTL5N7fL6SSmuTr');
    await expect(page.getByRole('main')).toContainText(
      /100\sWND · misc_frozen 100\sWND · fee_frozen 100\sWND · nonce 0/,
    );
    await page.goto('/#/storage/Timestamp/Now?at=5');
    await expect(page.getByRole('region', { name: 'Decoded value' })).toContainText('2020-04-07 16:57:06');

    const now = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb';
    await page.goto(`/#/rpc/state_getStorage?params=${encodeURIComponent(JSON.stringify([now]))}`);
    await run(page);
    await result(page).getByText('Decoded', { exact: true }).click();
    await expect(result(page)).toContainText(/Timestamp\.Now: u64.*1\s586\s279\s406\s000/);

    await page.goto('/#/runtime');
    await expect(page.getByRole('heading', { name: 'westend 1', exact: true })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('V11');
    await page.goto('/#/send');
    await expect(page.getByRole('combobox', { name: 'Call' })).toHaveValue('Balances.transfer_keep_alive');
  });

  await test.step('a transfer on the runtime of a real relay chain, followed until it is final', async () => {
    await startDropped(
      page,
      'westend-dev.json',
      Buffer.from(readReal('chains/westend-dev-raw.json')),
      'Development',
    );
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/, { timeout: 30_000 });
    await page.goto('/#/send');
    await pickCall(page, 'transferKeep', 'Balances.transfer_keep_alive');
    await transfer(page, eve, '1500000000000');
    await expect(dryRun(page)).toContainText(/ok|succeeds/i);
    await send(page);
    await expect(newest(page).getByRole('status')).toHaveText('Finalized', { timeout: 20_000 });
  });
});
