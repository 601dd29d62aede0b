import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import { SharedStatus } from '../../../node/node-status.svelte.ts';
import { mountIn, openContext, press, typeIn } from '../../../testing/open-page.ts';
import ClockBox from './ClockBox.svelte';
import { Control } from './control.svelte.ts';
import Snapshots from './Snapshots.svelte';

it('the clock moves at once within a day, and asks before a jump of a day or more', () => {
  const [travel, askTravel] = [vi.fn(async () => null), vi.fn()];
  const { context } = openContext(() => new Promise(() => undefined));
  const chainActions = { travel, askTravel, actions: { busy: null } };
  const control = { now: { movedToMs: Date.UTC(2030, 0, 1) }, read: vi.fn() };
  const page = mountIn(context, ClockBox, { chainActions, control, slotMs: 6000 } as never);
  const goTo = (date: string) => {
    typeIn(page.querySelector('input'), date);
    press(page, 'Set time (UTC)');
  };
  expect(page.querySelector('dl')?.textContent).toContain('2030-01-01');
  control.now.movedToMs = 0;
  const early = mountIn(context, ClockBox, { chainActions, control, slotMs: 6000 } as never);
  expect(early.querySelector('dl'), 'an empty list would leave a gap').toBeNull();
  const fromMs = Date.UTC(2030, 0, 1);
  goTo('2030-01-01 12:00');
  press(page, '+1 h');
  expect(travel.mock.calls).toEqual([[Date.UTC(2030, 0, 1, 12)], [Date.UTC(2030, 0, 1, 1)]]);
  goTo('9999-12-31 23:59');
  press(page, '+1 d…');
  expect(travel).toHaveBeenCalledTimes(2);
  expect(askTravel.mock.calls.map(([jump, best]) => [jump, best])).toEqual(
    [Date.UTC(9999, 11, 31, 23, 59), Date.UTC(2030, 0, 2)].map((toMs) => [
      { fromMs, toMs, slotMs: 6000 },
      context.chain.best,
    ]),
  );
});

it('a date that does not exist is not taken for another', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const props = { chainActions: { actions: { busy: null } }, control: { now: {} }, slotMs: 6000 } as never;
  const page = mountIn(context, ClockBox, props);
  const canSet = (date: string) => {
    typeIn(page.querySelector('input'), date);
    return !page.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled;
  };
  expect(
    ['2030-02-28 12:00', '2030-02-28 12:00:30', '2030-02-29 12:00', '2030-04-31 12:00'].map(canSet),
  ).toEqual([true, true, false, false]);
  expect(page.querySelector('[role="status"]')?.textContent).toBe('This date does not exist.');
});

it('while blocks are sealed by slots, the clock cannot be moved, and says why', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const chainActions = { travel: vi.fn(), actions: { busy: null } };
  const control = { now: { movedToMs: Date.UTC(2030, 0, 1) } };
  const page = mountIn(context, ClockBox, { chainActions, control, slotMs: 6000 } as never);
  const disabled = () => [...page.querySelectorAll('button')].map((button) => button.disabled);
  expect(disabled()).toEqual([false, false, true]);
  context.sealing.applyStatus({ seal: { kind: 'slots' }, finality: { kind: 'manual' }, edited: [] });
  flushSync();
  expect(disabled()).toEqual([true, true, true]);
  expect(page.textContent).toContain('To move the clock, change the seal mode.');
});

it('does not say that chain time keeps to the wall clock: a chain may be sealed faster than its slots', () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const chainActions = { actions: { busy: null } };
  const textOf = (clock: 'chain' | 'wall') => {
    Object.assign(context, { session: { entry: { id: 'one' }, book: { modes: () => ({ clock }) } } });
    const props = { chainActions, control: { now: {} }, slotMs: 6000 } as never;
    return mountIn(context, ClockBox, props).querySelector('section > p')?.textContent;
  };
  expect(textOf('chain')).toContain('Each block takes the next slot of 6 s, however soon it is sealed.');
  expect(textOf('wall')).toContain(
    'Each block takes the next slot of 6 s that is not over by the wall clock, so a closed chain skips the time it missed.',
  );
  context.sealing.applyStatus({ seal: { kind: 'slots' }, finality: { kind: 'manual' }, edited: [] });
  expect(textOf('wall')).toContain('Blocks are sealed by slots, in real time.');
});

it('only a chain that is stored is said to outlast its node', async () => {
  for (const [storage, stored] of [
    ['memory', false],
    ['indexeddb', true],
    ['sqlite', true],
  ] as const) {
    const { context } = openContext(() => []);
    const status = async () => ({ storage, seal: { kind: 'manual' }, finality: { kind: 'manual' } });
    const node = context.node.with({ status } as never);
    const control = new Control(node, new SharedStatus(node));
    const props = { chainActions: { actions: { busy: null } }, control, slotMs: 6000 } as never;
    const pages = [mountIn(context, Snapshots, props), mountIn(context, ClockBox, props)];
    const heights = () => pages.map((page) => page.offsetHeight);
    const before = heights();
    expect(pages.map((page) => page.innerText).join()).not.toMatch(/resumes where|No snapshots/);
    await control.read();
    flushSync();
    if (stored) expect(heights(), 'nothing moves').toEqual(before);
    const text = pages.map((page) => page.innerText).join();
    expect([/storage\./, /resumes where it stopped/].map((words) => words.test(text))).toEqual([
      stored,
      stored,
    ]);
    expect(text.includes('until the node stops')).toBe(!stored);
  }
});

it('a clock that another tab moved is moved here too', async () => {
  const { context } = openContext(() => []);
  const modes = { seal: { kind: 'manual' }, finality: { kind: 'manual' } };
  const status = async () => ({ ...modes, clockMovedToMs: Date.UTC(2031, 1, 1) });
  const node = context.node.with({ status } as never);
  const control = new Control(node, new SharedStatus(node));
  const props = { chainActions: { actions: { busy: null } }, control, slotMs: 6000 } as never;
  const page = mountIn(context, ClockBox, props);
  expect(page.textContent).not.toContain('2031');
  await control.read();
  flushSync();
  expect(page.querySelector('dl')?.textContent).toContain('2031-02-01');
});
