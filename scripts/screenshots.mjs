// `npm run screenshots [-- FOLDER [send-pool-light light-390 …]]`: every panel of the built devtools, in both
// themes and at three widths, as PNG files; further arguments select the screenshots whose name contains one
// of them. They are for visual inspection, not for comparison. They include difficult data: a long value, a
// long map, forks, an empty chain, and a node elsewhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { bootstrap, root, run, toolEnvironment } from './bootstrap.mjs';
import { launchOptions } from './chromium.mjs';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

/** File name, URL, and the name of a preparation step. */
const shots = [
  ['chain', '#/chain', 'grow'],
  ['chain-block', '#/chain/2'],
  ['chain-forks', '#/chain', 'forks'],
  ['chain-busy', '#/send/Utility/batch_all', 'busy'],
  ['chain-epoch', '#/chain/epoch'],
  ['chain-control', '#/chain/control'],
  ['chain-grandpa', '#/chain/epoch', 'vote'],
  ['chain-pair', '#/chain/pair', 'pair'],
  ['storage', '#/storage/System'],
  ['storage-value', `#/storage/System/Account/${encodeURIComponent(JSON.stringify([alice]))}`],
  ['storage-trie', `#/storage/System/Account/${encodeURIComponent(JSON.stringify([alice]))}`, 'proof'],
  ['storage-long-value', '#/storage/key?key=0x6c6f6e67', 'long'],
  ['storage-long-map', '#/storage/System/Account', 'accounts'],
  ['storage-diff', '#/storage/diff?from=1&to=2'],
  ['rpc', '#/rpc/state_getRuntimeVersion', 'run'],
  ['rpc-tabs', '#/rpc/chain_getBlock', 'tabs'],
  ['live', '#/live'],
  ['live-columns', '#/live', 'follow'],
  ['live-traffic', '#/live/traffic'],
  ['live-recording', '#/live/recording', 'record'],
  ['send', '#/send/Balances/transfer_keep_alive'],
  ['send-many-fields', '#/send/Utility/batch_all', 'fields'],
  ['send-pool', '#/send/System/remark', 'pool'],
  ['send-fund', '#/send/System/remark', 'fund'],
  ['send-upgrade', '#/send/upgrade'],
  ['runtime', '#/runtime'],
  ['runtime-pallet', '#/runtime/pallets/Balances'],
  ['runtime-types', '#/runtime/types'],
  ['runtime-apis', '#/runtime/apis/Core'],
  ['runtime-decode', '#/runtime/decode'],
  ['runtime-module', '#/runtime/module'],
  ['runtime-logs', '#/runtime/logs'],
  ['node', '#/node'],
  ['node-keys', '#/node/keys'],
  ['node-storage', '#/node/storage'],
  ['palette', '#/chain', 'palette'],
  ['keys', '#/chain', 'keys'],
  ['chains', '#/chain', 'chains'],
  ['dead-worker', '#/chain', 'kill'],
  ['first-run', '#/chain', 'leave'],
  ['remote', '?rpc=REMOTE#/chain'],
  ['remote-node', '?rpc=REMOTE#/node'],
  ['remote-list', '?rpc='],
];

const call = (page, method, params) =>
  page.evaluate(([name, list]) => globalThis.tabnode?.connection.request(name, list), [method, params]);
const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

const before = {
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
    await call(page, 'system_health', []);
    await press(page, 'Stop recording');
  },
  fund: async (page) => {
    await before.palette(page);
    await page.getByRole('combobox', { name: 'Search or run' }).fill('fund an account');
    await page.keyboard.press('Enter');
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
    await page.getByLabel('Arguments as JSON').fill(JSON.stringify({ calls }));
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
  pool: async (page) => {
    for (const remark of ['0x01', '0x02', '0x03']) {
      await page.getByLabel('remark', { exact: true }).fill(remark);
      await page.getByRole('button', { name: /^Sign and send/ }).click();
      await page.getByRole('region', { name: 'Recent transactions' }).getByText('ready').first().waitFor();
    }
    await page.getByRole('link', { name: 'Pool', exact: true }).click();
  },
  leave: async (page) => {
    await before.chains(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await press(page, 'Delete for good');
    await page.getByRole('heading', { name: 'Tabnode', exact: true }).waitFor();
  },
};

/** A chain that does not advance and grows forks, and workers that can be terminated. */
const prepare = () => {
  const modes = { seal: { kind: 'manual' }, finality: 'manual', clock: 'chain' };
  localStorage.setItem('tabnode.modes.development', JSON.stringify(modes));
  globalThis.workersOfThePage = [];
  globalThis.Worker = class extends Worker {
    constructor(url, options) {
      super(url, options);
      globalThis.workersOfThePage.push(this);
    }
  };
};

const shoot = async (browser, { address, remote, folder, isPicked }, { theme, width, height }) => {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: width < 500,
    isMobile: width < 500,
  });
  page.setDefaultTimeout(15_000);
  await page.addInitScript(prepare);
  for (const [name, place, first] of shots) {
    const file = `${name}-${theme}-${width}.png`;
    if (!isPicked(file)) continue;
    await page.goto(`${address}${place.replace('REMOTE', encodeURIComponent(remote))}`);
    await page.reload();
    await page
      .getByRole(place === '?rpc=' ? 'heading' : 'link', { name: /^(Best block #|Connect)/ })
      .waitFor();
    // A page of a node elsewhere keeps its connection.
    if (!place.startsWith('?')) await page.waitForLoadState('networkidle');
    if (first !== undefined)
      await before[first](page).catch((fault) => console.error(`${name}: ${fault.message}`));
    // Charts and live columns need a moment until they have data.
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(folder, file) });
  }
  await page.close();
};

await bootstrap({ chromium: true });
const folder = process.argv[2] ?? join(root, 'reports', 'screenshots');
const picks = process.argv.slice(3);
mkdirSync(folder, { recursive: true });
const outDir = '../dist/e2e-app';
if ((await run('vite', ['build', '--logLevel', 'warn', '--outDir', outDir])) !== 0) process.exit(1);
const server = await preview({
  root: join(root, 'ui'),
  configFile: join(root, 'vite.config.ts'),
  build: { outDir },
  preview: { port: 5194, strictPort: true, host: '127.0.0.1' },
});
const browser = await chromium.launch(await launchOptions());
const node = spawn(
  'node',
  [join(root, 'bridge', 'tabnode.ts'), 'serve', '--json', '--dev', '--ws-port', '0'],
  {
    env: toolEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  const [ready] = await once(createInterface(node.stdout), 'line');
  const isPicked = (file) => picks.length === 0 || picks.some((pick) => file.includes(pick));
  const around = { address: server.resolvedUrls.local[0], remote: JSON.parse(ready).ws, folder, isPicked };

  for (const theme of ['light', 'dark'])
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ])
      await shoot(browser, around, { theme, ...size });
  console.log(`Screenshots are in ${folder}`);
} finally {
  node.kill();
  await browser.close();
  await server.close();
}
