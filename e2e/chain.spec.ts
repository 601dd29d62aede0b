import { expect, type Page, test } from '@playwright/test';
import { commonExtensions, encodeCall, prepareExtrinsic } from '../ui/meta/extrinsic.ts';
import { blake2 } from '../ui/meta/hash.ts';
import { createMetaLoader } from '../ui/meta/load.ts';
import type { Json, RuntimeMeta } from '../ui/meta/types.ts';
import { expectAccessible } from './axe.ts';
import { ask, openLine } from './node-line.ts';
import { collectFaults, shownBest } from './support.ts';

const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
/** What dev_impersonate takes for a signature. */
const anySignature = `0xdeadbeef${'cd'.repeat(60)}`;

/** The app with a chain that stands still, where nothing is final by itself. */
const openStill = async (page: Page): Promise<void> => {
  await openLine(page);
  await page.goto('/#/chain');
  await expect(page.getByTestId('best')).toHaveText(/#\d/);
  await ask(page, 'dev_setSealMode', 'manual');
  await ask(page, 'dev_setFinality', 'manual');
  await ask(page, 'dev_reset');
  await expect.poll(() => shownBest(page)).toBe(0);
};

const loadMeta = (page: Page): Promise<RuntimeMeta> =>
  createMetaLoader({ request: (method, params) => ask(page, method, ...params) }).at(null);

/** Transactions of Alice, whom the chain does not ask for a signature. */
const createSender = async (page: Page) => {
  const meta = await loadMeta(page);
  await ask(page, 'dev_impersonate', alice);
  const version = await ask<Record<string, number>>(page, 'state_getRuntimeVersion');
  const genesisHash = await ask<string>(page, 'chain_getBlockHash', 0);
  return (nonce: number, pallet: string, call: string, args: Json): string => {
    const facts = {
      nonce,
      tip: 3n,
      specVersion: version['specVersion'] ?? 0,
      transactionVersion: version['transactionVersion'] ?? 0,
      genesisHash,
      mortal: null,
    };
    const unsigned = prepareExtrinsic(
      meta,
      encodeCall(meta, pallet, call, args),
      commonExtensions(facts),
      blake2,
    );
    return unsigned.finish({ Id: alice }, { Sr25519: anySignature });
  };
};

const tree = (page: Page) => page.getByRole('listbox', { name: 'Block tree' });
const detail = (page: Page) => page.getByRole('complementary');

test('forks grow by the keyboard, are drawn side by side, and fade when another branch is final', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  const tip = await ask<string>(page, 'dev_newBlock', { count: 3 });
  await expect(tree(page).getByRole('option', { name: /^Block #3, on the best chain$/ })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(tree(page).getByRole('option', { selected: true })).toHaveAccessibleName(/^Block #1,/);
  expect(page.url()).toContain('sel=0x');
  await page.keyboard.press('b');
  // The block sealed before the reset is a branch of genesis by now.
  const forks = tree(page).getByRole('option', { name: /#2, on a fork/ });
  await expect(forks).toHaveCount(1);
  await page.keyboard.press('b');
  await expect(forks).toHaveCount(2);
  await expect(page.getByRole('status').filter({ hasText: 'dev_newBlock' })).toBeVisible();
  // A fork of more primary claims is the better one to BABE: the longest branch is best again by decree.
  await ask(page, 'dev_setHead', tip);
  await expect(tree(page).getByRole('option', { name: /^Block #3, on the best chain$/ })).toBeVisible();
  await page.keyboard.press('ArrowUp');
  const walked = tree(page).getByRole('option', { selected: true });
  await expect(async () => {
    await page.keyboard.press('ArrowRight');
    await expect(walked).toHaveAccessibleName(/#2, on a fork/, { timeout: 200 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(detail(page).getByRole('heading', { name: 'Block #2' })).toBeVisible();
  await expect(detail(page)).toContainText('on a fork, not final');
  const forkPlace = new URL(page.url()).hash;

  // The other branch becomes final: this one has lost.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(walked).toHaveAccessibleName(/#2, on the best chain/, { timeout: 200 });
  }).toPass();
  await page.keyboard.press('f');
  await expect(page.getByTestId('finalized')).toHaveText('#2');
  await expect(tree(page).getByRole('option', { name: /#2, on a lost branch/ })).toHaveCount(2);
  await expect(tree(page).getByRole('option', { name: /#2, finalized/ })).toBeVisible();

  // A refusal is told where it happened.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('b');
  await expect(page.getByRole('alert')).toContainText('Building on #0: refused');
  expect(forkPlace).toContain('0x');
  expect(faults).toEqual([]);
});

test('a deep link to a block of a fork draws the fork, though it grew before anybody looked', async ({
  page,
}) => {
  await openLine(page);
  await page.goto('/#/rpc');
  await expect(page.getByTestId('best')).toHaveText(/#[1-9]/);
  await ask(page, 'dev_setSealMode', 'manual');
  await ask(page, 'dev_setFinality', 'manual');
  const trunk = await ask<string>(page, 'dev_newBlock');
  const [fork] = [await ask<string>(page, 'dev_newBlock', { parent: trunk, count: 1 })];
  await ask(page, 'dev_newBlock', { parent: trunk, count: 3 });
  const tip = await ask<string>(page, 'dev_newBlock', { parent: fork });
  await page.goto(`/#/chain/${tip}`);
  await expect(detail(page)).toContainText('on a fork, not final');
  for (const hash of [fork, tip])
    await expect(tree(page).locator(`[data-hash="${hash}"]`)).toHaveAccessibleName(/on a fork/);
  await page.goto('/#/chain');
  await tree(page).locator(`[data-hash="${fork}"]`).click();
  expect(page.url()).toContain(`/chain/${fork}`);
});

test('a block tells author, claim, events by extrinsic, a failure in words, weight, proof and storage changes', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  const send = await createSender(page);
  const dest = { Id: bob };
  const hash = await ask<string>(page, 'dev_newBlock', {
    transactions: [
      send(0, 'Balances', 'transfer_keep_alive', { dest, value: '7000000000000' }),
      send(1, 'Balances', 'transfer_keep_alive', { dest, value: `9${'0'.repeat(30)}` }),
    ],
  });
  await page.goto(`/#/chain/${hash}`);
  const aside = detail(page);
  await expect(aside).toContainText(/author\s*Alice/);
  await expect(aside).toContainText(/authority 0, (primary|secondary)/);
  const rows = aside.getByRole('list', { name: 'Extrinsics' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText('timestamp.set');
  await expect(rows.nth(1)).toContainText('balances.transferKeepAlive');
  await expect(rows.nth(1)).toContainText('ok');
  await expect(rows.nth(2)).toContainText('failed');
  await expect(rows.nth(2)).toContainText(/Token\.FundsUnavailable|balances\.\w+/);
  await expect(aside.getByRole('heading', { name: /^1 balances.transferKeepAlive/ })).toBeVisible();
  const event = aside.getByText('balances.Transfer', { exact: true });
  await event.click();
  await expect(aside.getByRole('button', { name: 'Bytes', exact: true })).toBeVisible();
  await event.click();
  await expect(aside.getByRole('meter')).toHaveCount(3);
  await aside.getByRole('button', { name: 'Count what changed' }).click();
  await expect(aside.getByRole('status').filter({ hasText: /^\s*[1-9]\d* keys\s*$/ })).toBeVisible({
    timeout: 20_000,
  });
  await expect(aside.getByRole('link', { name: 'Before and after' })).toHaveAttribute(
    'href',
    /storage\/diff\?from=0x/,
  );
  await expect(aside).toContainText(/slot \d+, (primary|secondary plain|secondary VRF) claim of authority 0/);

  await rows.nth(2).getByRole('link', { name: 'balances.transferKeepAlive' }).click();
  await expect(aside.getByTestId('outcome')).toContainText('failed:');
  await expect(aside.getByText('nonce', { exact: true })).toBeVisible();
  await expect(aside).toContainText(/fee paid\s*[\d,.]+/);
  await expect(aside.getByRole('link', { name: 'account Alice' }).first()).toBeVisible();
  await aside.getByRole('button', { name: 'JSON' }).click();
  await expect(aside.locator('pre')).toContainText('transfer_keep_alive');
  const place = new URL(page.url()).hash;
  expect(place).toContain(`${hash}/2`);
  await page.reload();
  await expect(aside.getByTestId('outcome')).toContainText('failed:', { timeout: 15_000 });
  expect(faults).toEqual([]);
});

test('a transaction is followed by its hash: pool, block, retracted, final', async ({ page }) => {
  await openStill(page);
  const send = await createSender(page);
  const remark = send(0, 'System', 'remark', { remark: '0x1234' });
  await page.goto(`/#/chain/tx/0x${'12'.repeat(32)}`);
  await expect(detail(page)).toContainText('Not in the pool, not in 1 blocks');
  const hash = await ask<string>(page, 'author_submitExtrinsic', remark);
  await page.goto(`/#/chain/tx/${hash}`);
  const steps = detail(page).getByRole('list', { name: 'What became of it' });
  await expect(steps).toContainText('ready in the pool');
  await expect(detail(page)).toContainText('system.remark');
  await ask(page, 'dev_newBlock');
  await expect(steps).toContainText('in block #1');
  await expect(steps).toContainText('not final yet');
  await expect(detail(page).getByTestId('outcome')).toHaveText('ok');
  await ask(page, 'dev_setHead', -1);
  await ask(page, 'dev_newBlock', { transactions: [] });
  await expect(steps).toContainText('block #1 left the best chain');
  await expect(steps).toContainText(/ready in the pool[\s\S]*ready in the pool/);
  await ask(page, 'dev_newBlock');
  await ask(page, 'dev_finalise');
  await expect(steps).toContainText('in block #2');
  await expect(steps.getByText('finalized')).toBeVisible();
});

test('controls: build, finality, clock, snapshots, jump and reset', async ({ page }) => {
  await openStill(page);
  const aside = detail(page);
  await aside.getByLabel('How many blocks').fill('5');
  await aside.getByRole('button', { name: 'blocks on the best one' }).click();
  await expect.poll(() => shownBest(page)).toBe(5);
  await page.goto('/#/chain/5');
  await aside.getByRole('button', { name: 'Measure the proof' }).click();
  await expect(aside.getByText(/measured: block [\d,]+ B, proof/)).toBeVisible();
  await page.goto('/#/chain/control');
  await aside.getByRole('button', { name: 'Finalize the best block' }).click();
  await expect(page.getByTestId('finalized')).toHaveText('#5');
  await expect(aside.getByRole('button', { name: 'manual' })).toHaveAttribute('aria-pressed', 'true');
  await aside.getByRole('button', { name: 'instant' }).click();
  await expect(aside).toContainText('is final at once');
  await aside.getByRole('button', { name: 'manual' }).click();
  await expect(aside).toContainText('forks can grow');

  const next = aside.getByTestId('next-block');
  await expect(next).toContainText('not before 20');
  const timeOf = async () =>
    Date.parse(
      (await next.innerText())
        .replace(/^.*before /, '')
        .replace(' UTC', 'Z')
        .replace(' ', 'T'),
    );
  const before = await timeOf();
  await aside.getByRole('button', { name: '+1 d' }).click();
  await expect.poll(async () => (await timeOf()) - before).toBeGreaterThan(86_000_000);
  await aside.getByRole('button', { name: '+1 h' }).click();
  await expect.poll(async () => (await timeOf()) - before).toBeGreaterThan(89_000_000);
  await ask(page, 'dev_newBlock');
  await expect(tree(page)).toContainText('⋮ +1 d');

  await aside.getByLabel('Name of the snapshot').fill('six');
  await aside.getByRole('button', { name: 'Keep this state' }).click();
  const shelf = aside.getByRole('region', { name: 'Snapshots' });
  await expect(shelf.getByRole('listitem')).toContainText('#6');
  await ask(page, 'dev_newBlock', { count: 2 });
  await expect.poll(() => shownBest(page)).toBe(8);
  await shelf.getByRole('button', { name: 'Restore…' }).click();
  await expect(shelf.getByRole('alertdialog')).toHaveAccessibleName('Leave 2 blocks behind?');
  await shelf.getByRole('button', { name: 'Cancel' }).click();
  expect(await shownBest(page)).toBe(8);
  await shelf.getByRole('button', { name: 'Restore…' }).click();
  await shelf.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.poll(() => shownBest(page)).toBe(6);
  await shelf.getByRole('button', { name: 'Delete…' }).click();
  await shelf.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(shelf).toContainText('None yet.');

  await page.goto('/#/chain/3');
  await aside.getByRole('button', { name: 'Jump here…' }).click();
  await aside.getByRole('button', { name: 'Jump', exact: true }).click();
  await expect.poll(() => shownBest(page)).toBe(3);
  await expect(page.getByTestId('finalized')).toHaveText('#3');
  await page.goto('/#/chain/control');
  await aside.getByRole('button', { name: 'Reset the chain…' }).click();
  await aside.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect.poll(() => shownBest(page)).toBe(0);
  await expect(page.getByTestId('finalized')).toHaveText('#0');
});

test('the epoch: authorities, who may claim its slots and who did; rounds only with a voter', async ({
  page,
}) => {
  await openStill(page);
  await ask(page, 'dev_newBlock', { count: 4 });
  await page.goto('/#/chain/epoch');
  const slots = detail(page).getByRole('list', { name: 'Slots of this epoch' });
  await expect(slots.getByRole('listitem')).toHaveCount(20);
  await expect(slots.getByRole('link', { name: /block #4 by Alice; may claim: Alice \(/ })).toBeVisible();
  await expect(slots.getByRole('link')).toHaveCount(4);
  await ask(page, 'dev_newBlock');
  await expect(slots.getByRole('link')).toHaveCount(5);
  await expect(detail(page).getByTestId('epoch')).toHaveText(/^\d+$/);
  await expect(detail(page)).toContainText('Alice');
  await expect(detail(page).getByText('GRANDPA')).toHaveCount(0);
  await slots.getByRole('link').last().click();
  await expect(detail(page).getByRole('heading', { name: 'Block #5' })).toBeVisible();
});

test('a block of 2,000 transactions is paged; its address names the page', async ({ page }) => {
  test.setTimeout(120_000);
  await openStill(page);
  const send = await createSender(page);
  const transactions = Array.from({ length: 2000 }, (_, nonce) =>
    send(nonce, 'System', 'remark', { remark: '0x00' }),
  );
  const hash = await ask<string>(page, 'dev_newBlock', { transactions });
  await page.goto(`/#/chain/${hash}`);
  const aside = detail(page);
  await expect(aside.getByRole('heading', { name: 'Extrinsics 2,001' })).toBeVisible({ timeout: 20_000 });
  const rows = aside.getByRole('list', { name: 'Extrinsics' }).getByRole('listitem');
  await expect(rows).toHaveCount(100);
  await expect(rows.nth(99)).toContainText('ok', { timeout: 20_000 });
  await expect(aside.getByRole('heading', { name: /^Events [\d,]{5,}$/ })).toBeVisible();
  await aside.getByRole('link', { name: 'Last' }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('2000');
  expect(page.url()).toContain('page=21');
  await rows.getByRole('link', { name: 'system.remark' }).click();
  await expect(aside.getByTestId('outcome')).toHaveText('ok');
});

test('twelve forks and an empty chain are drawn; nothing overflows at 390 px, and axe is content', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await openStill(page);
  await expect(tree(page).getByRole('option', { name: /finalized|best chain/ })).toHaveCount(1);
  const trunk = await ask<string>(page, 'dev_newBlock', { count: 2 });
  const tip = await ask<string>(page, 'dev_newBlock', { count: 3 });
  for (let fork = 0; fork < 12; fork += 1) await ask(page, 'dev_newBlock', { parent: trunk });
  await ask(page, 'dev_setHead', tip);
  await expect(tree(page).getByRole('option', { name: /#3, on a fork/ })).toHaveCount(12);
  const [at] = await ask<string[]>(page, 'chain_getBlockHash', [4]);
  const places = ['#/chain', `#/chain/${at}`, `#/chain/${at}/0`, '#/chain/epoch', `#/chain/tx/${at}`];
  for (const place of places) {
    await page.goto(`/${place}`);
    await expect(page.getByTestId('best')).toHaveText('#5');
    await expect(detail(page).getByRole('heading').first()).toBeVisible();
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  for (const place of places) {
    await page.goto(`/${place}`);
    await expect(page.getByTestId('best')).toHaveText('#5');
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(beyond, place).toBeLessThanOrEqual(0);
  }
  await page.goto('/#/chain');
  await page.getByRole('link', { name: 'Tree' }).click();
  await tree(page)
    .getByRole('option', { name: /#4, on the best chain/ })
    .click();
  await expect(detail(page).getByRole('heading', { name: 'Block #4' })).toBeVisible();
});
