import { expect, type Page, test } from '@playwright/test';
import { pageHeaders } from '../bridge/pages/page-server.ts';
import { serveFiles } from '../test/rigs/static-files.ts';
import { siteHost, siteOptions, sitePage } from './https-site.ts';
import { openJoin } from './join-page.ts';
import { hasNativeNode, nativeSpec } from './native-node.ts';
import { freePort } from './ports.ts';
import { createSelfSigned } from './self-signed.ts';
import { setPermission } from './support.ts';

// Hosts and browsers that keep a page from the nodes of a network.
test.use(await siteOptions());

const id = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';

/** Joins a network whose only node has this address, and opens what the page knows of it. */
const joinAlone = async (page: Page, origin: string, address: string) => {
  const dialog = await openJoin(page, nativeSpec, origin);
  await dialog.getByRole('textbox', { name: 'Nodes' }).fill(`${address}/p2p/${id}`);
  await dialog.getByRole('button', { name: 'Join and start' }).click();
  await page.getByRole('button', { name: 'no peers' }).click();
  return page.getByRole('dialog', { name: 'Network' });
};

test('a host that sends the page’s policy with the node’s script: the page says what the host has to send', async ({
  page,
}) => {
  test.skip(!hasNativeNode, 'there is no chain spec beside the repository');
  const server = await serveFiles(() => sitePage, { headers: pageHeaders(new URLSearchParams()) });
  const address = `/dns4/${siteHost}/tcp/${await freePort()}/ws`;
  const network = await joinAlone(page, `http://127.0.0.1:${server.port}/`, address);
  await expect(network.getByRole('list', { name: 'Nodes that were not reached' })).toContainText(
    'is forbidden by the Content-Security-Policy of this page’s host: for worker-main-*.js, connect-src needs ws: and wss:',
  );
  await server.close();
});

test('a browser that denies connections to this computer, or asks first: the page says what to do', async ({
  page,
}) => {
  test.skip(!hasNativeNode, 'there is no chain spec beside the repository');
  const server = await serveFiles(() => sitePage, {
    headers: pageHeaders(new URLSearchParams()),
    tls: createSelfSigned(siteHost),
  });
  const origin = `https://${siteHost}:${server.port}`;
  await setPermission(page, origin, 'denied');
  const network = await joinAlone(page, `${origin}/`, `/ip4/127.0.0.1/tcp/${await freePort()}/ws`);
  await expect(network.getByRole('alert')).toContainText(
    'The browser blocks connections from this page to this computer. Allow',
  );
  await setPermission(page, origin, 'prompt');
  await page.reload();
  await page.getByRole('button', { name: 'no peers' }).click();
  await expect(network.getByRole('alert')).toContainText(
    'Click “Allow” if the browser asks about apps and services on this device',
  );
  await server.close();
});
