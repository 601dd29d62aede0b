import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { pageHeaders } from '../bridge/pages/page-server.ts';
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations beside it for the module
import { isLibrary } from '../scripts/libraries.mjs';
import { type FileServer, serveFiles } from '../test/rigs/static-files.ts';
import { siteHost, siteOptions, sitePage } from './https-site.ts';
import { createSelfSigned } from './self-signed.ts';
import { collectFaults, kept, shownBest } from './support.ts';

// The built page as a static host serves it: in a folder, with the policy of docs/hosting.md, and on https.
test.use({ ...(await siteOptions()), serviceWorkers: 'allow' });

const path = '/a/b/';

let folder = '';
let served = '';
const servers: FileServer[] = [];
const serve = async (tls?: { readonly key: string; readonly cert: string }): Promise<FileServer> => {
  const server = await serveFiles(() => served, {
    path,
    // With Vary, the browser's own lookup in a cache compares requests. Some parts of the page are requested with an origin.
    headers: { ...pageHeaders(new URLSearchParams()), vary: 'Origin' },
    ...(tls === undefined ? {} : { tls }),
  });
  servers.push(server);
  return server;
};
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabnode-hosting-'));
  served = sitePage;
});
test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true });
});

const expectSealing = async (page: Page): Promise<void> => {
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
};

/** A copy of the built page as another version: a note tells them apart. */
const nextVersion = (): string => {
  const next = join(folder, 'next');
  cpSync(sitePage, next, { recursive: true });
  change(next, 'index.html', '<noscript>', '<p role="note">Next</p><noscript>');
  change(next, 'service-worker.js', /version = '\w+'/, "version = 'next'");
  return next;
};
const change = (where: string, name: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(join(where, name), 'utf8');
  expect(text).toMatch(from);
  writeFileSync(join(where, name), text.replace(from, to));
};

test('the page works in a folder of its host, takes a new version on https, and then opens without its host', async ({
  page,
}) => {
  await test.step('in a folder of its host it works', async () => {
    const faults = collectFaults(page);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    const { port } = await serve();
    await page.goto(`http://127.0.0.1:${port}${path}`);
    await expectSealing(page);
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Runtime' }).click();
    await expect(page.getByRole('navigation', { name: 'Views of the runtime' })).toBeVisible();
    await page.reload();
    await expectSealing(page);
    await kept(page);
    // A page that the service worker did not load, as after a reload with Shift, is served by it once it asks for that.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.reload', { ignoreCache: true });
    await expectSealing(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    expect(faults).toEqual([]);
    expect(missing).toEqual([]);
  });

  // A new version comes with the next load, and what is open keeps its own.
  const server = await serve(createSelfSigned(siteHost));
  const address = `https://${siteHost}:${server.port}${path}`;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(address);
  await expectSealing(page);
  await kept(page);
  // The first visit keeps what it loaded, and all that the page may load later, except libraries.
  const held = await page.evaluate(async () => {
    const all = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
    return (await Promise.all(all)).flat().map(({ url }) => new URL(url).pathname);
  });
  const files = readdirSync(join(sitePage, 'assets')).filter(
    (name) => !isLibrary(name) && !name.endsWith('.map'),
  );
  expect(held).toEqual(expect.arrayContaining([...files.map((name) => `${path}assets/${name}`), ...asked]));
  const old = files.find((name) => /^storage-.*\.js$/.test(name)) as string;

  const next = nextVersion();
  change(next, 'service-worker.js', `"assets/${old}",`, '');
  rmSync(join(next, 'assets', old));
  served = next;

  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    const taken = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
    await (await serviceWorker.ready).update();
    await taken;
  });
  // The host no longer has the code of a panel that was never opened.
  await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Storage' }).click();
  await expect(page.getByRole('navigation', { name: 'Pallets' })).toBeVisible();
  await expect(page.getByRole('note')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('note')).toHaveCount(1);
  await expectSealing(page);

  await test.step('on https the page opens without its host', async () => {
    await server.close();
    const faults = collectFaults(page);
    await page.goto('about:blank');
    await page.goto(address);
    await expectSealing(page);
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Storage' }).click();
    await expect(page.getByRole('navigation', { name: 'Pallets' })).toBeVisible();
    expect(faults).toEqual([]);
    await page.goto(`${address}?rpc=ws://127.0.0.1:1`);
    await expect(page.getByRole('alert')).toContainText('Nothing answers at ws://127.0.0.1:1');
  });
});

test('on loopback the page reloads without its server, and never stands in for what is served there', async ({
  page,
}) => {
  const server = await serve();
  const address = `http://127.0.0.1:${server.port}${path}`;
  await page.goto(address);
  await expectSealing(page);
  await kept(page);

  await test.step('the browser takes the files from the cache and the page from the server without asking the worker', async () => {
    await page.reload();
    await expectSealing(page);
    const sources = await page.evaluate(() =>
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
        (entry) => {
          // Chromium has renamed it.
          const names = ['workerFinalRouterSource', 'workerFinalSourceType'];
          const source = names.map((name) => Reflect.get(entry, name)).find((one) => typeof one === 'string');
          return [new URL(entry.name).pathname, source] as const;
        },
      ),
    );
    expect(sources.find(([name]) => name === path)?.[1]).toBe('network');
    const files = sources.filter(([name]) => name?.includes('/assets/'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter(([, source]) => source !== 'cache')).toEqual([]);
  });
  await test.step('another version is shown at once, and has its own runtime', async () => {
    served = nextVersion();
    const runtime = 'tabnode-runtime.compact.compressed.wasm';
    writeFileSync(join(served, runtime), 'next');
    expect(await page.evaluate(async (name) => (await fetch(name)).text(), runtime)).toBe('next');
    cpSync(join(sitePage, runtime), join(served, runtime));
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('note')).toHaveText('Next');
    await expectSealing(page);
    served = sitePage;
    await page.reload();
    await expect(page.getByRole('note')).toHaveCount(0);
    await expectSealing(page);
  });
  await test.step('without the server, the page opens and works', async () => {
    served = '';
    await page.context().setOffline(true);
    await server.close();
    await page.reload();
    await expectSealing(page);
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Storage' }).click();
    await expect(page.getByRole('navigation', { name: 'Pallets' })).toBeVisible();
    await page.context().setOffline(false);
  });
  await test.step('another application at this address is shown, and the copy of the page is removed', async () => {
    const other = join(folder, 'other');
    mkdirSync(join(other, 'assets'), { recursive: true });
    writeFileSync(join(other, 'index.html'), '<script src="assets/app.js"></script><h1>Another</h1>');
    writeFileSync(join(other, 'assets', 'app.js'), '');
    served = other;
    servers.push(await serveFiles(() => served, { path, port: server.port }));
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Another' })).toBeVisible();
    await expect
      .poll(() =>
        page.evaluate(async () => [
          (await navigator.serviceWorker.getRegistrations()).length,
          (await caches.keys()).length,
        ]),
      )
      .toEqual([0, 0]);
  });
});
