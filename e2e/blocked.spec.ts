import { createServer, type Socket } from 'node:net';
import { expect, test } from '@playwright/test';
import { pageHeaders } from '../bridge/pages/page-server.ts';
import { serveFiles } from '../test/rigs/static-files.ts';
import { siteHost, siteOptions, sitePage } from './https-site.ts';
import { createSelfSigned } from './self-signed.ts';
import { setPermission } from './support.ts';

// The page on an https site, where browsers ask before it may connect to programs on this computer.
test.use(await siteOptions());

test('a page that waits for a permission, or was denied it, says what to do', async ({ page }) => {
  const server = await serveFiles(() => sitePage, {
    headers: pageHeaders(new URLSearchParams()),
    tls: createSelfSigned(siteHost),
  });
  // As while the browser asks, the connection neither opens nor fails.
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address() as { readonly port: number };
  const origin = `https://${siteHost}:${server.port}`;
  await setPermission(page, origin, 'prompt');
  await page.goto(`${origin}/#bridge=ws://127.0.0.1:${address.port}&code=x`);
  await page.getByRole('button', { name: 'Bridge: connecting…' }).click();
  const sheet = page.getByRole('dialog', { name: 'Bridge' });
  await expect(sheet).toContainText('Connecting to the bridge');
  await expect(sheet).toContainText(
    'Click “Allow” if the browser asks about apps and services on this device',
  );
  await sheet.getByRole('button', { name: 'Close' }).click();

  await setPermission(page, origin, 'denied');
  silent.close();
  for (const socket of sockets) socket.destroy();
  // It opens by itself, in place of the question whether to share.
  await expect(sheet).toContainText('The bridge cannot be reached');
  await expect(sheet).toContainText('The browser blocks connections from this page to this computer. Allow');
  await server.close();
});
