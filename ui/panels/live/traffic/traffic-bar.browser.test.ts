import { expect, it } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { mountIn, openContext, press, widen } from '../../../testing/open-page.ts';
import TrafficBar from './TrafficBar.svelte';
import { noFilter } from './traffic-view.svelte.ts';

it('on a phone, the toolbar has one row to search and one to act; filters come when asked for', () => {
  const tail = { paused: false, pause: () => undefined };
  const traffic = { missed: 0 };
  const open = (filter: typeof noFilter, total = 1204) => {
    const view = {
      ...{ shown: total, total, own: 4321, waiting: 0 },
      filter,
      clients: ['page', 'bridge'],
      tail,
      traffic,
    };
    const page = mountIn(openContext(() => null).context, TrafficBar, { view, live: true } as never);
    widen(page, 390);
    return page;
  };
  const rowsOf = (page: HTMLElement) => {
    const items = [...page.querySelectorAll('search > *')]
      .map((one) => ({ name: one.localName, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0);
    return [...Map.groupBy(items, ({ box }) => Math.round((box.top + box.bottom) / 2)).values()];
  };
  for (const total of [0, 1204]) {
    const page = open(noFilter, total);
    expect(page.querySelector('.count')?.textContent).toMatch(/^\s*\d[\d\s]* exchanges/);
    const rows = rowsOf(page);
    expect(rows.map((row) => row.map(({ name }) => name))).toEqual([
      ['input', 'button'],
      ['span', 'button', 'button'],
    ]);
    const right = page.getBoundingClientRect().right - 16;
    for (const row of rows) expect(Math.abs((row.at(-1)?.box.right ?? 0) - right)).toBeLessThanOrEqual(1);
  }
  const page = open(noFilter);
  press(page, 'Filter');
  const names = (of: HTMLElement) =>
    rowsOf(of)
      .flat()
      .map(({ name }) => name);
  const all = ['input', 'button', 'input', 'select', 'select', 'span', 'label', 'button', 'button'];
  expect(names(page)).toEqual(all);
  // A filter of the link is counted, and takes no row of its own.
  const linked = open({ ...noFilter, method: 'system_', own: true });
  expect(rowsOf(linked).length).toBe(2);
  expect(linked.querySelector('.filter')?.textContent).toMatch(/^\s*Filter · 2\s*$/);
});
