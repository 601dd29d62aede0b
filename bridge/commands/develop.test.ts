import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Ready, runProcess, startProcess, startProcessIn } from '../clients/test-process.fixture.ts';
import { hasScreen, parseDevelopArguments } from './develop.ts';

describe('the options of tabnode without a command', () => {
  it('separates its own options from those of serve', () => {
    expect(parseDevelopArguments([])).toEqual({ open: true, page: null, pagePort: null, serve: [] });
    const given = ['--seal', 'instant', '--no-open', '--page-port', '81', '--json'];
    expect(parseDevelopArguments(given)).toEqual({
      open: false,
      page: null,
      pagePort: 81,
      serve: ['--seal', 'instant', '--json'],
    });
    expect(parseDevelopArguments(['--page-port=0']).pagePort).toBe(0);
  });

  it.each([
    ['--page-port'],
    ['--page-port', 'x'],
    ['--page-port=70000'],
    ['--page', 'ws://a'],
    ['--page', 'http://a', '--page-port', '1'],
  ])('%s %s is refused', (...given) => {
    expect(() => parseDevelopArguments(given)).toThrow('--page');
  });
});

describe('opening a browser', () => {
  it.each([
    [{ DISPLAY: ':0' }, 'linux', true],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', true],
    [{}, 'linux', false],
    [{}, 'darwin', true],
    [{}, 'win32', true],
    [{ CI: 'true', DISPLAY: ':0' }, 'linux', false],
    [{ CI: '1' }, 'darwin', false],
  ] as const)('with a display: %j on %s: %s', (env, platform, expected) => {
    expect(hasScreen(env, platform)).toBe(expected);
  });
});

/** Devtools that are never opened: scripts/package.nightly.test.ts covers real ones. */
const elsewhere = ['--page', 'http://127.0.0.1:1/sub/#x'];
const folder = mkdtempSync(join(tmpdir(), 'tabnode-develop-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Started = Ready & { readonly page: string };

const listenOn = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

describe('tabnode', () => {
  it('starts a node in memory and prints the URL of the connected page, until Ctrl+C', async () => {
    const free = ['--ws-port', '0', '--rpc-port', '0', ...elsewhere];
    const command = startProcess('--json', '--no-open', '--seal', 'manual', ...free);
    const ready = JSON.parse(await command.firstLine) as Started;
    expect(ready).toMatchObject({ event: 'ready', bestNumber: 0 });
    expect(ready.page).toBe(`http://127.0.0.1:1/sub/?rpc=${ready.ws}`);
    const call = await fetch(ready.http, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"dev_status","params":[]}',
    });
    expect(await call.json()).toMatchObject({
      result: { genesisHash: ready.genesisHash, storage: 'memory', seal: { kind: 'manual' } },
    });
    command.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('uses the next free ports if the default ones are in use, and says so', async () => {
    // If another process already listens there, the port is in use all the same.
    const busy = await Promise.all([9944, 9933].map(listenOn));
    try {
      const command = startProcess('--no-open', '--seal', 'manual', ...elsewhere);
      await command.firstLine;
      command.kill('SIGTERM');
      const { code, stdout } = await command.ended;
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Port 9944 is in use; using \d+ instead\.$/m);
      expect(stdout).toMatch(/^Port 9933 is in use; using \d+ instead\.$/m);
      expect(stdout).not.toMatch(/ws:\/\/127\.0\.0\.1:9944\b/);
    } finally {
      for (const server of busy) server?.close();
    }
  });

  it('refuses a requested port that is in use, and exits', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy.once('listening', resolve));
    const { port } = busy.address() as { readonly port: number };
    const free = ['--rpc-port', '0', ...elsewhere];
    const ended = await runProcess('--json', '--no-open', '--ws-port', `${port}`, ...free);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      code: 'BadConfig',
      message: expect.stringContaining(`${port}`),
    });
    busy.close();
  });

  it.runIf(process.platform === 'linux')('opens the page in the browser', async () => {
    const opened = join(folder, 'opened');
    writeFileSync(
      join(folder, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`,
      {
        mode: 0o755,
      },
    );
    const isOpened = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => {
        if (!existsSync(opened)) return;
        watcher.close();
        resolve();
      });
    });
    const { CI: _ci, ...rest } = process.env;
    const env = { ...rest, DISPLAY: ':0', PATH: `${folder}${delimiter}${process.env['PATH']}` };
    const free = ['--ws-port', '0', '--rpc-port', '0', ...elsewhere];
    const command = startProcessIn(env, '--json', '--seal', 'manual', ...free);
    const ready = JSON.parse(await command.firstLine) as Started;
    await isOpened;
    expect(readFileSync(opened, 'utf8')).toBe(ready.page);
    command.kill('SIGTERM');
    await command.ended;
  });
});
