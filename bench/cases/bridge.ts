import { readFile } from 'node:fs/promises';
import { chromium as browserType, type Page } from 'playwright';
import { WebSocket, WebSocketServer } from 'ws';
import { startProcess, startServe } from '../../bridge/clients/test-process.fixture.ts';
import { launchOptions } from '../../scripts/chromium.mjs';
import { serveApp } from '../devtools/serve.ts';
import type { Bench, Line } from '../figure.ts';
import { median } from '../measure.ts';

const perRunMs = 1500;
const runs = 5;
const inFlight = 32;

const open = (url: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });

const header = '{"jsonrpc":"2.0","id":1,"method":"chain_getHeader","params":[]}';

/** Responses per second with this many requests in flight. */
const rateOf = (socket: WebSocket, many: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    let answers = 0;
    const listen = (data: Uint8Array): void => {
      if (answers === 0 && new TextDecoder().decode(data).includes('"error"')) reject(new Error(`${data}`));
      answers += 1;
      const ms = performance.now() - from;
      if (ms < perRunMs) socket.send(header);
      else {
        socket.off('message', listen);
        // Responses still in flight must not be counted in the next run.
        setTimeout(() => resolve((answers * 1000) / ms), 100);
      }
    };
    socket.on('message', listen);
    for (let one = 0; one < many; one += 1) socket.send(header);
  });

/**
 * The socket of a page that only echoes: the minimum cost of a call through any page, without any Tabnode
 * code.
 */
const openEcho = async (page: Page): Promise<WebSocket> => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  const arrived = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  await page.evaluate((port) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`);
    socket.onmessage = ({ data }) => socket.send(data);
  }, address.port);
  const socket = await arrived;
  server.close();
  return socket;
};

// Few blocks for many subscriptions: with 100 subscriptions, building their blocks takes 70 % of the time.
const subscriptions = 500;
const blocks = 40;

const seal = `{"jsonrpc":"2.0","id":0,"method":"dev_newBlock","params":[{"count":${blocks}}]}`;

/** Notifications per second; waits until all of them have arrived. */
const notificationRate = async (url: string): Promise<number> => {
  const socket = await open(url);
  let heard = 0;
  let wake = (): void => undefined;
  let awaited = subscriptions;
  socket.on('message', () => {
    heard += 1;
    if (heard === awaited) wake();
  });
  const all = (count: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      awaited = heard + count;
    });
  // Each subscription gets a response and the best header.
  const opened = all(2 * subscriptions);
  for (let id = 1; id <= subscriptions; id += 1)
    socket.send(`{"jsonrpc":"2.0","id":${id},"method":"chain_subscribeNewHeads","params":[]}`);
  await opened;
  const from = performance.now();
  const told = all(subscriptions * blocks + 1);
  socket.send(seal);
  await told;
  const rate = (subscriptions * blocks * 1000) / (performance.now() - from);
  socket.terminate();
  return rate;
};

const idle = 1000;

/** Resident memory of the bridge's process used by idle connections, in bytes. */
const idleBytes = async (url: string, pid: number): Promise<number> => {
  const resident = async (): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  };
  const before = await resident();
  const sockets = await Promise.all(Array.from({ length: idle }, () => open(url)));
  const after = await resident();
  for (const socket of sockets) socket.terminate();
  return after - before;
};

type Ready = { readonly ws: string; readonly pairing: string };

/** A page of the built devtools behind a bridge, with a chain that seals a block every two seconds. */
const openBridged = async () => {
  const server = await serveApp();
  const ports = ['--ws-port', '0', '--rpc-port', '0', '--rpc-max-connections', '2000'];
  const bridge = startProcess('bridge', '--json', '--page', server.url, '--accept-first', ...ports);
  const { ws, pairing } = JSON.parse(await bridge.firstLine) as Ready;
  const browser = await browserType.launch(await launchOptions());
  const page = await browser.newPage();
  await page.goto(`${pairing}&accept=1&unsafe=1`);
  await page.getByRole('button', { name: /^Bridge: 0 clients/ }).waitFor();
  return {
    ws,
    pid: bridge.pid,
    echo: await openEcho(page),
    close: async () => {
      await browser.close();
      bridge.kill('SIGTERM');
      await bridge.ended;
      await server.close();
    },
  };
};

export const bridge: Bench = {
  name: 'bridge',
  about: 'a tab in Chromium through tabnode bridge, against tabnode serve',
  run: async (): Promise<Line[]> => {
    const served = await startServe('--dev');
    const bridged = await openBridged();
    try {
      const [near, far, { echo }] = [await open(served.ready.ws), await open(bridged.ws), bridged];
      const trips: number[] = [];
      const echoes: number[] = [];
      const rates: number[] = [];
      for (const socket of [near, far, echo]) await rateOf(socket, inFlight);
      for (let run = 0; run < runs; run += 1) {
        const [serve, bridge] = [await rateOf(near, 1), await rateOf(far, 1)];
        trips.push(serve / bridge);
        echoes.push(serve / (await rateOf(echo, 1)));
        rates.push(await rateOf(far, inFlight));
      }
      return [
        {
          name: 'round trip of chain_getHeader, bridge : serve',
          value: median(trips),
          unit: '×',
          budget: 1.6,
          note: `medians of ${runs} turns, one call at a time`,
        },
        {
          name: 'round trip of an empty echo by a page, echo : serve',
          value: median(echoes),
          unit: '×',
          budget: null,
          note: 'the same turns: the least that a call through a page can take',
        },
        {
          name: `chain_getHeader through a bridge, ${inFlight} in flight`,
          value: median(rates),
          unit: '/s',
          budget: 4000,
          note: 'while the tab seals every 2 s',
        },
        {
          name: 'notifications through a bridge',
          value: await notificationRate(bridged.ws),
          unit: '/s',
          budget: 10_000,
          note: `${blocks} blocks for ${subscriptions} subscriptions, none dropped; building the blocks included`,
        },
        {
          name: `memory of a bridge for ${idle} idle connections`,
          value: await idleBytes(bridged.ws, bridged.pid),
          unit: 'B',
          budget: 60_000_000,
        },
      ];
    } finally {
      await bridged.close();
      served.kill('SIGTERM');
      await served.ended;
    }
  },
};
