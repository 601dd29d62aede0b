import { expect, type Page, test } from '@playwright/test';
import { e2eUrl } from './ports.ts';
import { killWorker, trackWorkers } from './support.ts';

// The real polkadot-js ApiPromise in the page, over our provider (e2e/pages/dapp.ts).
test.use({ baseURL: e2eUrl('pages') });

const unit = 1_000_000_000_000n;
const stored = { kind: 'indexeddb', name: 'e2e-dapp' } as const;

const startCode = (page: Page, kind: 'instant' | 'manual'): Promise<string> =>
  page.evaluate(
    ([storage, seal]) =>
      window.dapp.start(storage, { kind: seal }).then(
        () => 'started',
        (error: { code?: string }) => error.code ?? String(error),
      ),
    [stored, kind] as const,
  );

const visit = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.waitForFunction(() => 'dapp' in window);
};

/** Opens the page and its chain. After a reload, the lock of the previous page is released a moment later. */
const open = async (page: Page, seal: 'instant' | 'manual'): Promise<void> => {
  await visit(page);
  await expect.poll(() => startCode(page, seal), { timeout: 10_000 }).toBe('started');
};

test('a transfer is followed until final, and its chain outlives a reload and a killed worker; a second tab is refused', async ({
  context,
  page,
}) => {
  await trackWorkers(page);
  await open(page, 'instant');
  await test.step('a transfer from Alice to Bob is followed until final, with right balances and events', async () => {
    const amount = 12n * unit;
    const report = await page.evaluate((value) => window.dapp.transfer(value), amount.toString());
    expect(report.statuses[0]).toBe('Ready');
    expect(report.statuses.at(-1)).toBe('Finalized');
    expect(report.events).toEqual(
      expect.arrayContaining([
        'balances.Transfer',
        'transactionPayment.TransactionFeePaid',
        'system.ExtrinsicSuccess',
      ]),
    );
    expect(BigInt(report.after.bob) - BigInt(report.before.bob)).toBe(amount);
    expect(BigInt(report.fee)).toBeGreaterThan(0n);
    expect(BigInt(report.before.alice) - BigInt(report.after.alice)).toBe(amount + BigInt(report.fee));
  });

  await test.step('a reload keeps the genesis hash, the best hash and the balances', async () => {
    const before = await page.evaluate(() => window.dapp.summary());
    expect(before.bestNumber).toBeGreaterThan(0);
    await open(page, 'instant');
    expect(await page.evaluate(() => window.dapp.summary())).toEqual(before);
    await page.evaluate(() => window.dapp.seal(1));
    expect((await page.evaluate(() => window.dapp.summary())).bestNumber).toBe(before.bestNumber + 1);
  });

  await test.step('a worker killed while it seals leaves a chain that goes on', async () => {
    await open(page, 'manual');
    await page.evaluate(() => window.dapp.seal(5));
    const before = await page.evaluate(() => window.dapp.summary());
    await page.evaluate(() => void window.dapp.seal(200).catch(() => undefined));
    await page.waitForTimeout(60);
    await killWorker(page);
    await open(page, 'manual');
    const after = await page.evaluate(() => window.dapp.summary());
    expect(after.genesisHash).toBe(before.genesisHash);
    expect(after.bestNumber).toBeGreaterThanOrEqual(before.bestNumber);
    expect(after.balances).toEqual(before.balances);
    await page.evaluate(() => window.dapp.seal(2));
    expect((await page.evaluate(() => window.dapp.summary())).bestNumber).toBe(after.bestNumber + 2);
  });

  await test.step('a second tab on the same chain is refused by code', async () => {
    const second = await context.newPage();
    await visit(second);
    expect(await startCode(second, 'manual')).toBe('ChainInUse');
  });
});
