import { flushSync } from 'svelte';
import { expect, it, onTestFinished, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { openLink } from '../../kit/page/route.svelte.ts';
import { textBody } from '../../node/client/exchange.ts';
import SubscriptionsPage from '../../panels/live/subscriptions/SubscriptionsPage.svelte';
import { mountIn, openContext, widen } from '../../testing/open-page.ts';
import TrafficDock from './TrafficDock.svelte';

it('the traffic log is resized by its whole bar; a press that does not move still closes it', () => {
  localStorage.setItem('tabnode.dock', '280');
  onTestFinished(() => localStorage.removeItem('tabnode.dock'));
  const page = mountIn(openContext(() => new Promise(() => undefined)).context, TrafficDock, {});
  widen(page, 1200);
  page.style.height = '800px';
  const bar = page.querySelector<HTMLElement>('button[aria-expanded]');
  if (bar === null) throw new Error('no bar');
  // A pointer event created by a test has no real pointer to capture.
  bar.setPointerCapture = () => undefined;
  expect(bar.getBoundingClientRect().height).toBeGreaterThanOrEqual(24);
  const height = () => page.querySelector<HTMLElement>('.log')?.style.height;
  const send = (type: string, clientY: number) =>
    bar.dispatchEvent(new PointerEvent(type, { bubbles: true, clientY, detail: 1 }));
  const press = (to: number) => {
    for (const [type, y] of [
      ['pointerdown', 500],
      ['pointermove', to],
      ['pointerup', to],
      ['click', to],
    ] as const)
      send(type, y);
    flushSync();
  };
  press(460);
  expect(height()).toBe('320px');
  press(499);
  expect(height()).toBeUndefined();
  press(400);
  expect(height()).toBe('320px');
});

it('the traffic log keeps to its share of embedded devtools, whatever the height of the host page', () => {
  localStorage.setItem('tabnode.dock', '600');
  onTestFinished(() => localStorage.removeItem('tabnode.dock'));
  const page = mountIn(openContext(() => new Promise(() => undefined)).context, TrafficDock, {});
  widen(page, 1200);
  page.style.height = '300px';
  const grip = page.querySelector('[role="separator"]');
  const height = () => page.querySelector('.log')?.getBoundingClientRect().height;
  expect(height()).toBe(180);
  grip?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }));
  flushSync();
  expect([height(), grip?.getAttribute('aria-valuenow')]).toEqual([180, '180']);
});

it('the line of the dock shows how long its call took', async () => {
  const { context } = openContext(() => null);
  const exchange = context.traffic.open('call', {
    client: 'page',
    method: 'dev_newBlock',
    isOwn: false,
    ask: textBody('[]'),
    atMs: 0,
  });
  const page = mountIn(context, TrafficDock, {});
  expect(page.textContent).toContain('dev_newBlock …');
  context.traffic.answer(exchange, { state: 'ok', answer: null, ms: 12 });
  await vi.waitFor(() => expect(page.textContent).toContain('dev_newBlock 12.0 ms'));
});

it('the handle of a column is a target of 24 px next to its name', async () => {
  const { context } = openContext(() => new Promise(() => undefined));
  openLink(`#/live?sub=${encodeURIComponent('[["chain_subscribeNewHeads",[]]]')}`);
  const page = mountIn(context, SubscriptionsPage, {});
  widen(page, 1200);
  await vi.waitFor(() => expect(page.querySelector('[draggable="true"]')).not.toBeNull());
  const handle = page.querySelector('[draggable="true"]')?.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(page.querySelector('section h2') as Node);
  expect(handle?.width).toBeGreaterThanOrEqual(24);
  expect(range.getBoundingClientRect().left).toBeGreaterThanOrEqual(handle?.right ?? Number.NaN);
});
