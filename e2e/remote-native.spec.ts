import { expect, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { hasNativeNode, type NativeNode, startNative } from './native-node.ts';
import { collectFaults } from './support.ts';

let native: NativeNode | null = null;
test.afterEach(() => {
  native?.kill();
  native = null;
});

test('the devtools open a native polkadot-sdk node with what it has', async ({ page }, info) => {
  test.skip(!hasNativeNode, 'there is no native node beside the repository');
  const faults = collectFaults(page);
  native = await startNative(info.outputPath('native-node'));
  const { address } = native;
  await page.goto(`/?rpc=ws://${address}`);
  const best = page.getByRole('link', { name: 'Best block' });
  await expect(best).toHaveText('#0');
  await expect(page.getByRole('link', { name: /^remote/ })).toHaveAttribute('title', /Judge Node/);
  // It seals by engine_createBlock and has no seal modes.
  await expect(page.getByRole('combobox', { name: 'Seal mode' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Seal block/ }).click();
  await expect(best).toHaveText('#1');
  const genesis = (await callHttp(`http://${address}`, 'chain_getBlockHash', [0])) as string;
  await page.getByRole('link', { name: 'Node', exact: true }).click();
  await expect(page.getByRole('definition').filter({ hasText: genesis.slice(0, 6) })).toBeVisible();
  await page.goto(`/?rpc=ws://${address}#/chain/1`);
  await expect(page.getByRole('heading', { name: 'Block #1' })).toBeVisible();
  await page.getByRole('link', { name: 'Storage' }).click();
  await page
    .getByRole('link', { name: /^Timestamp/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Runtime' }).click();
  await expect(page.getByRole('link', { name: 'Pallets' })).toBeVisible();
  await page.getByRole('link', { name: 'Send' }).click();
  await expect(page.getByRole('link', { name: 'Submit raw' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(faults).toEqual([]);
});
