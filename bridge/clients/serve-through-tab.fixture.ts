// `tabnode serve` whose node is that of a tab in Chromium, behind a bridge: with TABNODE_THROUGH=tab the tests of `serve` run
// against it (test-process.fixture.ts). The page is the built app, at TABNODE_TAB_URL or as `tabnode bridge` serves it.
import { type Browser, chromium, type Page } from 'playwright';
// biome-ignore lint/correctness/useImportExtensions: its types are in a file next to it
import { testOptions } from '../../scripts/chromium.mjs';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { parseServeArguments, type ServeArguments } from '../cli/arguments.ts';
import { processOutput } from '../cli/terminal.ts';
import { openBridge } from '../pages/open-bridge.ts';
import { createPageServer } from '../pages/page-server.ts';
import { callSocket } from './socket-clients.fixture.ts';

const servePage = async () => {
  const url = process.env['TABNODE_TAB_URL'];
  if (url !== undefined) return { url, close: async () => undefined };
  const server = await createPageServer();
  return { url: await server.listen({ host: '127.0.0.1', port: 0 }), close: server.close };
};

/**
 * The Chromium at TABNODE_BROWSER, which tests share because starting one takes longer than opening a page,
 * or else a separate one.
 */
const openBrowser = async (): Promise<Browser> => {
  const shared = process.env['TABNODE_BROWSER'];
  if (shared !== undefined) return chromium.connect(shared);
  return chromium.launch({ ...(await testOptions()), handleSIGINT: false, handleSIGTERM: false });
};

/**
 * Settings that the page has no control for: the arguments change the message with which it starts its node.
 */
const withConfig = async (page: Page, args: ServeArguments): Promise<void> => {
  const { seal, finality, clock, dialect, pool, mockSignatures } = args;
  const changes: Partial<NodeConfig> = { seal, finality, clock, dialect, pool, mockSignatures };
  await page.addInitScript((config) => {
    const post = Worker.prototype.postMessage as (this: Worker, ...given: unknown[]) => void;
    Worker.prototype.postMessage = function (this: Worker, message: unknown, ...rest: unknown[]): void {
      const { path, argumentList } = (message ?? {}) as {
        readonly path?: readonly string[];
        readonly argumentList?: readonly [{ readonly value: object }];
      };
      if (path?.[0] === 'start' && argumentList) Object.assign(argumentList[0].value, config);
      post.call(this, message, ...rest);
    };
  }, changes);
};

const run = async (argv: readonly string[]): Promise<void> => {
  const args = parseServeArguments(argv);
  const end = new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  const { url, close } = await servePage();
  const arrived = Promise.withResolvers<void>();
  const refuse = (_origin: string, reason: string): void => arrived.reject(new Error(reason));
  const { dialect, rpc } = args;
  const bridge = await openBridge(
    { dialect, rpc, acceptFirst: true, key: new Uint8Array(32) },
    { onArrival: () => arrived.resolve(), onLeave: () => undefined, onRefused: refuse },
  );
  const browser = await openBrowser();
  const page = await browser.newPage();
  await withConfig(page, args);
  await page.goto(`${url}#${bridge.newPairing()}&accept=1&unsafe=1`);
  await arrived.promise;
  // A panel that draws no blocks: clients build thousands of them.
  await page.evaluate(() => {
    location.hash = '#/rpc';
  });
  const { ws, http } = bridge;
  const { result: genesisHash } = await callSocket(ws, 'chain_getBlockHash', [0]);
  processOutput.line(JSON.stringify({ event: 'ready', ws, http, genesisHash, bestNumber: 0 }));
  // A test that fails does not clean up, but its browser is closed anyway.
  await Promise.race([end, new Promise((resolve) => browser.once('disconnected', resolve))]);
  await browser.close();
  await bridge.close();
  await close();
  process.exit(0);
};

run(process.argv.slice(3)).catch((error: unknown) => {
  processOutput.error(error, process.argv.includes('--json'));
  process.exit(1);
});
