import { expect, type Page, test } from '@playwright/test';
import { launchOptions } from '../scripts/chromium.mjs.mts';
import { expectAccessible } from './axe.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults, killWorker, trackWorkers } from './support.ts';

type Told = { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };

/** What a tool told, as an agent of the browser gets it. */
const call = async (page: Page, name: string, input: object = {}) => {
  const told = (await page.webmcp.callTool(name, input)) as Told;
  return {
    isError: told.isError === true,
    json: JSON.parse(told.content[0].text) as Record<string, unknown>,
  };
};
const toolNames = async (page: Page) => (await page.webmcp.tools()).map(({ name }) => name);
const transfer = {
  pallet: 'Balances',
  call: 'transfer_keep_alive',
  args: { dest: 'Bob', value: '5000000000000' },
};

const { args = [], ...options } = await launchOptions();

test.describe('in a browser with WebMCP', () => {
  test.use({ launchOptions: { ...options, args: [...args, '--enable-features=WebMCP'] } });

  test('agents read the chain, and write when a person lets them', async ({ page }) => {
    const faults = collectFaults(page);
    await page.goto('/');
    await expect.poll(() => toolNames(page)).toHaveLength(15);
    const tools = await page.webmcp.tools();
    expect(tools.find(({ name }) => name === 'read_storage')).toMatchObject({
      annotations: { readOnly: true, untrustedContent: true },
      inputSchema: { type: 'object', required: ['pallet', 'entry'] },
    });
    expect((await call(page, 'chain_status')).json).toMatchObject({
      chain: 'Development',
      allowsWrites: false,
    });
    const account = { pallet: 'System', entry: 'Account', keys: ['Alice'] };
    expect((await call(page, 'read_storage', account)).json).toMatchObject({ value: { providers: 1 } });
    expect((await call(page, 'read_storage', { pallet: 'System' })).json).toMatchObject({
      error: { code: 'BadValue', message: 'entry: a text was expected, not nothing' },
    });
    const sudo = { pallet: 'Sudo', call: 'sudo', args: { call: { System: { remark: { remark: '0x' } } } } };
    expect((await call(page, 'dry_run_call', { ...sudo, from: 'Bob' })).json).toMatchObject({
      outcome: { kind: 'failed', error: { pallet: 'Sudo', name: 'RequireSudo' } },
    });
    const refused = { error: { code: 'NotAllowed', message: expect.stringContaining('Node, Agents') } };
    expect(await call(page, 'submit_call', transfer)).toMatchObject({ isError: true, json: refused });
    expect((await call(page, 'rpc_call', { method: 'dev_newBlock' })).json).toMatchObject(refused);

    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('let agents');
    await page.getByRole('option', { name: /Let agents write/ }).click();
    const list = page.getByRole('list', { name: 'Tools for agents' });
    await expect(list.getByRole('listitem')).toHaveCount(15);
    await expect(list.getByRole('listitem').filter({ hasText: 'submit_call' })).toContainText('refused');
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Let agents write' }).check();
    await expect(list.getByRole('listitem').filter({ hasText: 'submit_call' })).toContainText('writes');
    expect((await call(page, 'submit_call', transfer)).json).toMatchObject({
      status: 'inBlock',
      outcome: { kind: 'ok' },
    });
    await page.getByRole('checkbox', { name: 'Let agents write' }).uncheck();
    await expect(list.getByRole('listitem').filter({ hasText: 'submit_call' })).toContainText('refused');
    expect(await call(page, 'submit_call', transfer)).toMatchObject({ isError: true, json: refused });
    expect(faults).toEqual([]);
  });

  test('the tools go with the chain', async ({ page }) => {
    await trackWorkers(page);
    await page.goto('/#/node/agents');
    await expect.poll(() => toolNames(page)).toHaveLength(15);
    await page.getByRole('checkbox', { name: 'Let agents write' }).check();
    await expect.poll(async () => (await call(page, 'chain_status')).json['allowsWrites']).toBe(true);
    await killWorker(page);
    await expect.poll(() => toolNames(page)).toEqual([]);
    await page
      .getByRole('button', { name: /again|restart/i })
      .first()
      .click();
    await expect.poll(() => toolNames(page)).toHaveLength(15);
    // Permission is for a chain while it is open.
    expect((await call(page, 'chain_status')).json).toMatchObject({ allowsWrites: false });
  });

  test('embedded devtools offer nothing to agents', async ({ page }) => {
    await page.goto(`${e2eUrl('pages')}/devtools.html`);
    await expect(page.getByTestId('best')).toBeVisible();
    expect(await toolNames(page)).toEqual([]);
  });
});

test('an earlier draft of WebMCP is served too', async ({ page }) => {
  await page.addInitScript(() => {
    const tools = new Map<string, { execute(input: object, client: object): Promise<unknown> }>();
    const modelContext = {
      registerTool: (tool: { name: string; execute(input: object, client: object): Promise<unknown> }) => {
        if (tools.has(tool.name)) throw new DOMException('registered already', 'InvalidStateError');
        tools.set(tool.name, tool);
      },
      unregisterTool: (name: string) => {
        if (!tools.delete(name)) throw new DOMException('not registered', 'InvalidStateError');
      },
    };
    Object.assign(window, { agentTools: tools });
    Object.defineProperty(navigator, 'modelContext', { value: modelContext });
  });
  await page.goto('/');
  type Window = {
    readonly agentTools: Map<string, { execute(input: object, client: object): Promise<unknown> }>;
  };
  const count = () => page.evaluate(() => (window as unknown as Window).agentTools.size);
  await expect.poll(count).toBe(15);
  const told = await page.evaluate(() =>
    (window as unknown as Window).agentTools
      .get('chain_status')
      ?.execute({}, { requestUserInteraction: () => undefined }),
  );
  expect(JSON.parse((told as Told).content[0].text)).toMatchObject({ chain: 'Development' });
});

test('a browser without WebMCP loads none of it', async ({ page }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto('/#/node');
  await expect(
    page.getByRole('navigation', { name: 'Views of the node' }).or(page.getByRole('tablist')),
  ).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'Keystore' }).or(page.getByRole('tab', { name: 'Keystore' })),
  ).toBeVisible();
  await expect(page.getByText('Agents', { exact: true })).toHaveCount(0);
  expect(loaded.filter((url) => /web-mcp|Agents-/.test(url))).toEqual([]);
});
