import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page, test } from '@playwright/test';
import { shownBest } from './support.ts';

const tabnode = fileURLToPath(new URL('../bridge/tabnode.ts', import.meta.url));

const finalOf = async (page: Page): Promise<number> => {
  const text = await page.getByRole('link', { name: 'Finalized block' }).innerText();
  return Number(text.replace(/[^\d]/g, ''));
};

/** Joins with the specification of a file, as the authority of the key. */
const join = async (page: Page, name: string, spec: string, key: string): Promise<void> => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Best block' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search or run' }).fill('New chain');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New chain' });
  await dialog.getByRole('radio', { name: 'Join a network' }).check();
  await dialog.getByLabel('Chain specification').setInputFiles(spec);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('textbox', { name: 'Keys' }).fill(key);
  await dialog.getByRole('button', { name: 'Join and start' }).click();
  await expect(dialog).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
};

test('two tabs, Alice and Bob, each with a chain of its own name, finalize together; one that comes back catches up', async ({
  context,
}, info) => {
  test.setTimeout(240_000);
  const spec = info.outputPath('chain.json');
  const args = [tabnode, 'build-spec', '--chain', 'local_testnet', '--raw', '--output', spec];
  await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 28 });
  const [alice, bob] = [await context.newPage(), await context.newPage()];
  await join(alice, 'Alice’s', spec, '//Alice');
  await expect(alice.getByRole('button', { name: 'no peers' })).toBeVisible();
  await join(bob, 'Bob’s', spec, '//Bob');
  const slots = { timeout: 90_000 };
  for (const page of [alice, bob]) {
    await expect(page.getByRole('button', { name: '1 peer' })).toBeVisible();
    await expect.poll(() => finalOf(page), slots).toBeGreaterThanOrEqual(3);
  }
  // As long as Bob is away, two votes are not there.
  await bob.goto('about:blank');
  await expect(alice.getByRole('button', { name: 'no peers' })).toBeVisible();
  const alone = await shownBest(alice);
  await expect.poll(() => shownBest(alice), slots).toBeGreaterThanOrEqual(alone + 2);
  expect(await finalOf(alice)).toBeLessThanOrEqual(alone);
  await bob.goBack();
  for (const page of [alice, bob]) await expect.poll(() => finalOf(page), slots).toBeGreaterThan(alone);
});
