import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { runProcess, startProcess } from '../clients/test-process.fixture.ts';
import { openPage, sharedNode, withOrigin } from '../pages/bridge.fixture.ts';

// The command runs in a separate process; its page runs in this one.
const page = ['--page', 'http://127.0.0.1:1/'] as const;
const node = sharedNode();
let folder: string;
beforeAll(async () => {
  withOrigin();
  folder = await mkdtemp(join(tmpdir(), 'tabnode-bridge-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('ends with an error when its port is in use', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const { code, stderr } = await runProcess('bridge', ...page, '-d', folder, '--ws-port', `${port}`);
  expect([code, stderr]).toEqual([
    1,
    `Error BadConfig: Port ${port} of 127.0.0.1 is in use: end what uses it, or choose another port\n`,
  ]);
});

it('prints one JSON line per event, and exits on a signal', async () => {
  const bridge = startProcess('bridge', '--json', ...page, '-d', folder, '--ws-port', '0', '--rpc-port', '0');
  const { ws, http, pairing } = JSON.parse(await bridge.firstLine) as Record<
    'ws' | 'http' | 'pairing',
    string
  >;
  const [, value = ''] = /^http:\/\/127\.0\.0\.1:1\/#bridge=.*&code=(.+)$/.exec(pairing) ?? [];
  const { openPort } = await node;
  const { serving, link, ended } = openPage({ url: ws, secret: { kind: 'code', value }, openPort });
  await serving;
  link.close(false);
  await ended;
  bridge.kill('SIGTERM');
  const { code, stdout } = await bridge.ended;
  const lines = stdout.trim().split('\n');
  expect(lines.slice(1).map((line) => JSON.parse(line) as object)).toEqual([
    {
      event: 'connected',
      name: 'Development',
      genesisHash: `0x${'00'.repeat(32)}`,
      ws: `${ws}/Development`,
      http: `${http}/Development`,
    },
    { event: 'disconnected', name: 'Development' },
  ]);
  expect(code).toBe(0);
});
