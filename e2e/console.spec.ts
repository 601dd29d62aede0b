import { expect, type Page, test } from '@playwright/test';
import { collectFaults } from './support.ts';

/** Evaluates code as typed into the browser's console; returns the value, or the text of the error. */
const type = (page: Page, code: string): Promise<unknown> =>
  page.evaluate(`(async () => ${code})().catch((error) => error.name + ': ' + error.message)`);

test('the console answers for the block that was asked for, or says how to ask', async ({ page }) => {
  const faults = collectFaults(page);
  const greetings: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('tabnode')) greetings.push(message.text());
  });
  await page.goto('/#/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  const genesis = await type(page, 'tabnode.info.genesisHash');
  expect(await type(page, 'tabnode.rpc.chain_getBlockHash({ hash: 0 })')).toBe(genesis);
  for (const [params, kind] of [
    ['0', 'a number'],
    ['[0]', 'a list'],
  ])
    expect(await type(page, `tabnode.rpc.chain_getBlockHash(${params})`)).toBe(
      `TypeError: chain_getBlockHash takes { hash? }, not ${kind}.`,
    );
  expect(await type(page, 'tabnode.rpc.chain_getBlockHash({ height: 0 })')).toBe(
    'TypeError: chain_getBlockHash has no parameter "height": it takes { hash? }.',
  );
  expect(greetings).toEqual(['The node of this page is `tabnode`. Try await tabnode.help()']);
  expect(await type(page, 'await tabnode.help()')).toContain('tabnode.rpc.chain_getBlockHash({ hash: 5 })');
  expect(await type(page, "await tabnode.help('chain_getBlockHash')")).toMatch(
    /^tabnode\.rpc\.chain_getBlockHash\(\{ hash\? \}\)\n\S/,
  );
  expect(await type(page, "await tabnode.help('chain_subscribeNewHeads')")).toContain('({}, (item) => …)');
  expect(await type(page, "await tabnode.help('grandpa_')")).toContain('grandpa_roundState');
  expect(await type(page, "await tabnode.help('zzz')")).toBe('No method begins with "zzz".');
  expect(faults).toEqual([]);
});

test('what is called in the console is in the log as the console’s', async ({ page }) => {
  await page.goto('/#/live/traffic');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await type(page, 'tabnode.rpc.system_name()');
  await type(page, "tabnode.connection.request('system_version', [])");
  await type(page, "tabnode.snapshot('one')");
  const log = page.getByRole('region', { name: 'All traffic' }).getByRole('listitem');
  for (const method of ['system_name', 'system_version', 'dev_snapshot'])
    await expect(log.filter({ hasText: new RegExp(`console.*${method}`) })).toContainText('ok');
});
