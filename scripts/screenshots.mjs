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
import { before, press } from './screenshot-steps.mjs';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

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
  ['fork', '?rpc=REMOTE#/chain/1', /Save pack/, 'fork'],
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
