import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, expect, test } from '@playwright/test';
// biome-ignore lint/correctness/useImportExtensions: its types stand beside it
import { testOptions } from '../scripts/chromium.mjs';
import { e2eUrl } from './ports.ts';

// The suites of clients that pass against `tabnode serve`, against the built app in a tab of Chromium behind a bridge
// (bridge/clients/serve-through-tab.fixture.ts). One of them by hand: TABNODE_THROUGH=tab vitest run --project node FILE

// They run together, in one Vitest and one Chromium, because most of their time they wait for blocks.
test.describe.configure({ mode: 'default' });

const folder = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

const suites = [
  ['dedot', 'bridge/clients/dedot.test.ts'],
  ['the conformance suite', 'test/conformance/conformance.test.ts'],
  ['polkadot-js', 'bridge/clients/polkadot-js.test.ts'],
  ['py-substrate-interface', 'bridge/clients/python-client.test.ts'],
  ['polkadot-api', 'bridge/clients/papi.test.ts'],
  ['raw texts over a WebSocket', 'bridge/server/raw-client.test.ts'],
  ['calls over HTTP', 'bridge/server/http-clients.test.ts'],
] as const;

/** The part of Vitest's JSON report that is read here. */
type Report = {
  readonly testResults: readonly {
    readonly name: string;
    /** Not passed if a hook fails, as when a node does not end as it should. */
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
};

const runSuites = async (browser: string, outputFile: string): Promise<void> => {
  const reporters = ['--reporter', 'json', '--outputFile', outputFile];
  const together = ['--maxWorkers', '3', '--maxConcurrency', '6'];
  const run = ['run', '--project', 'node', ...reporters, ...together, ...suites.map(([, file]) => file)];
  const through = { TABNODE_THROUGH: 'tab', TABNODE_TAB_URL: e2eUrl('app'), TABNODE_BROWSER: browser };
  const child = spawn(process.execPath, [vitest, ...run], {
    cwd: folder,
    env: { ...process.env, ...through, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
};

/** The report of the one run. After a test that fails, Playwright starts a new process, which finds it in its file. */
const loadReport = async (): Promise<Report> => {
  const { project, repeatEachIndex, retry } = test.info();
  const file = join(project.outputDir, `bridge-clients-${repeatEachIndex}-${retry}.json`);
  if (!existsSync(file)) {
    const server = await chromium.launchServer(await testOptions());
    await runSuites(server.wsEndpoint(), file).finally(() => server.close());
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
};

for (const [client, file] of suites)
  test(`a tab’s node behind a bridge: ${client}`, async () => {
    test.setTimeout(300_000);
    const { testResults } = await loadReport();
    const {
      status,
      message,
      assertionResults = [],
    } = testResults.find(({ name }) => name.endsWith(file)) ?? {};
    const failed = assertionResults.filter((one) => one.status === 'failed');
    expect(failed.map(({ fullName, failureMessages }) => [fullName, ...failureMessages])).toEqual([]);
    expect(status, message).toBe('passed');
    expect(assertionResults.map((one) => one.status)).toContain('passed');
  });
