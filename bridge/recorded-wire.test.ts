import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { isExplained } from '../scripts/rpc-differences.ts';
import { createRoutes, rpcTable } from '../src/protocol/rpc/index.ts';
import { fixturePath, hasFixtures, loadFixtureLines } from '../test/fixtures.ts';
import { startServe } from './test-process.ts';

/**
 * Replays the recorded traffic of a native node against `tabnode serve` and compares responses (fixtures:
 * protocol, limits, denied, ws-differences).
 */
type Recorded = {
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
type Served = Awaited<ReturnType<typeof startServe>>;
type Difference = readonly [reason: string, applies: (one: Recorded) => boolean];

const routes = createRoutes(rpcTable);
const nameCall = '{"jsonrpc":"2.0","id":1,"method":"system_name"}';

const textOf = ({ requestText, request, note }: Recorded): string => {
  if (request !== undefined) return JSON.stringify(request);
  if (note?.startsWith('a request above 15 MiB') === true) return nameCall.padEnd(15 * 1024 * 1024 + 1);
  if (requestText === undefined) return nameCall;
  if (typeof requestText === 'string') return requestText;
  return `${requestText.repeat}${'a'.repeat(requestText.bytes - requestText.repeat.length - 3)}"]}`;
};

/** Names of methods that are not in the table; their rows are skipped until they exist. */
const missingMethods = (one: Recorded): readonly string[] =>
  [
    ...textOf(one)
      .slice(0, 4096)
      .matchAll(/"method":"(\w+?_\w+)"/g),
  ]
    .map((found) => found[1] as string)
    .filter((name) => !routes.has(name));

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };
const ask = (node: Served, one: Recorded): Promise<Answer> =>
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

const openSocket = (node: Served): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(node.ready.ws);
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
  });
/** The next response; notifications are skipped. */
const nextText = (socket: WebSocket): Promise<string> =>
  new Promise((resolve) => {
    const take = (data: Uint8Array): void => {
      const text = new TextDecoder().decode(data);
      if (text.startsWith('{"jsonrpc":"2.0","method"')) return;
      socket.off('message', take);
      resolve(text);
    };
    socket.on('message', take);
  });

/** Subscription ids are random, and names differ. */
const normalise = (text: string): string =>
  text.replaceAll('"Judge Node"', '"Tabnode"').replace(/"result":"[A-Za-z0-9]{16}"/, '"result":"id"');

const expectedText = (one: Recorded): string =>
  normalise(one.responseTexts?.[0] ?? one.responseText ?? JSON.stringify(one.response));

const fence = '{"jsonrpc":"2.0","id":"fence","method":"system_name"}';
const fenceAnswer = '{"jsonrpc":"2.0","id":"fence","result":"Tabnode"}';

const corsHeaders = (headers: IncomingHttpHeaders): object =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );

const compareHttp = async (node: Served, one: Recorded): Promise<void> => {
  const answer = await ask(node, one);
  if (one.status !== undefined) expect(answer.status).toBe(one.status);
  if (one.contentType !== undefined) expect(answer.headers['content-type'] ?? null).toBe(one.contentType);
  if (one.args !== undefined && one.headers !== undefined)
    expect(corsHeaders(answer.headers)).toEqual(one.headers);
  expect(normalise(answer.text)).toBe(expectedText(one));
};

const compareWs = async (socket: WebSocket, one: Recorded): Promise<void> => {
  const answer = nextText(socket);
  socket.send(textOf(one));
  if (one.noResponse === true) {
    socket.send(fence);
    expect(await answer).toBe(fenceAnswer);
  } else expect(normalise(await answer)).toBe(expectedText(one));
};

/** Runs the lines that no known difference covers, and logs how many of each kind there were. */
const replay = async (
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

const spec = fixturePath('sdk-node/spec.json');
const start = (...args: string[]): Promise<Served> =>
  startServe('--chain', spec, '--tmp', '--seal', 'manual', '--dialect', 'polkadot-sdk', ...args);
const stop = async (node: Served): Promise<void> => {
  node.kill('SIGTERM');
  await node.ended;
};
const load = (name: string): Promise<Recorded[]> => loadFixtureLines<Recorded>(`sdk-node/${name}.jsonl`);

describe.skipIf(!hasFixtures)('the wire as recorded from a native node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-wire-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const program = fileURLToPath(new URL('./tabnode.ts', import.meta.url));
  const kept = ['--chain', spec, '--base-path', folder];
  /** On the second call, the blocks are already there. */
  const importAll = (): void => {
    const blocks = fixturePath('sdk-node/blocks.jsonl');
    execFileSync(process.execPath, [program, 'import-blocks', ...kept, '--finality', 'manual', blocks]);
  };
  const startKept = (seal: string, ...args: string[]): Promise<Served> =>
    startServe(...kept, '--seal', seal, '--finality', 'manual', '--dialect', 'polkadot-sdk', ...args);

  it('malformed and unusual messages', { timeout: 120_000 }, async () => {
    const node = await start();
    const socket = await openSocket(node);
    const run = (one: Recorded): Promise<void> =>
      one.transport === 'http' ? compareHttp(node, one) : compareWs(socket, one);
    await replay(await load('protocol'), [], run);
    socket.close();
    await stop(node);
  });

  it('limits and origins', { timeout: 240_000 }, async () => {
    const lines = await load('limits');
    const differences: readonly Difference[] = [
      [
        'the default list means any port of this machine, as it is written; the native node compares it literally (RPC.md §9)',
        ({ args, origin }) => args === '' && /^http:\/\/(localhost|127\.0\.0\.1):/.test(origin ?? ''),
      ],
      [
        'a page that is not in the list is refused; the native node executes its call and leaves out a header (decision 14)',
        ({ args, origin }) =>
          (args === '' && origin === 'http://evil.example') ||
          (args === '--rpc-cors none' && typeof origin === 'string'),
      ],
    ];
    const groups = Map.groupBy(lines, ({ args }) => args ?? '');
    let asked: Served | null = null;
    let sockets: WebSocket[] = [];
    let current: string | null = null;
    const prepare = async (args: string): Promise<Served> => {
      if (asked !== null && current === args) return asked;
      for (const socket of sockets) socket.close();
      sockets = [];
      if (asked !== null) await stop(asked);
      current = args;
      // The response that is too big is a light client specification, which requires a finalized block.
      const isOfChain = args.startsWith('--rpc-max-response-size');
      if (isOfChain) importAll();
      const flags = args === '' ? [] : args.split(' ');
      asked = await (isOfChain ? startKept('manual', ...flags) : start(...flags));
      if (args.startsWith('--rpc-max-connections'))
        sockets = [await openSocket(asked), await openSocket(asked)];
      else if (groups.get(args)?.some(({ transport }) => transport === 'ws')) {
        sockets = [await openSocket(asked)];
        if (args.includes('max-subscriptions')) {
          const first = nextText(sockets[0] as WebSocket);
          sockets[0]?.send('{"jsonrpc":"2.0","id":0,"method":"grandpa_subscribeJustifications","params":[]}');
          await first;
        }
      }
      return asked;
    };
    await replay(lines, differences, async (one) => {
      const node = await prepare(one.args ?? '');
      if (one.transport === 'http') return compareHttp(node, one);
      const socket = sockets[0] as WebSocket;
      if (!one.args?.includes('rate-limit')) return compareWs(socket, one);
      // The fourth call of the minute was made, although its line is left out like the ones before.
      if (one.note?.startsWith('call 5')) {
        const fourth = nextText(socket);
        socket.send(nameCall);
        await fourth;
      }
      if (one.noResponse !== true) return compareWs(socket, one);
      // A call that waits for its turn stays silent while others are served.
      let isAnswered = false;
      socket.once('message', () => {
        isAnswered = true;
      });
      socket.send(nameCall);
      await ask(node, { transport: 'http' });
      expect(isAnswered).toBe(false);
    });
    for (const socket of sockets) socket.terminate();
    if (asked !== null) await stop(asked);
  });

  describe('on the recorded chain', () => {
    it('responses that differ between WebSocket and HTTP', { timeout: 120_000 }, async () => {
      importAll();
      const node = await startKept('manual');
      const socket = await openSocket(node);
      const differences: readonly Difference[] = [
        [
          'random keys, peers and addresses of another node',
          ({ request, note }) => note === 'random' || request?.method === 'system_unstable_networkState',
        ],
        [
          'the request that inserted this key is left out of the recordings',
          ({ request }) => request?.method === 'author_hasKey',
        ],
      ];
      // The recorded node had already received all of this over HTTP: keys were inserted, transactions
      // refused and banned.
      for (const one of await load('static')) await ask(node, one);
      await replay(await load('ws-differences'), differences, (one) => compareWs(socket, one));
      socket.close();
      await stop(node);
    });

    it('denied calls', { timeout: 120_000 }, async () => {
      const node = await startKept('slots', '--rpc-methods', 'safe');
      const differences: readonly Difference[] = [
        [
          'the list has names of our own, and lacks those of docs/rpc.md',
          ({ request }) => request?.method === 'rpc_methods',
        ],
        [
          'making blocks is unsafe here, also where no seal mode offers it (decision 14)',
          ({ request }) => request?.method === 'engine_createBlock',
        ],
      ];
      await replay(await load('denied'), differences, (one) => compareHttp(node, one));
      await stop(node);
    });
  });
});
