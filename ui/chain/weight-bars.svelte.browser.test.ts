import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { mountIn, openBench, press } from '../testing/open-page.ts';
import WeightBars from './WeightBars.svelte';

const row = { label: 'normal', refTime: 1, proofSize: 0 };
const storyOf = (hash: string) => ({ block: { hash }, weights: { max: null, rows: [row] } });

it('classes that used no weight are left out', () => {
  const rows = ['normal', 'operational', 'mandatory'].map((label, index) => ({
    ...row,
    label,
    refTime: index >> 1,
  }));
  const story = { block: { hash: '0x01' }, weights: { max: null, rows } };
  const page = mountIn(openBench(() => null).bench, WeightBars, {
    deeds: { offers: new Set() },
    story,
  } as never);
  expect([...page.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual(['mandatory']);
});

it('a measured proof size is shown for its own block only, even if it arrives late', async () => {
  const late = Promise.withResolvers<object>();
  const { bench } = openBench((_, [hash]) =>
    hash === '0x01' ? late.promise : { blockLen: 20, witnessLen: 2222, witnessCompactLen: 2 },
  );
  const props = $state({ deeds: { offers: new Set(['dev_getBlockStats']) }, story: storyOf('0x01') });
  const page = mountIn(bench, WeightBars, props as never);
  const measured = () => page.querySelector('[role="status"]')?.textContent ?? null;
  press(page, 'Measure proof size');
  props.story = storyOf('0x02');
  flushSync();
  late.resolve({ blockLen: 10, witnessLen: 1111, witnessCompactLen: 1 });
  press(page, 'Measure proof size');
  await vi.waitFor(() => expect(measured()).toContain('block 20'));
  props.story = storyOf('0x03');
  flushSync();
  expect(measured()).toBe(null);
});
