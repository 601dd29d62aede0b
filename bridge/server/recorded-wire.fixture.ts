import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { isExplained } from '../../scripts/docs/rpc-differences.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { fixturePath, loadFixtureLines } from '../../test/rigs/fixtures.ts';
import { startServe } from '../clients/test-process.fixture.ts';

/**
 * Replays the recorded traffic of a native node against `tabnode serve` and compares responses (fixtures:
 * protocol, limits, denied, ws-differences).
 */
export type Recorded = {
  readonly args?: string;
  readonly transport: 'http' | 'ws';
  readonly note?: string;
  readonly httpMethod?: string;
  readonly path?: string;
  readonly origin?: string | null;
  readonly headers?: Record<string, string>;
  readonly requestText?: string | { readonly repeat: string; readonly bytes: number };
  readonly request?: { readonly method: string };
  readonly status?: number;
  readonly contentType?: string | null;
  readonly responseText?: string;
  readonly responseTexts?: readonly string[];
  readonly response?: object;
  readonly noResponse?: boolean;
};
export type Served = Awaited<ReturnType<typeof startServe>>;
export type Difference = readonly [reason: string, applies: (one: Recorded) => boolean];

const routes = createRoutes(rpcTable);
export const nameCall = '{"jsonrpc":"2.0","id":1,"method":"system_name"}';

const textOf = ({ requestText, request, note }: Recorded): string => {
  if (request !== undefined) return JSON.stringify(request);
  if (note?.startsWith('a request above 15 MiB') === true) return nameCall.padEnd(15 * 1024 * 1024 + 1);
  if (requestText === undefined) return nameCall;
  if (typeof requestText === 'string') return requestText;
  return `${requestText.repeat}${'a'.repeat(requestText.bytes - requestText.repeat.length - 3)}"]}`;
};

/** Names of methods that are not in the table. Their rows are skipped. */
const missingMethods = (one: Recorded): readonly string[] =>
  [
    ...textOf(one)
      .slice(0, 4096)
      .matchAll(/"method":"(\w+?_\w+)"/g),
  ]
    .map((found) => found[1] as string)
    .filter((name) => !routes.has(name));

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
export const ask = (node: Served, one: Recorded): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = one.note?.startsWith('no content type')
      ? {}
      : { 'content-type': 'application/json', ...one.headers };
    const method = one.httpMethod ?? 'POST';
    const body = method === 'POST' || method === 'PUT' ? textOf(one) : '';
    const sent = httpRequest(
      node.ready.http + (one.path ?? '/'),
      { method, headers: typeof one.origin === 'string' ? { ...headers, origin: one.origin } : headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });

export const openSocket = (node: Served): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(node.ready.ws);
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
/** The next response. Notifications are skipped. */
export const nextText = (socket: WebSocket): Promise<string> =>
  new Promise((resolve) => {
    const take = (data: Uint8Array): void => {
      const text = new TextDecoder().decode(data);
      if (text.startsWith('{"jsonrpc":"2.0","method"')) return;
      socket.off('message', take);
      resolve(text);
    };
    socket.on('message', take);
  });

/**
 * Replaces subscription ids, which are random, and the names of methods and nodes, which differ, and leaves out the positions of
 * the native JSON decoder, which are in a text that only it sees.
 */
const normalise = (text: string): string =>
  text
    .replaceAll('"Judge Node"', '"Tabnode"')
    .replace(/"result":"[A-Za-z0-9]{16}"/, '"result":"id"')
    .replaceAll(/ at line \d+ column \d+/g, '');

const expectedText = (one: Recorded): string =>
  normalise(one.responseTexts?.[0] ?? one.responseText ?? JSON.stringify(one.response));

const fence = '{"jsonrpc":"2.0","id":"fence","method":"system_name"}';
const fenceAnswer = '{"jsonrpc":"2.0","id":"fence","result":"Tabnode"}';

const corsHeaders = (headers: IncomingHttpHeaders): object =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );

export const compareHttp = async (node: Served, one: Recorded): Promise<void> => {
  const answer = await ask(node, one);
  if (one.status !== undefined) expect(answer.status).toBe(one.status);
  if (one.contentType !== undefined) expect(answer.headers['content-type'] ?? null).toBe(one.contentType);
  if (one.args !== undefined && one.headers !== undefined)
    expect(corsHeaders(answer.headers)).toEqual(one.headers);
  expect(normalise(answer.text)).toBe(expectedText(one));
};

export const compareWs = async (socket: WebSocket, one: Recorded): Promise<void> => {
  const answer = nextText(socket);
  socket.send(textOf(one));
  if (one.noResponse === true) {
    socket.send(fence);
    expect(await answer).toBe(fenceAnswer);
  } else expect(normalise(await answer)).toBe(expectedText(one));
};

/** Replays all rows except known differences, and logs how many of each kind there were. */
export const replay = async (
  lines: readonly Recorded[],
  differences: readonly Difference[],
  run: (one: Recorded) => Promise<void>,
): Promise<void> => {
  const used = new Set<Difference>();
  const waiting = new Set<string>();
  const wrong: string[] = [];
  let compared = 0;
  for (const one of lines) {
    const missing = missingMethods(one).filter((name) => !/nope/.test(name));
    const found = differences.find(([, applies]) => applies(one));
    if (found !== undefined) used.add(found);
    else if (missing.length > 0) for (const name of missing) waiting.add(name);
    else {
      compared += 1;
      const label = `${one.transport} ${one.note ?? one.request?.method ?? one.origin}`;
      await run(one).catch((error: Error) => wrong.push(`${label}: ${error.message}`));
    }
  }
  // biome-ignore lint/suspicious/noConsole: the coverage belongs in the run's output
  console.info(
    `${compared} of ${lines.length} lines equal; not built yet: ${[...waiting].join(' ') || 'none'}`,
  );
  expect(wrong).toEqual([]);
  expect([...waiting].filter((name) => !isExplained(name))).toEqual([]);
  expect(differences.filter((one) => !used.has(one)).map(([reason]) => reason)).toEqual([]);
  expect(compared).toBeGreaterThan(0);
};

export const spec = fixturePath('sdk-node/spec.json');
export const start = (...args: string[]): Promise<Served> =>
  startServe('--chain', spec, '--tmp', '--seal', 'manual', '--dialect', 'polkadot-sdk', ...args);
export const stop = async (node: Served): Promise<void> => {
  node.kill('SIGTERM');
  await node.ended;
};
export const load = (name: string): Promise<Recorded[]> =>
  loadFixtureLines<Recorded>(`sdk-node/${name}.jsonl`);
