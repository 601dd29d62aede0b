import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { openStill } from './chain-page.ts';
import { ask, hold, refuseHeld, release } from './node-line.ts';

// Routes are set before the page opens: Chromium applies one to an open page a moment later, and a file that is
// requested meanwhile is loaded.
const look = (page: Page, place: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, place);

/** Lets calls pass from now on, and retries the one that failed. */
const tryAgain = async (page: Page, alert: Locator): Promise<void> => {
  await expect(alert).toBeVisible();
  await release(page);
  await alert.getByRole('button', { name: 'Try again' }).click();
};

/** Pages of the panel Chain, whose code is one file: each place, and what the page shows once it is loaded. */
const places: readonly (readonly [place: string, shows: RegExp])[] = [
  ['#/chain/epoch', /Consensus/],
  ['#/chain/0', /The genesis block has no body/],
  ['#/chain/0/0', /No such extrinsic/],
  [`#/chain/tx/0x${'12'.repeat(32)}`, /Neither in the pool/],
];

/** Opens the page anew, as `openStill` did, with none of its code loaded. */
const openAgain = async (page: Page, place = '#/chain'): Promise<void> => {
  await page.goto('about:blank');
  await page.goto(`/${place}`);
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#\d/);
};

test('code of a page of Chain that is long on its way says so, and is tried again if it cannot be loaded', async ({
  page,
}) => {
  const address = /\/chain-[^/]*\.js$/;
  const aside = page.getByRole('complementary');
  for (const [at, [place, shows]] of places.entries())
    await test.step(place.slice(0, 13), async () => {
      const failing = Promise.withResolvers<void>();
      await page.route(address, async (route) => {
        await failing.promise;
        await route.abort();
      });
      await (at === 0 ? openStill : openAgain)(page);
      await look(page, place);
      await expect(aside.getByRole('status').filter({ hasText: 'Reading the page' })).toBeVisible();
      // What the page asks about its block is answered before these: a part that learns of it tries again by itself.
      for (let round = 0; round < 5; round += 1) await ask(page, 'system_health');
      failing.resolve();
      await expect(aside.getByRole('alert')).toContainText('The page could not be read');
      await page.unroute(address);
      await aside.getByRole('button', { name: 'Try again' }).click();
      await expect(aside).toContainText(shows);
      await expect(aside.getByRole('alert')).toHaveCount(0);
    });
});

test('what opens over the page, and a panel, say that their code is on its way or did not come, and try again', async ({
  page,
}) => {
  let isRefused = false;
  let coming: Promise<void> | null = null;
  await page.route(/\.js$/, async (route) => {
    await coming;
    return isRefused ? route.abort() : route.continue();
  });
  await openStill(page);
  // Its code is of the same file as others', and loads by itself.
  await expect(page.getByRole('button', { name: 'Send 5 UNIT from Alice to Bob' })).toBeVisible();
  const notice = page.getByRole('alert').filter({ hasText: /could not be loaded|couldn’t load/ });
  const tryAgain = async (shown: Locator): Promise<void> => {
    await expect(notice).toBeVisible();
    isRefused = false;
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(shown).toBeVisible();
    await expect(notice).toHaveCount(0);
  };
  await test.step('a panel', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    coming = promise;
    await look(page, '#/live');
    await expect(page.getByRole('main').getByText(/^Opening Live/)).toBeVisible();
    await expectAccessible(page);
    isRefused = true;
    resolve();
    await tryAgain(page.getByRole('main').getByRole('button', { name: 'Subscribe…' }));
  });
  await test.step('the palette', async () => {
    isRefused = true;
    await page.keyboard.press('Control+k');
    await tryAgain(page.getByRole('combobox', { name: 'Search or run' }));
    await page.keyboard.press('Escape');
    // A field of a dialog that has just been closed keeps the focus until the dialog is removed.
    await expect(page.locator('dialog')).toHaveCount(0);
  });
});

test('Escape ends the wait for what opens over the page; without the metadata each panel says so', async ({
  page,
}) => {
  const coming = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<string>();
  await page.route(/\/Palette-[^/]*\.js$/, async (route) => {
    await coming.promise;
    await route.continue();
    arrived.resolve(route.request().url());
  });
  await page.route(/\/load-[^/]*\.js$/, (route) => route.abort());
  await openStill(page);
  const open = () => page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search or run' });
  // A focused field keeps the focus and its contents.
  await expect(page.locator('[data-number="0"]')).toBeVisible();
  await page.keyboard.press('/');
  const field = page.locator('[data-slash]');
  await expect(field).toBeFocused();
  await page.keyboard.type('1');
  await open();
  await expect(page.getByText(/^Opening /)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByText(/^Opening /)).toHaveCount(0);
  await expect(field).toBeFocused();
  coming.resolve();
  await page.evaluate((address) => import(address), await arrived.promise);
  // If opening had not been canceled, it would be open now, and a second key press would close it.
  await open();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await test.step('a panel without the metadata reads it when asked again', async () => {
    const notice = page.getByRole('main').getByText('The metadata of this runtime cannot be read');
    for (const place of ['#/runtime', '#/storage', '#/send']) {
      await look(page, place);
      await expect(notice, place).toBeVisible();
    }
    await expect(page.getByRole('main')).toContainText('Without it no call can be built.');
    await page.unroute(/\/load-[^/]*\.js$/);
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('combobox', { name: 'Call', exact: true })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
});

/** A page, the response it needs, what it shows without it, and what it shows with it. */
const answers: readonly {
  readonly place: string;
  readonly method: string;
  readonly waits: string;
  readonly fails: string;
  readonly shows: RegExp;
}[] = [
  {
    place: '#/storage/child',
    method: 'state_getKeysPaged',
    waits: 'Reading the child tries',
    fails: 'The child tries could not be read',
    shows: /No child tries/,
  },
  {
    place: '#/storage/System/Account',
    method: 'state_getKeysPaged',
    waits: 'Reading the keys',
    fails: 'The keys could not be read',
    shows: /Alice/,
  },
  {
    place: '#/storage/Sudo/Key',
    method: 'state_subscribeStorage',
    waits: 'Reading the value',
    fails: 'The value could not be read',
    shows: /Alice/,
  },
  {
    place: '#/storage/Timestamp/Now',
    method: 'state_queryStorage',
    waits: 'Reading the blocks that changed it',
    fails: 'The blocks that changed it could not be read',
    shows: /History/,
  },
  {
    place: '#/runtime',
    method: 'state_getRuntimeVersion',
    waits: 'Reading the version',
    fails: 'The version could not be read',
    shows: /Transaction extensions/,
  },
  {
    place: '#/runtime/module',
    method: 'dev_runtimeInfo',
    waits: 'Reading the module',
    fails: 'The module could not be read',
    shows: /Host functions used/,
  },
  {
    place: '#/node/keys',
    method: 'dev_listKeys',
    waits: 'Reading the list of keys',
    fails: 'The list of keys could not be read',
    shows: /block production/,
  },
  {
    place: '#/chain/epoch',
    method: 'state_getStorage',
    waits: 'Reading the epoch',
    fails: 'The epoch could not be read',
    shows: /Authorities/,
  },
  {
    place: '#/chain/0',
    method: 'chain_getBlockHash',
    waits: 'Reading block 0',
    fails: 'Block 0 could not be read',
    shows: /The genesis block has no body/,
  },
];

test('an answer that is long on its way says so, and one that fails is asked for again, also by epochs, authors and methods', async ({
  page,
}) => {
  await openStill(page);
  const main = page.getByRole('main');
  for (const { place, method, waits, fails, shows } of answers) {
    await hold(page, method);
    await look(page, place);
    await expect(main.getByRole('status').filter({ hasText: waits }).first()).toBeVisible();
    await refuseHeld(page);
    const alert = main.getByRole('alert').filter({ hasText: fails });
    await tryAgain(page, alert);
    await expect(alert).toHaveCount(0);
    await expect(main).toContainText(shows);
  }

  await test.step('epochs and authors that cannot be read are told of, and asked for again', async () => {
    await ask(page, 'dev_finalise', await ask(page, 'dev_newBlock'));
    // A newly finalized block reads the epoch again, and would take the alert away.
    await expect(page.getByRole('link', { name: 'Finalized block' })).toHaveText(/^#1\b/);
    const cases = [
      ['#/chain/epoch', 'state_call', 'The epoch could not be read', /Authorities/],
      ['#/chain/1', 'state_call', 'The key of the author could not be read', /authority 0/],
    ] as const;
    for (const [place, method, fails, shows] of cases) {
      await hold(page, method);
      await refuseHeld(page);
      await look(page, place);
      const alert = main.getByRole('alert').filter({ hasText: fails });
      await tryAgain(page, alert);
      await expect(alert).toHaveCount(0);
      await expect(main).toContainText(shows);
    }
  });

  await test.step('the list of methods is asked for once, and again where a panel needs it and it did not come', async () => {
    await openAgain(page, '#/node');
    await hold(page, 'rpc_methods');
    await refuseHeld(page);
    const fails = page.getByRole('alert').filter({ hasText: 'The list of methods is unavailable' });
    for (const place of ['#/live', '#/rpc']) {
      await look(page, place);
      await expect(fails, place).toBeVisible();
    }
    await look(page, '#/chain/control');
    const aside = page.getByRole('complementary');
    const alert = aside.getByRole('alert').filter({ hasText: 'The list of methods is unavailable' });
    await tryAgain(page, alert);
    await expect(aside.getByRole('button', { name: /^Build on #/ })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });
});
