import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press } from '../../../testing/open-page.ts';
import WeightBars from './WeightBars.svelte';

const row = { label: 'normal', refTime: 1, proofSize: 0 };
const detailsOf = (hash: string) => ({ block: { hash }, weights: { max: null, rows: [row] } });

it('classes that used no weight are left out', () => {
  const rows = ['normal', 'operational', 'mandatory'].map((label, index) => ({
    ...row,
    label,
    refTime: index >> 1,
  }));
  const details = { block: { hash: '0x01' }, weights: { max: null, rows } };
  const page = mountIn(openContext(() => null).context, WeightBars, {
    chainActions: { offers: new Set() },
    details,
  } as never);
  expect([...page.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual(['mandatory']);
});

it('a measured proof size is shown for its own block only, even if it arrives late', async () => {
  const late = Promise.withResolvers<object>();
  const { context } = openContext((_, [hash]) =>
    hash === '0x01' ? late.promise : { blockLen: 20, witnessLen: 2222, witnessCompactLen: 2 },
  );
  const props = $state({
    chainActions: { offers: new Set(['dev_getBlockStats']) },
    details: detailsOf('0x01'),
  });
  const page = mountIn(context, WeightBars, props as never);
  const measured = () => page.querySelector('[role="status"]')?.textContent ?? null;
  press(page, 'Measure proof size');
  props.details = detailsOf('0x02');
  flushSync();
  late.resolve({ blockLen: 10, witnessLen: 1111, witnessCompactLen: 1 });
  press(page, 'Measure proof size');
  await vi.waitFor(() => expect(measured()).toContain('block 20'));
  props.details = detailsOf('0x03');
  flushSync();
  expect(measured()).toBe(null);
});

it('a proof size without a limit is not shown as a number', () => {
  const unlimited = { refTime: 2, proofSize: 2 ** 64 };
  const details = { block: { hash: '0x01' }, weights: { max: unlimited, rows: [{ ...row, ...unlimited }] } };
  const page = mountIn(openContext(() => null).context, WeightBars, {
    chainActions: { offers: new Set() },
    details,
  } as never);
  expect(page.textContent).toMatch(/proof unlimited\s/);
});
