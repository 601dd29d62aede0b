import { describe, expect, it } from 'vitest';
import { axisText, spread, valueText } from './series.ts';

describe('what stands beside a chart', () => {
  it('is the least, the middle and the most of what was measured', () => {
    expect(spread([3, null, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spread([null])).toBe(null);
  });

  it('has as many digits as a value deserves, and tells what is missing', () => {
    expect([valueText(3), valueText(1.234), valueText(12.34), valueText(null)]).toEqual([
      '3',
      '1.23',
      '12.3',
      '–',
    ]);
    expect(axisText('block', 12)).toBe('#12');
  });
});
