import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { ApiPromise, WsProvider } from '@polkadot/api';
import { createServer, type ViteDevServer } from 'vite';
import { callSocket, nextTexts, openSocket } from '../../bridge/clients/socket-clients.fixture.ts';
import { bodyOf, post } from '../../bridge/clients/test-clients.fixture.ts';

type ApiOptions = NonNullable<Parameters<typeof ApiPromise.create>[0]>;

const root = fileURLToPath(new URL('.', import.meta.url));

let server: ViteDevServer;
let address: string;
test.beforeEach(async () => {
  const cacheDir = test.info().outputPath('vite');
  server = await createServer({ root, cacheDir, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
  await server.listen();
  address = new URL(server.resolvedUrls?.local[0] ?? '').host;
});
test.afterEach(() => server.close());

/** As if a user had saved the file. */
const save = (file: string): void => void server.watcher.emit('change', `${root}${file}`);

test('programs call the node of a page under development, while it changes', async ({ page }) => {
  await page.goto(`http://${address}/`);
  const best = page.getByRole('status');
  await expect(best).toHaveText('#0');
  const url = `ws://${address}/tabnode`;
  const provider = new WsProvider(`${url}?dialect=polkadot-sdk`, 100);
  const api = await ApiPromise.create({ provider, noInitWarn: true } as unknown as ApiOptions);
  const heads: number[] = [];
  await api.rpc.chain.subscribeNewHeads(({ number }) => void heads.push(number.toNumber()));
  expect((await callSocket(url, 'dev_newBlock', [{ count: 2 }])).error).toBeUndefined();
  await expect(best).toHaveText('#2');
  await expect.poll(() => heads.at(-1)).toBe(2);

  // A hot update: the node, its chain and its clients stay.
  const socket = await openSocket(url);
  const update = page.waitForEvent('console', { predicate: (said) => said.text().includes('hot updated') });
  save('draw.ts');
  await update;
  const answer = nextTexts(socket, 1);
  socket.send(bodyOf('dev_newBlock'));
  expect((await answer)[0]).toContain('"result"');
  await expect(best).toHaveText('#3');
  await expect.poll(() => heads.at(-1)).toBe(3);

  // A reload: a new chain at the same address, and clients reconnect.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const again = new Promise<void>((resolve) => {
    api.once('disconnected', () => api.once('connected', resolve));
  });
  save('node.ts');
  expect(await closed).toBe(1001);
  await again;
  await expect(best).toHaveText('#0');
  heads.length = 0;
  expect((await post(`http://${address}/tabnode`, bodyOf('dev_newBlock'))).status).toBe(200);
  await expect(best).toHaveText('#1');
  await expect.poll(() => heads).toContain(1);
  await api.disconnect();
});
