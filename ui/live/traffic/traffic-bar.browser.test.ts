import { expect, it } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import TrafficBar from './TrafficBar.svelte';
import { noFilter } from './traffic-view.svelte.ts';

it('on a phone, the toolbar has one row to search, one to choose and one to act', () => {
  const tail = { paused: false, pause: () => undefined };
  const traffic = { missed: 0 };
  const counts = { shown: 12, total: 1204, own: 4321, waiting: 0 };
  const view = { ...counts, filter: noFilter, clients: ['page', 'bridge'], tail, traffic };
  const page = mountIn(openContext(() => null).context, TrafficBar, {
    view,
    live: true,
  } as never);
  widen(page, 390);
  const items = [...page.querySelectorAll('search > *')].map((one) => ({
    one,
    box: one.getBoundingClientRect(),
  }));
  const rows = [...Map.groupBy(items, ({ box }) => Math.round((box.top + box.bottom) / 2)).values()];
  expect(rows.map((row) => row.map(({ one }) => one.localName))).toEqual([
    ['input', 'input'],
    ['select', 'select', 'span'],
    ['label', 'button', 'button'],
  ]);
  const right = page.getBoundingClientRect().right - 16;
  for (const row of rows) expect(Math.abs((row.at(-1)?.box.right ?? 0) - right)).toBeLessThanOrEqual(1);
});
