import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, unlink, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { collectFaults } from './support.ts';

const shared = (path: string): string => fileURLToPath(new URL(`../../shared/${path}`, import.meta.url));
const packed = shared('native-node/native-node.xz');
const spec = shared('fixtures/sdk-node/spec.json');

let native: ChildProcess | null = null;
test.afterEach(async () => {
  native?.kill('SIGKILL');
  native = null;
});

/** Starts the native node of the shared folder on a free port; resolves to its `HOST:PORT`. */
const startNative = async (program: string): Promise<string> => {
  const { stdout } = await promisify(execFile)('xz', ['-dkc', packed], {
    encoding: 'buffer',
    maxBuffer: 1 << 29,
  });
  await writeFile(program, stdout);
  await chmod(program, 0o755);
  const own = ['--rpc-port', '0', '--port', '0', '--no-mdns', '--no-prometheus', '--no-telemetry'];
  const args = ['--chain', spec, '--alice', '--seal', 'manual', '--tmp', '--rpc-methods', 'unsafe'];
  const key = ['--node-key', '1'.padStart(64, '0')];
  native = spawn(program, [...args, ...key, ...own, '--rpc-cors', 'all'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: native.stderr as NodeJS.ReadableStream })) {
    const address = /Running JSON-RPC server: addr=([^\s,]+)/.exec(line)?.[1];
    if (address === undefined) continue;
    // The process keeps running; 150 MB are not kept with the results.
    await unlink(program);
    return address;
  }
  const [code] = await once(native, 'exit');
  throw new Error(`the native node ended with code ${code}`);
};

test('the devtools open a native polkadot-sdk node with what it has', async ({ page }, info) => {
  test.skip(
    !existsSync(packed) || process.platform !== 'linux',
    'there is no native node beside the repository',
  );
  const faults = collectFaults(page);
  const address = await startNative(info.outputPath('native-node'));
  await page.goto(`/?rpc=ws://${address}`);
  const best = page.getByRole('link', { name: 'Best block' });
  await expect(best).toHaveText('#0');
  await expect(page.getByRole('link', { name: /^remote/ })).toHaveAttribute('title', /Judge Node/);
  // It seals by engine_createBlock and has no seal modes.
  await expect(page.getByRole('combobox', { name: 'Seal mode' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Seal block/ }).click();
  await expect(best).toHaveText('#1');
  const genesis = (await callHttp(`http://${address}`, 'chain_getBlockHash', [0])) as string;
  await page.getByRole('link', { name: 'Node', exact: true }).click();
  await expect(page.getByRole('definition').filter({ hasText: genesis.slice(0, 6) })).toBeVisible();
  await page.goto(`/?rpc=ws://${address}#/chain/1`);
  await expect(page.getByRole('heading', { name: 'Block #1' })).toBeVisible();
  await page.getByRole('link', { name: 'Storage' }).click();
  await page
    .getByRole('link', { name: /^Timestamp/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'Runtime' }).click();
  await expect(page.getByRole('link', { name: 'Pallets' })).toBeVisible();
  await page.getByRole('link', { name: 'Send' }).click();
  await expect(page.getByRole('link', { name: 'Submit raw' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(faults).toEqual([]);
});
