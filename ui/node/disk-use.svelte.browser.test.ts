import { expect, it, onTestFinished, vi } from 'vitest';
import { DiskUse, growthOf, growthText } from './disk-use.svelte.ts';

const minute = 60_000;

it('the growth per hour is that of the samples, and is not guessed before there are enough', () => {
  const samples = (bytesAt: (minutes: number) => number, minutes: number) =>
    Array.from({ length: 4 * minutes + 1 }, (_, at) => ({
      atMs: 1e12 + (at * minute) / 4,
      bytes: bytesAt(at / 4),
    }));
  expect(growthOf([])).toBeNull();
  expect(growthOf(samples((at) => at * 20_000, 1))).toBeNull();
  expect(growthOf(samples((at) => 12e6 + at * 20_000, 10))).toBeCloseTo(1.2e6, 0);
  // A database grows in steps.
  const stepped = growthOf(samples((at) => Math.floor(at / 5) * 100_000, 60)) ?? 0;
  expect(Math.abs(stepped - 1.2e6)).toBeLessThan(0.1e6);
  expect([1.2e6, 0, -4e5, null].map(growthText)).toEqual([
    '+1.2 MB/h',
    '+0 B/h',
    '−400.0 kB/h',
    'measuring growth…',
  ]);
});

it('observes until it ends', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ending = new AbortController();
  let asked = 0;
  const disk = new DiskUse(async () => 1e6 + 10_000 * asked++, ending.signal);
  expect([disk.bytes, disk.growth]).toEqual([null, 'measuring growth…']);
  await vi.advanceTimersByTimeAsync(minute);
  expect(disk.growth).toBe('measuring growth…');
  await vi.advanceTimersByTimeAsync(9 * minute);
  expect(disk.growth).toBe('+2.4 MB/h');
  ending.abort();
  const before = asked;
  await vi.advanceTimersByTimeAsync(minute);
  expect(asked).toBe(before);
});
