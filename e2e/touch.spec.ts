import { expect, test } from '@playwright/test';
import { createSender, openStill } from './chain-page.ts';
import { ask } from './node-line.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Minimum size of a touch target in px (WCAG 2.5.8 requires 24). */
const least = 32;

const account = encodeURIComponent(JSON.stringify(['5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY']));
const places: readonly (readonly [place: string, shows: RegExp])[] = [
  ['#/chain', /#1/],
  ['#/chain/1', /System[.]ExtrinsicSuccess/],
  ['#/chain/1/0', /outcome/],
  ['#/chain/epoch', /Authorities/],
  ['#/chain/control', /Snapshots/],
  ['#/storage', /Babe/],
  ['#/storage/System', /ExtrinsicCount/],
  ['#/storage/System/Account', /Alice/],
  [`#/storage/System/Account/${account}`, /History/],
  ['#/storage/key?key=0x26', /System/],
  ['#/storage/diff?from=0&to=1', /keys differ/],
  ['#/rpc', /Filter methods|archive/],
  ['#/rpc/state_getRuntimeVersion', /Run/],
  ['#/live', /No subscriptions yet/],
  ['#/live/traffic', /all clients/],
  ['#/send/Balances/transfer_keep_alive', /valid/],
  ['#/send/pool', /pool is empty|Ready/],
  ['#/runtime', /BabeApi/],
  ['#/runtime/pallets/Balances', /transfer_all/],
  ['#/runtime/apis', /Core/],
  ['#/node', /Memory/],
  ['#/node/keys', /block production/],
];

test('what a finger is to hit is large enough on every page', async ({ page }) => {
  await openStill(page);
  const sign = await createSender(page);
  await ask(page, 'author_submitExtrinsic', sign(0, 'System', 'remark', { remark: '0x01' }));
  await ask(page, 'dev_newBlock');
  test.setTimeout(120_000);
  const small: string[] = [];
  for (const [place, shows] of places) {
    await page.evaluate((to) => {
      location.hash = to;
    }, place);
    await expect(page.locator('#app')).toContainText(shows);
    const found = await page
      .locator('a, button, summary, select, [role=option], input:not([type=checkbox], [type=file])')
      .evaluateAll(
        (all, px) =>
          all.flatMap((one) => {
            const { height } = one.getBoundingClientRect();
            // A link in a sentence is as high as its line, and an invisible one is not a touch target.
            const inText = one.matches('p a, p button') || !one.checkVisibility() || height <= 1;
            return inText || height >= px ? [] : [`${Math.round(height)} ${one.outerHTML.slice(0, 140)}`];
          }),
        least,
      );
    small.push(...new Set(found.map((one) => `${place}: ${one}`)));
  }
  expect(small).toEqual([]);
});
