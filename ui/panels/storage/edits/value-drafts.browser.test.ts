import { expect, it, onTestFinished } from 'vitest';
import { openContext } from '../../../testing/open-page.ts';
import { type ValueDraft, valueDrafts } from './value-drafts.ts';

const stored = `tabnode.drafts.0x${'00'.repeat(32)}`;
const draft = (value: string): ValueDraft => ({ value: { free: value }, bytes: null, broken: '{ "free":' });

/** Opens the page with what an earlier one stored. */
const open = () => {
  const { context } = openContext(() => null);
  onTestFinished(() => sessionStorage.clear());
  return { context, drafts: valueDrafts(context) };
};

/** The drafts after a reload. */
const afterReload = (drafts: readonly (readonly [string, ValueDraft])[]) => {
  const first = open();
  for (const [key, one] of drafts) first.drafts.set(key, one);
  first.context.close();
  return [...open().drafts];
};

it('a reload restores drafts unchanged and in order', () => {
  const drafts = [
    ['0x01', draft('1.5')],
    ['0x02', { value: (2n ** 100n) as never, bytes: '0x', broken: null }],
    ['0x03', { value: null, bytes: '0x', broken: null }],
  ] as const;
  expect(afterReload(drafts)).toEqual(drafts);
});

it('a reload keeps only that there was a draft of those that do not fit, the older ones first', () => {
  const big = draft('x'.repeat(120_000));
  const kept = afterReload([
    ['0x01', big],
    ['0x02', draft('2')],
    ['0x03', big],
    ['0x04', draft('y'.repeat(300_000))],
  ]);
  expect(kept.map(([key, { isLost = false }]) => [key, isLost])).toEqual([
    ['0x01', true],
    ['0x02', false],
    ['0x03', false],
    ['0x04', true],
  ]);
});

it('stored drafts that are damaged are ignored, and copied aside', () => {
  for (const text of ['{', '{"0x01":1}']) {
    sessionStorage.setItem(stored, text);
    expect([...open().drafts], text).toEqual([]);
    expect(sessionStorage.getItem(`${stored}.broken`)).toBe(text);
  }
  const good = { id: '0x02', ...draft('2') };
  const bad = [null, 1, [], { id: '0x01' }, { ...good, id: '0x03', bytes: 1 }, { ...good, id: 1 }];
  sessionStorage.setItem(stored, JSON.stringify([...bad, good]));
  expect([...open().drafts]).toEqual([['0x02', draft('2')]]);
});
