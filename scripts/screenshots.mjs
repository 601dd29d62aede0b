// `npm run screenshots [-- FOLDER [send-pool-light light-390 …]]`: every panel of the built devtools, in both
// themes and at three widths, as PNG files; further arguments select the screenshots whose name contains one
// of them. They are for visual inspection, not for comparison. They include difficult data: a long value, a
// long map, forks, an empty chain, and a node elsewhere.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { bootstrap, root, toolEnvironment } from './bootstrap.mjs';
import { launchOptions } from './chromium.mjs';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';

const account = `System/Account/${encodeURIComponent(JSON.stringify([alice]))}`;

/** File name, URL, what the picture waits for, and the name of a preparation step. */
const shots = [
  ['chain', '#/chain', /empty blocks/, 'grow'],
  ['chain-block', '#/chain/2', /Block #2/],
  ['chain-forks', '#/chain', /empty blocks/, 'forks'],
  ['chain-busy', '#/send/Utility/batch_all', /Block #/, 'busy'],
  ['chain-epoch', '#/chain/epoch', /Authorities/],
  ['chain-control', '#/chain/control', /Snapshots/],
  ['chain-grandpa', '#/chain/epoch', /prevotes/, 'vote'],
  ['chain-pair', '#/chain/pair', /1 block waits/, 'pair'],
  ['chain-transaction', '#/send/System/remark', /outcome/, 'transaction'],
  ['storage', '#/storage/System', /ExtrinsicCount/],
  ['storage-value', `#/storage/${account}`, /History/],
  ['storage-trie', `#/storage/${account}`, /Proof/, 'proof'],
  ['storage-long-value', '#/storage/key?key=0x6c6f6e67', /bytes/, 'long'],
  ['storage-long-map', '#/storage/System/Account', /nonce/, 'accounts'],
  ['storage-diff', '#/storage/diff?from=1&to=2', /keys differ/],
  ['rpc', '#/rpc/state_getRuntimeVersion', /specName/, 'run'],
  ['rpc-tabs', '#/rpc/chain_getBlock', /-32601/, 'tabs'],
  ['rpc-batch', '#/rpc/system_health', /Send batch/, 'batch'],
  ['rpc-refused', '#/rpc/chain_getBlock?params=["0x12"]', /-32602/, 'run'],
  ['live', '#/live', /No subscriptions yet/],
  ['live-columns', '#/live', /by authority/, 'follow'],
  ['live-refused', '#/live?sub=[["state_subscribeStorage",[["word"]]]]', /refused this/],
  ['live-traffic', '#/live/traffic?own=1', /chain_/],
  ['live-recording', '#/live/recording', /system_health/, 'record'],
  ['send', '#/send/Balances/transfer_keep_alive', /Execution/],
  ['send-many-fields', '#/send/Utility/batch_all', /transfer_keep_alive/, 'fields'],
  ['send-pool', '#/send/System/remark', /remark/, 'pool'],
  ['send-fund', '#/send/System/remark', /Fund/, 'fund'],
  ['send-account', '#/send/System/remark', /Add an account/, 'account'],
  ['send-raw', '#/send/raw', /Signed extrinsic/],
  ['send-refused', '#/send/raw', /Refused/, 'refuse'],
  ['send-upgrade', '#/send/upgrade', /Current runtime/],
  ['runtime', '#/runtime', /BabeApi/],
  ['runtime-pallet', '#/runtime/pallets/Balances', /transfer_all/],
  ['runtime-types', '#/runtime/types', /type/],
  ['runtime-apis', '#/runtime/apis/Core', /version/],
  ['runtime-decode', '#/runtime/decode', /bytes/],
  ['runtime-module', '#/runtime/module', /Host functions used/],
  ['runtime-logs', '#/runtime/logs', /No lines yet|\d\d:\d\d/],
  ['node', '#/node', /median\s\d+\.\d/, 'grow'],
  ['node-keys', '#/node/keys', /block production/],
  ['node-offchain', '#/node/offchain', /Offchain storage/],
  ['node-storage', '#/node/storage', /IndexedDB/],
  ['node-report', '#/node/report', /Last errors/],
  ['palette', '#/chain', /account/, 'palette'],
  ['keys', '#/chain', /Keyboard shortcuts/, 'keys'],
  ['chains', '#/chain', /New chain/, 'chains'],
  ['chains-new', '#/chain', /Start from/, 'create'],
  ['chain-collapsed', '#/chain', /First steps/, 'collapse'],
  ['dead-worker', '#/chain', /stopped/, 'kill'],
  ['first-run', '#/chain', /New chain/, 'leave'],
  ['remote', '?rpc=REMOTE#/chain', /#\d/],
  ['remote-node', '?rpc=REMOTE#/node', /genesis/],
  ['remote-list', '?rpc=', /Connect to a node/],
  ['embedded', 'EMBEDDED', /#\d/],
];
/** Panels that the list above does not have: the pages that their tests visit. */
const shown = new Set(shots.map(([name]) => name.split('-')[0]));
for (const panel of readdirSync(join(root, 'ui/panels')).filter((name) => !/[.]/.test(name))) {
  const { samples } = await import(`../ui/panels/${panel}/pages.fixture.ts`);
  for (const [at, [place, shows]] of shown.has(panel) ? [] : samples.entries())
    shots.push([`${panel}-${at}`, `#/${place}`, shows]);
}
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
  remark: async (page, remark) => {
    await page.getByLabel('remark', { exact: true }).fill(remark);
    await page.getByRole('button', { name: /^Sign and send/ }).click();
    await page.getByRole('region', { name: 'Recent transactions' }).getByText('ready').first().waitFor();
  },
  pool: async (page) => {
    for (const remark of ['0x02', '0x03', '0x04']) await before.remark(page, remark);
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

/** Resolves once the page shows the text, waits for nothing, and is painted. */
const settle = async (page, shows) => {
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=status]')].every(
      ({ textContent }) => !/^(Reading|Loading|Opening|Starting|Waiting)/.test(textContent),
    ),
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
};

const shoot = async (browser, { address, embedded, remote, folder, isPicked }, { theme, width, height }) => {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: width < 500,
    isMobile: width < 500,
  });
  page.setDefaultTimeout(15_000);
  await page.addInitScript(prepare);
  for (const [name, place, shows, first] of shots) {
    const file = `${name}-${theme}-${width}.png`;
    if (!isPicked(file)) continue;
    await page.goto(
      place === 'EMBEDDED' ? embedded : `${address}${place.replace('REMOTE', encodeURIComponent(remote))}`,
    );
    await page.reload();
    if (place === 'EMBEDDED') await press(page, 'Tabnode');
    await page
      .getByRole(place === '?rpc=' ? 'heading' : 'link', { name: /^(Best block #|Connect)/ })
      .waitFor();
    const ready = async () => {
      await before[first]?.(page);
      await settle(page, shows);
    };
    await ready().catch((fault) => console.error(`${file}: ${fault.message}`));
    await page.screenshot({ path: join(folder, file) });
  }
  await page.close();
};

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run screenshots [-- FOLDER [PART_OF_A_NAME…]], for example: npm run screenshots -- shots light-390',
  );
  process.exit();
}
await bootstrap({ chromium: true });
const folder = process.argv[2] ?? join(root, 'reports', 'screenshots');
const picks = process.argv.slice(3);
mkdirSync(folder, { recursive: true });
const env = { ...toolEnvironment(), TABNODE_E2E_PORT: '5191' };
/** Starts a program in an environment of tools; its first line tells that it is ready. */
const start = async (...args) => {
  const child = spawn('node', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { line, kill: () => child.kill() };
};
const server = await start('e2e/serve.ts');
const node = await start('bridge/tabnode.ts', 'serve', '--json', '--dev', '--ws-port', '0');
const browser = await chromium.launch(await launchOptions());
try {
  const { pages: embedded, app: address } = JSON.parse(server.line);
  const isPicked = (file) => picks.length === 0 || picks.some((pick) => file.includes(pick));
  const around = {
    ...{ address, embedded: `${embedded}devtools.html` },
    ...{ remote: JSON.parse(node.line).ws, folder, isPicked },
  };
  for (const theme of ['light', 'dark'])
    for (const size of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 390, height: 844 },
    ])
      await shoot(browser, around, { theme, ...size });
  console.log(`Screenshots are in ${folder}`);
} finally {
  await browser.close();
  node.kill();
  server.kill();
}
