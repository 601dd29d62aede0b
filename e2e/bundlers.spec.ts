import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'vite';

// The built package as others load it: without a bundler, by one, and with its worker elsewhere. It is built once, for which
// these tests keep to one worker.
test.describe.configure({ mode: 'default' });

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

let folder = '';
let address = '';
let server: Server;

/** Files of a folder, and nothing for what is not there. */
const serve = (root: string): Promise<Server> =>
  new Promise((resolve) => {
    const made = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      try {
        const bytes = await readFile(join(root, pathname));
        response.writeHead(200, { 'content-type': types[extname(pathname)] ?? 'application/octet-stream' });
        response.end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    });
    made.listen(0, '127.0.0.1', () => resolve(made));
  });

/** A folder with a page that runs `main.js`. */
const makePage = (name: string): string => {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(
    join(place, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>',
  );
  return place;
};

const program = (from: string, options = ''): string =>
  `import { startNode } from '${from}';
startNode({ seal: 'manual'${options} })
  .then((node) => node.rpc.engine_createBlock({ create_empty: true, finalize: false }).then(() => node.rpc.chain_getHeader()))
  .then((header) => { window.told = header.number; }, (error) => { window.told = String(error); });
`;

const toldBy = async (page: Page, name: string): Promise<unknown> => {
  await page.goto(`${address}/${name}/index.html`);
  const told = await page.waitForFunction(() => (window as unknown as { told?: string }).told);
  return told.jsonValue();
};

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabnode-bundlers-'));
  await build({ mode: 'lib', logLevel: 'error', build: { outDir: join(folder, 'lib') } });
  server = await serve(folder);
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const library = (): string => join(folder, 'lib', 'index.js');

test('a plain script of type module', async ({ page }) => {
  writeFileSync(join(makePage('plain'), 'main.js'), program('../lib/index.js'));
  expect(await toldBy(page, 'plain')).toBe('0x1');
});

test('workerUrl, where the worker does not lie beside the library', async ({ page }) => {
  const place = makePage('elsewhere');
  for (const name of readdirSync(join(folder, 'lib')).filter((file) => file.endsWith('.js')))
    cpSync(join(folder, 'lib', name), join(place, name));
  const worker = readdirSync(join(folder, 'lib', 'assets')).find((name) => /^worker-main.*\.js$/.test(name));
  writeFileSync(join(place, 'main.js'), program('./index.js', `, workerUrl: '/lib/assets/${worker}'`));
  expect(await toldBy(page, 'elsewhere')).toBe('0x1');
  const lost = join(place, 'lost');
  mkdirSync(lost);
  cpSync(join(place, 'index.html'), join(lost, 'index.html'));
  writeFileSync(join(lost, 'main.js'), program('../index.js'));
  expect(await toldBy(page, 'elsewhere/lost')).toContain('could not be loaded');
  const half = join(place, 'half');
  mkdirSync(half);
  cpSync(join(place, 'index.html'), join(half, 'index.html'));
  cpSync(join(folder, 'lib', 'assets', String(worker)), join(half, 'worker.js'));
  writeFileSync(join(half, 'main.js'), program('../index.js', ", workerUrl: './worker.js'"));
  expect(await toldBy(page, 'elsewhere/half')).toContain('The worker failed');
});

test('Vite', async ({ page }) => {
  const source = makePage('vite-source');
  writeFileSync(join(source, 'main.js'), program(library()));
  await build({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'error',
    build: { outDir: join(folder, 'vite'), target: 'es2024' },
  });
  expect(await toldBy(page, 'vite')).toBe('0x1');
});

const require = createRequire(import.meta.url);

test('webpack', async ({ page }) => {
  type Done = (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void;
  const webpack = require('webpack') as (options: object, done: Done) => void;
  const place = makePage('webpack');
  writeFileSync(join(place, 'source.mjs'), program(library()));
  const output = { path: place, filename: 'main.js', publicPath: 'auto' };
  await new Promise<void>((resolve, reject) => {
    webpack({ mode: 'production', entry: join(place, 'source.mjs'), output }, (error, stats) => {
      if (error !== null || stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
      else resolve();
    });
  });
  expect(await toldBy(page, 'webpack')).toBe('0x1');
});

test('esbuild, which leaves addresses alone: the assets go beside the bundle', async ({ page }) => {
  const esbuild = require('esbuild') as { build(options: object): Promise<unknown> };
  const place = makePage('esbuild');
  writeFileSync(join(place, 'source.mjs'), program(library()));
  await esbuild.build({
    entryPoints: [join(place, 'source.mjs')],
    bundle: true,
    format: 'esm',
    outfile: join(place, 'main.js'),
  });
  cpSync(join(folder, 'lib', 'assets'), join(place, 'assets'), { recursive: true });
  expect(await toldBy(page, 'esbuild')).toBe('0x1');
});
