import { describe, expect, it } from 'vitest';
import { axisText, pathOf, spread, ticksOf, topOf, valueText } from './series.ts';

describe('the figures next to a chart', () => {
  it('are the minimum, median and maximum of the samples', () => {
    expect(spread([3, null, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spread([null])).toBe(null);
  });

  it('are rounded by magnitude, with a dash for a missing value', () => {
    expect([valueText(3), valueText(1.234), valueText(12.34), valueText(null)]).toEqual([
      '3',
      '1.23',
      '12.3',
      '–',
    ]);
    expect(axisText('block', 12)).toBe('#12');
  });
});

describe('a chart', () => {
  it('has ticks at round numbers, no more than fit', () => {
    expect(ticksOf(0, 9.7, 4)).toEqual([0, 5]);
    expect(ticksOf(0, 1, 4)).toEqual([0, 0.5, 1]);
    expect(ticksOf(0, 1, 4, 1)).toEqual([0, 1]);
    expect(ticksOf(13, 21, 4, 1)).toEqual([14, 16, 18, 20]);
    expect(ticksOf(7, 8, 4, 1)).toEqual([7, 8]);
    expect(ticksOf(3, 3, 4)).toEqual([]);
  });

  it('reaches to the maximum, but not to a spike that would flatten the rest', () => {
    const usual = [9, 8, 10, null, 9, 8, 9, 10, 9];
    expect(topOf([...usual, 30])).toBe(30);
    expect(topOf([500, ...usual])).toBe(15);
    expect(topOf([500, 9, 10])).toBe(500);
    expect(topOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7])).toBe(7);
    expect(topOf([])).toBe(0);
  });

  it('starts a new segment after a missing value', () => {
    expect(pathOf([[0, 1], [2, 3.14], null, [4, 5]])).toBe('M0 1h0L2 3.1M4 5h0');
  });
});
