import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import type { OfferPage } from './pages/offer.ts';
import { e2eUrl } from './ports.ts';

const open = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${e2eUrl('pages')}offer.html`);
  await page.waitForFunction(() => window.offerPage !== undefined);
  return page;
};

const run = <T>(page: Page, call: (of: OfferPage) => T): Promise<Awaited<T>> =>
  page.evaluate(`(${call.toString()})(window.offerPage)`) as Promise<Awaited<T>>;

test('a page offers its node to scripts by the events of substrate-connect', async ({ context }) => {
  const page = await open(context);
  expect(await run(page, (of) => of.askScripts())).toEqual([]);
  await run(page, (of) => of.offer({ name: 'Mine' }));
  expect(await run(page, (of) => of.askScripts())).toEqual(['tabnode-v1 Mine Development refused -32601']);
  await run(page, (of) => of.seal());
  expect(await run(page, (of) => of.finalized())).toBe(1);
  await run(page, (of) => of.withdraw());
  expect(await run(page, (of) => of.askScripts())).toEqual([]);
});

test('other pages of the origin find what a page offers, and lose it when it ends', async ({ context }) => {
  const [page, dapp] = [await open(context), await open(context)];
  expect(await run(dapp, (of) => of.find())).toEqual([]);
  const genesis = await run(page, (of) => of.offer({ name: 'Mine', scripts: false }));
  expect(await run(page, (of) => of.askScripts())).toEqual([]);
  expect(await run(dapp, (of) => of.find())).toEqual(['Mine']);
  expect(await run(dapp, (of) => of.askFound('chain_getBlockHash', [0]))).toBe(genesis);
  expect(await run(dapp, (of) => of.askFound('dev_newBlock', []))).toBe('refused -32601');
  await run(page, (of) => of.withdraw());
  expect(await run(dapp, (of) => of.find())).toEqual([]);
  await expect.poll(() => run(dapp, (of) => of.askFound('system_chain', []))).toBe('refused 4900');
});

test('a shared node goes on by itself when the tab that ran it closes', async ({ context }) => {
  const [first, second] = [await open(context), await open(context)];
  await run(first, (of) => of.share());
  await run(second, (of) => of.share());
  await run(second, (of) => of.seal());
  const best = await run(first, (of) => of.ask('chain_getBlockHash', [1]));
  await first.close();
  await expect
    .poll(() => run(second, (of) => of.ask('chain_getBlockHash', [1]).catch(() => null)))
    .toBe(best);
  await run(second, (of) => of.seal());
  expect(await run(second, (of) => of.ask('chain_getBlockHash', [2]))).not.toBeNull();
});
