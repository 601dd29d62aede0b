import { test as base, expect } from '@playwright/test';
import { e2eUrl } from '../../e2e/ports.ts';
import type { TabNode } from '../../src/start.ts';
import { nodeFixtures } from '../../src/testing/playwright.ts';

// In a project of your own: `import { nodeFixtures } from 'tabnode/testing/playwright'`.
const test = base.extend<{ node: TabNode }, { startedNode: TabNode }>(nodeFixtures());
test.use({ baseURL: e2eUrl('dapp') });

const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const unit = 1_000_000_000_000n;

test('shows balances and sends a transfer', async ({ page, node }) => {
  await page.goto('/');
  const shown = page.getByTestId('bob');
  await expect(shown).toHaveText(/^\d+$/);
  const before = BigInt(await shown.innerText());
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByTestId('progress')).toHaveText('Finalized');
  await expect(shown).toHaveText(`${before + unit}`);
  expect((await node.rpc.chain_getHeader())?.number).not.toBe('0x0');
});

test('begins as if the test before had not been, and shows what the node is made to hold', async ({
  page,
  node,
}) => {
  expect((await node.rpc.chain_getHeader())?.number).toBe('0x0');
  await node.rpc.dev_fund({ account: bob, amount: '42000000000000' });
  await page.goto('/');
  await expect(page.getByTestId('bob')).toHaveText('42000000000000');
  // Going back is seen by the page at once.
  const snap = await node.snapshot('funded');
  await node.rpc.dev_fund({ account: bob, amount: '1000000000000' });
  await expect(page.getByTestId('bob')).toHaveText('1000000000000');
  await node.restore(snap);
  await expect(page.getByTestId('bob')).toHaveText('42000000000000');
});
