import { expect, type Page, test } from '@playwright/test';
import { bob, createSender, openStill } from './chain-page.ts';
import { jsonEditor } from './json-editor.ts';

const method = (page: Page) => page.getByLabel('method', { exact: true });
const tabs = (page: Page) => page.getByRole('list', { name: 'Call tabs' }).getByRole('listitem');
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const run = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
};
const open = async (page: Page, place: string): Promise<void> => {
  await page.goto(`/#/rpc/${place}`);
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/, { timeout: 15_000 });
};

test('calls side by side: each keeps its text and its result, what runs goes on, a reload keeps them', async ({
  page,
}) => {
  await open(page, 'chain_subscribeNewHeads');
  await expect(tabs(page)).toHaveCount(0);
  await run(page);
  await expect(result(page)).toContainText('stateRoot');
  await page.getByRole('button', { name: '+ Tab' }).click();
  await expect(tabs(page)).toHaveCount(2);
  await method(page).fill('system_chain');
  await run(page);
  await expect(result(page)).toContainText('"Development"');
  await expect(tabs(page).nth(0)).toContainText('subscribed');
  await tabs(page)
    .nth(0)
    .getByRole('button', { name: /chain_subscribeNewHeads/ })
    .first()
    .click();
  await expect(method(page)).toHaveValue('chain_subscribeNewHeads');
  // It kept counting while the other tab was shown.
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(result(page)).toContainText(/[2-9] received/);
  await expect(page).toHaveURL(/chain_subscribeNewHeads/);
  await page.keyboard.press(']');
  await expect(method(page)).toHaveValue('system_chain');
  await expect(result(page)).toContainText('"Development"');
  await page.reload();
  await expect(tabs(page)).toHaveCount(2);
  await expect(method(page)).toHaveValue('system_chain');
  await tabs(page).nth(1).getByRole('button', { name: 'Close tab 2: system_chain' }).click();
  await expect(tabs(page)).toHaveCount(0);
  await expect(method(page)).toHaveValue('chain_subscribeNewHeads');
});

test('by keyboard, and on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, 'system_health');
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  await expect(tabs(page)).toHaveCount(3);
  await page.keyboard.press('[');
  await expect(tabs(page).nth(1).getByRole('button').first()).toHaveAttribute('aria-current', 'true');
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
});

test('the answer of a dry run reads as its outcome', async ({ page }) => {
  await openStill(page);
  const sendAsAlice = await createSender(page);
  await page.goto('/#/rpc/system_dryRun');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const outcome = result(page).getByRole('paragraph');
  const dryRun = async (hex: string): Promise<void> => {
    await jsonEditor(page, 'params').fill(JSON.stringify([hex]));
    await run(page);
  };
  await dryRun(sendAsAlice(0, 'System', 'remark', { remark: '0x1234' }));
  await expect(outcome).toHaveText(
    'The extrinsic would succeed. Calls inside it, such as those of a batch, are not checked.',
  );
  const args = { delegate: { Id: bob }, proxy_type: 'Any', delay: 0 };
  await dryRun(sendAsAlice(0, 'Proxy', 'remove_proxy', args));
  await expect(outcome).toHaveText('Proxy.NotFound: Proxy registration not found.');
  await dryRun(sendAsAlice(7, 'System', 'remark', { remark: '0x1234' }));
  await expect(outcome).toHaveText(/^not valid: Future: /);
  // An extrinsic in an unknown format: the node's refusal is an error that is explained, not an outcome.
  await dryRun('0x00');
  await expect(result(page).getByRole('status').first()).toHaveText(/^error -?\d+/);
  await expect(outcome).toHaveText('The chain or its runtime refused this. Check the parameters.');
});
