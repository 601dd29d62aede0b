import { describe, expect, it } from 'vitest';
import { readDrafts, type ValueDraft, writeDrafts } from './value-drafts.ts';

const draft = (value: string): ValueDraft => ({ value: { free: value }, bytes: null, broken: '{ "free":' });

describe('drafts of storage values in session storage', () => {
  it('are restored unchanged and in order', () => {
    const drafts = [
      ['0x01', draft('1.5')],
      ['0x02', { value: null, bytes: '0x', broken: null }],
    ] as const;
    expect(readDrafts(writeDrafts(drafts))).toEqual(drafts);
    expect(writeDrafts([])).toBeNull();
    expect(readDrafts(null)).toEqual([]);
  });

  it('are left out if they do not fit, the older ones first', () => {
    const big = draft('x'.repeat(120_000));
    const kept = readDrafts(
      writeDrafts([
        ['0x01', big],
        ['0x02', draft('2')],
        ['0x03', big],
        ['0x04', draft('y'.repeat(300_000))],
      ]),
    );
    expect(kept.map(([key]) => key)).toEqual(['0x02', '0x03']);
  });

  it('are ignored if they have another form', () => {
    expect(readDrafts('{')).toEqual([]);
    expect(readDrafts('{"0x01":1}')).toEqual([]);
    const good = ['0x02', draft('2')];
    const list = [
      null,
      1,
      [],
      ['0x01'],
      ['0x01', { value: 1, bytes: 1, broken: null }],
      [1, draft('1')],
      good,
    ];
    expect(readDrafts(JSON.stringify(list))).toEqual([good]);
  });
});
