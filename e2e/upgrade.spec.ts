import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { dryRun, runtimeLine } from './send-page.ts';
import { dropFile } from './support.ts';

const next = 'public/tabnode-runtime-next.compact.compressed.wasm';

const dropOnChain = async (page: Page): Promise<void> => {
  await page.goto('/#/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/, { timeout: 15_000 });
  await dropFile(page, 'next.wasm', readFileSync(next));
  await expect(page.getByRole('button', { name: 'Create and start' })).toBeVisible();
  await page.getByRole('button', { name: 'Upgrade Development…' }).click();
  await expect(page.getByRole('link', { name: 'Upgrade runtime' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('main')).toContainText('next');
  await expect(runtimeLine(page)).toHaveText(/^Upgrade: tabnode 101\s+→ tabnode 102$/);
};

test('a runtime dropped on a running chain upgrades it through sudo', async ({ page }) => {
  await dropOnChain(page);
  await expect(dryRun(page)).toHaveText('succeeds', { timeout: 15_000 });
  await page.getByRole('button', { name: /^Sign and send/ }).click();
  await expect(runtimeLine(page)).toHaveText(/: tabnode 102\b/, { timeout: 20_000 });
  await expect(page.getByText('This version is already running.', { exact: false })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Development' })).toBeVisible();
});

test('the same by a write into the state, without a transaction, after a question', async ({ page }) => {
  await dropOnChain(page);
  await page.getByLabel('Seal mode').selectOption('manual');
  await page.getByRole('button', { name: 'write :code directly' }).click();
  await expect(page.getByText('no transaction, no checks')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Write code…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Write', exact: true }).click();
  await expect(page.getByText('The best block has the new code.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(runtimeLine(page)).toHaveText(/: tabnode 102\b/, { timeout: 15_000 });
});
