import { afterEach, expect, it, vi } from 'vitest';
import { localText } from './format.ts';

const ms = Date.UTC(2026, 0, 1, 23, 30, 5);

afterEach(() => void vi.restoreAllMocks());

it.each([
  [-540, '2026-01-02 08:30:05 local time (UTC+9)'],
  [-330, '2026-01-02 05:00:05 local time (UTC+5:30)'],
  [0, '2026-01-01 23:30:05 local time (UTC+0)'],
  [210, '2026-01-01 20:00:05 local time (UTC−3:30)'],
])('a computer that is %i minutes behind UTC shows its own time with its zone', (offset, text) => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset);
  expect(localText(ms)).toBe(text);
});

it('a timestamp beyond the range of dates has no local time', () => {
  expect(localText(Number(2n ** 64n - 1n))).toBe('');
});
