import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findIn } from './findings.ts';
import { findLocalTimes } from './local-times.ts';

/** Where the texts of times are made, the component that shows them, and the axis of a chart, which is an image. */
const own = ['ui/kit/text/format.ts', 'ui/kit/display/Clock.svelte', 'ui/panels/node/series.ts'];

it('every time on the page is written by one component, in UTC', () => {
  const files = globSync('ui/**/*.{ts,svelte}').filter((file) => !/\.test\.ts$|\.fixture\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(400);
  const others = files.filter((file) => !own.includes(file));
  expect(findIn(others, findLocalTimes)).toEqual([]);
});

it.each([
  'new Date(ms).toLocaleTimeString()',
  'date.toLocaleString("en")',
  'new Date(ms).getHours()',
  'new Intl.DateTimeFormat("en")',
  'date.toTimeString()',
  '<span>{clockText(ms)}</span>',
])('finds %s', (source) => {
  expect(findLocalTimes(`const a = 1;\n${source}`)).toMatchObject([{ line: 2 }]);
});

it('leaves times in UTC and other numbers alone', () => {
  expect(findLocalTimes('isoText(ms); date.toISOString(); size.toString(); map.get(hours)')).toEqual([]);
});
