import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { devAccounts } from '../../../node/accounts.ts';
import { mountIn, openContext, widen } from '../../../testing/open-page.ts';
import BlockActions from './BlockActions.svelte';
import EventRow from './EventRow.svelte';
import ExtrinsicRow from './ExtrinsicRow.svelte';

it('the actions of a block are in one line, or in even lines of the same width on a phone', () => {
  const { context } = openContext(() => null);
  const offers = new Set(['dev_newBlock', 'dev_finalise', 'dev_setHead']);
  const chainActions = {
    offers: { has: (name: string) => offers.has(name), fault: null },
    actions: { busy: null },
  };
  const props = { chainActions, hash: '0x01', number: 2, standing: 'fork' };
  const page = mountIn(context, BlockActions, props as never);
  const places = () => [...page.querySelectorAll('button, a')].map((one) => one.getBoundingClientRect());
  expect(places().length).toBe(4);
  page.style.container = 'aside / inline-size';
  widen(page, 620);
  expect(new Set(places().map(({ top }) => top)).size).toBe(1);
  widen(page, 390);
  const [build, finalize, jump, state] = places();
  expect(new Set(places().map(({ top }) => top)).size).toBe(3);
  expect(finalize?.width).toBe(jump?.width);
  const ends = [build, jump, state].map((one) => Math.round(one?.right ?? 0));
  expect(new Set(ends).size).toBe(1);
  expect(page.scrollWidth).toBeLessThanOrEqual(390);
});

it('a transfer’s event is read to its end in a narrow panel: short amounts, without braces, below its name', async () => {
  const { context } = openContext((method) =>
    method === 'system_properties' ? { tokenDecimals: 12, tokenSymbol: 'UNIT' } : null,
  );
  const at = { start: 0, end: 0, type: '' };
  const accountOf = (index: number) => ({ ...at, kind: 'account', id: devAccounts[index]?.id, value: '' });
  const amount = { ...at, kind: 'number', value: 123_456n, meaning: 'amount' };
  const fields = [
    { label: 'from', value: accountOf(0) },
    { label: 'to', value: accountOf(1) },
    { label: 'amount', value: amount },
  ];
  const value = { ...at, kind: 'variant', name: 'Transfer', value: { ...at, kind: 'struct', fields } };
  const event = { event: { ...at, kind: 'variant', name: 'Balances', value } };
  const page = mountIn(context, EventRow, { event, meta: null, bytes: new Uint8Array() } as never);
  page.style.container = 'aside / inline-size';
  widen(page, 340);
  const text = () => page.querySelector('summary span + span');
  await vi.waitFor(() => expect(text()?.textContent).toBe('from: Alice, to: Bob, amount: 123.4 nUNIT'));
  expect(text()?.getAttribute('title')).toContain('0.000000123456 UNIT');
  expect(text()?.scrollWidth).toBe(text()?.clientWidth);
});

it('an event that is longer than its row continues on the next line', () => {
  const at = { start: 0, end: 0, type: '' };
  const text = { ...at, kind: 'text', value: 'word '.repeat(15) };
  const value = { ...at, kind: 'variant', name: 'Long', value: text };
  const event = { event: { ...at, kind: 'variant', name: 'System', value } };
  const page = mountIn(openContext(() => null).context, EventRow, {
    event,
    meta: null,
    bytes: new Uint8Array(),
  } as never);
  widen(page, 495);
  const fields = page.querySelector('summary span + span');
  expect(fields?.scrollWidth).toBe(fields?.clientWidth);
  expect(fields?.getBoundingClientRect().height).toBeGreaterThan(18);
});

it('an event with one struct shows the fields of the struct', () => {
  const at = { start: 0, end: 0, type: '' };
  const structOf = (label: string, value: unknown) => ({ ...at, kind: 'struct', fields: [{ label, value }] });
  const info = structOf('dispatch_info', structOf('class', { ...at, kind: 'text', value: 'Normal' }));
  const value = { ...at, kind: 'variant', name: 'ExtrinsicSuccess', value: info };
  const event = { event: { ...at, kind: 'variant', name: 'System', value } };
  const { context } = openContext(() => null);
  const page = mountIn(context, EventRow, { event, meta: null, bytes: new Uint8Array() } as never);
  expect(page.querySelector('summary span + span')?.textContent).toBe('class: "Normal"');
});

it('the name of a call is whole in a narrow panel, next to its signer; its arguments in a wide one', () => {
  const signer = { id: devAccounts[0]?.id, address: '' };
  const words = { name: 'Utility.batch_all', signer, args: '10 × Balances.transfer_keep_alive' };
  const details = { block: { hash: '0x01' }, words: () => words, outcome: () => ({ kind: 'ok' }) };
  const props = { details, index: 1, hex: `0x2c84${'00'.repeat(466)}`, hash: `0x${'ab'.repeat(32)}` };
  const page = mountIn(openContext(() => null).context, ExtrinsicRow, props as never);
  page.style.width = '340px';
  const name = page.querySelector('a');
  expect(name?.scrollWidth).toBe(name?.clientWidth);
  page.style.width = '495px';
  const args = page.querySelector('.args');
  expect(args?.scrollWidth).toBe(args?.clientWidth);
});

it('the links and buttons of an extrinsic are 24 px high and do not overlap', () => {
  const words = {
    name: 'System.remark',
    signer: { id: `0x${'01'.repeat(32)}`, address: `5${'x'.repeat(47)}` },
    args: '',
  };
  const details = { block: { hash: '0x01' }, words: () => words, outcome: () => ({ kind: 'ok' }) };
  const props = { details, index: 1, hex: '0x2c840000', hash: `0x${'ab'.repeat(32)}` };
  const page = mountIn(openContext(() => null).context, ExtrinsicRow, props as never);
  page.style.width = '460px';
  const places = [...page.querySelectorAll('.copy :is(a, button)')].map((one) => one.getBoundingClientRect());
  expect(places.map(({ height }) => height)).toEqual([24, 24, 24, 24]);
  for (const [at, one] of places.entries())
    for (const other of places.slice(at + 1))
      expect(one.bottom <= other.top || one.right <= other.left || other.right <= one.left).toBe(true);
});
