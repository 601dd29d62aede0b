import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { errorToLog } from '../../src/protocol/errors.ts';
import { nextTexts, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp } from '../clients/test-clients.fixture.ts';
import { openTcp } from './attacks.fixture.ts';

type Reply = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

it('an error of the limit of open files has a code and no path', () => {
  const error = Object.assign(new Error("EMFILE: too many open files, open '/home/me/x.ts'"), {
    code: 'EMFILE',
  });
  expect(errorToLog(error)).toMatch(/^LimitReached: No more files can be opened/);
  expect(errorToLog(new Error(error.message))).not.toContain('/home');
});

it.skipIf(process.platform === 'win32')(
  'a node that may open no more files goes on, and prints no stack',
  { timeout: 120_000 },
  async () => {
    const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));
    const args = ['serve', '--dev', '--json', '--seal', 'interval:300', '--ws-port', '0', '--rpc-port', '0'];
    const shell = `ulimit -n 64; exec "$0" "$@"`;
    const child = spawn('sh', ['-c', shell, process.execPath, program, ...args]);
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part;
    });
    const [line] = (await once(child.stdout, 'data')) as [Uint8Array];
    const { http, ws } = JSON.parse(new TextDecoder().decode(line)) as { http: string; ws: string };
    const client = await openSocket(ws);
    onTestFinished(() => client.terminate());
    const ask = async (method: string, ...params: unknown[]): Promise<Reply> => {
      const reply = nextTexts(client, 1);
      client.send(bodyOf(method, params));
      return JSON.parse((await reply)[0] as string) as Reply;
    };
    const sockets: Socket[] = await Promise.all(Array.from({ length: 120 }, () => openTcp(http)));
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.race(closed);
    // Code that is loaded with the first call of a method cannot be loaded now, but later.
    const full = await ask('dev_exportChain');
    expect(full.error).toEqual({
      code: 1,
      message: 'No more files can be opened; close connections or raise the limit (ulimit -n).',
      data: 'LimitReached',
    });
    for (const socket of sockets) socket.destroy();
    // The node closes its side of them only when it sees that they have ended.
    await expect.poll(async () => (await ask('dev_exportChain')).result).toContain('genesisHash');
    const height = async (): Promise<number> =>
      Number(((await callHttp(http, 'chain_getHeader')) as { number: string }).number);
    const before = await height();
    await expect.poll(height, { timeout: 60_000 }).toBeGreaterThan(before + 1);
    expect(stderr).not.toMatch(/\n\s+at |file:|node:internal/);
  },
);
