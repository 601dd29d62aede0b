import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { readBundled } from './notices/bundled.ts';
import { readNotices } from './notices/file.ts';
import { lintPackage, lintTypes } from './package-lint.ts';

// The package as npm packs it from a clean clone, installed into an empty folder.

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const shell = process.platform === 'win32';
/** The environment without variables set by `npm run`, which refer to this repository. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS|VITEST)/i.test(name)),
);

type Exports = Record<string, string | { readonly types: string; readonly default: string }>;
type Manifest = {
  readonly version: string;
  readonly exports: Exports;
  readonly bin: Record<string, string>;
};
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const targets = [
  ...Object.values(manifest.bin),
  ...Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : [entry.types, entry.default],
  ),
].map((path) => path.replace(/^\.\//, ''));

const work = mkdtempSync(join(tmpdir(), 'tabnode-package-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const app = join(work, 'app');
const installed = join(app, 'node_modules', 'tabnode');
const bundled = join(work, 'bundled');
let tarball = '';

beforeAll(async () => {
  for (const built of ['app', 'lib', 'node', 'types'])
    rmSync(join(root, 'dist', built), { recursive: true, force: true });
  await run('npm', ['pack', '--silent', '--pack-destination', work], {
    cwd: root,
    env: { ...env, TABNODE_BUNDLED: bundled },
    shell,
    maxBuffer: 1 << 26,
  });
  tarball = join(work, `tabnode-${manifest.version}.tgz`);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]);
}, 240_000);

const listFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );

describe('the packed package', () => {
  it('has the files that its exports and its command refer to', () => {
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets) expect(existsSync(join(installed, target)), target).toBe(true);
  });

  it('has no unneeded files', () => {
    const files = listFiles(installed);
    const texts = files
      .filter((file) => /\.(js|json|html)$/.test(file) && !file.endsWith('openrpc.json'))
      .map((file) => [file, readFileSync(join(installed, file), 'utf8')] as const);
    const isNeeded = (file: string): boolean => {
      if (
        [
          'LICENSE',
          'README.md',
          'package.json',
          'public/runtime-manifest.json',
          'dist/app/index.html',
          'THIRD-PARTY-NOTICES.txt',
        ].includes(file)
      )
        return true;
      const source = file.replace(/^dist\/types\//, '').replace(/\.d\.ts$/, '.ts');
      if (source !== file) return existsSync(join(root, source));
      const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.js$/, '');
      return texts.some(([other, text]) => other !== file && text.includes(name));
    };
    expect(files.filter((file) => !isNeeded(file))).toEqual([]);
  });

  it('lists exactly the packages whose code it contains', () => {
    const { npm } = readNotices(readFileSync(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8'));
    const listed = npm.map(({ name, version }) => `${name} ${version}`);
    const found = readBundled(bundled).map(({ name, version }) => `${name} ${version}`);
    expect(listed, 'npm run notices').toEqual(found);
    expect(found.length).toBeGreaterThan(10);
  });

  it('has no fault that publint or attw finds', async () => {
    const bytes = new Uint8Array(readFileSync(tarball));
    expect(await lintPackage(bytes)).toEqual([]);
    expect(await lintTypes(createPackageFromTarballData(bytes))).toEqual([]);
  });

  it('has its version in one place: builds contain nothing else of package.json', () => {
    const code = listFiles(installed).filter((file) => /^dist\/.*\.js$/.test(file));
    for (const file of code)
      expect(readFileSync(join(installed, file), 'utf8')).not.toContain('devDependencies');
  });
});

/** Why packages cannot be installed; null if they can. */
const registryFault = await run('npm', ['view', 'comlink@4.4.2', 'version', '--fetch-retries=0'], {
  env,
  shell,
}).then(
  () => null,
  () => 'the package registry cannot be reached',
);
const title = `installed into an empty folder${registryFault === null ? '' : `: ${registryFault}`}`;

const write = (name: string, text: string): void => writeFileSync(join(app, name), text);
/** Runs a module of the folder and returns its output, parsed as JSON. */
const runModule = async (name: string, text: string): Promise<unknown> => {
  write(name, text);
  return JSON.parse((await run(process.execPath, [name], { cwd: app, env })).stdout);
};

/** The installed command. A test that fails does not leave it behind: it would keep the whole run from ending. */
const spawnCommand = (...args: readonly string[]) => {
  const program = join(installed, manifest.bin['tabnode'] ?? '');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: app,
    env: { ...env, XDG_DATA_HOME: join(work, 'data') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended: once(child, 'exit') };
};

const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
const everyEntry = `import * as tabnode from 'tabnode';
import { shareNode } from 'tabnode/bridge';
import { mountDevtools } from 'tabnode/devtools';
import { papiProvider } from 'tabnode/papi';
import { polkadotJsProvider } from 'tabnode/polkadot-js';
import * as playwright from 'tabnode/testing/playwright';
import * as vitest from 'tabnode/testing/vitest';
import * as vite from 'tabnode/vite';
export const all = [mountDevtools, papiProvider, polkadotJsProvider, playwright.nodeFixtures, vitest.nodeFixtures];
export const bridge: [typeof shareNode, string] = [shareNode, vite.tabnode().name];
export const node: tabnode.TabNode = await tabnode.startNode({ seal: 'instant' });
export const number: string | undefined = (await node.rpc.chain_getHeader())?.number;
// @ts-expect-error not a number
export const wrong: number | undefined = (await node.rpc.chain_getHeader())?.number;
// @ts-expect-error there is no such mode
await tabnode.startNode({ seal: 'sometimes' });
`;

describe.skipIf(registryFault !== null)(title, () => {
  beforeAll(async () => {
    rmSync(app, { recursive: true });
    mkdirSync(app);
    write('package.json', '{ "private": true, "type": "module" }');
    // By default npm waits five minutes for a registry that does not respond, longer than this hook.
    const patience = ['--fetch-timeout=20000', '--fetch-retries=5', '--fetch-retry-maxtimeout=10000'];
    await run('npm', ['install', '--no-audit', '--no-fund', ...patience, tarball], { cwd: app, env, shell });
  }, 240_000);

  it('startNode runs a node in Node.js', async () => {
    const told = await runModule(
      'start.js',
      `import { startNode } from 'tabnode';
const node = await startNode({ seal: 'manual' });
await node.rpc.dev_newBlock();
const { number } = await node.rpc.chain_getHeader();
console.log(JSON.stringify({ number, version: await node.rpc.system_version() }));
await node.stop();`,
    );
    expect(told).toEqual({ number: '0x1', version: manifest.version });
  });

  it('the test fixtures start a node too', async () => {
    const told = await runModule(
      'fixtures.js',
      `import { nodeFixtures } from 'tabnode/testing/vitest';
const [begin] = nodeFixtures().startedNode;
await begin({}, async (node) => console.log(JSON.stringify(await node.rpc.system_chain())));`,
    );
    expect(told).toBe('Development');
  });

  it('the command prints its version and serves a node', async () => {
    const command = join(app, 'node_modules/.bin/tabnode');
    expect((await run(command, ['--version'], { cwd: app, env, shell })).stdout).toBe(
      `tabnode ${manifest.version}\n`,
    );
    const args = ['serve', '--dev', '--json', '--ws-port=0', '--rpc-port=0'];
    const { child, ended } = spawnCommand(...args);
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    const ready = JSON.parse(line) as { readonly event: string; readonly http: string };
    expect(ready.event).toBe('ready');
    const answer = await fetch(ready.http, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"system_version","params":[]}',
    });
    expect(await answer.json()).toEqual({ jsonrpc: '2.0', id: 1, result: manifest.version });
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  });

  it('the command alone starts a node and serves the page that connects to it', async () => {
    const args = ['--json', '--no-open', '--ws-port=0', '--rpc-port=0', '--page-port=0'];
    const { child, ended } = spawnCommand(...args);
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    const { page, ws } = JSON.parse(line) as { readonly page: string; readonly ws: string };
    expect(new URL(page).searchParams.get('rpc')).toBe(ws);
    const text = await (await fetch(page)).text();
    const parts = [...text.matchAll(/(?:src|href)="(\.\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(parts.length).toBeGreaterThan(2);
    for (const path of [...parts, '/tabnode-runtime.compact.compressed.wasm'])
      expect((await fetch(new URL(path, page))).status, path).toBe(200);
    child.kill('SIGINT');
    expect((await ended)[0]).toBe(0);
  });

  it('the command opens a bridge to a page', async () => {
    const { child, ended } = spawnCommand('bridge', '--json', '--ws-port=0', '--rpc-port=0', '--page-port=0');
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    expect(JSON.parse(line)).toMatchObject({ event: 'ready', pairing: expect.stringContaining('#') });
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  });

  it('the command has the tools for agents, although their library is not installed', async () => {
    expect(existsSync(join(app, 'node_modules/@modelcontextprotocol'))).toBe(false);
    const { child, ended } = spawnCommand('mcp', '--dev');
    const params = {
      name: 'read_storage',
      arguments: { pallet: 'System', entry: 'Account', keys: ['Alice'] },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
    expect(line).toContain('1000000000000000000');
    child.stdin.end();
    expect((await ended)[0]).toBe(0);
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ])('the types of every entry compile under module %s, resolution %s', async (module, moduleResolution) => {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2024', strict: true, noEmit: true, skipLibCheck: true },
      ...{ lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] },
    };
    write(`${module}.json`, JSON.stringify({ compilerOptions, files: ['entries.ts'] }));
    write('entries.ts', everyEntry);
    const { stdout } = await run(process.execPath, [tsc, '-p', `${module}.json`], { cwd: app, env }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});
