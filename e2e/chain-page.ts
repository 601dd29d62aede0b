import { expect, type Page } from '@playwright/test';
import { commonExtensions, encodeCall, prepareExtrinsic } from '../src/scale/extrinsic.ts';
import { blake2 } from '../src/scale/hash.ts';
import { createMetaLoader } from '../src/scale/load.ts';
import type { Json, RuntimeMeta } from '../src/scale/types.ts';
import { ask, openLine } from './node-line.ts';

export const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
export const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
/** A signature that dev_impersonate accepts. */
const anySignature = `0xdeadbeef${'cd'.repeat(60)}`;

/** Opens the app with a chain without automatic blocks and finality, as on a page that keeps these modes. */
export const openStill = async (page: Page): Promise<void> => {
  await openLine(page);
  await page.addInitScript(() => {
    const key = 'tabnode.modes.development';
    const modes = { seal: { kind: 'manual' }, finality: { kind: 'manual' }, clock: 'chain' };
    if (localStorage.getItem(key) === null) localStorage.setItem(key, JSON.stringify(modes));
  });
  await page.goto('/#/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText('#0');
};

/**
 * Makes BABE's lottery the same in each run of an empty chain: of the blocks and forks sealed from now on, in
 * order, number 2, 4 and 7 have a primary slot, which counts more than height.
 */
export const fixSlots = (page: Page): Promise<unknown> => ask(page, 'dev_timeTravel', Date.UTC(2030, 0, 1));

/** Opens another panel, where nobody looks at blocks, over an empty chain without automatic blocks and finality. */
export const openAside = async (page: Page): Promise<void> => {
  await openLine(page);
  await page.goto('/#/rpc');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#[1-9]/);
  await ask(page, 'dev_setSealMode', 'manual');
  await ask(page, 'dev_setFinality', 'manual');
  await ask(page, 'dev_reset');
  await fixSlots(page);
};

/** Opens an empty chain and seals two blocks and a fork of the second, which the next 24 blocks leave behind. */
export const openForked = async (page: Page): Promise<{ readonly fork: string; readonly tip: string }> => {
  await openStill(page);
  await fixSlots(page);
  const trunk = await ask<string>(page, 'dev_newBlock', { count: 2 });
  const fork = await ask<string>(page, 'dev_newBlock', { parent: trunk });
  return { fork, tip: await ask<string>(page, 'dev_newBlock', { parent: trunk, count: 24 }) };
};

let metaPage: Page;
/** Keeps the metadata of each runtime for all tests of this process. */
const metadata = createMetaLoader({ request: (method, params) => ask(metaPage, method, ...params) });

const loadMeta = (page: Page): Promise<RuntimeMeta> => {
  metaPage = page;
  return metadata.at(null);
};

/** Creates transactions of Alice, who is impersonated and needs no signature. */
export const createSender = async (page: Page) => {
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

export const tree = (page: Page) => page.getByRole('grid', { name: 'Blocks, newest first' });
/** Moves the selection with an arrow key until the selected row has this name. */
export const walkTo = async (page: Page, arrow: 'ArrowUp' | 'ArrowDown', name: RegExp): Promise<void> => {
  await expect(async () => {
    await page.keyboard.press(arrow);
    await expect(tree(page).getByRole('row', { selected: true })).toHaveAccessibleName(name, {
      timeout: 200,
    });
  }).toPass();
};
export const detail = (page: Page) => page.getByRole('complementary');

/**
 * Waits until the page has stored that blocks are sealed and finalized manually, so that a reload keeps these
 * modes.
 */
export const expectKeptStill = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => localStorage.getItem('tabnode.modes.development')))
    .toMatch(/"seal":\{"kind":"manual"\},"finality":\{"kind":"manual"\}/);
