import { expect, it } from 'vitest';
import '../base.css';
import '../tokens.css';
import { mountIn, openBench, widen } from '../testing/open-page.ts';
import BlockActions from './BlockActions.svelte';

it('the actions of a block form two even columns on a phone', () => {
  const { bench } = openBench(() => null);
  const offers = new Set(['dev_newBlock', 'dev_finalise', 'dev_setHead']);
  const deeds = { offers: { has: (name: string) => offers.has(name), fault: null }, actions: { busy: null } };
  const props = { deeds, hash: '0x01', number: 2, standing: 'fork' };
  const page = mountIn(bench, BlockActions, props as never);
  const places = () => [...page.querySelectorAll('button, a')].map((one) => one.getBoundingClientRect());
  expect(places().length).toBe(4);
  widen(page, 1440);
  expect(new Set(places().map(({ top }) => top)).size).toBe(1);
  widen(page, 390);
  const [first] = places();
  expect(places().map(({ width }) => width)).toEqual(places().map(() => first?.width));
  expect(new Set(places().map(({ top }) => top)).size).toBe(2);
});
