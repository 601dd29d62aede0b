import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { build } from 'vite';
import { openExtension } from '../test/apps/extension-page.ts';
import { type FileServer, serveFiles } from '../test/rigs/static-files.ts';

// The built package as others load it: without a bundler, with one, and with its worker at another URL. It is
// built once, so these tests share one Playwright worker.
test.describe.configure({ mode: 'default' });

let folder = '';
let address = '';
let server: FileServer;

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

const toldAt = async (page: Page, url: string): Promise<unknown> => {
  await page.goto(url);
  const handle = await page.waitForFunction(() => (window as unknown as { told?: string }).told);
  return handle.jsonValue();
};
const toldBy = (page: Page, name: string): Promise<unknown> => toldAt(page, `${address}/${name}/index.html`);

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabnode-bundlers-'));
  await build({ mode: 'lib', logLevel: 'error', build: { outDir: join(folder, 'lib') } });
  server = await serveFiles(() => folder);
  address = `http://127.0.0.1:${server.port}`;
});
test.afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const library = (): string => join(folder, 'lib', 'index.js');

const require = createRequire(import.meta.url);

/** Bundled by esbuild, which leaves addresses alone: the assets go beside the bundle. */
const bundle = async (name: string): Promise<string> => {
  const esbuild = require('esbuild') as { build(options: object): Promise<unknown> };
  const place = makePage(name);
  writeFileSync(join(place, 'source.mjs'), program(library()));
  await esbuild.build({
    entryPoints: [join(place, 'source.mjs')],
    bundle: true,
    format: 'esm',
    outfile: join(place, 'main.js'),
  });
  cpSync(join(folder, 'lib', 'assets'), join(place, 'assets'), { recursive: true });
  return place;
};

test('pages load the library with and without a bundler, and with its worker elsewhere', async ({ page }) => {
  await test.step('a plain script of type module', async () => {
    writeFileSync(join(makePage('plain'), 'main.js'), program('../lib/index.js'));
    expect(await toldBy(page, 'plain')).toBe('0x1');
  });

  await test.step('workerUrl, where the worker does not lie beside the library', async () => {
    const place = makePage('elsewhere');
    for (const name of readdirSync(join(folder, 'lib')).filter((file) => file.endsWith('.js')))
      cpSync(join(folder, 'lib', name), join(place, name));
    const worker = readdirSync(join(folder, 'lib', 'assets')).find((name) =>
      /^worker-main.*\.js$/.test(name),
    );
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

  await test.step('Vite', async () => {
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

  await test.step('webpack', async () => {
    type Done = (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void;
    const webpack = require('webpack') as (options: object, done: Done) => void;
    const place = makePage('webpack');
    writeFileSync(join(place, 'source.mjs'), program(library()));
    const output = { path: place, filename: 'main.js', publicPath: 'auto' };
    // The package is minified already; to do so again takes most of the time. test/apps/webpack does it.
    const optimization = { minimize: false };
    await new Promise<void>((resolve, reject) => {
      webpack(
        { mode: 'production', entry: join(place, 'source.mjs'), output, optimization },
        (error, stats) => {
          if (error !== null || stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
          else resolve();
        },
      );
    });
    expect(await toldBy(page, 'webpack')).toBe('0x1');
  });

  await test.step('esbuild', async () => {
    await bundle('esbuild');
    expect(await toldBy(page, 'esbuild')).toBe('0x1');
  });
});

test('the page of an extension', async () => {
  const place = await bundle('extension');
  cpSync(
    fileURLToPath(new URL('../test/apps/extension/manifest.json', import.meta.url)),
    join(place, 'manifest.json'),
  );
  const { context, url } = await openExtension(place, join(folder, 'profile'));
  try {
    expect(await toldAt(await context.newPage(), url)).toBe('0x1');
  } finally {
    await context.close();
  }
});
