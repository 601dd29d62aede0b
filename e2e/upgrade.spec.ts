import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { expect, type Page, test } from '@playwright/test';
import { dryRun, runtimeLine } from './send-page.ts';
import { dropFile } from './support.ts';

const next = 'public/tabnode-runtime-next.compact.compressed.wasm';

const dropOnChain = async (page: Page, code = readFileSync(next)): Promise<void> => {
  await page.goto('/#/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/, { timeout: 15_000 });
  await dropFile(page, 'next.wasm', code);
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
  await page.getByRole('button', { name: 'Write code…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Write', exact: true }).click();
  await expect(page.getByText('The best block has the new code.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(runtimeLine(page)).toHaveText(/: tabnode 102\b/, { timeout: 15_000 });
});

type Connected = { connection: { request(method: string, params: unknown[]): Promise<unknown> } };

/** The same runtime, whose metadata names one event otherwise. */
const renamedRuntime = (): Buffer<ArrayBuffer> => {
  // The SDK's prefix of compressed code takes eight bytes.
  const code = Buffer.from(zstdDecompressSync(readFileSync(next).subarray(8)));
  const at = code.indexOf('TransactionFeePaid');
  expect(at).toBeGreaterThan(0);
  expect(code.indexOf('TransactionFeePaid', at + 1)).toBe(-1);
  code.write('TransactionFeeGone', at);
  return code;
};

test('the block of an upgrade is decoded by the runtime that executed it', async ({ page }) => {
  await dropOnChain(page, renamedRuntime());
  await expect(dryRun(page)).toHaveText('succeeds', { timeout: 15_000 });
  await page.getByRole('button', { name: /^Sign and send/ }).click();
  await expect(runtimeLine(page)).toHaveText(/: tabnode 102\b/, { timeout: 20_000 });
  // `RuntimeEnvironmentUpdated` is in the digest of the block.
  const number = await page.evaluate(async () => {
    type Header = { number: string; parentHash: string; digest: { logs: string[] } };
    const { connection } = (globalThis as unknown as { tabnode: Connected }).tabnode;
    let header = (await connection.request('chain_getHeader', [])) as Header;
    while (!header.digest.logs.includes('0x08'))
      header = (await connection.request('chain_getHeader', [header.parentHash])) as Header;
    return Number(header.number);
  });
  const main = page.getByRole('main');
  await page.goto(`/#/chain/${number}`);
  await expect(main).toContainText('TransactionFeePaid', { timeout: 15_000 });
  await expect(main).not.toContainText('TransactionFeeGone');
  await page.goto(`/#/chain/${number + 1}`);
  await expect(main).toContainText(`Block #${number + 1}`);
  await expect(main).toContainText('ExtrinsicSuccess', { timeout: 15_000 });
  await expect(main).not.toContainText('cannot be decoded');
});

test('an upgrade is rehearsed, its report is saved, and the same file is applied', async ({ page }) => {
  await page.goto('/#/runtime/rehearse');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/, { timeout: 15_000 });
  await page.getByLabel('Runtime, a .wasm file').setInputFiles(next);
  await page.getByRole('button', { name: 'Rehearse' }).click();
  const report = page.getByRole('region', { name: 'Report' });
  await expect(report.getByRole('heading', { level: 2 })).toHaveText('✓ No problems were found');
  await expect(report).toContainText(/tabnode 101\s+→\s+102/);
  await expect(report.getByRole('row', { name: /^block #/ })).toHaveCount(4);
  const download = page.waitForEvent('download');
  await report.getByRole('button', { name: 'Download report' }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as object;
  expect(saved).toMatchObject({ specVersion: { before: 101, after: 102 }, problems: [] });
  // The chain still runs the old one.
  await report.getByRole('link', { name: 'Apply it…' }).click();
  await expect(runtimeLine(page)).toHaveText(/^Upgrade: tabnode 101\s+→ tabnode 102$/);
  // As on a live chain: the runtime replaces its own code.
  await page.getByRole('button', { name: 'authorize and apply', exact: true }).click();
  await expect(dryRun(page)).toHaveText('succeeds', { timeout: 15_000 });
  await page.getByRole('button', { name: /^Sign and send/ }).click();
  await expect(runtimeLine(page)).toHaveText(/: tabnode 102\b/, { timeout: 20_000 });
});
