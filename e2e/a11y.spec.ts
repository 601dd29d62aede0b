import { expect, type Page, test } from '@playwright/test';
import { findFaults } from './axe.ts';
import { alice, bob, createSender, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';

// Every page of every panel: axe in both themes (WCAG 2.2 AA, targets of 24 px included), and nothing beyond the edge.

const account = `System/Account/${encodeURIComponent(JSON.stringify([alice]))}`;

/** The pages of each panel, and what each shows when it is there. */
const panels: Readonly<Record<string, readonly (readonly [place: string, shows: RegExp])[]>> = {
  chain: [
    ['chain', /#1/],
    ['chain/2', /balances[.]Transfer/],
    ['chain/2/1', /outcome/],
    ['chain/epoch', /Authorities/],
    ['chain/control', /Snapshots/],
    [`chain/tx/0x${'12'.repeat(32)}`, /Not in the pool/],
  ],
  storage: [
    ['storage', /Babe/],
    ['storage/System', /ExtrinsicCount/],
    ['storage/System/Account', /Alice/],
    [`storage/${account}`, /History/],
    ['storage/key?key=0x26', /System/],
    ['storage/child', /No child tries/],
    ['storage/diff?from=0&to=1', /keys differ/],
  ],
  rpc: [
    ['rpc', /archive/],
    ['rpc/state_getRuntimeVersion', /Run/],
    ['rpc/dev_newBlock?as=json', /params/],
  ],
  live: [
    ['live', /No subscriptions yet/],
    ['live?sub=%5B%5B%22chain_subscribeNewHeads%22%2C%5B%5D%5D%5D', /by authority/],
    ['live/traffic', /chain_/],
    ['live/recording', /No recording/],
  ],
  send: [
    ['send/Balances/transfer_keep_alive', /valid/],
    ['send/Utility/batch', /calls/],
    ['send/upgrade', /tabnode 101/],
    ['send/raw', /signed extrinsic/],
    ['send/pool', /Ready/],
  ],
  runtime: [
    ['runtime', /BabeApi/],
    ['runtime/pallets/Balances/calls', /transfer_all/],
    ['runtime/apis/Core/version', /version/],
    ['runtime/types/5', /type/i],
    ['runtime/decode', /bytes/],
    ['runtime/module', /Host functions used/],
    ['runtime/logs', /No lines yet/],
  ],
  node: [
    ['node', /Memory/],
    ['node/keys', /block production/],
    ['node/offchain', /key/],
    ['node/storage', /indexeddb/],
  ],
};

/** A chain that stands still, with a transfer in its second block and another in the pool. */
const openFilled = async (page: Page): Promise<void> => {
  await openStill(page);
  const sign = await createSender(page);
  const pay = (nonce: number) =>
    sign(nonce, 'Balances', 'transfer_keep_alive', { dest: { Id: bob }, value: '5000000000000' });
  await ask(page, 'dev_newBlock');
  await ask(page, 'dev_newBlock', { transactions: [pay(0)] });
  await ask(page, 'author_submitExtrinsic', pay(1));
};

const look = async (page: Page, place: string, shows: RegExp): Promise<void> => {
  await page.evaluate((to) => {
    location.hash = `#/${to}`;
  }, place);
  await expect(page.getByRole('main')).toContainText(shows);
};

/** Elements that reach beyond the right edge of the page. */
const beyondEdge = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

for (const [panel, places] of Object.entries(panels))
  for (const width of [1440, 390])
    test(`the ${panel} panel at ${width} px: axe finds nothing, nothing is beyond the edge`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      await openFilled(page);
      for (const [place, shows] of places) {
        await look(page, place, shows);
        expect.soft(await findFaults(page), place).toEqual([]);
        expect.soft(await beyondEdge(page), place).toBe(0);
      }
    });
