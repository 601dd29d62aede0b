import { expect, it } from 'vitest';
import { mountIn, openContext, press } from '../testing/open-page.ts';
import ChartCard from './ChartCard.svelte';

it('a spike at the start leaves the chart, and stays in the figures beside it', () => {
  const x = Array.from({ length: 20 }, (_, index) => index);
  const values = x.map((at) => (at === 0 ? 600 : 10 + (at % 3)));
  const series = [{ label: 'build', tone: 'accent', values }] as const;
  const data = { title: 'Blocks', unit: 'ms', axis: 'block', x, series } as const;
  const { context } = openContext(() => null);
  const page = mountIn(context, ChartCard, { data, face: 'chart', onface: () => undefined });
  const ticks = [...page.querySelectorAll('[text-anchor="end"]')].map(({ textContent }) =>
    Number(textContent),
  );
  expect(Math.max(...ticks)).toBeLessThan(20);
  expect(page.textContent).toContain('max 600');
  expect([...page.querySelectorAll('path')].at(-1)?.getAttribute('d')).toMatch(
    /^M[\d.]+ -[\d.]+h0(L[\d.]+ [\d.]+){19}$/,
  );
});

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
