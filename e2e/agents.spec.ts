import { expect, type LaunchOptions, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults, killWorker, trackWorkers } from './support.ts';

type Told = { readonly isError?: boolean; readonly content: readonly [{ readonly text: string }] };

/** Calls a tool as an agent in the browser does; returns its result. */
const call = async (page: Page, name: string, input: object = {}) => {
  const response = (await page.webmcp.callTool(name, input)) as Told;
  return {
    isError: response.isError === true,
    json: JSON.parse(response.content[0].text) as Record<string, unknown>,
  };
};
const toolNames = async (page: Page) => (await page.webmcp.tools()).map(({ name }) => name);
const transfer = {
  pallet: 'Balances',
  call: 'transfer_keep_alive',
  args: { dest: 'Bob', value: '5000000000000' },
};
const refused = {
  isError: true,
  json: { error: { code: 'NotAllowed', message: expect.stringContaining('Node, Agents') } },
};

/** Chromium with the API enabled, which requires a flag. */
const withAgents = test.extend<object, { launchOptions: LaunchOptions }>({
  launchOptions: [
    async ({ launchOptions }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--enable-features=WebMCP'] }),
    { scope: 'worker' },
  ],
});

withAgents(
  'agents read the chain, write while a person lets them, and lose their tools with the chain',
  async ({ page }) => {
    await trackWorkers(page);
    const faults = collectFaults(page);
    await page.goto('/');
    await expect.poll(() => toolNames(page)).toHaveLength(15);

    // They read the chain, and find out why a call fails.
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
    expect((await call(page, 'read_storage', account)).json).toMatchObject({ value: { data: {} } });
    expect((await call(page, 'read_storage', { pallet: 'System' })).json).toMatchObject({
      error: { code: 'BadValue', message: 'entry: a text was expected, not nothing' },
    });
    const inner = { System: { remark: { remark: '0x' } } };
    const sudo = { pallet: 'Sudo', call: 'sudo', args: { call: inner }, from: 'Bob' };
    expect((await call(page, 'dry_run_call', sudo)).json).toMatchObject({
      outcome: { kind: 'failed', error: { pallet: 'Sudo', name: 'RequireSudo' } },
    });
    expect(await call(page, 'submit_call', transfer)).toMatchObject(refused);
    expect(await call(page, 'rpc_call', { method: 'dev_newBlock' })).toMatchObject(refused);
    expect(faults).toEqual([]);

    // They write only while a person lets them.
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('let agents');
    await page.getByRole('option', { name: /Let agents write/ }).click();
    const list = page.getByRole('list', { name: 'Tools for agents' });
    const sending = list.getByRole('listitem').filter({ hasText: 'submit_call' });
    await expect(sending).toContainText('refused');
    await expectAccessible(page);
    const allowing = page.getByRole('checkbox', { name: 'Let agents write' });
    await expect(allowing).toHaveAccessibleDescription(/This ends when the node restarts/);
    await allowing.check();
    await expect(sending).toContainText('writes');
    expect((await call(page, 'submit_call', transfer)).json).toMatchObject({
      status: 'inBlock',
      outcome: { kind: 'ok' },
    });
    await allowing.uncheck();
    await expect(sending).toContainText('refused');
    expect(await call(page, 'submit_call', transfer)).toMatchObject(refused);

    // The tools go with the chain, and so does the permission.
    await allowing.check();
    // Takes effect at once: tools are not registered again, so an agent never finds one missing.
    expect((await call(page, 'chain_status')).json).toMatchObject({ allowsWrites: true });
    await killWorker(page);
    await expect.poll(() => toolNames(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => toolNames(page)).toHaveLength(15);
    expect((await call(page, 'chain_status')).json).toMatchObject({ allowsWrites: false });

    await test.step('embedded devtools offer nothing to agents', async () => {
      await page.goto(`${e2eUrl('pages')}devtools.html`);
      await page.getByRole('button', { name: 'Tabnode' }).click();
      await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
      expect(await toolNames(page)).toEqual([]);
    });
  },
);

type EarlierTool = { readonly name: string; execute(input: object, client: object): Promise<unknown> };
type EarlierWindow = { readonly agentTools: Map<string, EarlierTool> };

test('a browser without WebMCP loads none of it; one with an earlier draft is served too', async ({
  page,
}) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await page.goto('/#/node');
  const views = page.getByRole('navigation', { name: 'Views of the node' });
  await expect(views.getByRole('link', { name: 'Keys', exact: true })).toBeVisible();
  await expect(views.getByRole('link', { name: 'Agents' })).toHaveCount(0);
  expect(loaded.filter((url) => /web-mcp|Agents-/.test(url))).toEqual([]);

  // An earlier draft.
  await page.addInitScript(() => {
    const tools = new Map<string, EarlierTool>();
    const modelContext = {
      registerTool: (tool: EarlierTool) => {
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
  await page.goto('about:blank');
  await page.goto('/');
  const count = () => page.evaluate(() => (window as unknown as EarlierWindow).agentTools.size);
  await expect.poll(count).toBe(15);
  const response = await page.evaluate(() =>
    (window as unknown as EarlierWindow).agentTools.get('chain_status')?.execute({}, {}),
  );
  expect(JSON.parse((response as Told).content[0].text)).toMatchObject({ chain: 'Development' });
});
