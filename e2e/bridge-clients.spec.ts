import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BrowserServer, chromium, expect, test } from '@playwright/test';
// biome-ignore lint/correctness/useImportExtensions: its types stand beside it
import { testOptions } from '../scripts/chromium.mjs';
import { e2eUrl } from './ports.ts';

// The suites of clients that pass against `tabnode serve`, against the built app in a tab of Chromium behind a bridge
// (bridge/serve-through-tab.fixture.ts). One of them by hand: TABNODE_THROUGH=tab vitest run --project node FILE

// They run together, in one Vitest and one Chromium, because most of their time they wait for blocks.
test.describe.configure({ mode: 'default' });

const folder = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

const suites = [
  ['dedot', 'bridge/dedot.test.ts'],
  ['the conformance suite', 'test/conformance/conformance.test.ts'],
  ['polkadot-js', 'bridge/polkadot-js.test.ts'],
  ['py-substrate-interface', 'bridge/python-client.test.ts'],
  ['polkadot-api', 'bridge/papi.test.ts'],
  ['raw texts over a WebSocket', 'bridge/raw-client.test.ts'],
  ['calls over HTTP', 'bridge/http-clients.test.ts'],
] as const;

/** The part of Vitest's JSON report that is read here. */
type Report = {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

const runSuites = async (browser: string, outputFile: string): Promise<Report> => {
  const reporters = ['--reporter', 'json', '--outputFile', outputFile];
  const together = ['--maxWorkers', '3', '--maxConcurrency', '3'];
  const run = ['run', '--project', 'node', ...reporters, ...together, ...suites.map(([, file]) => file)];
  const through = { TABNODE_THROUGH: 'tab', TABNODE_TAB_URL: e2eUrl('app'), TABNODE_BROWSER: browser };
  const child = spawn(process.execPath, [vitest, ...run], {
    cwd: folder,
    env: { ...process.env, ...through, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  return JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
};

let server: BrowserServer | undefined;
let report: Promise<Report> | undefined;
test.afterAll(() => server?.close());

for (const [client, file] of suites)
  test(`a tab’s node behind a bridge: ${client}`, async () => {
    test.setTimeout(300_000);
    server ??= await chromium.launchServer(await testOptions());
    report ??= runSuites(server.wsEndpoint(), test.info().outputPath('vitest.json'));
    const { testResults } = await report;
    const { message = 'did not run', assertionResults = [] } =
      testResults.find(({ name }) => name.endsWith(file)) ?? {};
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    expect(failed.map(({ fullName, failureMessages }) => [fullName, ...failureMessages])).toEqual([]);
    expect(
      assertionResults.some(({ status }) => status === 'passed'),
      message,
    ).toBe(true);
  });
