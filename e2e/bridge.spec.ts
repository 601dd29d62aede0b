import { expect, type Page, test } from '@playwright/test';
import { callSocket, openSocket } from '../bridge/clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post } from '../bridge/clients/test-clients.fixture.ts';
import { startProcess, type TestProcess } from '../bridge/clients/test-process.fixture.ts';
import { expectAccessible } from './axe.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults } from './support.ts';

type Ready = { readonly ws: string; readonly http: string; readonly pairing: string };

/** `tabnode bridge` processes, which are ended after the test. */
const bridges: TestProcess[] = [];
const startBridge = async (folder: string, ...flags: readonly string[]): Promise<Ready> => {
  const ports = ['--ws-port', '0', '--rpc-port', '0', '--base-path', folder];
  const bridge = startProcess('bridge', '--json', '--page', e2eUrl('app'), ...ports, ...flags);
  bridges.push(bridge);
  return JSON.parse(await bridge.firstLine) as Ready;
};
test.afterEach(async () => {
  for (const bridge of bridges.splice(0)) {
    bridge.kill('SIGTERM');
    expect((await bridge.ended).code).toBe(0);
  }
});

const pill = (page: Page, text: string) => page.getByRole('button', { name: `Bridge: ${text}`, exact: true });
const question = (page: Page) => page.getByRole('dialog', { name: 'Share this chain?' });

test('a page is paired once, asks its user, serves programs and shows who they are, also after a reload and a restart of the bridge', async ({
  page,
}, info) => {
  const faults = collectFaults(page);
  const folder = info.outputPath('key');
  const { ws, http: earlier, pairing } = await startBridge(folder);
  await page.goto(pairing);
  await expect(question(page)).toContainText(ws);
  // Enter declines.
  await expect(question(page).getByRole('button', { name: 'Don’t share' })).toBeFocused();
  expect(page.url()).not.toContain('code=');
  expect((await post(earlier, bodyOf('system_chain'))).status).toBe(503);
  await expectAccessible(page);
  await question(page).getByRole('button', { name: 'Share this chain' }).click();
  await expect(pill(page, '0 clients')).toBeVisible();
  // The card of the first minute names the port of this bridge.
  await expect(page.getByRole('region', { name: 'Tabnode is a Polkadot SDK node' })).toContainText(ws);

  await test.step('a copy of its tab is not shared, and does not end the sharing of its original', async () => {
    // As with “Duplicate tab”, a window opened by a page gets a copy of its session storage.
    const opening = page.waitForEvent('popup');
    await page.evaluate(() => void window.open(location.href));
    const copy = await opening;
    await expect(pill(copy, 'not connected')).toBeVisible();
    await expect(pill(page, '0 clients')).toBeVisible();
    expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
    await copy.close();
  });

  await test.step('after a reload it connects again under its name, without being asked', async () => {
    const socket = await openSocket(`${ws}/Development`);
    const left = new Promise((resolve) => socket.once('close', resolve));
    await page.reload();
    expect(await left).toBe(1001);
    await expect(pill(page, '0 clients')).toBeVisible();
    await expect(question(page)).toBeHidden();
    expect((await callSocket(`${ws}/Development`, 'system_chain')).result).toBe('Development');
    expect(await callHttp(`${earlier}/Development`, 'system_chain')).toBe('Development');
  });

  const http =
    await test.step('a bridge that restarts serves it again, and meanwhile the page says so', async () => {
      expect(faults).toEqual([]);
      const [former] = bridges.splice(0);
      former?.kill('SIGTERM');
      expect((await former?.ended)?.code).toBe(0);
      await pill(page, 'reconnecting…').click();
      const sheet = page.getByRole('dialog', { name: 'Bridge' });
      await expect(sheet).toContainText(`No bridge answers at ${ws}`);
      const again = await startBridge(folder, '--ws-port', new URL(ws).port);
      await expect(sheet).toContainText('No program is connected');
      await expect(question(page)).toBeHidden();
      expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
      await page.keyboard.press('Escape');
      faults.length = 0;
      return again.http;
    });

  expect(await callHttp(http, 'system_chain')).toBe('Development');
  await expect(pill(page, '1 client')).toBeVisible();

  // Unsafe calls must be allowed by the user.
  expect((await callSocket(ws, 'dev_newBlock')).error?.code).toBe(-32601);
  await pill(page, '1 client').click();
  const sheet = page.getByRole('dialog', { name: 'Bridge' });
  await sheet.getByRole('checkbox', { name: 'Allow unsafe calls' }).check();
  expect((await callSocket(ws, 'dev_newBlock')).error).toBeUndefined();
  const socket = await openSocket(ws, { 'user-agent': 'probe/1' });
  const left = new Promise((resolve) => socket.once('close', resolve));
  const row = sheet.getByRole('list', { name: 'Clients of the bridge' }).getByRole('listitem');
  await expect(row.filter({ hasText: 'probe/1' })).toContainText('all calls');
  await expectAccessible(page);
  await row.filter({ hasText: 'probe/1' }).getByRole('button', { name: 'Disconnect' }).click();
  expect(await left).toBe(1001);

  await sheet.getByRole('button', { name: 'Disconnect the bridge' }).click();
  await expect(pill(page, 'disconnected')).toBeVisible();
  await expect.poll(async () => (await post(http, bodyOf('system_chain'))).status).toBe(503);
  expect(faults).toEqual([]);
});

test('who declines serves nobody, and a used address connects nobody; one for automation needs nobody', async ({
  page,
}, info) => {
  const { http, pairing: used } = await startBridge(info.outputPath('key'));
  await page.goto(used);
  await question(page).getByRole('button', { name: 'Don’t share' }).click();
  await expect(page.getByRole('button', { name: /^Bridge/ })).toBeHidden();
  expect((await post(http, bodyOf('system_chain'))).status).toBe(503);
  await page.goto(used);
  await expect(page.getByRole('dialog', { name: 'Bridge' })).toContainText(
    'The pairing code is wrong, used or expired',
  );

  await test.step('an address for automation needs nobody, if its bridge was started for that', async () => {
    const plain = await startBridge(info.outputPath('plain'));
    await page.goto(`${plain.pairing}&accept=1&unsafe=1`);
    await expect(question(page).getByRole('checkbox', { name: 'Allow unsafe calls' })).not.toBeChecked();
    const { ws, pairing } = await startBridge(info.outputPath('automatic'), '--accept-first');
    await page.goto(`${pairing}&accept=1&unsafe=1`);
    await expect(pill(page, '0 clients')).toBeVisible();
    expect((await callSocket(ws, 'dev_newBlock')).error).toBeUndefined();
  });
});
