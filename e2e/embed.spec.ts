import { expect, type Page, test } from '@playwright/test';
import { jsonEditor } from './json-editor.ts';
import type { DevtoolsPage } from './pages/devtools.ts';
import { e2eUrl } from './ports.ts';
import { result } from './rpc-page.ts';
import { collectFaults } from './support.ts';

const url = `${e2eUrl('pages')}devtools.html`;
const ask = <T>(page: Page, run: (of: DevtoolsPage) => T): Promise<Awaited<T>> =>
  page.evaluate(`(${run.toString()})(window.devtoolsPage)`) as Promise<Awaited<T>>;

test('a button opens the devtools of the page’s own node, with styles, keys and a place of their own; or they fill an element', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await page.goto(url);
  const button = page.getByRole('button', { name: 'Tabnode' });
  await expect(button).toBeVisible();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveCount(0);
  await button.click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
  await expect(page.getByRole('heading', { name: 'Development' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Your chains/ })).toHaveCount(0);
  // Styles are applied to the shadow root only, and there is no style element.
  const look = await page.evaluate(() => {
    const root = [...document.body.children].find((one) => one.shadowRoot)?.shadowRoot;
    const rail = root?.querySelector('nav[aria-label="Panels"]');
    return {
      flex: rail && getComputedStyle(rail).display,
      body: getComputedStyle(document.body).backgroundColor,
      styles: document.querySelectorAll('style').length + (root?.querySelectorAll('style').length ?? 0),
    };
  });
  expect(look).toEqual({ flex: 'flex', body: 'rgba(0, 0, 0, 0)', styles: 0 });
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#1');
  expect(await ask(page, (of) => of.best())).toBe(1);

  await test.step('they keep their place and their keys to themselves', async () => {
    await page.getByRole('link', { name: /^Storage/ }).click();
    await page.getByRole('link', { name: /^Timestamp \d/ }).click();
    await page.getByRole('link', { name: /^Now/ }).click();
    await expect(page.getByRole('region', { name: 'Value', exact: true })).toBeVisible();
    expect(page.url()).toBe(url);
    // A key pressed in the page is handled by the page.
    await page.getByLabel('amount').click();
    await page.keyboard.press('6');
    await expect(page.getByLabel('amount')).toHaveValue('6');
    await page.getByRole('heading', { name: 'A dApp' }).click();
    await page.keyboard.press('6');
    await expect(page.getByRole('region', { name: 'Value', exact: true })).toBeVisible();
    // A key pressed in the devtools is handled by them.
    await page.getByRole('link', { name: /^Now/ }).focus();
    await page.keyboard.press('6');
    await expect(page.getByRole('heading', { name: 'tabnode 101' })).toBeVisible();
    await page.getByRole('link', { name: 'Pallets', exact: true }).focus();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Block #0' })).toBeVisible();
    expect(page.url()).toBe(url);
  });

  await test.step('JSON is written and run in them, without a style element, and the page hears no key of it', async () => {
    await page.evaluate(() => {
      document.body.addEventListener('keydown', ({ key }) => document.body.setAttribute('data-key', key));
    });
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: /^RPC/ }).click();
    await page.getByRole('link', { name: 'getBlockHash of chain', exact: true }).click();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const params = jsonEditor(page, 'params');
    await params.click();
    await page.keyboard.type('[0');
    await expect(params).toHaveText('[0]');
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await expect(result(page).getByRole('link', { name: /^0x[0-9a-f]{64}$/ })).toBeVisible();
    expect(await page.evaluate(() => document.body.getAttribute('data-key'))).toBeNull();
    expect(await page.evaluate(() => document.querySelectorAll('style').length)).toBe(0);
    await expect(params.locator('xpath=..')).toHaveCSS('display', 'flex');
  });

  // Its height and that of the log in it are changed by the keyboard, and the log keeps to its share.
  const edge = page.getByRole('separator', { name: 'Size of the devtools' });
  const before = Number(await edge.getAttribute('aria-valuenow'));
  await edge.press('PageDown');
  await expect(edge).toHaveAttribute('aria-valuenow', String(before - 120));
  await page.getByRole('button', { name: /^\W*Traffic/ }).click();
  const log = page.getByRole('separator', { name: 'Height of the traffic log' });
  await log.press('Home');
  expect(Number(await log.getAttribute('aria-valuenow'))).toBeLessThan((before - 120) * 0.6);
  await page.getByRole('button', { name: 'Close devtools' }).click();
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveCount(0);

  await test.step('they fill an element; one at a time; they tell when the node stops', async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: 'Tabnode' })).toBeVisible();
    await ask(page, (of) => of.mount());
    await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
    const box = await page.locator('#devtools').boundingBox();
    const rail = await page.getByRole('navigation', { name: 'Panels' }).boundingBox();
    expect(rail && box && rail.y >= box.y && rail.y + rail.height <= box.y + 500).toBe(true);
    expect(await ask(page, (of) => of.mountTwice())).toMatch(/already mounted in this page/);
    await ask(page, (of) => of.stop());
    await expect(page.getByText('The node has stopped')).toBeVisible();
    await ask(page, (of) => of.close());
    await expect(page.locator('#devtools > *')).toHaveCount(0);
    expect(faults).toEqual([]);
  });
});
