import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { WebSocket, WebSocketServer } from 'ws';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { type Ready, startProcess, type TestProcess } from '../bridge/clients/test-process.fixture.ts';
import { expectAccessible } from './axe.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults, fact, shownBest } from './support.ts';

/** Node processes, each ended after the test. */
const nodes: TestProcess[] = [];
const startNode = async (...flags: readonly string[]): Promise<Ready & { end(): Promise<void> }> => {
  const ports = ['--ws-port', '0', '--rpc-port', '0'];
  const node = startProcess('serve', '--json', '--dev', '--seal', 'manual', ...ports, ...flags);
  nodes.push(node);
  const ready = JSON.parse(await node.firstLine) as Ready;
  const end = async (): Promise<void> => {
    node.kill('SIGTERM');
    await node.ended;
  };
  return { ...ready, end };
};
test.afterEach(async () => {
  for (const node of nodes.splice(0)) {
    node.kill('SIGTERM');
    expect((await node.ended).code).toBe(0);
  }
});

const openAt = (page: Page, rpc: string, place = '') => page.goto(`/?rpc=${encodeURIComponent(rpc)}${place}`);
const best = (page: Page) => page.getByRole('link', { name: 'Best block' });
const remoteTag = (page: Page) => page.getByRole('link', { name: /^remote/ });
const seal = (page: Page) => page.getByRole('button', { name: /^Seal block/ });
const views = (page: Page, name: string) => page.getByRole('navigation', { name }).getByRole('link');

const listen = async (): Promise<{ readonly server: WebSocketServer; readonly url: string }> => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  return { server, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` };
};
const close = (server: WebSocketServer): void => {
  for (const client of server.clients) client.terminate();
  server.close();
};

/**
 * Forwards everything between the page and a node except the methods that this hides, as if the node did not
 * have them.
 */
const startPoorNode = async (ws: string, isHidden: (method: string) => boolean) => {
  const { server, url } = await listen();
  const asked: string[] = [];
  server.on('connection', (client) => {
    const node = new WebSocket(`${ws}/?dialect=polkadot-sdk`);
    const opened = new Promise((resolve) => node.once('open', resolve));
    client.on('close', () => node.close());
    client.on('message', async (data: Buffer) => {
      const { id, method } = JSON.parse(data.toString()) as { id: number; method: string };
      asked.push(method);
      const error = { code: -32601, message: 'Method not found' };
      if (isHidden(method)) return client.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
      await opened;
      node.send(data.toString());
    });
    node.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { result?: { methods?: string[] } };
      const methods = message.result?.methods;
      if (Array.isArray(methods) && message.result !== undefined)
        message.result.methods = methods.filter((method) => !isHidden(method));
      client.send(methods === undefined ? data.toString() : JSON.stringify(message));
    });
  });
  return { url, asked, close: () => close(server) };
};

test('a node that is served is opened, with everything it has; lost, it is told of, and shown once it is back', async ({
  page,
}) => {
  const faults = collectFaults(page);
  const first = await startNode();
  const { ws, http, genesisHash } = first;
  await openAt(page, ws);
  await expect(page.getByRole('heading', { name: 'Development', level: 1 })).toBeVisible();
  await expect(remoteTag(page)).toContainText(ws);
  await expect(best(page)).toHaveText('#0');
  expect(page.workers()).toHaveLength(0);

  await callHttp(http, 'dev_newBlock', []);
  await expect(best(page)).toHaveText('#1');
  await seal(page).click();
  await expect(best(page)).toHaveText('#2');
  expect(await callHttp(http, 'chain_getBlockHash', [2])).toMatch(/^0x/);
  await expect(page.getByRole('combobox', { name: 'Seal mode' })).toHaveValue('manual');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Node', exact: true }).click();
  await expect(fact(page, 'genesis')).toContainText(genesisHash.slice(0, 6));
  await expect(fact(page, 'stored')).toContainText('memory');
  await expect(page.getByRole('link', { name: 'Keys', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Send' }).click();
  await expect(page.getByRole('link', { name: 'Pool', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Chain', exact: true }).click();
  await page.getByRole('link', { name: 'Control' }).click();
  await expect(page.getByRole('button', { name: 'Reset the chain…' })).toBeVisible();
  expect(faults).toEqual([]);

  // It is lost, and comes back.
  await page.clock.install();
  await openAt(page, ws, '#/chain');
  await expect(best(page)).toHaveText('#2');
  await first.end();
  const alert = page.getByRole('alert').filter({ hasText: 'was lost' });
  await expect(alert).toContainText(first.ws);
  await expect(alert).toContainText('The page shows earlier data');
  await expect(best(page)).toHaveText('#2');
  await expectAccessible(page);

  // It would reconnect by itself, but its clock stands still: the button does not wait.
  await page.clock.pauseAt(Date.now() + 60_000);
  const again = await startNode('--ws-port', new URL(first.ws).port);
  await callHttp(again.http, 'dev_newBlock', [{ count: 3 }]);
  await alert.getByRole('button', { name: 'Reconnect' }).click();
  await expect(alert).toHaveCount(0);
  await page.clock.resume();
  await expect(best(page)).toHaveText('#3');

  // A page opens before its node is there.
  await again.end();
  await page.goto('about:blank');
  await openAt(page, first.ws);
  const refused = page.getByRole('alert');
  await expect(refused).toContainText(`Nothing answers at ${first.ws}`);
  await expectAccessible(page);
  const { ws: there, http: rpc } = await startNode('--ws-port', new URL(first.ws).port);
  await expect(best(page)).toHaveText('#0');

  await test.step('a page of this browser leads to a node elsewhere, and back', async () => {
    const faults = collectFaults(page);
    await page.goto('/');
    await expect(best(page)).toBeVisible();
    await page.getByRole('button', { name: /^Search or run/ }).click();
    await page.getByRole('combobox', { name: 'Search or run' }).fill('connect to');
    await page.getByRole('option', { name: /^Connect to a node/ }).click();
    await expect(page.getByRole('heading', { name: 'Connect to a node' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Node address' }).fill(there.replace('ws://', ''));
    await page.keyboard.press('Enter');
    await expect(remoteTag(page)).toContainText(there);

    await remoteTag(page).click();
    const known = page.getByRole('list', { name: 'Recent nodes' });
    await expect(known.getByRole('link')).toHaveText(`${there}/`);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open this browser’s chains' }).click();
    await expect(page.getByRole('button', { name: /Development/ })).toBeVisible();
    expect(await shownBest(page)).toBeGreaterThanOrEqual(0);
    expect(faults).toEqual([]);
  });

  await test.step('of a node without dev_ methods nothing is shown that needs them, and none is called', async () => {
    const faults = collectFaults(page);
    await callHttp(rpc, 'dev_newBlock', [{ count: 3 }]);
    const isHidden = (method: string) => /^(dev|engine|offchain)_/.test(method);
    const poor = await startPoorNode(there, isHidden);
    await openAt(page, poor.url);
    await expect(best(page)).toHaveText('#3');
    await expect(seal(page)).toHaveCount(0);
    await expect(page.getByText('pool', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Control' })).toHaveCount(0);
    await openAt(page, poor.url, '#/chain/2');
    await expect(page.getByRole('heading', { name: 'Block #2' })).toBeVisible();
    await page.getByRole('link', { name: 'Node', exact: true }).click();
    await expect(fact(page, 'genesis')).toContainText('0x');
    await expect(views(page, 'Views of the node')).toHaveText(['Charts', 'Report']);
    await page.getByRole('link', { name: 'Runtime' }).click();
    await expect(views(page, 'Views of the runtime')).toHaveText([
      'Version',
      'Pallets',
      'APIs',
      'Types',
      'Decode',
    ]);
    await page.getByRole('link', { name: 'Send' }).click();
    await expect(views(page, 'Ways to send')).toHaveText(['Build a call', 'Submit raw']);
    await page.getByRole('link', { name: 'Storage' }).click();
    await expect(page.getByRole('link', { name: /^System/ }).first()).toBeVisible();
    await expectAccessible(page);
    expect(poor.asked.filter(isHidden)).toEqual([]);
    expect(faults).toEqual([]);
    poor.close();
  });
});

test('what cannot be connected to is told with what to do; what a page may not call is left out; `tabnode` prints its address', async ({
  page,
}) => {
  const { ws } = await startNode('--rpc-cors', 'none');
  const alert = page.getByRole('alert');
  await openAt(page, ws);
  await expect(alert).toContainText('refuses a WebSocket of this page: start the node with --rpc-cors all');
  await openAt(page, 'ftp://example.com');
  await expect(alert).toContainText('“ftp://example.com” is not the address of a node');
  await page.getByRole('textbox', { name: 'Node address' }).fill('mailto:me');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(alert.last()).toContainText('“mailto:me” is not the address of a node');

  // A server of pages.
  await openAt(page, e2eUrl('app'));
  await expect(alert).toContainText('opens no WebSocket and answers HTTP 200 (text/html): check the address');

  const { server: stranger, url } = await listen();
  stranger.on('connection', (socket) => socket.on('message', () => socket.send('hello')));
  await openAt(page, url);
  await expect(alert).toContainText('closed the connection');
  close(stranger);

  await test.step('a policy that does not allow the node is told of, with what it needs', async () => {
    // A static host that sends the same policy for every URL.
    await page.route(/\?rpc=/, async (route) => {
      const response = await route.fetch();
      const headers = response.headers();
      const policy = headers['content-security-policy']?.replace(/ \w+:\/\/node\.invalid\b/g, '') ?? '';
      await route.fulfill({ response, headers: { ...headers, 'content-security-policy': policy } });
    });
    await openAt(page, 'ws://node.invalid');
    await expect(page.getByRole('alert')).toContainText(
      'Content-Security-Policy of this page does not allow node.invalid: add ws://node.invalid to its connect-src',
    );
  });

  await test.step('what a page may not call is left out, although the node lists it', async () => {
    await page.unrouteAll();
    const { ws } = await startNode('--rpc-methods', 'safe');
    await openAt(page, ws, '#/node');
    await expect(best(page)).toHaveText('#0');
    await expect(views(page, 'Views of the node')).toHaveText(['Charts', 'Offchain', 'Report']);
    await expect(seal(page)).toHaveCount(0);
  });

  await test.step('tabnode without a command prints the address at which the devtools show its node', async () => {
    const free = ['--ws-port', '0', '--rpc-port', '0', '--page', e2eUrl('app')];
    const command = startProcess('--json', '--no-open', '--seal', 'manual', ...free);
    nodes.push(command);
    const ready = JSON.parse(await command.firstLine) as Ready & { readonly page: string };
    await page.goto(ready.page);
    await expect(remoteTag(page)).toContainText(ready.ws);
    await seal(page).click();
    await expect(best(page)).toHaveText('#1');
    command.kill('SIGINT');
    // A read of the panel may have failed with it.
    await expect(page.getByRole('alert').filter({ hasText: 'was lost' })).toBeVisible();
    expect((await command.ended).code).toBe(0);
  });
});
