import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { type FileServer, serveFiles } from '../test/rigs/static-files.ts';
import { findFaults } from './axe.ts';
import { siteBase } from './ports.ts';
import { collectFaults, kept, shownBest } from './support.ts';

// The site of `npm run docs` in a folder of a static host, with the headers that it brings.
test.use({ serviceWorkers: 'allow' });

const site = fileURLToPath(new URL('../dist/e2e-site', import.meta.url));

/** The headers of a path by the site's `_headers`: lines with a pattern, and below each its headers. */
const headersOf = (path: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  let applies = false;
  for (const line of readFileSync(join(site, '_headers'), 'utf8').split('\n')) {
    if (line.startsWith('/')) applies = path.startsWith(line.replace(/\*$/, ''));
    const [, name = '', value = ''] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? [];
    if (applies && name !== '') found[name] = value;
  }
  return found;
};

let server: FileServer;
let address = '';
test.beforeAll(async () => {
  server = await serveFiles(() => site, { path: siteBase, headers: headersOf });
  address = `http://127.0.0.1:${server.port}${siteBase}`;
});
test.afterAll(() => server.close());

const places = [
  '',
  'first-chain.html',
  'dapp.html',
  'fork.html',
  'api/',
  'api/tabnode-bridge.html',
  'decisions/',
];

for (const place of places)
  test(`axe finds nothing on /${place}, in both themes and at two widths, and its policy blocks nothing`, async ({
    page,
  }) => {
    const faults = collectFaults(page);
    await page.goto(`${address}${place}`);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 }).first()).toBeVisible();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await findFaults(page), `${width} px`).toEqual([]);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect.soft(beyond, `${width} px`).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
  });

test('a method is found by the search, and its page is shown', async ({ page }) => {
  const faults = collectFaults(page);
  await page.goto(`${address}dapp.html`);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('dev_dryRun');
  const first = page.getByRole('option').filter({ hasText: 'dev_dryRun' }).first();
  await expect(first).toBeVisible();
  await first.click();
  await expect(page.getByRole('main')).toContainText('dev_dryRun');
  await page.getByRole('link', { name: 'Bridge and other programs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Bridge and other programs' })).toBeVisible();
  expect(faults).toEqual([]);
});

const openDevtools = async (page: Page): Promise<Page> => {
  await page.goto(address);
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the devtools' }).first().click();
  return opening;
};

test('the devtools run below the site, within their policy, and their service worker is theirs alone', async ({
  page,
}) => {
  const devtools = await openDevtools(page);
  const faults = collectFaults(devtools);
  await expect.poll(() => shownBest(devtools)).toBeGreaterThan(0);
  await kept(devtools);
  const scopes = await page.evaluate(async () =>
    (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
  );
  expect(scopes).toEqual([`${address}app/`]);
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  const { headers } = await page.evaluate(async (at) => {
    const response = await fetch(at);
    return { headers: Object.fromEntries(response.headers) };
  }, `${address}app/index.html`);
  expect(headers['content-security-policy']).toContain("connect-src 'self' wss: ");
  expect(faults).toEqual([]);
});

test('all links of all pages lead somewhere, anchors included', () => {
  const names = readdirSync(site, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html') && !name.startsWith('app/') && name !== '404.html');
  expect(names.length).toBeGreaterThan(90);
  const pages = new Map(names.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  const ids = new Map(
    [...pages].map(([name, html]) => [
      name,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)),
    ]),
  );
  const decode = (text: string): string => decodeURIComponent(text.replaceAll('&amp;', '&'));
  const broken = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].flatMap(([, link = '']) => {
      if (/^(https?:|data:|mailto:)/.test(link)) return [];
      const [path = '', anchor] = decode(link).split('#');
      const inside = path.startsWith(siteBase) ? path.slice(siteBase.length) : join(dirname(name), path);
      const plain = path === '' ? name : normalize(inside || '.');
      const target = /(^|\/)$|^\.$/.test(plain) ? join(plain, 'index.html') : plain;
      if (!existsSync(join(site, target))) return [`${name}: ${link}`];
      const known = ids.get(target);
      return anchor === undefined || known === undefined || known.has(anchor) ? [] : [`${name}: ${link}`];
    }),
  );
  expect([...new Set(broken)]).toEqual([]);
});
