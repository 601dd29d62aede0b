import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { callHttp, stopCommand } from './commands.ts';
import { sleep } from './measure.ts';

const folder = fileURLToPath(new URL('chopsticks', import.meta.url));
const entry = `${folder}/node_modules/@acala-network/chopsticks/chopsticks.cjs`;

/** Why it cannot be measured; null: it is installed. */
export const whyNoChopsticks = (): string | null =>
  existsSync(entry) ? null : 'needs --chopsticks once, which installs bench/chopsticks (270 MB)';

/** Installs the version of bench/chopsticks/package.json. Its install scripts only build a database that no fork here uses. */
export const installChopsticks = (): void => {
  if (existsSync(entry)) return;
  const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', '--prefix', folder, ...flags], { stdio: ['ignore', 2, 2] });
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const pollMs = 10;
const mostMs = 60_000;

/** A fork of the node at `url` by chopsticks, which builds a block when `dev_newBlock` is called. */
export const startChopsticks = async (
  url: string,
): Promise<{ readonly http: string; readonly child: ChildProcess }> => {
  const port = await freePort();
  const args = ['--endpoint', url, '--port', `${port}`, '--build-block-mode', 'Manual'];
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
  const http = `http://127.0.0.1:${port}`;
  for (const until = performance.now() + mostMs; performance.now() < until; await sleep(pollMs)) {
    if (child.exitCode !== null) throw new Error(`chopsticks has ended with code ${child.exitCode}`);
    // Nobody listens until it is ready, and it prints no line that would be the same in all its versions.
    const isReady = await callHttp(http, 'system_chain').then(
      () => true,
      () => false,
    );
    if (isReady) return { http, child };
  }
  await stopCommand(child);
  throw new Error('chopsticks is not ready after a minute');
};
