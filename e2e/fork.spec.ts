import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { type Ready, startProcess, type TestProcess } from '../bridge/clients/test-process.fixture.ts';
import { expectAccessible } from './axe.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults, fact, shownBest } from './support.ts';
import { bob, dryRun, send, transfer } from './send-page.ts';
import { ask } from './tab-actions.ts';

// A fork of a live chain in the page: `tabnode serve` is the live chain.

const live: TestProcess[] = [];
const startLive = async (): Promise<Ready> => {
  const node = startProcess('serve', '--json', '--dev', '--seal', 'manual', '--ws-port', '0', '--rpc-port', '0');
  live.push(node);
  const ready = JSON.parse(await node.firstLine) as Ready;
  for (let block = 0; block < 3; block++) await callHttp(ready.http, 'engine_createBlock', [true, true]);
  return ready;
};
const endLive = async (): Promise<void> => {
  for (const node of live.splice(0)) {
    node.kill('SIGTERM');
    await node.ended;
  }
};
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
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Development fork');
  await sealBlock(page);
  await expect.poll(() => shownBest(page)).toBe(3);

  await badge(page).click();
  const about = page.getByRole('dialog', { name: 'Fork of Development' });
  await expect(fact(about, 'Base')).toContainText('#2');
  await expect(fact(about, 'Endpoints')).toContainText(`${ready.ws}/: connected`);
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
  await expect(fact(page.getByRole('dialog'), 'Endpoints')).toContainText('not reachable');
  await page.keyboard.press('Escape');

  // Another tab uses the same node, and runs it once the first one is gone.
  const second = await context.newPage();
  await second.goto(`${e2eUrl('app')}${new URL(page.url()).hash}`);
  await expect(badge(second)).toContainText('#2');
  await page.close();
  await expect.poll(() => shownBest(second)).toBe(5);
  await sealBlock(second);
  await expect.poll(() => shownBest(second)).toBe(6);
  expect(await ask<{ fork: { base: { number: number } } }>(second, 'dev_status')).toMatchObject({
    fork: { base: { number: 2 } },
  });
});
