import { expect, test } from '@playwright/test';
import { e2eUrl } from './ports.ts';

// The real polkadot-js ApiPromise in the page, over our provider (e2e/pages/dapp.ts), with default finality.
test.use({ baseURL: e2eUrl('pages') });

/** Number of transactions in each seal mode. TABNODE_SENDS=1000 takes longer than a test should. */
const count = Number(process.env['TABNODE_SENDS'] ?? 100);

const cases = [
  [{ kind: 'instant' }, 16],
  [{ kind: 'interval', ms: 2000 }, 200],
  [{ kind: 'slots' }, 500],
] as const;

test('in each seal mode, every signAndSend sees isInBlock, and then isFinalized', async ({ page }) => {
  test.slow();
  await page.goto('/');
  await page.waitForFunction(() => 'dapp' in window);
  for (const [seal, inFlight] of cases)
    await test.step(seal.kind, async () => {
      await page.evaluate((mode) => window.dapp.start('memory', mode), seal);
      const began = Date.now();
      const { slowestMs, wire, ...seen } = await page.evaluate(
        ([many, lanes]) => window.dapp.sendMany(many, lanes),
        [count, inFlight] as const,
      );
      test.info().annotations.push({
        type: 'figures',
        description: `${seal.kind}: ${count} in ${Date.now() - began} ms; longest wait from isInBlock to isFinalized ${slowestMs} ms, on the wire ${wire.slowestMs} ms`,
      });
      expect(seen).toEqual({ sent: count, inBlock: count, finalized: count });
      expect(wire.finalized).toBe(count);
      await page.evaluate(() => window.dapp.stop());
    });
});
