import { expect, type Page, test } from '@playwright/test';
import { openJoin, writeLocalSpec } from './join-page.ts';
import { shownBest } from './support.ts';

const finalOf = async (page: Page): Promise<number> => {
  const text = await page.getByRole('link', { name: 'Finalized block' }).innerText();
  return Number(text.replace(/[^\d]/g, ''));
};

/** Joins with the specification of a file, as the authority of the key. */
const join = async (page: Page, name: string, spec: string, key: string): Promise<void> => {
  const dialog = await openJoin(page, spec);
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
  const spec = await writeLocalSpec(info.outputPath('chain.json'));
  const [alice, bob] = [await context.newPage(), await context.newPage()];
  await join(alice, 'Alice’s', spec, '//Alice');
  await expect(alice.getByRole('button', { name: 'no peers' })).toBeVisible();
  await join(bob, 'Bob’s', spec, '//Bob');
  const slots = { timeout: 90_000 };
  for (const page of [alice, bob]) {
    await expect(page.getByRole('button', { name: '1 peer' })).toBeVisible();
    await expect.poll(() => finalOf(page), slots).toBeGreaterThanOrEqual(3);
  }
  // The votes of the other tab are shown as those of this one.
  await alice.getByRole('link', { name: 'Consensus' }).click();
  const voters = alice.getByRole('table', { name: 'GRANDPA authorities' }).getByRole('row');
  await expect(voters.filter({ hasText: 'Bob' })).toContainText('✓ cast');
  await expect(voters.filter({ hasText: 'this node' })).toContainText('Alice');
  // As long as Bob is away, Alice waits for him: others may be sealing blocks.
  await bob.goto('about:blank');
  await expect(alice.getByRole('button', { name: 'no peers' })).toBeVisible();
  await expect(alice.getByText('The node has no peer, and others may be sealing blocks').first()).toBeVisible(
    slots,
  );
  const alone = await shownBest(alice);
  expect(await finalOf(alice)).toBeLessThanOrEqual(alone);
  await bob.goBack();
  for (const page of [alice, bob]) await expect.poll(() => finalOf(page), slots).toBeGreaterThan(alone);
});
