import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { callHttp } from '../clients/test-clients.fixture.ts';
import { startProcess, startServe, type TestProcess } from '../clients/test-process.fixture.ts';
import { openPage, sharedNode, withOrigin } from '../pages/bridge.fixture.ts';
import { openTcp, untilSaid, upgradeHead } from './attacks.fixture.ts';

/** Fewer if a process may not open that many; `unlimited` is not a number. */
const mayOpen = Number(execFileSync('sh', ['-c', 'ulimit -Hn'])) || Number.POSITIVE_INFINITY;
const count = Math.min(10_000, mayOpen - 1000);
/** As many as connect at a time: the system queues no more of them. */
const atOnce = 200;

beforeAll(() => withOrigin());
const node = sharedNode();

/** The command in a process of its own, because both sides together have more sockets than one may open. */
const commands = {
  serve: async () => {
    const process = await startServe('--dev', '--seal', 'manual');
    return { process, ...process.ready };
  },
  bridge: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tabnode-many-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ports = ['--ws-port', '0', '--rpc-port', '0', '-d', folder];
    const process = startProcess('bridge', '--json', '--page', 'http://127.0.0.1:1/', ...ports);
    const ready = JSON.parse(await process.firstLine) as Record<'ws' | 'http' | 'pairing', string>;
    const value = /code=(.+)$/.exec(ready.pairing)?.[1] ?? '';
    const { openPort } = await node;
    const page = openPage({ url: ready.ws, secret: { kind: 'code', value }, openPort });
    await page.serving;
    return { process, ...ready };
  },
} satisfies Record<string, () => Promise<{ process: TestProcess; ws: string; http: string }>>;

const connectAll = async (address: string, begin: (socket: Socket) => Promise<unknown>) => {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const begun: unknown[] = [];
  while (sockets.length < count) {
    const length = Math.min(atOnce, count - sockets.length);
    const some = await Promise.all(Array.from({ length }, () => openTcp(address)));
    sockets.push(...some);
    begun.push(...(await Promise.all(some.map(begin))));
  }
  return { sockets, begun };
};

describe.each(Object.keys(commands) as (keyof typeof commands)[])('%s', (command) => {
  it(`${count} connections: those that say nothing take no place, and 100 WebSockets are the most`, async () => {
    const { process, ws, http } = await commands[command]();
    const idle = await connectAll(ws, async () => undefined);
    expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
    expect(await callHttp(http, 'system_chain')).toBe('Development');
    for (const socket of idle.sockets) socket.destroy();

    const { sockets, begun } = await connectAll(ws, (socket) => {
      const answer = untilSaid(socket, '\r\n\r\n');
      socket.on('error', () => undefined);
      socket.write(upgradeHead());
      return answer.then((text) => text.slice(9, 12));
    });
    expect(begun.filter((status) => status === '101')).toHaveLength(100);
    expect(begun.filter((status) => status === '429')).toHaveLength(count - 100);
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => callHttp(http, 'system_chain').catch(() => null)).toBe('Development');
    process.kill('SIGTERM');
    expect((await process.ended).code).toBe(0);
  });
});
