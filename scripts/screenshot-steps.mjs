// What is done in the page before a screenshot, by the name of the step.

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

const call = (page, method, params) =>
  page.evaluate(([name, list]) => globalThis.tabnode?.connection.request(name, list), [method, params]);
export const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

export const before = {
  grow: (page) => call(page, 'dev_newBlock', [{ count: 8 }]),
  vote: async (page) => {
    await call(page, 'dev_setFinality', ['grandpa']);
    await call(page, 'dev_newBlock', [{ count: 2 }]);
  },
  pair: async (page) => {
    await press(page, 'Start Alice and Bob');
    await page.getByText('1 block waits').waitFor();
  },
  run: (page) => press(page, 'Run'),
  batch: async (page) => {
    for (const _ of [1, 2]) await press(page, 'Add to batch');
  },
  tabs: async (page) => {
    await press(page, 'Run');
    await press(page, '+ Tab');
    await page.getByLabel('method', { exact: true }).fill('no_such_method');
    await press(page, 'Run');
  },
  kill: (page) => page.evaluate(() => globalThis.workersOfThePage.at(-1)?.terminate()),
  palette: async (page) => {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill('account');
  },
  proof: (page) => page.getByText('Proof: the trie nodes').click(),
  record: async (page) => {
    await press(page, 'Record');
    await page.getByRole('button', { name: 'Stop recording' }).waitFor();
    await call(page, 'system_health', []);
    await page.getByRole('button', { name: 'Stop recording' }).click();
  },
  fund: async (page) => {
    await before.palette(page);
    await page.getByRole('combobox', { name: 'Search or run' }).fill('fund an account');
    await page.keyboard.press('Enter');
  },
  account: (page) => press(page, 'Add account…'),
  refuse: async (page) => {
    await page.getByRole('textbox', { name: /^Signed extrinsic/ }).fill('0x00');
    await press(page, 'Submit');
  },
  transaction: async (page) => {
    await before.remark(page, '0x01');
    await call(page, 'dev_newBlock', [{ count: 1 }]);
    const link = page.getByRole('region', { name: 'Recent transactions' }).locator('a[href*="/tx/"]');
    await page.goto(new URL(await link.first().getAttribute('href'), page.url()).href);
  },
  collapse: (page) => press(page, 'Collapse'),
  create: async (page) => {
    await before.chains(page);
    await press(page, 'New chain…');
  },
  keys: (page) => page.keyboard.press('?'),
  chains: (page) => page.getByRole('banner').getByRole('button').first().click(),
  /** Twelve branches of one to three blocks. */
  forks: async (page) => {
    const best = await call(page, 'chain_getBlockHash', []);
    for (let branch = 0; branch < 12; branch += 1) {
      let parent = best;
      for (let length = 0; length <= branch % 3; length += 1)
        parent = (await call(page, 'engine_createBlock', [true, false, parent])).hash;
    }
  },
  /** Four megabytes under one key. */
  long: async (page) => {
    await call(page, 'dev_setStorage', [[['0x6c6f6e67', `0x${'0123456789abcdef'.repeat(524_288)}`]]]);
    await page.reload();
  },
  accounts: async (page) => {
    const prefix = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
    const pairs = Array.from({ length: 10_000 }, (_, index) => [
      `${prefix}${index.toString(16).padStart(32, '0')}${index.toString(16).padStart(64, '0')}`,
      `0x${'00'.repeat(80)}`,
    ]);
    await call(page, 'dev_setStorage', [pairs]);
    await page.reload();
  },
  follow: async (page) => {
    await press(page, 'Watch new blocks');
    await call(page, 'dev_newBlock', [{ count: 3 }]);
  },
  /** Ten calls with three fields each in one batch. */
  fields: async (page) => {
    const calls = Array.from({ length: 10 }, (_, index) => ({
      Balances: { transfer_keep_alive: { dest: { Id: bob }, value: String(index + 1) } },
    }));
    await press(page, 'JSON');
    await page
      .getByRole('textbox', { name: 'Arguments as JSON' })
      .and(page.locator('.cm-content'))
      .fill(JSON.stringify({ calls }));
    await press(page, 'Form');
  },
  /** Ten transfers in one transaction, with forks next to its block. */
  busy: async (page) => {
    await before.fields(page);
    await page.getByRole('button', { name: /^Sign and send/ }).click();
    await page.getByRole('region', { name: 'Recent transactions' }).getByText('ready').first().waitFor();
    await call(page, 'dev_newBlock', [{ count: 1 }]);
    const { number } = await call(page, 'chain_getHeader', []);
    await before.forks(page);
    await call(page, 'dev_newBlock', [{ count: 6 }]);
    await page.goto(`${page.url().split('#')[0]}#/chain/${Number(number)}`);
  },
  remark: async (page, remark) => {
    await page.getByLabel('remark', { exact: true }).fill(remark);
    await page.getByRole('button', { name: /^Sign and send/ }).click();
    await page.getByRole('region', { name: 'Recent transactions' }).getByText('ready').first().waitFor();
  },
  pool: async (page) => {
    for (const remark of ['0x02', '0x03', '0x04']) await before.remark(page, remark);
    await page.getByRole('link', { name: 'Pool', exact: true }).click();
  },
  /** A fork of the node elsewhere, with a block of its own. */
  fork: async (page) => {
    await press(page, 'Fork here');
    await page.getByRole('heading', { level: 1, name: /^Fork of/ }).waitFor();
    await page.getByRole('button', { name: /^Seal (block|and)/ }).click();
    await page.getByRole('button', { name: /^fork/ }).click();
  },
  leave: async (page) => {
    await before.chains(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await press(page, 'Delete for good');
    await page.getByRole('heading', { name: 'Tabnode', exact: true }).waitFor();
  },
};
