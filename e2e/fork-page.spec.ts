import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { callHttp } from '../bridge/clients/test-clients.fixture.ts';
import { expectAccessible } from './axe.ts';
import { endLive, startBetween, startLive } from './live-chain.ts';
import { bob, dryRun, send, transfer } from './send-page.ts';
import { collectFaults, dropFile, shownBest } from './support.ts';
import { ask } from './tab-actions.ts';

// What a person does with a fork in the page, from a block of another node on: `tabnode serve` is the live chain.

test.afterEach(endLive);

const badge = (page: Page) => page.getByRole('button', { name: /^fork/ });
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const fork = (page: Page) => page.getByRole('dialog', { name: 'Fork of Development' });
const forkHere = (page: Page) => page.getByRole('button', { name: 'Fork here' });
/** The page of a panel of the chain that is open. */
const place = (page: Page, panel: string): string =>
  `/${new URL(page.url()).search}${new URL(page.url()).hash.replace(/(@[^/]+).*/, `$1/${panel}`)}`;

test('a block of another node is executed again, and forked; the fork is edited, rebased, reloaded offline, and packed', async ({
  page,
}) => {
  const faults = collectFaults(page);
  const ready = await startLive();
  const between = await startBetween(ready.ws, { delayMs: 80 });
  await page.goto(`/?rpc=${encodeURIComponent(between.url)}#/chain/2`);
  await page.getByRole('button', { name: 'Execute it again here' }).click();
  await expect(page.getByText('Same root as the live chain')).toBeVisible();
  await expectAccessible(page);
  await forkHere(page).click();
  await expect(title(page)).toContainText('Fork of Development at #2');
  await expect(badge(page)).toContainText('#2');

  // Its own hue: with the genesis of the live chain, it would have that one's.
  const hue = () => page.evaluate(() => document.documentElement.style.getPropertyValue('--hue'));
  const genesis = await ask<string>(page, 'chain_getBlockHash', 0);
  expect(Number(await hue())).not.toBe(195 + (Number.parseInt(genesis.slice(2, 6), 16) % 140));

  await ask(page, 'dev_setStorage', { System: { Account: [[[bob], { data: { free: '7000000000000' } }]] } });
  await page.goto(place(page, 'send'));
  await transfer(page, bob, '5');
  await expect(dryRun(page)).toContainText('succeeds');
  await send(page);
  await expect.poll(() => shownBest(page)).toBeGreaterThan(2);

  for (let block = 0; block < 2; block++) await callHttp(ready.http, 'engine_createBlock', [true, true]);
  await badge(page).click();
  await expect(fork(page)).toContainText('edited');
  await expect(fork(page).getByRole('listitem').filter({ hasText: between.url })).toContainText('connected');
  await fork(page).getByLabel('Newer block').fill('#5');
  await fork(page).getByRole('button', { name: 'Rebase…' }).click();
  await page.getByRole('button', { name: /^Delete \d+ blocks? and rebase$/ }).click();
  await expect(fork(page)).toContainText('now continues from block #5');
  await expectAccessible(page);
  await expect(title(page)).toContainText('Fork of Development at #5');
  await expect.poll(() => shownBest(page)).toBe(5);

  const saving = page.waitForEvent('download');
  await fork(page).getByRole('button', { name: 'Save pack' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('development-5.pack');
  const pack = readFileSync(await saved.path());
  await page.keyboard.press('Escape');

  expect(faults).toEqual([]);
  between.close();
  await endLive();
  await page.reload();
  await expect(title(page)).toContainText('Fork of Development at #5');
  await expect(badge(page)).toContainText('#5');
  // Its blocks are listed without the live chain, and a block is sealed; only those below its base are missing.
  await page.goto(place(page, 'chain'));
  const list = page.getByRole('grid', { name: 'Blocks, newest first' });
  await expect(list.getByRole('row').first()).toContainText('#5');
  await expect(list).toContainText('Blocks below #5 are on the live chain, which cannot be read now.');

  await dropFile(page, 'damaged.pack', Buffer.concat([pack.subarray(0, -1), Buffer.from([0])]));
  const opening = page.getByRole('dialog', { name: /^Packed fork/ });
  await opening.getByRole('button', { name: 'Open the fork' }).click();
  await expect(opening.getByRole('alert')).toContainText('its checksum does not match');
  await page.keyboard.press('Escape');
  await dropFile(page, 'development-5.pack', pack);
  await opening.getByRole('button', { name: 'Open the fork' }).click();
  await expect(title(page)).toContainText('Fork of Development at #5 2');
  const free = await ask<{ fork: { requests: number; untruths: string[] } }>(page, 'dev_status');
  expect(free.fork.requests).toBe(0);
  expect(free.fork.untruths.join()).toContain('edited');
});

test('a fork that is begun at a block of another node can be canceled, and started again', async ({
  page,
}) => {
  const { ws } = await startLive();
  const held = await startBetween(ws, { held: 'state_getReadProof' });
  await page.goto(`/?rpc=${encodeURIComponent(held.url)}#/chain/2`);
  await forkHere(page).click();
  const dialog = page.getByRole('dialog', { name: 'New chain' });
  await expect(dialog.getByRole('status')).toContainText(/Reading .*\d+ requests/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByLabel('Block', { exact: true })).toHaveValue(/^0x[0-9a-f]{64}$/);
  await dialog.getByLabel('Endpoints').fill(ws);
  await dialog.getByRole('button', { name: 'Fork and start' }).click();
  await expect(badge(page)).toContainText('#2');
  held.close();
});
