import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { NodeError } from '../../../../src/protocol/errors.ts';
import { textBody } from '../../../node/client/exchange.ts';
import { Traffic } from '../../../node/client/traffic.svelte.ts';
import { mountIn, openContext, press, widen } from '../../../testing/open-page.ts';
import ExchangeView from './ExchangeView.svelte';
import TrafficLog from './TrafficLog.svelte';
import { TrafficView } from './traffic-view.svelte.ts';

it('the arrow keys walk from the focused row, and the focus goes with them, even as the list scrolls', async () => {
  const traffic = new Traffic();
  for (let count = 1; count <= 200; count += 1)
    traffic.open('call', {
      client: 'port 1',
      method: `a_${count}`,
      isOwn: false,
      ask: textBody(''),
      atMs: count,
    });
  const page = mountIn(openContext(() => null).context, TrafficLog, {
    view: new TrafficView(traffic),
    label: 'All traffic',
  });
  page.style.height = '300px';
  page.style.display = 'grid';
  const rowOf = (name: string) =>
    [...page.querySelectorAll<HTMLElement>('li button')].find(({ textContent }) =>
      textContent.includes(name),
    );
  const focused = () => /a_\d+/.exec(document.activeElement?.textContent ?? '')?.[0];
  const press = async (key: string) => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    flushSync();
    await new Promise(requestAnimationFrame);
    flushSync();
  };
  await vi.waitFor(() => expect(rowOf('a_200')).toBeDefined());
  rowOf('a_200')?.focus();
  for (let left = 30; left > 0; left -= 1) await press('ArrowUp');
  expect(focused()).toBe('a_170');
  expect(page.querySelector('[aria-current]')?.textContent).toContain('a_170');
  await press('ArrowDown');
  expect(focused()).toBe('a_171');
  expect(page.querySelector('article')?.textContent).toContain('a_171');
  await press('Escape');
  expect(page.querySelector('article')).toBeNull();
});

it('the heads of the columns are level with what is below them: that of the numbers ends where they do', async () => {
  const traffic = new Traffic();
  const asked = { client: 'port 1', method: 'a_1', isOwn: false, ask: textBody(''), atMs: 1 };
  traffic.answer(traffic.open('call', asked), { state: 'ok', ms: 7.4, answer: textBody('1') });
  const props = { view: new TrafficView(traffic), label: 'All traffic' };
  const page = mountIn(openContext(() => null).context, TrafficLog, props);
  widen(page, 1024);
  page.style.cssText += 'display: grid; height: 300px';
  await vi.waitFor(() => expect(page.querySelector('li .columns')).not.toBeNull());
  const edgeOf = (text: RegExp) => {
    const own = [...page.querySelectorAll('.columns > *')].find((one) => text.test(one.textContent ?? ''));
    const range = document.createRange();
    range.selectNodeContents(own as Element);
    return range.getBoundingClientRect().right;
  };
  expect(Math.abs(edgeOf(/^Duration$/) - edgeOf(/7\.4/))).toBeLessThan(2);
});

it('a refused call of any client is explained', async () => {
  const traffic = new Traffic();
  const refusal = { code: -32601, message: 'Method not found' };
  for (const answer of [refusal, { jsonrpc: '2.0', id: 1, error: refusal }]) {
    const asked = { client: 'ws 1', method: 'a_1', isOwn: false, ask: textBody('[]'), atMs: 1 };
    const exchange = traffic.open('call', asked);
    traffic.answer(exchange, { state: 'error', ms: 1, answer: textBody(JSON.stringify(answer)) });
    const props = { pick: { exchange, note: null }, version: 1, onclose: () => undefined };
    const page = mountIn(openContext(() => null).context, ExchangeView, props);
    expect(page.textContent).toContain('The node does not have this method');
  }
});

it('a call that lost its node is unanswered, in its row and on its page', async () => {
  const { context } = openContext(() => {
    throw new NodeError('Disconnected');
  });
  await context.userNode.request('dev_newBlock', []).catch(() => undefined);
  const view = new TrafficView(context.traffic);
  const page = mountIn(context, TrafficLog, { view, label: 'All traffic' });
  page.style.height = '300px';
  page.style.display = 'grid';
  const row = () => page.querySelector<HTMLElement>('li .columns');
  await vi.waitFor(() => expect(row()?.textContent).toMatch(/dev_newBlock.*unanswered/s));
  row()?.click();
  flushSync();
  const article = page.querySelector('article');
  expect(article?.textContent).toMatch(/unanswered.*The outcome is unknown/s);
  expect(page.querySelector('.bad')).toBeNull();
});

it('the client of what the devtools send is called devtools', async () => {
  const { context } = openContext(() => null);
  await context.userNode.request('system_name', []);
  const page = mountIn(context, TrafficLog, { view: new TrafficView(context.traffic), label: 'All traffic' });
  page.style.height = '300px';
  page.style.display = 'grid';
  await vi.waitFor(() => expect(page.querySelector('li')?.textContent).toMatch(/devtools\s+system_name/));
  expect(page.querySelector('select')?.textContent).toMatch(/^all clients\s*devtools$/);
});

it('a log of nothing but the page’s own calls offers to show them', async () => {
  const { context } = openContext(() => null);
  const traffic = new Traffic();
  const view = new TrafficView(traffic);
  const page = mountIn(context, TrafficLog, { view, label: 'All traffic' });
  expect(page.querySelector('section button')).toBeNull();
  traffic.open('call', { client: 'devtools', method: 'a_1', isOwn: true, ask: textBody(''), atMs: 1 });
  await vi.waitFor(() => press(page, 'Show devtools’ own calls'));
  expect(page.querySelector('section')?.textContent).toContain('a_1');
  expect(page.querySelector<HTMLInputElement>('[type="checkbox"]')?.checked).toBe(true);
});
