import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { jsonEditor } from './json-editor.ts';
import { clipboard, open, result, run, state } from './rpc-page.ts';
import { collectFaults } from './support.ts';

const library = /\/codemirror-[^/]*\.js$/;

/** The requests for the library. */
const watchLibrary = (page: Page): string[] => {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (library.test(new URL(request.url()).pathname)) requested.push(request.url());
  });
  return requested;
};
const options = (page: Page) => page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
const underlined = (page: Page) => jsonEditor(page, 'params').locator('.cm-lintRange');

test('the editor is loaded with the first JSON, once, and keeps to the policy of the page', async ({
  page,
}) => {
  const faults = collectFaults(page);
  const requested = watchLibrary(page);
  await open(page, '/rpc_methods');
  await run(page);
  await expect(result(page)).toContainText('author_hasKey');
  for (const panel of ['chain', 'storage', 'send', 'live', 'runtime', 'node'])
    await test.step(panel, async () => {
      await page.goto(`/#/${panel}`);
      await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
    });
  await page.goto('/#/rpc/rpc_methods');
  await expect(result(page)).toContainText('author_hasKey');
  expect(requested).toEqual([]);
  await result(page).getByRole('button', { name: 'Raw', exact: true }).click();
  await expect(jsonEditor(result(page), 'Raw JSON')).toContainText('"methods": [');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  await expect(jsonEditor(page, 'params')).toBeVisible();
  expect(requested).toHaveLength(1);
  // Its styles apply, although the policy allows no style element.
  await expect(page.locator('.cm-scroller').first()).toHaveCSS('display', 'flex');
  expect(faults).toEqual([]);
});

test('while it loads, a plain field takes what is typed; without it, the field stays', async ({ page }) => {
  const released = Promise.withResolvers<void>();
  await page.route(library, async (route) => {
    await released.promise;
    await route.continue();
  });
  await open(page, '/chain_getBlockHash?as=json');
  const field = page.locator('textarea[aria-label="params"]');
  await field.fill('[0]');
  await run(page);
  await field.press('End');
  released.resolve();
  await expect(jsonEditor(page, 'params')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(', 1');
  await expect(jsonEditor(page, 'params')).toHaveText('[0, 1]');
  await expect(field).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(jsonEditor(page, 'params')).toHaveText('[0]');

  await page.unroute(library);
  await page.route(library, (route) => route.abort());
  await page.reload();
  await expect(page.getByText('The editor could not be loaded')).toBeVisible();
  await field.fill('[[0]]');
  await run(page);
  await result(page).getByRole('button', { name: 'Raw', exact: true }).click();
  await expect(page.getByText('Folding and search could not be loaded')).toBeVisible();
  await expect(result(page).getByRole('region', { name: 'Raw JSON' })).toContainText('"0x');
});

test('by keyboard: completed by the schema, wrong parts underlined, run, searched, left', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await open(page, '/dev_newBlock?as=json');
  const params = jsonEditor(page, 'params');
  await params.focus();
  await page.keyboard.type('[{"');
  await expect(options(page).first()).toContainText('count');
  await page.keyboard.type('fi');
  await expect(options(page)).toHaveText([/finalize\s*boolean/]);
  // Enter is ignored for a moment after the list has opened.
  await expect(async () => {
    if ((await options(page).count()) > 0) await options(page).first().click();
    await expect(params).toHaveText('[{"finalize": }]');
  }).toPass();
  await page.keyboard.type('true, "count": "x"');
  await expect(underlined(page)).toHaveText('"x"');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('2');
  await expect(params).toHaveText('[{"finalize": true, "count": 2}]');
  await expect(underlined(page)).toHaveCount(0);
  await page.keyboard.press('Control+Enter');
  await expect(state(page)).toHaveText('ok');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(params).toBeFocused();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('count');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Delete');
  await expect(params).toHaveText('[{"finalize": true, "": 2}]');
  await page.keyboard.press('Escape');
  await expect(params).not.toBeFocused();
  expect(faults).toEqual([]);
});

test('a call in Send is completed by the types of the runtime', async ({ page }) => {
  await page.goto('/#/send/Utility/batch');
  await page.getByRole('button', { name: 'JSON', exact: true }).click();
  const json = jsonEditor(page, 'Arguments as JSON');
  await json.fill('{ "calls": [{"Balances": {"transfer_keep_alive": {"dest": {"Id": ');
  await page.keyboard.press('Control+Space');
  await expect(options(page).first()).toContainText('Alice');
  await options(page).first().click();
  await expect(json).toHaveText(/"Id": "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"$/);
  await json.fill(
    '{"calls": [{"Balances": {"transfer_keep_alive": {"dest": {"Id": "nobody"}, "value": 1}}}]}',
  );
  await expect(json.locator('.cm-lintRange')).toHaveText('"nobody"');
});

test('a long result: searched, folded, copied as a whole', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/rpc_discover');
  await page.getByLabel('method', { exact: true }).fill('rpc.discover');
  await run(page);
  await result(page).getByRole('button', { name: 'Raw', exact: true }).click();
  const raw = jsonEditor(result(page), 'Raw JSON');
  await raw.click();
  const lines = raw.locator('.cm-line');
  expect(await lines.count()).toBeLessThan(300);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('"system_version"');
  await page.keyboard.press('Enter');
  await expect(raw.locator('.cm-searchMatch-selected')).toHaveText('"system_version"');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Home');
  await result(page).getByTitle('Fold line').nth(1).click();
  await expect(lines.nth(2)).toContainText('{…}');
  await result(page).getByRole('button', { name: 'Copy result' }).click();
  await expect
    .poll(async () => (JSON.parse(await clipboard(page)) as { openrpc: string }).openrpc)
    .toMatch(/^1\./);
});

test('at 390 px, suggestions and search are within the page, and accessible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, '/dev_newBlock?as=json');
  const params = jsonEditor(page, 'params');
  await params.fill('[{"count": "x"}]');
  await expect(underlined(page)).toHaveText('"x"');
  await params.press('Control+f');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await params.fill('[{ ');
  await page.keyboard.press('Control+Space');
  await expect(options(page).first()).toBeVisible();
  const box = await page.getByRole('listbox', { name: 'Completions' }).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await expectAccessible(page);
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
});
