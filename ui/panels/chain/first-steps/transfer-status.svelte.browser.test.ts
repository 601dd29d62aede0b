import { flushSync } from 'svelte';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import '../../../base.css';
import '../../../panels.css';
import '../../../tokens.css';
import { writeJson } from '../../../../src/protocol/json.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { keepSent } from '../../../node/tx/sent.svelte.ts';
import { mountIn, press, settle } from '../../../testing/open-page.ts';
import { useSend } from '../../../testing/open-send.ts';
import FirstMinute from './FirstMinute.svelte';
import { StartCard } from './start-card.svelte.ts';

const { openSend, real } = useSend();
const stored = 'tabnode.sent.first';

beforeEach(() => {
  localStorage.removeItem('tabnode.start');
  localStorage.removeItem(stored);
});

/** The chain as the test reports it. */
const createChain = ({ chain }: PageContext) => {
  let best = $state.raw({ number: 1, hash: '' });
  let finalized = $state.raw(0);
  return {
    get best() {
      return best;
    },
    set best(to) {
      best = to;
    },
    get finalized() {
      return finalized;
    },
    set finalized(to) {
      finalized = to;
    },
    loadBlock: (hash: string) => chain.loadBlock(hash),
  };
};

/** The card of a page; the node refuses a submission with each of the faults, and then takes them. */
const openCard = async (faults: unknown[] = []) => {
  const { context, asked } = openSend();
  const genesisHash = String(await real.request('chain_getBlockHash', [0]));
  const statuses: ((status: unknown) => void)[] = [];
  const subscribe: UiNode['subscribe'] = (method, params, unsubscribe, onValue) => {
    if (method !== 'author_submitAndWatchExtrinsic')
      return context.node.subscribe(method, params, unsubscribe, onValue);
    const tell = onValue as (status: unknown) => void;
    statuses.push(tell);
    const fault = faults.shift();
    const opened =
      fault === undefined
        ? real.request('author_submitExtrinsic', params).then(() => tell('ready'))
        : Promise.reject(fault);
    return { opened, close: () => undefined };
  };
  const node = context.node.with({ info: { ...context.node.info, genesisHash }, subscribe });
  const chain = createChain(context);
  const session = { entry: { id: 'first' } } as never;
  const around = { ...context, node, chain: chain as never, session, keep: context.keep };
  const card = new StartCard(false);
  const page = mountIn(around, FirstMinute, { card });
  const button = () => page.querySelector<HTMLButtonElement>('button.act');
  await vi.waitFor(() => expect(button()?.disabled).toBe(false), { timeout: 10_000 });
  const send = async () => {
    button()?.click();
    flushSync();
    await vi.waitFor(() => expect(button()?.disabled).toBe(false), { timeout: 10_000 });
    flushSync();
  };
  const see = async (hash: unknown) => {
    const header = (await real.request('chain_getHeader', [hash])) as { number: string };
    chain.best = { number: Number(header.number), hash: String(hash) };
    flushSync();
  };
  const seal = async () => see(await real.request('dev_newBlock', []));
  const lines = () => (page.querySelector('ol')?.innerText ?? '').split('\n');
  const news = () => page.querySelector('.progress [role="status"]')?.textContent?.trim();
  const ticks = () => page.querySelectorAll('[title="Done"]').length;
  return { page, card, chain, send, see, seal, lines, news, ticks, button, statuses, around, asked };
};

const refusal = (code: number, data?: string) => Object.assign(new Error('Invalid'), { code, data });

it('a transfer whose nonce another tab has used is refused at the pool, says what to do, and is sent again', {
  timeout: 60_000,
}, async () => {
  const before = await real.request('chain_getBlockHash', []);
  onTestFinished(() => void real.request('dev_setHead', [before]));
  const { page, card, chain, send, see, lines, news, ticks, statuses, around } = await openCard([
    refusal(1014, 'too low priority'),
    refusal(1010, 'Transaction is outdated'),
  ]);
  for (const _ of [1014, 1010]) {
    await send();
    expect(lines()).toEqual(['Pool', 'refused', 'In block', '–', 'Finalized', '–']);
    expect(news()).toBe('Another transaction of Alice with this nonce came first. Send again.');
    expect([ticks(), card.done]).toEqual([0, 0]);
    expect(page.textContent).not.toContain('waiting…');
    const red = getComputedStyle(page.querySelector('p.bad') as Element).color;
    expect(getComputedStyle(page.querySelector('ol .word') as Element).color).toBe(red);
  }
  // The Send panel lists it with the same words.
  expect(keepSent(around).items.map(({ refused }) => refused)).toEqual([news(), news()]);
  await send();
  expect(lines().filter((line) => line === 'waiting…')).toHaveLength(2);
  expect([ticks(), card.done]).toEqual([0, 0]);
  // With instant finality the last status may come before the page has seen the block.
  const finalized = await real.request('dev_newBlock', []);
  statuses.at(-1)?.({ finalized });
  await see(finalized);
  await vi.waitFor(() => expect([ticks(), page.textContent.includes('+5 UNIT')]).toEqual([1, true]), {
    timeout: 10_000,
  });
  expect([card.done, card.collapsed]).toEqual([1, false]);
  page.querySelector<HTMLElement>('button.act')?.focus();
  chain.finalized = chain.best.number;
  flushSync();
  // Once it is final, the card is a line that says so, and gives the focus to the button that opens it.
  expect(card.collapsed).toBe(true);
  expect(document.activeElement?.textContent?.trim()).toBe('Expand');
  expect(page.textContent.replace(/\s+/g, ' ')).toMatch(
    /First steps · 1 of 3 done Expand Dismiss Finalized in block #2\. Alice −5\.\d+ UNIT ?Bob \+5 UNIT/,
  );
  press(page, 'Expand');
  expect([ticks(), card.collapsed]).toEqual([1, false]);
  expect(lines().join()).not.toContain('waiting…');
  // It does so only once, also after a reload.
  const later = new StartCard(false);
  later.settle();
  expect([later.collapsed, later.done]).toEqual([false, 1]);
});

it('what ends a transfer in the pool is shown at the pool, and nothing waits', {
  timeout: 60_000,
}, async () => {
  const { send, lines, news, ticks, statuses } = await openCard([]);
  await send();
  statuses.at(-1)?.({ usurped: `0x${'5e'.repeat(32)}` });
  flushSync();
  expect(lines()).toEqual(['Pool', 'usurped', 'In block', '–', 'Finalized', '–']);
  expect([news(), ticks()]).toEqual([
    'Another transaction of Alice with this nonce replaced it. Send again.',
    0,
  ]);
});

it('after a reload a transfer in flight is found in the pool or in a block, or said to be in neither', {
  timeout: 60_000,
}, async () => {
  const before = await real.request('chain_getBlockHash', []);
  onTestFinished(() => void real.request('dev_setHead', [before]));
  const first = await openCard([]);
  await first.send();
  const item = keepSent(first.around).items[0];
  const keep = (change: object) =>
    localStorage.setItem(stored, writeJson([{ ...item, events: [], ...change }]));
  keep({});
  const again = await openCard();
  await vi.waitFor(() => expect(again.lines().filter((line) => line === 'waiting…')).toHaveLength(2));
  expect(again.news()).toMatch(/^In the pool\./);
  expect(again.ticks()).toBe(0);
  await again.seal();
  await vi.waitFor(() => expect(again.ticks()).toBe(1), { timeout: 10_000 });
  keep({ id: 'gone', hash: `0x${'5e'.repeat(32)}` });
  // An earlier transfer was included; this one is not.
  expect(new StartCard(false).isDone('send')).toBe(true);
  const gone = await openCard();
  await vi.waitFor(() => expect(gone.lines()[1]).toBe('not included'), { timeout: 10_000 });
  expect(gone.news()).toMatch(/^It is neither in the pool nor in a recent block .* Send it again\.$/);
  expect([gone.ticks(), gone.button()?.disabled]).toEqual([0, false]);
});

it('a transfer that is in no block when its era ends has expired, and is not searched for any more', {
  timeout: 60_000,
}, async () => {
  const before = await real.request('chain_getBlockHash', []);
  onTestFinished(() => void real.request('dev_setHead', [before]));
  const lost = {
    ...{ id: 'old', hash: `0x${'5e'.repeat(32)}`, hex: '0x00', label: 'Balances.transfer_keep_alive' },
    ...{ args: '', by: 'Alice', atMs: 1, steps: [], refused: null, open: true, block: null, outcome: null },
  };
  const { number } = (await real.request('chain_getHeader', [])) as { number: string };
  const until = Number(number) + 1;
  const kept = { ...lost, isFirst: true, era: { birth: until - 63, until } };
  localStorage.setItem(stored, writeJson([kept]));
  const { seal, lines, news, asked } = await openCard();
  await vi.waitFor(() => expect(lines()[1]).toBe('not included'), { timeout: 10_000 });
  await seal();
  const searches = () => asked.filter(([method]) => method === 'dev_pool').length;
  await vi.waitFor(() => expect(searches()).toBe(2));
  expect(lines()[1]).toBe('not included');
  await seal();
  await vi.waitFor(() => expect(lines()[1]).toBe('expired'), { timeout: 10_000 });
  expect(news()).toBe(`No block included it. It could be included up to block #${until}. Send again.`);
  const count = searches();
  await seal();
  for (let turn = 0; turn < 20; turn += 1) await settle();
  expect(searches()).toBe(count);
});

it('beside a block or another page the card is one line, which opens there too', {
  timeout: 60_000,
}, async () => {
  const { around } = await openCard();
  const props = $state({ card: new StartCard(false), aside: true });
  const page = mountIn(around, FirstMinute, props);
  const height = () => page.querySelector('section')?.offsetHeight ?? 0;
  expect(height()).toBeLessThan(50);
  expect(props.card.collapsed).toBe(false);
  press(page, 'Expand');
  expect(height()).toBeGreaterThan(90);
  press(page, 'Collapse');
  expect([height() < 50, props.card.collapsed]).toEqual([true, true]);
  press(page, 'Expand');
  expect([height() > 90, props.card.collapsed]).toEqual([true, false]);
  props.aside = false;
  flushSync();
  expect(height()).toBeGreaterThan(90);
});

it('on a chain without a unit the amount is a multiple of the minimum balance', {
  timeout: 60_000,
}, async () => {
  const { context } = openSend((method) => (method === 'system_properties' ? {} : undefined));
  const page = mountIn(context, FirstMinute, { card: new StartCard(false) });
  await vi.waitFor(
    () =>
      expect(page.querySelector('button.act')?.textContent?.replace(/\s+/g, ' ')).toContain(
        'Send 1 000 000 000 000 from Alice to Bob 1 000 × the minimum balance (1 000 000 000)',
      ),
    { timeout: 10_000 },
  );
});
