import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { startServe } from '../../bridge/clients/test-process.fixture.ts';
import type { Bench, Line } from '../figure.ts';
import { median } from '../measure.ts';

const spec = fileURLToPath(new URL('../../../shared/fixtures/sdk-node/spec.json', import.meta.url));
const perRunMs = 800;
/** Warm-up runs: for a few seconds the engine compiles what a native node has already compiled. */
const warmUps = 4;
/** Runs that count, alternating with the echo's. */
const runs = 3;

/** `System.Account` of //Alice. */
const accountKey =
  '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9de1e86a9a8c739864cf3cc5ec2bea59fd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

/**
 * The rates of a native node over one WebSocket with 1 and 32 requests in flight (the recordings' README).
 */
const calls: readonly (readonly [method: string, params: readonly unknown[], one: number, many: number])[] = [
  ['system_name', [], 7600, 22_500],
  ['chain_getHeader', [], 8000, 20_700],
  ['state_getStorage', [accountKey], 6400, 31_800],
  ['state_getReadProof', [[accountKey]], 6700, 22_900],
  ['state_call', ['Core_version', '0x'], 2900, 12_700],
  ['state_getMetadata', [], 106, 265],
];

const open = (url: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });

/** Responses per second with a constant number of requests in flight. */
const measureRate = async (
  socket: WebSocket,
  method: string,
  params: readonly unknown[],
  inFlight: number,
): Promise<number> => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const done = Promise.withResolvers<number>();
  const from = performance.now();
  let answers = 0;
  const listen = (data: Uint8Array): void => {
    if (answers === 0 && new TextDecoder().decode(data).includes('"error"'))
      done.reject(new Error(`${method}: ${new TextDecoder().decode(data)}`));
    answers++;
    const ms = performance.now() - from;
    if (ms < perRunMs) socket.send(text);
    else done.resolve((answers * 1000) / ms);
  };
  socket.on('message', listen);
  for (let i = 0; i < inFlight; i++) socket.send(text);
  try {
    return await done.promise;
  } finally {
    socket.off('message', listen);
  }
};

/**
 * A bare echo in a separate process, in the same run: if it is below a native rate, this machine cannot reach
 * that rate.
 */
const openEcho = async (): Promise<{ readonly url: string; close(): void }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../ws-echo.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Uint8Array];
  return { url: `ws://127.0.0.1:${`${port}`.trim()}`, close: () => void child.kill() };
};

const measureAt = async (url: string, call: readonly [string, readonly unknown[]], inFlight: number) => {
  const socket = await open(url);
  const value = await measureRate(socket, ...call, inFlight);
  socket.terminate();
  return value;
};

export const websocket: Bench = {
  name: 'websocket',
  about: 'requests per second over one WebSocket, against a native node',
  run: async () => {
    if (!existsSync(spec)) return [{ name: 'requests over a WebSocket', skipped: 'no ../shared/fixtures' }];
    const served = await startServe('--chain', spec, '--tmp', '--dialect', 'polkadot-sdk');
    const echo = await openEcho();
    try {
      const lines: Line[] = [];
      for (const [method, params, one, many] of calls) {
        for (const [inFlight, budget] of [
          [1, one],
          [32, many],
        ] as const) {
          const rateAt = (url: string) => measureAt(url, [method, params], inFlight);
          for (let run = 0; run < warmUps; run++) await rateAt(served.ready.ws);
          await rateAt(echo.url);
          const pairs: [number, number][] = [];
          for (let run = 0; run < runs; run++)
            pairs.push([await rateAt(served.ready.ws), await rateAt(echo.url)]);
          lines.push({
            name: `${method}, ${inFlight} in flight`,
            value: median(pairs.map(([own]) => own)),
            unit: '/s',
            budget,
            note: `a bare echo of the request: ${median(pairs.map(([, bare]) => bare)).toFixed(0)} /s`,
          });
        }
      }
      return lines;
    } finally {
      echo.close();
      served.kill('SIGTERM');
      await served.ended;
    }
  },
};
