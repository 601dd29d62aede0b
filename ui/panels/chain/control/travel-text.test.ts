import { expect, it } from 'vitest';
import { countFault } from './count-fault.ts';
import { aheadText, readDate, travelText } from './travel-text.ts';

const now = Date.UTC(2026, 10, 28, 12);
const day = 86_400_000;

it('a jump says how far it is from this computer’s clock, what it skips, and how to go back', () => {
  const jump = { fromMs: now, nowMs: now, slotMs: 6000, epochSlots: 600 };
  expect(travelText({ ...jump, toMs: Date.UTC(2099, 0, 1) })).toEqual([
    'The next block will be 72.1 years ahead of this computer’s clock.',
    '631\u202f956 epochs are skipped: no block is in them.',
    'Mortal transactions stay valid: their eras count blocks, and no block number is skipped.',
    'Only a reset or a snapshot from before moves the clock back.',
  ]);
  expect(travelText({ ...jump, toMs: now + day, epochSlots: 14_400 })[1]).toBe(
    '1 epoch is skipped: no block is in it.',
  );
  expect(travelText({ ...jump, toMs: now + day, epochSlots: null })).toHaveLength(3);
  expect(travelText({ ...jump, fromMs: now - 9 * day, toMs: now - 8 * day })[0]).toBe(
    'The next block will be 8 d behind this computer’s clock.',
  );
  expect(travelText({ ...jump, fromMs: now - day, toMs: now })[0]).toContain(
    'at the time of this computer’s clock',
  );
});

it('the number says that the chain is in the future, and how fast it goes there', () => {
  expect(aheadText(3_600_000, 6000, 'every 2 s')).toBe('1 h in the future (3× real time)');
  expect(aheadText(3_600_000, 6000, 'every 4 s')).toBe('1 h in the future (1.5× real time)');
  for (const seal of ['every 6 s', 'instant', 'manual', ''])
    expect(aheadText(10_200, 6000, seal)).toBe('10.2 s in the future');
  for (const ms of [6000, 0, -1e9]) expect(aheadText(ms, 6000, 'every 2 s')).toBeNull();
});

it.each([
  ['', 'Enter a time in UTC as YYYY-MM-DD HH:MM.'],
  ['yesterday', 'Enter a time in UTC as YYYY-MM-DD HH:MM.'],
  ['2030-02-31 12:00', 'This date does not exist.'],
  ['2030-13-01 12:00', 'This date does not exist.'],
  ['2020-01-01 00:00', 'The clock only moves forward, and the best block is at 2026-11-28 12:00:00 UTC.'],
])('the date “%s” is refused with the reason', (typed, fault) => {
  expect(readDate(typed, now)).toEqual({ ms: null, fault });
});

it('reads dates in UTC', () => {
  expect(readDate(' 2030-01-01 06:30 ', now)).toEqual({ ms: Date.UTC(2030, 0, 1, 6, 30), fault: null });
  expect(readDate('2030-01-01T06:30:15', null).ms).toBe(Date.UTC(2030, 0, 1, 6, 30, 15));
});

it.each([0, -3, 1e9, 1.5, null, undefined, Number.NaN])('%s blocks are refused with the range', (count) => {
  expect(countFault(count)).toBe('Enter a whole number from 1 to 10\u202f000.');
  expect([1, 10_000].map(countFault)).toEqual([null, null]);
});
