import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium as browserType } from 'playwright';
import { launchOptions } from '../../scripts/chromium.mjs';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import type { Bench, Line } from '../figure.ts';
import { median } from '../measure.ts';
import { openClient, openNode, seal, sealAll } from '../nodes.ts';
import { signTransfers } from '../signer.ts';

const runs = 5;
const emptyBlocks = 1000;
const fullBlocks = 30;
const blockSize = 200;

const root = fileURLToPath(new URL('../../', import.meta.url));
const inProcess = fileURLToPath(new URL('../import-in-process.ts', import.meta.url));
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
const npm = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('npm', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

type Installed = { readonly folder: string; readonly built: string };

/** The package as npm packs it, installed into an empty folder. */
const install = (work: string): Installed => {
  const tarball = npm(root, 'pack', '--silent', '--pack-destination', work).trim().split('\n').at(-1) ?? '';
  const folder = join(work, 'app');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, 'install', '--no-audit', '--no-fund', join(work, tarball));
  return { folder, built: join(folder, 'node_modules/tabnode/dist/node') };
};

const firstLine = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) throw new Error('no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
};

const anyPorts = ['--json', '--ws-port=0', '--rpc-port=0'];

const measureServe = async ({ folder, built }: Installed): Promise<number> => {
  const from = performance.now();
  const args = [join(built, 'tabnode.js'), 'serve', '--dev', ...anyPorts];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  await firstLine(child);
  const ms = performance.now() - from;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return ms;
};

type Shown = { readonly ready: number; readonly shown: number };

/** From `npx tabnode` to block 1 in a browser that is already open. */
const measureScreen = async ({ folder }: Installed, browser: Browser): Promise<Shown> => {
  const page = await (await browser.newContext()).newPage();
  const from = performance.now();
  // A group of its own, because a signal to npx would not reach the command.
  const child = spawn('npx', ['tabnode', '--no-open', '--page-port=0', ...anyPorts], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ready = JSON.parse(await firstLine(child)) as { readonly page: string };
  const readyMs = performance.now() - from;
  await page.goto(ready.page, { waitUntil: 'commit' });
  await page
    .getByRole('link', { name: 'Best block' })
    .filter({ hasText: /#[1-9]/ })
    .waitFor();
  const shown = performance.now() - from;
  await page.context().close();
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  await once(child, 'exit');
  return { ready: readyMs, shown };
};

/** Chains as `dev_exportChain` writes them in the SDK's binary form. */
const writeChain = async (file: string, transfers: boolean): Promise<void> => {
  const node = await openNode();
  if (transfers) {
    const signed = (await signTransfers(node, fullBlocks * blockSize)).map(hexToBytes);
    for (let at = 0; at < signed.length; at += blockSize) {
      for (const extrinsic of signed.slice(at, at + blockSize)) await node.parts.pool.submit(extrinsic, 2);
      await sealAll(node);
    }
  } else while (node.parts.chain.best().number < emptyBlocks) await seal(node);
  const client = openClient(node);
  const last = node.parts.chain.best().number;
  writeFileSync(file, hexToBytes((await client.request('dev_exportChain', ['binary', 1, last])) as string));
  client.close();
  await node.close();
};

const readMs = (output: string): number => (JSON.parse(output) as { readonly ms: number }).ms;

const measureImport = ({ built }: Installed, file: string): readonly [command: number, inside: number] => {
  const run = (...args: readonly string[]): number =>
    readMs(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  const command = run(join(built, 'tabnode.js'), 'import-blocks', '--tmp', '--json', '--binary', file);
  return [command, run(inProcess, join(built, 'main-node.js'), file)];
};

const importLine = async (work: Installed, file: string, transfers: boolean): Promise<Line> => {
  await writeChain(file, transfers);
  const all = Array.from({ length: runs }, () => measureImport(work, file));
  const [command, inside] = [median(all.map(([ms]) => ms)), median(all.map(([, ms]) => ms))];
  const what = transfers ? `${fullBlocks} blocks of ${blockSize} transfers` : `${emptyBlocks} empty blocks`;
  return {
    name: `import-blocks against in-process, ${what}`,
    value: command / inside,
    unit: '×',
    budget: 1.18,
    note: `${command.toFixed(0)} and ${inside.toFixed(0)} ms, medians of ${runs}`,
  };
};

export const command: Bench = {
  name: 'command',
  about: 'the installed command: until it is ready, until a block is on the screen, and imports',
  run: async () => {
    const work = mkdtempSync(join(tmpdir(), 'tabnode-command-'));
    const browser = await browserType.launch(await launchOptions());
    try {
      const installed = install(work);
      const serves: number[] = [];
      const screens: Shown[] = [];
      for (let run = 0; run < runs; run += 1) {
        serves.push(await measureServe(installed));
        screens.push(await measureScreen(installed, browser));
      }
      const note = `installed package, median of ${runs}`;
      return [
        { name: 'tabnode serve to its ready line', value: median(serves), unit: 'ms', budget: 700, note },
        {
          name: 'npx tabnode to the first block on the screen',
          value: median(screens.map(({ shown }) => shown)),
          unit: 'ms',
          budget: 2000,
          note: `${note}, in an open browser; ready after ${median(screens.map(({ ready }) => ready)).toFixed(0)} ms`,
        },
        await importLine(installed, join(work, 'empty.bin'), false),
        await importLine(installed, join(work, 'full.bin'), true),
      ];
    } finally {
      await browser.close();
      rmSync(work, { recursive: true, force: true });
    }
  },
};
