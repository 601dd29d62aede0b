import { expect, it } from 'vitest';
import { mountIn, openContext, press } from '../testing/open-page.ts';
import ChartCard from './ChartCard.svelte';

it('shows more rows of a chart on request', () => {
  const x = Array.from({ length: 70 }, (_, index) => index);
  const data = { title: 'Blocks', unit: 'ms', axis: 'block', x, series: [] } as const;
  const { context } = openContext(() => null);
  const page = mountIn(context, ChartCard, { data, face: 'table', onface: () => undefined });
  const rows = () => [...page.querySelectorAll('tbody th')].map(({ textContent }) => textContent);
  expect([rows().length, rows()[0], rows()[9]]).toEqual([10, '#69', '#60']);
  press(page, /more rows/);
  expect([rows().length, rows()[59]]).toEqual([60, '#10']);
  press(page, /more rows/);
  expect(rows().length).toBe(70);
  expect(page.textContent).not.toContain('more rows');
});
