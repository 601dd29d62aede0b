import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post } from '../clients/test-clients.fixture.ts';
import { runProcess, runServe, startProcess, startServe } from '../clients/test-process.fixture.ts';
import { openPage, sharedNode, withOrigin } from '../pages/bridge.fixture.ts';

// Places that cannot hold what a command stores. A base path that may not be written: read-only.test.ts.

beforeAll(() => withOrigin());
const node = sharedNode();

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-places-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Where the chain of --dev is stored below a base path. */
const databaseIn = (folder: string): string => {
  const chain = join(folder, 'chains', 'development');
  mkdirSync(chain, { recursive: true });
  return join(chain, 'tabnode.sqlite');
};

describe('a database that is not this node’s', () => {
  it.each([
    [
      'of another program',
      (path: string) => {
        const other = new DatabaseSync(path);
        other.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
        other.close();
      },
      (path: string) => {
        const other = new DatabaseSync(path);
        const rows = other.prepare('SELECT text FROM notes').all();
        other.close();
        return rows.map((row) => row['text']);
      },
      ['mine'],
    ],
    [
      'that is a text',
      (path: string) => writeFileSync(path, 'a letter to somebody else\n'.repeat(100)),
      (path: string) => readFileSync(path, 'utf8').length,
      2600,
    ],
  ])('%s is refused, and keeps what is in it', async (_name, write, read, expected) => {
    const folder = newFolder();
    const path = databaseIn(folder);
    write(path);
    const { code, stderr } = await runServe('--dev', '--base-path', folder);
    expect(code).toBe(1);
    // The first line says that others could read the file.
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ code: 'StorageBroken' });
    expect(read(path)).toEqual(expected);
  });
});

it.skipIf(!existsSync('/proc/self'))('a folder that the system cannot create is named', async () => {
  const { code, stderr } = await runServe('--dev', '--base-path', '/proc/tabnode');
  expect(code).toBe(1);
  const message = '/proc/tabnode/chains/development cannot be created: ENOENT';
  expect(JSON.parse(stderr)).toMatchObject({ code: 'StorageBroken', message });
});

/** Only root may mount a small disk that fills up quickly. */
const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();

const newDisk = (size: string): string => {
  const folder = newFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return folder;
};

/** Uses up all remaining space. Returns the function that frees it again. */
const fill = (folder: string): (() => void) => {
  const path = join(folder, 'filler');
  for (let bytes = 1024 * 1024; bytes > 0; )
    try {
      writeFileSync(path, new Uint8Array(bytes), { flag: 'a' });
    } catch {
      bytes = Math.floor(bytes / 4);
    }
  return () => rmSync(path);
};

describe.skipIf(!canMount)('a full disk', () => {
  it('leaves reads working, is reported to callers that build blocks, and loses nothing', async () => {
    const folder = newDisk('24m');
    const args = ['--dev', '--seal', 'manual', '--base-path', folder] as const;
    const serve = await startServe(...args);
    const { http, ws } = serve.ready;
    expect(await callHttp(http, 'dev_newBlock')).toMatch(/^0x/);
    const empty = fill(folder);
    let refused: { readonly error?: { readonly message: string; readonly data?: string } } = {};
    while (refused.error === undefined)
      refused = (await (await post(http, bodyOf('dev_newBlock', [{ count: 100 }]))).json()) as typeof refused;
    expect(JSON.stringify(refused.error)).toContain('disk is full');
    const best = await callHttp(http, 'chain_getBlockHash');
    expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
    empty();
    expect(await callHttp(http, 'dev_newBlock')).toMatch(/^0x/);
    const last = await callHttp(http, 'chain_getHeader');
    expect(last).toMatchObject({ parentHash: best });
    serve.kill('SIGTERM');
    expect((await serve.ended).code).toBe(0);
    const again = await startServe(...args);
    expect(await callHttp(again.ready.http, 'chain_getHeader')).toEqual(last);
    again.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
  });

  it('is no obstacle to a bridge, which says that its key is not kept', async () => {
    const folder = newDisk('1m');
    fill(folder);
    await serveWithoutKey(folder);
  });
});

/** A bridge whose key cannot be stored works until it ends. */
const serveWithoutKey = async (folder: string): Promise<void> => {
  const bridge = startProcess(
    ...['bridge', '--page', 'http://127.0.0.1:1/', '-d', folder, '--ws-port', '0', '--rpc-port', '0'],
  );
  await bridge.firstLine;
  await expect.poll(() => bridge.printed()).toContain('The key of this bridge cannot be stored');
  const [, ws = ''] = /WebSocket +(\S+)/.exec(bridge.printed()) ?? [];
  const [, value = ''] = /code=(\S+)/.exec(bridge.printed()) ?? [];
  const { openPort } = await node;
  await openPage({ url: ws, secret: { kind: 'code', value }, openPort }).serving;
  expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
  bridge.kill('SIGTERM');
  expect((await bridge.ended).code).toBe(0);
};

describe('a bridge', () => {
  it('whose base path cannot be created works, and says that its key is not kept', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await serveWithoutKey(join(file, 'folder'));
  });

  it('that finds another at its port exits with the reason, and the other keeps running', async () => {
    const folder = newFolder();
    const args = ['bridge', '--json', '--page', 'http://127.0.0.1:1/', '-d', folder] as const;
    const first = startProcess(...args, '--ws-port', '0', '--rpc-port', '0');
    const { ws, pairing } = JSON.parse(await first.firstLine) as Record<'ws' | 'pairing', string>;
    const { code, stderr } = await runProcess(...args, '--ws-port', new URL(ws).port, '--rpc-port', '0');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'BadConfig',
      message: `Port ${new URL(ws).port} of 127.0.0.1 is in use: end what uses it, or choose another port`,
    });
    const value = /code=(.+)$/.exec(pairing)?.[1] ?? '';
    const { openPort } = await node;
    await openPage({ url: ws, secret: { kind: 'code', value }, openPort }).serving;
    expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
    first.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
  });
});
