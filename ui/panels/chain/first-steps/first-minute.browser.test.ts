import { flushSync } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import { page as screen } from 'vitest/browser';
import '../../../base.css';
import '../../../panels.css';
import '../../../tokens.css';
import { mountIn, openContext, press, widen } from '../../../testing/open-page.ts';
import DemoBadge from './DemoBadge.svelte';
import FirstMinute from './FirstMinute.svelte';
import { StartCard } from './start-card.svelte.ts';

beforeEach(() => localStorage.removeItem('tabnode.start'));

const open = (card = new StartCard(false), isKnown = true) => {
  const { context } = openContext(() => new Promise(() => undefined));
  const send = vi.fn(async () => undefined);
  const probe = {
    address: '5Grw',
    offer: { amount: 5_000_000_000_000n, unit: { decimals: 12, symbol: 'UNIT' }, minimum: null },
    why: null,
  };
  const transfer = {
    probe: isKnown ? probe : null,
    send,
    item: null,
    search: null,
    busy: false,
    effect: null,
    follow: async () => undefined,
  };
  context.keep('start.transfer', () => transfer as never);
  const page = mountIn(context, FirstMinute, { card });
  return { card, page, send };
};
const textOf = (page: HTMLElement) => page.textContent.replace(/\s+/g, ' ').trim();

it('collapses into one line that counts the steps, expands again, and is remembered', () => {
  const { card, page, send } = open();
  press(page, /Send 5\sUNIT\sfrom Alice\s+to Bob/);
  press(page, /Send 5\sUNIT\sfrom Alice\s+to Bob/);
  // To send is not to have sent.
  expect([send.mock.calls.length, card.done]).toEqual([2, 0]);
  card.finish('send');
  flushSync();
  expect(page.querySelectorAll('[title="Done"]').length).toBe(1);
  card.finish('file');
  press(page, 'Collapse');
  expect(textOf(page)).toBe('First steps · 2 of 3 done Expand Dismiss');
  const again = open(new StartCard(false));
  expect(textOf(again.page)).toBe('First steps · 2 of 3 done Expand Dismiss');
  press(again.page, 'Expand');
  expect(textOf(again.page)).toContain('running in this tab');
  expect(new StartCard(false).collapsed).toBe(false);
  again.card.close();
  expect([new StartCard(false).open, new StartCard(true).open]).toEqual([false, false]);
  again.card.show();
  expect([new StartCard(false).open, new StartCard(false).done]).toEqual([true, 2]);
});

it('says in which tab the node runs', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const node = Object.create(context.node, { isElsewhere: { value: true } });
  const page = mountIn({ ...context, node, keep: context.keep }, FirstMinute, { card: new StartCard(false) });
  expect(textOf(page)).toContain('running in another tab');
});

it('starts collapsed on a phone once a step was done, and in full before', () => {
  expect(new StartCard(true).collapsed).toBe(false);
  new StartCard(false).finish('look');
  expect([new StartCard(true).collapsed, new StartCard(false).collapsed]).toEqual([true, false]);
});

it('each control has a name: the buttons, the file, the switch, and what each icon copies', () => {
  const { page } = open();
  flushSync();
  const element = (role: 'button' | 'checkbox', name: string) =>
    screen.elementLocator(page).getByRole(role, { name }).query();
  expect(element('checkbox', 'Demo traffic')).not.toBeNull();
  for (const name of ['Copy the three lines of a dApp', 'Copy the polkadot-js setup', 'Collapse', 'Dismiss'])
    expect(element('button', name), name).not.toBeNull();
  expect(
    screen
      .elementLocator(page)
      .getByLabelText(/^Drop a runtime, spec or chain/)
      .query(),
  ).toBe(page.querySelector('[type="file"]'));
});

it('the card leaves most of the page to the blocks', () => {
  const { page } = open();
  // The page, and the column of the chain within it.
  for (const [width, height, column] of [
    [1440, 900, 972],
    [1024, 768, 616],
    [390, 844, 390],
  ] as const) {
    widen(page, width);
    page.style.cssText += `display: grid; grid-template-columns: ${column}px; align-items: start; height: ${height}px`;
    const { offsetHeight = 0, scrollWidth = 0, clientWidth } = page.querySelector('section') ?? {};
    expect(offsetHeight, `${width} px`).toBeLessThanOrEqual(height / 5);
    expect(scrollWidth, `${width} px`).toBe(clientWidth);
  }
});

it('the three steps are there before the chain has said whether it supports them', () => {
  const card = new StartCard(false);
  const [asked, known] = [open(card, false).page, open(card).page];
  for (const width of [972, 616, 390]) {
    const [early, late] = [asked, known].map((page) => {
      widen(page, width);
      return [...page.querySelectorAll('section, .act')].map((one) => one.clientHeight);
    });
    expect(early, `${width} px`).toEqual(late);
    expect(early).toHaveLength(4);
  }
  expect(asked.querySelector('button.act')?.matches(':disabled')).toBe(true);
  asked.querySelector<HTMLElement>('a.act')?.click();
  expect(card.done).toBe(0);
});

it('on a phone, the demo traffic is a line of the bar, not a field: it begins at the edge of the page', () => {
  const demo = { toggle: () => undefined } as never;
  const page = mountIn(openContext(() => new Promise(() => undefined)).context, DemoBadge, { demo });
  widen(page, 390);
  const words = page.querySelector('[role="status"]')?.getBoundingClientRect();
  expect((words?.left ?? 0) - page.getBoundingClientRect().left).toBe(16);
  expect(getComputedStyle(page.firstElementChild as Element).borderWidth).toBe('1px 0px 0px');
});
