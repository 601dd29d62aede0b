import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import type { OfferPage } from './pages/offer.ts';
import { e2eUrl } from './ports.ts';
import { collectFaults } from './support.ts';

const open = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${e2eUrl('pages')}offer.html`);
  await page.waitForFunction(() => window.offerPage !== undefined);
  return page;
};

const run = <T>(page: Page, call: (of: OfferPage) => T): Promise<Awaited<T>> =>
  page.evaluate(`(${call.toString()})(window.offerPage)`) as Promise<Awaited<T>>;

test('a page offers its node to scripts and to other pages, or shares it with them', async ({ context }) => {
  const page = await open(context);
  await test.step('to scripts by the events of substrate-connect', async () => {
    expect(await run(page, (of) => of.askScripts())).toEqual([]);
    await run(page, (of) => of.offer({ name: 'Mine' }));
    expect(await run(page, (of) => of.askScripts())).toEqual(['tabnode-v1 Mine Development refused -32601']);
    await run(page, (of) => of.seal());
    expect(await run(page, (of) => of.finalized())).toBe(1);
    await run(page, (of) => of.withdraw());
    expect(await run(page, (of) => of.askScripts())).toEqual([]);
  });

  const dapp = await open(context);
  await test.step('other pages of the origin find what a page offers, and lose it when it ends', async () => {
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

  await test.step('a shared node goes on by itself when the tab that ran it closes', async () => {
    await run(page, (of) => of.share());
    await run(dapp, (of) => of.share());
    await run(dapp, (of) => of.seal());
    const best = await run(page, (of) => of.ask('chain_getBlockHash', [1]));
    await page.close();
    await expect
      .poll(() => run(dapp, (of) => of.ask('chain_getBlockHash', [1]).catch(() => null)))
      .toBe(best);
    await run(dapp, (of) => of.seal());
    expect(await run(dapp, (of) => of.ask('chain_getBlockHash', [2]))).not.toBeNull();
  });
});

/** What a script of the page gets: each provider's chain, and whether it may seal a block. */
const asScript = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    type Detail = OfferDetailOf<{ request(call: { method: string }): Promise<unknown> }>;
    type OfferDetailOf<P> = { readonly info: { readonly name: string }; readonly provider: Promise<P> };
    const details: Detail[] = [];
    const onProvider = (detail: Detail): void => void details.push(detail);
    dispatchEvent(new CustomEvent('substrateDiscovery:requestProvider', { detail: { onProvider } }));
    return Promise.all(
      details.map(async ({ info, provider }) => {
        const { request } = await provider;
        const sealed = await request({ method: 'dev_newBlock' }).then(
          () => 'sealed',
          ({ code }: { code: number }) => `refused ${code}`,
        );
        return `${info.name} ${await request({ method: 'system_chain' })} ${sealed}`;
      }),
    );
  });

/** Another page of the origin: it asks for offers, and sends what no page of ours sends. */
const asOtherPage = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const channel = new BroadcastChannel('tabnode.offers');
        const names: string[] = [];
        channel.onmessage = ({ data }) => {
          if (data?.offer === undefined) return;
          names.push(data.offer.name);
          const meeting = new BroadcastChannel(`tabnode.node:offer:${data.offer.uuid}`);
          for (const word of [null, 'who', 7, { ask: 'open' }, { ask: 'who', id: 5 }, { left: 1 }])
            meeting.postMessage(word);
          meeting.onmessage = ({ data: reply }) => {
            if (reply?.id !== 'last') return;
            meeting.close();
            channel.close();
            resolve(names);
          };
          meeting.postMessage({ ask: 'who', id: 'last' });
        };
        for (const word of [null, 'offers', 7, { ask: 5 }, { offer: null }]) channel.postMessage(word);
        channel.postMessage({ ask: 'offers' });
      }),
  );

test('the devtools offer their node by a switch, which is off at first', async ({ context }) => {
  const page = await context.newPage();
  const faults = collectFaults(page);
  await page.goto(`${e2eUrl('app')}#/node/pages`);
  const offer = page.getByRole('checkbox', { name: 'Offer this node' });
  await expect(offer).not.toBeChecked();
  expect(await asScript(page)).toEqual([]);
  await offer.check();
  await expect(page.getByRole('main')).toContainText('No script or page is connected.');
  expect(await asScript(page)).toEqual(['Development Development refused -32601']);
  const users = page.getByRole('list', { name: 'Users of this node' });
  await expect(users).toContainText('A script on this page since');
  const other = await context.newPage();
  await other.goto(e2eUrl('app'));
  expect(await asOtherPage(other)).toEqual(['Development']);
  await page.getByRole('checkbox', { name: 'Allow unsafe calls' }).check();
  expect(await asScript(page)).toEqual(['Development Development sealed']);
  await expectAccessible(page);
  await offer.uncheck();
  await expect(users).toBeHidden();
  expect(await asScript(page)).toEqual([]);
  await page.reload();
  await expect(offer).not.toBeChecked();
  expect(faults).toEqual([]);
});
