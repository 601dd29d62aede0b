// `npm run screenshots [-- FOLDER]`: every panel of the built devtools, in both themes and at two widths, as PNG files.
// They are to be looked at, not compared. The worst data is among them: a long value, a long map, forks, an empty chain.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { preview } from 'vite';
import { bootstrap, root, run } from './bootstrap.mjs';
import { launchOptions } from './chromium.mjs';

const alice = encodeURIComponent('["5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"]');

/** Name of the file, address, and what to do there first. */
const shots = [
  ['chain', '#/chain'],
  ['chain-block', '#/chain/2'],
  ['chain-forks', '#/chain', 'forks'],
  ['storage', '#/storage/System'],
  ['storage-value', `#/storage/System/Account/${alice}`],
  ['storage-long-value', '#/storage/key?key=0x3a636f6465'],
  ['storage-long-map', '#/storage/System/Account', 'accounts'],
  ['storage-diff', '#/storage/diff?from=1&to=2'],
  ['rpc', '#/rpc/state_getRuntimeVersion', 'run'],
  ['live', '#/live'],
  ['send', '#/send/Balances/transfer_keep_alive'],
  ['send-many-fields', '#/send/Contracts/instantiate_with_code'],
  ['send-pool', '#/send/pool'],
  ['runtime', '#/runtime'],
  ['runtime-pallet', '#/runtime/pallets/Balances'],
  ['node', '#/runtime/node'],
  ['dead-worker', '#/chain', 'kill'],
];

const call = (page, method, params) =>
  page.evaluate(([name, list]) => globalThis.tabnode?.connection.request(name, list), [method, params]);

const before = {
  run: (page) => page.getByRole('button', { name: 'Run', exact: true }).click(),
  kill: (page) => page.evaluate(() => globalThis.workersOfThePage.at(-1)?.terminate()),
  /** Twelve branches of one to three blocks. */
  forks: async (page) => {
    const best = await call(page, 'chain_getBlockHash', []);
    for (let branch = 0; branch < 12; branch += 1) {
      let parent = best;
      for (let length = 0; length <= branch % 3; length += 1)
        parent = (await call(page, 'engine_createBlock', [true, false, parent])).hash;
    }
  },
  accounts: async (page) => {
    const prefix = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
    const pairs = Array.from({ length: 10_000 }, (_, index) => [
      `${prefix}${index.toString(16).padStart(32, '0')}${index.toString(16).padStart(64, '0')}`,
      `0x${'00'.repeat(80)}`,
    ]);
    await call(page, 'dev_setStorage', [pairs]);
  },
};

const trackWorkers = () => {
  globalThis.workersOfThePage = [];
  globalThis.Worker = class extends Worker {
    constructor(url, options) {
      super(url, options);
      globalThis.workersOfThePage.push(this);
    }
  };
};

const shoot = async (browser, address, folder, { theme, width, height }) => {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme });
  await page.addInitScript(trackWorkers);
  for (const [name, place, first] of shots) {
    await page.goto(`${address}${place}`);
    await page.reload();
    await page.locator('[data-testid=best] a').waitFor();
    await page.waitForLoadState('networkidle');
    if (first !== undefined)
      await before[first](page).catch((fault) => console.error(`${name}: ${fault.message}`));
    // Charts and live columns need a moment to have something to show.
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
  }
  await page.close();
};

await bootstrap({ chromium: true });
const folder = process.argv[2] ?? join(root, 'reports', 'screenshots');
mkdirSync(folder, { recursive: true });
if ((await run('vite', ['build', '--logLevel', 'warn', '--mode', 'e2e-app'])) !== 0) process.exit(1);
const server = await preview({
  root: join(root, 'ui'),
  configFile: join(root, 'vite.config.ts'),
  mode: 'e2e-app',
  preview: { port: 5194, strictPort: true, host: '127.0.0.1' },
});
const browser = await chromium.launch(await launchOptions());
try {
  for (const theme of ['light', 'dark'])
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ])
      await shoot(browser, server.resolvedUrls.local[0], folder, { theme, ...size });
  console.log(`Screenshots are in ${folder}`);
} finally {
  await browser.close();
  await server.close();
}
