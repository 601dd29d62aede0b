import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { e2eUrl } from './ports.ts';

// The suites of clients that pass against `tabnode serve`, against the built app in a tab of Chromium behind a bridge
// (bridge/serve-through-tab.fixture.ts). One of them by hand: TABNODE_THROUGH=tab vitest run --project node FILE

const folder = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/** The output of a suite, and the code with which it ended. */
const runSuite = (
  file: string,
  options: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const run = ['run', '--project', 'node', '--reporter', 'dot', ...options, file];
    const child = spawn(process.execPath, [vitest, ...run], {
      cwd: folder,
      env: { ...process.env, TABNODE_THROUGH: 'tab', TABNODE_TAB_URL: e2eUrl('app'), NO_COLOR: '1' },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, text }));
  });

// Most of the time of dedot's tests is that of their blocks, each on a node of its own.
const together = ['--sequence.concurrent', '--maxConcurrency', '3'];

const suites: readonly (readonly [client: string, file: string, options?: readonly string[]])[] = [
  ['raw texts over a WebSocket', 'bridge/raw-client.test.ts'],
  ['calls over HTTP', 'bridge/http-clients.test.ts'],
  ['polkadot-js', 'bridge/polkadot-js.test.ts'],
  ['polkadot-api', 'bridge/papi.test.ts'],
  ['dedot', 'bridge/dedot.test.ts', together],
  ['py-substrate-interface', 'bridge/python-client.test.ts'],
  ['the conformance suite', 'test/conformance/conformance.test.ts'],
];

for (const [client, file, options = []] of suites)
  test(`a tab’s node behind a bridge: ${client}`, async () => {
    test.setTimeout(300_000);
    const { code, text } = await runSuite(file, options);
    expect(text).toMatch(/Tests +\d+ passed/);
    expect(code, text).toBe(0);
  });
