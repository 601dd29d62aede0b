import { expect, it } from 'vitest';
import { timeLabels } from './draw-tree.ts';
import type { PlacedBlock } from './layout-tree.ts';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 22, 12, 0, 0);
const placed = (number: number, timeMs: number): PlacedBlock => ({
  hash: `${number}`,
  parent: `${number - 1}`,
  number,
  timeMs,
  lane: 0,
  y: number * 44,
  standing: 'best',
  from: null,
});

it('a fork that is older than blocks of a lower number leaves the others their labels', () => {
  const fork = { ...placed(9, noon), y: 44 };
  const labels = timeLabels([placed(2, noon + 6000), placed(3, noon + 12_000), fork], (y) => -y);
  expect(labels.map(({ time }) => time)).toEqual(['12:00:00', '12:00:06', '12:00:12']);
});

it('times of day that are the same on two days are two labels, the later one with its date', () => {
  const labels = timeLabels(
    [placed(1, noon), placed(2, noon + dayMs), placed(3, noon + dayMs + 6000)],
    (y) => -y,
  );
  expect(labels).toEqual([
    { at: -44, time: '12:00:00', day: null },
    { at: -88, time: '12:00:00', day: '2026-11-23' },
    { at: -132, time: '12:00:06', day: null },
  ]);
  expect(new Set(labels.map(({ at }) => at)).size).toBe(labels.length);
});
