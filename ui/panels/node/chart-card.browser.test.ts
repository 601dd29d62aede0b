import { expect, it } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { mountIn, openContext, press, widen } from '../../testing/open-page.ts';
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
  expect(Math.max(...ticks)).toBeLessThanOrEqual(20);
  expect(page.textContent).toContain('max\u00a0600');
  expect(page.querySelector('path[stroke]')?.getAttribute('d')).toMatch(/^M[\d.]+ 22h0(L[\d.]+ [\d.]+){19}$/);
  expect([...page.querySelectorAll('[text-anchor="middle"]')].at(-1)?.textContent).toBe('600');
});

const openPool = (x: readonly number[], values: readonly (number | null)[]) => {
  const series = [
    { label: 'ready', tone: 'ok', values },
    { label: 'future', tone: 'warn', values },
  ] as const;
  const data = { title: 'Pool', unit: 'transactions', axis: 'block', x, series } as const;
  return mountIn(openContext(() => null).context, ChartCard, {
    data,
    face: 'chart',
    onface: () => undefined,
  });
};

it('the figures of the lines are in columns', () => {
  const page = openPool([1, 2, 3], [4, 5, 4]);
  const lefts = [...page.querySelectorAll('dd')].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one.firstChild ?? one);
    return [range, one.querySelector('span')].map((of) => of?.getBoundingClientRect().left);
  });
  expect(lefts.length).toBe(2);
  expect(lefts[0]).toEqual(lefts[1]);
});

it('on a phone, each figure is on the line of its name', () => {
  const page = openPool([1, 2, 3], [1.5, 102.25, 31.5]);
  widen(page, 360);
  const figures = page.querySelector('dd span')?.firstChild;
  const at = figures?.textContent?.indexOf('max') ?? -1;
  const range = document.createRange();
  range.selectNodeContents(figures as Node);
  range.setStart(figures as Node, at);
  expect(range.toString()).toMatch(/^max.1/);
  expect(new Set([...range.getClientRects()].map(({ top }) => top)).size).toBe(1);
  expect(page.querySelector('dd span')?.clientHeight).toBeGreaterThan(20);
});

it('of two lines in the same place both are visible', () => {
  const lines = [...openPool([1, 2, 3], [4, 5, 4]).querySelectorAll('path[stroke]')];
  expect(lines.map((line) => getComputedStyle(line).strokeDasharray)).toEqual(['none', '4px, 4px']);
});

it('the legend shows the lines as they are drawn', () => {
  const names = [...openPool([1, 2, 3], [4, 5, 4]).querySelectorAll('dt')];
  expect(names.map((name) => getComputedStyle(name, '::before').borderTopStyle)).toEqual(['solid', 'dashed']);
});

it('an axis of whole numbers has no ticks between them; one of measures does', () => {
  const ticks = (values: readonly number[]) =>
    [...openPool([1, 2], values).querySelectorAll('[text-anchor="end"]')].map((one) => one.textContent);
  expect(ticks([0, 0])).toEqual(['0', '1']);
  expect(ticks([0, 0.9])).toEqual(['0', '0.5', '1']);
});

it('each mark of a spike has its number', () => {
  const x = Array.from({ length: 20 }, (_, index) => index);
  const values = x.map((at) => ({ 3: 600, 15: 700 })[at] ?? 10 + (at % 3));
  const page = openPool(x, values);
  const marks = page.querySelectorAll('path[fill]').length;
  const numbers = [...page.querySelectorAll('[y="11"]')].map((one) => one.textContent);
  expect([marks, new Set(numbers)]).toEqual([numbers.length, new Set(['700', '600'])]);
});

it('the highest value of a line is below the top of its plot', () => {
  const page = openPool([1, 2, 3], [4, 5, 4]);
  const [line, grid] = ['path[stroke]', 'path.grid[d*="V"]'].map((of) =>
    page.querySelector(of)?.getBoundingClientRect(),
  );
  expect(line?.height).toBeGreaterThan(10);
  expect((line?.top ?? 0) - (grid?.top ?? 0)).toBeGreaterThan(10);
});

it('a single value is a dot inside the plot', () => {
  const page = openPool([1], [4]);
  const [ready, future] = page.querySelectorAll('path[stroke]');
  const grid = page.querySelector('.grid')?.getAttribute('d') ?? '';
  const [, x = 0, y = 0] = (/^M([\d.]+) ([\d.]+)h0$/.exec(ready?.getAttribute('d') ?? '') ?? []).map(Number);
  const [left = 0, bottom = 0] = (/^M([\d.]+) ([\d.]+)H/.exec(grid) ?? []).slice(1).map(Number);
  expect(x - left).toBeGreaterThan(9);
  expect(bottom - y).toBeGreaterThan(9);
  expect(y).toBeGreaterThan(15);
  const widthOf = (of: Element | undefined) => Number(of?.getAttribute('stroke-width'));
  expect(widthOf(ready)).toBeGreaterThan(widthOf(future));
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
