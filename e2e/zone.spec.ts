import { expect, type Page, test } from '@playwright/test';
import { openStill } from './chain-page.ts';
import { heads, rows, sub } from './live-page.ts';
import { ask } from './node-line.ts';
import { collectFaults } from './support.ts';

// Nine hours from UTC: a local time cannot be taken for one in UTC.
test.use({ timezoneId: 'Asia/Tokyo' });

/** The times of day on the page outside of `time`, and those within it that are not of its moment in UTC. */
const wrongTimes = (page: Page) =>
  page.evaluate(() => {
    const wrong: string[] = [];
    const shown = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const now = Date.now();
    for (let node = shown.nextNode(); node !== null; node = shown.nextNode()) {
      const around = node.parentElement;
      const text = node.textContent ?? '';
      if (around === null || !around.checkVisibility() || !/\b\d\d:\d\d:\d\d\b/.test(text)) continue;
      const moment = around.closest('time')?.dateTime;
      if (moment !== undefined && !text.includes(moment.slice(11, 19))) wrong.push(`${text} of ${moment}`);
      // A text with a date names the zone itself.
      if (moment === undefined && /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/.test(text)) continue;
      // The axis of a chart has no such element: its labels are within the minutes of the page, in UTC.
      const [hour = ''] = /\d\d(?=:\d\d:\d\d)/.exec(text) ?? [];
      const hours = [-1, 0, 1].map((by) => new Date(now + by * 3_600_000).getUTCHours());
      if (moment === undefined && !(around.closest('svg, table') && hours.includes(Number(hour))))
        wrong.push(text);
    }
    return wrong;
  });

const places = [
  ['/#/chain', 'times in UTC'],
  ['/#/chain/control', ' UTC'],
  ['/#/chain/2', ' UTC'],
  ['/#/rpc/system_name', 'times in UTC'],
  [sub(heads), 'times in UTC'],
  ['/#/live/traffic', 'Time (UTC)'],
  ['/#/runtime/logs', 'times in UTC'],
  ['/#/node', 'times in UTC'],
] as const;

test('in Tokyo, every screen has one zone, UTC, and names it; local time is in the titles', async ({
  page,
}) => {
  const faults = collectFaults(page);
  await openStill(page);
  expect(await page.evaluate(() => new Date(0).getHours())).toBe(9);
  await ask(page, 'dev_newBlock', { count: 2 });
  await ask(page, 'dev_snapshot', 'one');
  await page.goto('/#/rpc/system_name');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'History' })).toContainText('system_name');
  for (const [place, zone] of places) {
    await test.step(place, async () => {
      await page.goto(place);
      if (place.includes('sub=')) {
        await expect(page.getByRole('region', { name: 'chain_subscribeNewHeads' })).toBeVisible();
        await ask(page, 'dev_newBlock');
        await expect(
          rows(page.getByRole('region', { name: 'chain_subscribeNewHeads' })).first(),
        ).toBeVisible();
      }
      await expect(page.getByText(zone).first()).toBeVisible();
      expect(await wrongTimes(page)).toEqual([]);
      const titles = await page
        .locator('time:visible')
        .evaluateAll((all) => all.map((one) => one.getAttribute('title') ?? ''));
      for (const title of titles) expect(title).toMatch(/ UTC\n.* local time \(UTC\+9\)$/);
    });
  }
  expect(faults).toEqual([]);
});
