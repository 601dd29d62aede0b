import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { openStill } from './chain-page.ts';
import { ask } from './node-line.ts';
import { dropFile, shownBest } from './support.ts';

test('blocks of a file go into the open chain, in both forms; what is wrong with them is told', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 5 });
  const best = await ask<string>(page, 'chain_getBlockHash', 5);
  const json = await ask<string>(page, 'dev_exportChain', 'json', 1);
  const binary = await ask<string>(page, 'dev_exportChain', 'binary', 1);
  const sheet = page.getByRole('dialog', { name: 'Import blocks' });
  const load = async (name: string, bytes: Buffer): Promise<void> => {
    await dropFile(page, name, bytes);
    await expect(sheet).toContainText('has 5 blocks');
    await sheet.getByRole('button', { name: 'Import into Development' }).click();
  };

  await ask(page, 'dev_reset');
  await load('blocks.jsonl', Buffer.from(json));
  await expect(sheet.getByRole('status')).toHaveText('5 blocks are in the chain.');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Done' }).click();
  expect(await ask(page, 'chain_getBlockHash', 5)).toBe(best);
  await expect.poll(() => shownBest(page)).toBe(5);

  await load('blocks.bin', Buffer.from(binary.slice(2), 'hex'));
  await expect(sheet.getByRole('status')).toHaveText('5 blocks are in the chain.');
  await page.keyboard.press('Escape');

  await ask(page, 'dev_reset');
  const wrong = json.replace(/"stateRoot":"0x..../, '"stateRoot":"0x0000');
  await load('wrong.jsonl', Buffer.from(wrong));
  await expect(sheet.getByRole('alert')).toContainText(/#1|block 1|root/i);
  await expect(sheet.getByRole('button', { name: 'Import into Development' })).toBeEnabled();
  expect(await shownBest(page)).toBe(0);
});

test('an import whose node is in a tab that closes ends with an error, and continues in the node of this tab', async ({
  page,
  context,
}) => {
  await openStill(page);
  for (let built = 0; built < 400; built += 50) await ask(page, 'dev_newBlock', { count: 50 });
  const json = await ask<string>(page, 'dev_exportChain', 'json', 1);
  await ask(page, 'dev_reset');
  const other = await context.newPage();
  await other.goto('/#/chain');
  await expect(other.getByRole('link', { name: 'Best block' })).toHaveText('#0');
  await other.getByRole('button', { name: 'Development' }).click();
  await other.getByRole('button', { name: 'New chain…' }).click();
  await other
    .getByLabel('Runtime, chain spec, exported chain, packed fork or blocks')
    .setInputFiles({ name: 'blocks.jsonl', mimeType: 'application/json', buffer: Buffer.from(json) });
  const dialog = other.getByRole('dialog', { name: 'Import blocks' });
  await dialog.getByRole('button', { name: 'Import into Development' }).click();
  await expect(dialog).toContainText(/Importing\s+[1-9]\d+\s+of 400 blocks/);
  await page.close();
  await expect(dialog.getByRole('alert')).toContainText(/\([1-9]\d+ of 400 blocks imported\)/);
  await dialog.getByRole('button', { name: 'Continue import' }).click();
  await expect(dialog.getByRole('status')).toHaveText('400 blocks are in the chain.', { timeout: 60_000 });
});
