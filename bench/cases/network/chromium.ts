import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Bench, Line } from '../../figure.ts';
import { median } from '../../measure.ts';
import { bulkBytes } from '../../network/endpoint.ts';
import { listenEndpoint } from '../../network/listen-endpoint.ts';
import type { peerBench } from '../../page/peer.ts';
import { servePage } from '../../serve-page.ts';
import { measureServed } from '../../served-page.ts';

const requests = 300;
const messages = 25;
const rounds = 8;
/** The engine compiles meanwhile. */
const warmUps = 3;

type Bound = { readonly bench: typeof peerBench };

/** A WebSocket alone: it sends back bytes, counts what follows `up N`, and sends as many as `down N` says. */
const serveBare = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    let left = 0;
    socket.on('message', (data: Uint8Array, isBinary) => {
      if (!isBinary) {
        const [way, count] = `${data}`.split(' ');
        if (way === 'up') left = Number(count);
        else for (let at = 0; at < Number(count); at++) socket.send(new Uint8Array(bulkBytes));
      } else if (left === 0) socket.send(data);
      else {
        left--;
        if (left === 0) socket.send('done');
      }
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, close: () => server.close() };
};

const rate = (ms: number): string => ((messages * bulkBytes) / 1e6 / (ms / 1000)).toFixed(0);

export const networkChromium: Bench = {
  name: 'network-chromium',
  about: 'Noise, yamux and a WebSocket in a worker of a headless Chromium, against the WebSocket alone',
  run: () =>
    measureServed(servePage, async (browser, url): Promise<Line[]> => {
      const [bare, own] = [await serveBare(), await listenEndpoint()];
      try {
        const page = await browser.newPage();
        await page.goto(url, { waitUntil: 'load' });
        const task = { bare: bare.url, own: own.url, requests, messages, rounds };
        const times = await page.evaluate(
          (given) => (globalThis as unknown as Bound).bench.compareTransport(given),
          task,
        );
        return (['echo', 'up', 'down'] as const).map((kind) => {
          const counted = times[kind].slice(warmUps);
          const [alone, ours] = [
            median(counted.map((one) => one.bare)),
            median(counted.map((one) => one.own)),
          ];
          const isEcho = kind === 'echo';
          return {
            name: isEcho
              ? 'Chromium worker: a request of 1 KiB on its own stream against a bare echo'
              : `Chromium worker: bulk ${kind} against a bare WebSocket`,
            value: median(counted.map((one) => one.own / one.bare)),
            unit: '×',
            budget: isEcho ? 3 : 2,
            note: isEcho
              ? `${ours.toFixed(2)} and ${alone.toFixed(2)} ms, medians of ${counted.length} rounds of ${requests}`
              : `${rate(ours)} and ${rate(alone)} MB/s, medians of ${counted.length}`,
          };
        });
      } finally {
        bare.close();
        await own.close();
      }
    }),
};
