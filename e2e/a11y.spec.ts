import { readdirSync } from 'node:fs';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { findFaults } from './axe.ts';
import { alice, bob, createSender, openStill } from './chain-page.ts';
import { networkBadge, openJoin, writeLocalSpec } from './join-page.ts';
import { ask } from './node-line.ts';
import { freePort } from './ports.ts';

// Every page of every panel: axe in both themes (WCAG 2.2 AA, including targets of 24 px), no horizontal
// overflow, and values reachable by keyboard within twelve stops.

const account = `System/Account/${encodeURIComponent(JSON.stringify([alice]))}`;

const folder = new URL('../ui/panels/', import.meta.url);
const names = readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? [one.name] : [],
);
/** The pages of each panel, and text that each shows once it has loaded. */
const panels = await Promise.all(
  names.map(async (name) => {
    const { samples } = (await import(new URL(`${name}/pages.fixture.ts`, folder).href)) as {
      readonly samples: readonly (readonly [place: string, shows: RegExp])[];
    };
    return [name, samples] as const;
  }),
);

/** A chain without automatic blocks, with a transfer in its second block and another in the pool. */
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

/** Overflow of the page to the side and below, in px: only its parts scroll. */
const beyondEdge = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth - innerWidth, scrollHeight - innerHeight].map((beyond) => Math.max(0, beyond));
  });

/** The widths at which a page is checked by axe, and those at which its edge is. */
const widths = [
  [1440, [768, 1024, 1440]],
  [390, [390]],
] as const;

for (const [panel, places] of panels)
  test(`the ${panel} panel at 1440 and 390 px: axe finds nothing, nothing is beyond the edge`, async ({
    page,
  }) => {
    const resize = (to: number) => page.setViewportSize({ width: to, height: 900 });
    await openFilled(page);
    for (const [width, edges] of widths) {
      await resize(width);
      // Its columns stay until then. The other panels show the same without it, and the pool would be empty after it.
      if (panel === 'live') await page.reload();
      for (const [place, shows] of places) {
        await look(page, place, shows);
        // The colors of a page are the same at each width. What is only there at 390 px, the bars, is so on its first page.
        const themes =
          width === 1440 || place === places[0]?.[0] ? (['light', 'dark'] as const) : (['light'] as const);
        expect.soft(await findFaults(page, true, themes), `${place} at ${width} px`).toEqual([]);
        for (const to of edges) {
          await resize(to);
          expect.soft(await beyondEdge(page), `${place} at ${to} px`).toEqual([0, 0]);
        }
      }
    }
  });

test('the dialogs of a network at 1440 and 390 px: axe finds nothing, nothing is beyond the edge', async ({
  page,
}, info) => {
  const check = async (where: string): Promise<void> => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await findFaults(page, true), `${where} at ${width} px`).toEqual([]);
      expect.soft(await beyondEdge(page), `${where} at ${width} px`).toEqual([0, 0]);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  };
  const form = await openJoin(page, await writeLocalSpec(info.outputPath('chain.json')));
  const nodes = form.getByRole('textbox', { name: 'Nodes' });
  await nodes.fill('ws://127.0.0.1:9944');
  await form.getByRole('button', { name: 'Join and start' }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await check('the form');
  await nodes.fill(
    `/ip4/127.0.0.1/tcp/${await freePort()}/ws/p2p/12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN`,
  );
  await form.getByRole('button', { name: 'Join and start' }).click();
  await networkBadge(page).click();
  await expect(page.getByRole('list', { name: 'Nodes that were not reached' })).toContainText(
    'cannot be reached',
  );
  await check('the peers');
});

/** The position of the focus: the labels of the enclosing parts, and its own text. */
const focusOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const names: string[] = [];
    for (let one = document.activeElement; one !== null; one = one.parentElement)
      if (one.ariaLabel) names.push(one.ariaLabel);
    return `${names.join(' < ')}: ${document.activeElement?.textContent?.trim().slice(0, 40)}`;
  });

/** Nothing has the focus, and Tab begins at the top, as after a load. */
const leaveFocus = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });

/** Keyboard stops to a value: F6 to its part of the page, then Tab, or another key. */
const stopsTo = async (
  page: Page,
  part: Locator,
  value: Locator,
  key = 'Tab',
): Promise<readonly string[]> => {
  const stops: string[] = [];
  const holdsFocus = (of: Locator) => of.evaluate((one) => one.contains(document.activeElement));
  for (const [press, goal] of [
    ['F6', part],
    [key, value],
  ] as const)
    while (!(await holdsFocus(goal))) {
      if (stops.length > 20) return stops;
      await page.keyboard.press(press);
      stops.push(`${press} ${await focusOf(page)}`);
    }
  return stops;
};

test('values of a block, of the state and of a call are at most twelve stops of the keyboard away', async ({
  page,
}) => {
  await openFilled(page);
  const main = page.getByRole('main');
  const value = page.getByRole('region', { name: 'Value', exact: true });
  const events = page.getByRole('list', { name: 'Events of extrinsic 1' });
  const moved = events.getByRole('listitem').filter({ hasText: 'Balances.Transfer' });
  const field = (name: string) => value.getByRole('button', { name, exact: true });
  const call = page.getByRole('region', { name: 'Arguments' });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  const values: readonly (readonly [words: string, shows: RegExp, part: Locator, value: Locator])[] = [
    ['#2', /Balances[.]Transfer/, events, moved],
    [alice, /History/, page.getByRole('region', { name: 'Decoded value' }), field('free')],
    ['Timestamp.Now', /History/, value, value.getByRole('button', { name: 'JSON' })],
    ['state_getRuntimeVersion', /Run/, call, run],
  ];
  for (const [words, shows, part, goal] of values) {
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('combobox', { name: 'Search or run' }).fill(words);
    await expect(page.getByRole('dialog').getByRole('option').first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(main).toContainText(shows);
    await expect(goal).toBeVisible();
    // The palette counts as a stop.
    const stops = ['palette', ...(await stopsTo(page, part, goal))];
    expect.soft(stops.length, `${words}: ${stops.join(', ')}`).toBeLessThanOrEqual(12);
  }
});

test('from the top of a page, values of six panels are at most twelve stops of the keyboard away', async ({
  page,
}) => {
  await openFilled(page);
  const part = (name: string) => page.getByRole('main').getByLabel(name, { exact: true });
  const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).first();
  const flags = page.getByRole('button', { name: 'flags', exact: true });
  const tree = part('Decoded value');
  const events = part('Events of extrinsic 1');
  const feed = 'chain_subscribeNewHeads';
  const values: readonly (readonly [place: string, part: Locator, value: Locator, key?: string])[] = [
    [`storage/${account}`, tree, page.getByRole('button', { name: 'free', exact: true })],
    [`storage/${account}`, tree, flags, 'End'],
    ['chain/2', events, events.getByRole('listitem').filter({ hasText: 'Balances.Transfer' })],
    [
      'rpc/state_getRuntimeVersion',
      part('Arguments'),
      page.getByRole('button', { name: 'Run', exact: true }),
    ],
    ['send/Balances/transfer_keep_alive', part('Arguments'), page.getByLabel('value', { exact: true })],
    [
      'runtime/pallets/Balances/calls',
      part('calls of Balances'),
      page.getByRole('link', { name: 'transfer_keep_alive' }),
    ],
    [`live?sub=${encodeURIComponent(JSON.stringify([[feed, []]]))}`, part(feed), button(/^Notification/)],
    ['node/keys', part('Views of the node'), button(/^Copy/)],
  ];
  for (const [place, from, goal, key] of values) {
    await page.goto(`/#/${place}`);
    await expect(goal.first()).toBeVisible();
    await leaveFocus(page);
    const stops = await stopsTo(page, from, goal.first(), key);
    expect.soft(stops.length, `${place}: ${stops.join(', ')}`).toBeLessThanOrEqual(12);
  }
  await page.reload();
  await expect(page.getByRole('main')).toContainText(/block production/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(part('Views of the node')).toBeFocused();
});
