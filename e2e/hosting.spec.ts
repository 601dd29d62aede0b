import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { pageHeaders } from '../bridge/page-headers.ts';
// biome-ignore lint/correctness/useImportExtensions: it takes the declarations beside it for the module
import { isLibrary } from '../scripts/libraries.mjs';
import { type FileServer, serveFiles } from '../test/static-files.ts';
import { siteHost, siteOptions, sitePage } from './https-site.ts';
import { createSelfSigned } from './self-signed.ts';
import { collectFaults, shownBest } from './support.ts';

// The built page as a static host serves it: in a folder, with the policy of docs/hosting.md, and on https.
test.use(await siteOptions());

const path = '/a/b/';

let folder = '';
let served = '';
const servers: FileServer[] = [];
const serve = async (tls?: { readonly key: string; readonly cert: string }): Promise<FileServer> => {
  const server = await serveFiles(() => served, {
    path,
    headers: pageHeaders(null),
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

/** Resolves once the page has loaded all of its code. */
const complete = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new PerformanceObserver(() => {
          if (performance.getEntriesByName('tabnode:complete').length > 0) resolve();
        }).observe({ type: 'mark', buffered: true });
      }),
  );

const expectSealing = async (page: Page): Promise<void> => {
  await expect.poll(() => shownBest(page)).toBeGreaterThan(0);
};

/** Resolves once a service worker controls the page. */
const kept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller === null)
      await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
  });

test('the page works in a folder of its host, takes a new version on https, and then opens without its host', async ({
  page,
}) => {
  await test.step('in a folder of its host it works, and keeps no copy of itself on this machine', async () => {
    const faults = collectFaults(page);
    const missing: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    const { port } = await serve();
    await page.goto(`http://127.0.0.1:${port}${path}`);
    await expectSealing(page);
    await complete(page);
    await page.getByRole('navigation', { name: 'Panels' }).getByRole('link', { name: 'Runtime' }).click();
    await expect(page.getByRole('navigation', { name: 'Views of the runtime' })).toBeVisible();
    await page.reload();
    await expectSealing(page);
    await complete(page);
    const registered = await page.evaluate(
      async () => (await navigator.serviceWorker.getRegistrations()).length,
    );
    expect(registered).toBe(0);
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
  const files = readdirSync(join(sitePage, 'assets')).filter((name) => !isLibrary(name));
  expect(held).toEqual(expect.arrayContaining([...files.map((name) => `${path}assets/${name}`), ...asked]));
  const old = files.find((name) => name.startsWith('state-')) as string;

  const next = join(folder, 'next');
  cpSync(sitePage, next, { recursive: true });
  const change = (name: string, from: string | RegExp, to: string): void => {
    const text = readFileSync(join(next, name), 'utf8');
    expect(text).toMatch(from);
    writeFileSync(join(next, name), text.replace(from, to));
  };
  change('index.html', '<noscript>', '<p role="note">Next</p><noscript>');
  change('service-worker.js', /version = '\w+'/, "version = 'next'");
  change('service-worker.js', `"assets/${old}",`, '');
  rmSync(join(next, 'assets', old));
  served = next;

  await page.evaluate(async () => {
    const { serviceWorker } = navigator;
    const taken = new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve));
    await (await serviceWorker.ready).update();
    await taken;
  });
  expect(await page.evaluate(async (name) => (await fetch(`./assets/${name}`)).status, old)).toBe(200);
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
