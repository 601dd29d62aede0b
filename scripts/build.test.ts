import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, expect, it } from 'vitest';

// In the repository, so that the packages the bundle leaves outside are found.
const outDir = fileURLToPath(new URL('../dist/test-node', import.meta.url));
const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

it('the command built into any folder has all it needs beside it, and runs', async () => {
  await build({ configFile, mode: 'node', logLevel: 'error', build: { outDir } });
  expect(readdirSync(outDir)).toEqual(
    expect.arrayContaining(['crypto-core.wasm', 'main-node.js', 'tabnode.js']),
  );
  const args = ['serve', '--json', '--dev', '--seal=manual', '--ws-port=0', '--rpc-port=0'];
  const child = spawn(process.execPath, [`${outDir}/tabnode.js`, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
  expect(JSON.parse(line)).toMatchObject({ event: 'ready', bestNumber: 0 });
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
}, 120_000);
