import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import '../../tokens.css';
import '../../base.css';
import { groupDigits } from '../../kit/text/format.ts';
import { mountIn, openContext } from '../../testing/open-page.ts';
import ValuePane from './ValuePane.svelte';
import ValueRibbon from './ValueRibbon.svelte';

const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;
const numberOf = (hash: unknown): number => Number(String(hash).slice(2));

/** A chain up to `best` whose value changes in the blocks that `values` has, and the history of that value. */
const openChain = (best: number, values: ReadonlyMap<number, string>) => {
  const now = { best };
  const headerOf = (number: number) => ({
    number: `0x${number.toString(16)}`,
    parentHash: hashOf(number - 1),
    stateRoot: hashOf(0),
    extrinsicsRoot: hashOf(0),
    digest: { logs: [] },
  });
  const at = (number: number): string | null =>
    values.get(Math.max(...[...values.keys()].filter((one) => one <= number))) ?? null;
  const opened = openContext((method, params) => {
    const [first, second] = params;
    if (method === 'chain_getBlockHash')
      return Array.isArray(first)
        ? first.map((one) => hashOf(Number(one)))
        : hashOf(Number(first ?? now.best));
    if (method === 'chain_getHeader') return headerOf(first === undefined ? now.best : numberOf(first));
    if (method !== 'state_queryStorage') return null;
    const [from, to] = [numberOf(second), params[2] === null ? now.best : numberOf(params[2])];
    const blocks = [from, ...[...values.keys()].filter((number) => number > from && number <= to)];
    return blocks.map((number) => ({ block: hashOf(number), changes: [[first?.[0 as never], at(number)]] }));
  });
  return { ...opened, now, headerOf };
};
it('the links below the history say what they are, and are targets of 24 px', async () => {
  const { context } = openContext((method, params) => {
    if (method === 'chain_getBlockHash')
      return Array.isArray(params[0]) ? params[0].map((number) => hashOf(Number(number))) : hashOf(12);
    if (method === 'chain_getHeader') return { number: '0xc' };
    return method === 'state_queryStorage'
      ? [0, 7].map((number) => ({ block: hashOf(number), changes: [] }))
      : null;
  });
  const page = mountIn(context, ValueRibbon, { key: '0x01', live: null });
  await vi.waitFor(() => expect(page.querySelector('ol')?.textContent).toMatch(/Changed in\s+#7/));
  expect(page.querySelector('ol a')?.getBoundingClientRect().height).toBe(24);
});

it('marks the blocks whose value was edited by hand, not those that wrote it themselves', async () => {
  const { context } = openContext((method, [first]) => {
    if (method === 'chain_getBlockHash')
      return Array.isArray(first) ? first.map((number) => hashOf(Number(number))) : hashOf(12);
    if (method === 'chain_getHeader') return { number: '0xc' };
    if (method === 'state_queryStorage')
      return [0, 5, 6, 7].map((number) => ({ block: hashOf(number), changes: [['0xaa', '0x0b']] }));
    const wrote = first === hashOf(6) ? '010b' : '010a';
    const event = { data: { stringValues: { key: 'aa', method: 'Put', value_encoded: wrote } } };
    return method === 'state_traceBlock' ? { blockTrace: { events: [event] } } : null;
  });
  const edited = [hashOf(5), hashOf(6)];
  context.sealing.applyStatus({ seal: { kind: 'manual' }, finality: { kind: 'manual' }, edited });
  const page = mountIn(context, ValueRibbon, { key: '0xaa', live: null });
  const rows = () => [...page.querySelectorAll('ol li')].map(({ textContent }) => textContent.trim());
  await vi.waitFor(() => expect(rows().slice(1)).toEqual(['#7', '#6', expect.stringMatching(/#5\s+edited/)]));
});

it.each([300, 200_000])(
  'asks the node twice per block at most, however long the chain is and however often the value changes (%i blocks)',
  async (length) => {
    const values = new Map(
      Array.from({ length: 200 }, (_, at) => [length - 199 + at, `0x${String(at).padStart(4, '0')}`]),
    );
    const { context, asked, subscribers, now, headerOf } = openChain(length, values);
    const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
    const history = () => page.querySelector('ol')?.textContent.replace(/\s+/g, '') ?? '';
    const reads = () =>
      asked.filter(([method, first]) => method === 'state_queryStorage' || Array.isArray(first)).length;
    const announce = (number: number, hex: string) => {
      subscribers.get('state_subscribeStorage')?.({ block: hashOf(number), changes: [['0xaa', hex]] });
      subscribers.get('chain_subscribeNewHeads')?.(headerOf(number));
    };
    await vi.waitFor(() => expect(subscribers.has('state_subscribeStorage')).toBe(true));
    announce(length, values.get(length) ?? '');
    // The history follows the best block from here on.
    await vi.waitFor(() => expect(subscribers.has('chain_subscribeNewHeads')).toBe(true));
    announce(length, values.get(length) ?? '');
    await vi.waitFor(() => expect(page.querySelectorAll('line').length).toBe(120));
    expect(reads()).toBeLessThanOrEqual(4);
    for (let number = length + 1; number <= length + 6; number += 1) {
      values.set(number, `0x${String(number).padStart(8, '0')}`);
      now.best = number;
      const before = reads();
      announce(number, `0x${String(number).padStart(8, '0')}`);
      await vi.waitFor(() => {
        flushSync();
        expect(history()).toContain(`Changedin#${groupDigits(number).replace(/\s/g, '')}`);
      });
      expect(page.querySelectorAll('line').length).toBe(120);
      expect(reads() - before).toBeLessThanOrEqual(2);
    }
    const headers = asked.filter(([method, hash]) => method === 'chain_getHeader' && hash !== undefined);
    expect(headers).toEqual([]);
  },
);

it('an edit of the best block is seen without waiting for the next block, and so is a reorganization', async () => {
  const values = new Map([
    [1, '0x01'],
    [9, '0x09'],
  ]);
  const { context, subscribers, now, headerOf } = openChain(12, values);
  now.best = 12;
  const page = mountIn(context, ValuePane, { meta: null, entry: null, key: '0xaa', hash: null });
  const history = () => page.querySelector('ol')?.textContent.replace(/\s+/g, '');
  const notify = (number: number, hex: string) =>
    subscribers.get('state_subscribeStorage')?.({ block: hashOf(number), changes: [['0xaa', hex]] });
  await vi.waitFor(() => expect(subscribers.has('state_subscribeStorage')).toBe(true));
  notify(12, '0x09');
  await vi.waitFor(() => expect(history()).toBe('Changedin#9#1'));
  values.set(12, '0x0c');
  notify(12, '0x0c');
  await vi.waitFor(() => expect(history()).toBe('Changedin#12#9#1'));
  // The chain is rolled back, and grows on.
  values.delete(12);
  values.delete(9);
  now.best = 8;
  subscribers.get('chain_subscribeNewHeads')?.(headerOf(8));
  await vi.waitFor(() => expect(history()).toBe('Changedin#1'));
});
