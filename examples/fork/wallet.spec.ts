import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect } from '@playwright/test';
import { e2eUrl } from '../../e2e/ports.ts';
import type { TabNode } from '../../src/start.ts';
import { nodeFixtures } from '../../src/testing/playwright.ts';
import { makePack } from './make-pack.ts';

// The wallet of examples/dapp on a fork of a live chain, without the network.

const folder = mkdtempSync(join(tmpdir(), 'tabnode-pack-'));
const pack = pathToFileURL(join(folder, 'development.pack'));
// In a project of your own: `import { nodeFixtures } from 'tabnode/testing/playwright'`.
const test = base.extend<{ node: TabNode }, { startedNode: TabNode }>(
  nodeFixtures({
    fork: { pack },
    prepare: async (node) => void (await node.rpc.dev_newBlock({ options: { count: 2 } })),
  }),
);
test.use({ baseURL: e2eUrl('dapp') });
test.beforeAll(() => makePack(pack));
test.afterAll(() => rmSync(folder, { recursive: true }));

test('a wallet sends a transfer on a fork of a live chain', async ({ page, node }) => {
  await page.goto('/');
  const shown = page.getByTestId('bob');
  await expect(shown).toHaveText(/^\d+$/);
  const before = BigInt(await shown.innerText());
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByTestId('progress')).toHaveText('Finalized');
  await expect(shown).toHaveText(`${before + 1_000_000_000_000n}`);
  expect((await node.status()).fork).toMatchObject({ base: { number: 3 }, requests: 0, untruths: [] });
});
