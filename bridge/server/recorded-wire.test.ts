import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { fixturePath, hasFixtures } from '../../test/rigs/fixtures.ts';
import { startServe } from '../clients/test-process.fixture.ts';
import {
  ask,
  compareHttp,
  compareWs,
  type Difference,
  load,
  nameCall,
  nextText,
  openSocket,
  type Recorded,
  replay,
  type Served,
  spec,
  start,
  stop,
} from './recorded-wire.fixture.ts';

describe.skipIf(!hasFixtures)('traffic recorded from a native node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-wire-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));
  const kept = ['--chain', spec, '--base-path', folder];
  /** On the second call, the blocks are already known. */
  const importAll = (): void => {
    const blocks = fixturePath('sdk-node/blocks.jsonl');
    execFileSync(process.execPath, [program, 'import-blocks', ...kept, '--finality', 'manual', blocks]);
  };
  const startKept = (seal: string, ...args: string[]): Promise<Served> =>
    startServe(...kept, '--seal', seal, '--finality', 'manual', '--dialect', 'polkadot-sdk', ...args);

  /** Its client waits for a response to this very call; without an id it could not tell which call was refused. */
  const tooLarge: Difference = [
    'a request that is too large is refused with its id; the native node refuses it without',
    ({ transport, note }) => transport === 'ws' && /^a request above \d+ MiB/.test(note ?? ''),
  ];

  it('malformed and unusual messages', { timeout: 120_000 }, async () => {
    const node = await start();
    const socket = await openSocket(node);
    const run = (one: Recorded): Promise<void> =>
      one.transport === 'http' ? compareHttp(node, one) : compareWs(socket, one);
    await replay(await load('protocol'), [tooLarge], run);
    socket.close();
    await stop(node);
  });

  it('limits and origins', { timeout: 240_000 }, async () => {
    const lines = await load('limits');
    const differences: readonly Difference[] = [
      tooLarge,
      [
        'the default list means any port of this machine, as it is written; the native node compares it literally',
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
      // The recording omits call 4 of the minute, but the native node counted it.
      if (one.note?.startsWith('call 5')) {
        const fourth = nextText(socket);
        socket.send(nameCall);
        await fourth;
      }
      if (one.noResponse !== true) return compareWs(socket, one);
      // A call that is queued gets no response while others are served.
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
      // The recorded node had received all of this over HTTP before: inserted keys, refused and banned
      // transactions.
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
