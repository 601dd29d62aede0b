import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { type Ready, startProcess } from '../bridge/clients/test-process.fixture.ts';
import { expectAccessible } from './axe.ts';
import { endLive, startBetween, startLive } from './live-chain.ts';
import type { BuiltFork, ForkPage } from './pages/fork.ts';
import { e2eUrl } from './ports.ts';
import { bob, dryRun, send, transfer } from './send-page.ts';
import { collectFaults, fact, shownBest } from './support.ts';
import { ask } from './tab-actions.ts';

// A fork of a live chain in the page: `tabnode serve` is the live chain.

test.afterEach(endLive);

const openForm = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await page.getByRole('button', { name: 'New chain…' }).click();
  await page.getByRole('radio', { name: 'Fork a live chain' }).check();
};
const badge = (page: Page) => page.getByRole('button', { name: /^fork/ });
const sealBlock = (page: Page) => page.getByRole('button', { name: /^Seal (block|and)/ }).click();

test('a live chain is forked, builds blocks, and goes on without its endpoint after a reload and in a second tab', async ({
  page,
  context,
}) => {
  const faults = collectFaults(page);
  const ready = await startLive();
  await page.goto('/');
  await openForm(page);
  const dialog = page.getByRole('dialog', { name: 'New chain' });
  await dialog.getByLabel('Block', { exact: true }).fill('99');
  await dialog.getByLabel('Endpoints').fill(ready.ws);
  await dialog.getByRole('button', { name: 'Fork and start' }).click();
  await expect(dialog.getByRole('alert')).toContainText('no block #99');
  await expectAccessible(page);
  await dialog.getByLabel('Block', { exact: true }).fill('2');
  await dialog.getByRole('button', { name: 'Fork and start' }).click();
  await expect(badge(page)).toContainText('#2');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Fork of Development at #2');
  await sealBlock(page);
  await expect.poll(() => shownBest(page)).toBe(3);

  await badge(page).click();
  const about = page.getByRole('dialog', { name: 'Fork of Development' });
  await expect(fact(about, 'Base')).toContainText('#2');
  await expect(about.getByRole('listitem').filter({ hasText: `${ready.ws}/` })).toContainText('connected');
  await expect(about).toContainText('to the byte');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  // A transfer of Alice is in a block at once.
  await page.goto(`/${new URL(page.url()).hash.replace(/(@[^/]+).*/, '$1/send')}`);
  await transfer(page, bob, '5');
  await expect(dryRun(page)).toContainText('succeeds');
  await send(page);
  await expect.poll(() => shownBest(page)).toBe(4);

  expect(faults).toEqual([]);

  await endLive();
  await page.reload();
  await expect(badge(page)).toContainText('#2');
  await expect.poll(() => shownBest(page)).toBe(4);
  await sealBlock(page);
  await expect.poll(() => shownBest(page)).toBe(5);
  await badge(page).click();
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toContainText('not reachable');
  await page.keyboard.press('Escape');

  // What a fork is does not take the room of its name.
  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  const row = page.getByRole('list', { name: 'Chains' }).getByRole('listitem').last();
  await expect(row.getByRole('link', { name: 'Fork of Development at #2' })).toBeVisible();
  await expect(row.getByRole('button', { name: 'Export' })).toBeDisabled();
  await page.keyboard.press('Escape');

  // Another tab uses the same node, and runs it once the first one is gone.
  const second = await context.newPage();
  await second.goto(`${e2eUrl('app')}${new URL(page.url()).hash}`);
  await expect(badge(second)).toContainText('#2');
  await page.close();
  await expect.poll(() => shownBest(second)).toBe(5);
  // Until it runs the node, calls may end with the connection to the tab that did.
  await expect(() => ask(second, 'engine_createBlock', true, true)).toPass();
  await expect.poll(() => shownBest(second)).toBeGreaterThanOrEqual(6);
  expect(await ask<{ fork: { base: { number: number } } }>(second, 'dev_status')).toMatchObject({
    fork: { base: { number: 2 } },
  });
});

test('a page is opened again with an endpoint that its policy refuses, and forks the chain then', async ({
  page,
}) => {
  const between = await startBetween((await startLive()).ws);
  await page.goto('/');
  await openForm(page);
  await page.getByLabel('Endpoints').fill(between.url);
  await page.getByLabel('Name', { exact: true }).fill('Followed');
  await page.getByRole('button', { name: 'Fork and start' }).click();
  await expect(badge(page)).toContainText('#3');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Followed');
  expect(new URL(page.url()).searchParams.getAll('fork')).toEqual([between.url]);
  // A reload opens the chain, and no form.
  await page.reload();
  await expect(badge(page)).toContainText('#3');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  between.close();
});

test('a fork that is canceled while the live chain is read leaves nothing behind', async ({ page }) => {
  const between = await startBetween((await startLive()).ws, { held: 'state_getReadProof' });
  // A link with an endpoint fills in the form, and connects to nothing before it is told to.
  await page.goto(`/?fork=${encodeURIComponent(between.url)}`);
  const dialog = page.getByRole('dialog', { name: 'New chain' });
  await expect(dialog.getByLabel('Endpoints')).toHaveValue(between.url);
  await dialog.getByLabel('Name').fill('Canceled');
  await dialog.getByRole('button', { name: 'Fork and start' }).click();
  await expect(dialog.getByRole('status')).toContainText(/Reading .*\d+ requests/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('button', { name: 'Fork and start' })).toBeEnabled();
  const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(databases).not.toContain('canceled');
  expect(databases).toContain('development');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await expect(page.getByRole('list', { name: 'Chains' }).getByRole('listitem')).toHaveCount(1);
  // The chain that was open still is.
  await page.keyboard.press('Escape');
  const best = await shownBest(page);
  await sealBlock(page);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(best);
  between.close();
});

/** A fork in a process, as `ForkPage` has it. `values`: what is set before its blocks are built. */
const forkInProcess = async (
  values: readonly (readonly [string, string])[],
  ...args: readonly string[]
): Promise<Omit<BuiltFork, 'pack'>> => {
  const node = startProcess('fork', '--json', '--ws-port', '0', '--rpc-port', '0', ...args);
  const { http } = JSON.parse(await node.firstLine) as Ready;
  const call = <T>(method: string, ...params: unknown[]) => callHttp(http, method, params) as Promise<T>;
  if (values.length > 0) await call('dev_setStorage', values);
  const roots: string[] = [];
  for (let block = 0; block < 2; block++) {
    const { hash } = await call<{ hash: string }>('engine_createBlock', true, true);
    roots.push((await call<{ stateRoot: string }>('chain_getHeader', hash)).stateRoot);
  }
  const { fork } = await call<{ fork: { requests: number } }>('dev_status');
  node.kill('SIGTERM');
  expect((await node.ended).code).toBe(0);
  return { roots, requests: fork.requests };
};

test('a pack of a process opens in a page, and one of a page in a process, without the live chain', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tabnode-packs-'));
  const [ofProcess, ofPage] = [join(folder, 'process.pack'), join(folder, 'page.pack')];
  const values = [['0xf0f0', '0x01020304']] as const;
  await page.goto(`${e2eUrl('pages')}fork.html`);
  await page.waitForFunction(() => window.forkPage !== undefined);
  const inPage = <A extends readonly unknown[]>(
    run: (of: ForkPage, ...args: A) => Promise<BuiltFork>,
    ...args: A
  ) =>
    page.evaluate(`(${run.toString()})(window.forkPage, ...${JSON.stringify(args)})`) as Promise<BuiltFork>;

  const { ws } = await startLive();
  const made = await forkInProcess(values, ws, '--save', ofProcess);
  const madeInPage = await inPage((of, endpoint, set) => of.fork({ endpoint }, set), ws, values);
  expect(madeInPage.roots).toEqual(made.roots);
  expect(madeInPage.requests).toBeGreaterThan(0);
  await endLive();

  const pack = `0x${readFileSync(ofProcess).toString('hex')}`;
  const opened = await inPage((of, hex) => of.open(hex), pack);
  expect(opened).toMatchObject({ roots: made.roots, requests: 0 });
  writeFileSync(ofPage, Buffer.from(madeInPage.pack.slice(2), 'hex'));
  expect(await forkInProcess([], '--pack', ofPage)).toEqual({ roots: made.roots, requests: 0 });
  // What was opened is the same file again.
  writeFileSync(ofPage, Buffer.from(opened.pack.slice(2), 'hex'));
  expect(await forkInProcess([], '--pack', ofPage)).toEqual({ roots: made.roots, requests: 0 });
  rmSync(folder, { recursive: true });
});
