import { describe, expect, it } from 'vitest';
import { type Bar, ours, ratio } from './line.ts';
import { nativeLines } from './lines.ts';
import { conclude, heading, type Outcome, rowOf, verdictOf } from './report.ts';
import { summarize } from './rounds.ts';
import { chooseLines } from './run.ts';

const measured = (
  name: string,
  [mine, theirs]: readonly [number, number],
  { bar = null, unit = 'ms' }: { readonly bar?: Bar | null; readonly unit?: 'ms' | '/s' | 'MB' } = {},
): Outcome => ({
  line: { name, about: 'a thing', unit, bar, rounds: 3 },
  summary: summarize([
    { ours: { value: mine, cpu: 5 }, native: { value: theirs, cpu: 10 } },
    { ours: { value: mine * 2, cpu: 5 }, native: { value: theirs * 4, cpu: 10 } },
    { ours: { value: mine, cpu: 5 }, native: { value: theirs, cpu: 10 } },
  ]),
  rounds: 3,
});

describe('report of the lines beside a native node', () => {
  it('a time has to be at most its bar, a rate at least', () => {
    expect(verdictOf(measured('a', [6, 10], { bar: ratio(0.6) }))).toBe('ok');
    expect(verdictOf(measured('a', [61, 100], { bar: ratio(0.6) }))).toBe('missed');
    expect(verdictOf(measured('a', [12, 10], { bar: ratio(1.2), unit: '/s' }))).toBe('ok');
    expect(verdictOf(measured('a', [11, 10], { bar: ratio(1.2), unit: '/s' }))).toBe('missed');
    expect(verdictOf(measured('a', [11, 10]))).toBe('');
  });

  it('a bar of ours alone does not depend on the native node', () => {
    expect(verdictOf(measured('a', [350, 1], { bar: ours(350) }))).toBe('ok');
    expect(verdictOf(measured('a', [351, 100_000], { bar: ours(350) }))).toBe('missed');
  });

  it('a row has medians and the least and the most of the rounds, in the columns of the heading', () => {
    const row = rowOf(measured('build-100', [1234, 1000], { bar: ratio(0.6) }));
    expect(row).toBe(
      '| a thing, ms (`build-100`), 3 rounds | 1,234 (1,234–2,468) | 1,000 (1,000–4,000) | **1.23** (0.62–1.23) | 0.50 (0.50–0.50) | ≤ 0.6× | missed |',
    );
    const columns = (text: string): number => text.split('|').length;
    expect(columns(row)).toBe(columns(heading.split('\n')[0] ?? ''));
    const failed: Outcome = { line: measured('x', [1, 1]).line, failed: 'no | pipe\nhere' };
    expect(columns(rowOf(failed))).toBe(columns(row));
    expect(rowOf(failed)).toContain('not measured: no / pipe here');
  });

  it('the conclusion names each line with a bar once, and no line that failed as reached', () => {
    const { line } = measured('broken', [1, 1], { bar: ratio(1) });
    const text = conclude([
      measured('slow', [2, 1], { bar: ratio(1) }),
      measured('fast', [1, 2], { bar: ratio(1) }),
      measured('late', [400, 1], { bar: ours(350) }),
      measured('only reported', [9, 1]),
      { line, failed: 'it broke' },
    ]);
    expect(text.split('\n')).toEqual([
      'missed: slow (2.000×, bar 1), late (400 ms, bar 350)',
      'reached: fast (0.500×, bar 1)',
      'not measured: broken',
    ]);
    expect(conclude([]).split('\n')[0]).toBe('missed: none');
  });

  it('lines are chosen by name or by the beginning of it, and an unknown name is refused in a sentence', () => {
    const names = (only?: readonly string[]): string[] | string => {
      const chosen = chooseLines(only);
      return 'unknown' in chosen ? chosen.unknown : chosen.lines.map(({ name }) => name);
    };
    expect(names(['walk'])).toEqual(['walk-warm', 'walk-first']);
    expect(names(['build-100'])).toEqual(['build-100']);
    expect(names()).toHaveLength(nativeLines.length);
    expect(new Set(names()).size).toBe(nativeLines.length);
    expect(names(['build-100', 'speed'])).toBe(
      'There is no line "speed"; npm run bench -- --help lists those of --native.',
    );
  });
});
