import { expect, it, vi } from 'vitest';
import '../../../tokens.css';
import '../../../base.css';
import { mountIn, openContext, press, widen } from '../../../testing/open-page.ts';
import GrandpaPart from './GrandpaPart.svelte';

const alice = '0x88dc3417d5058ec4b4503e0c12ea1a0a89be200fe98922423d4334014fa6b0ee';
const bob = '0xd17c2d7823ebf260fd138f2d7e27d114c0145d968b5ff5006125f2414fadae69';
const bobAddress = '5GoNkf6WdbxCFnPdAnYYQyCjAKPJgLNxXwPjwTh6DGg6gN3E';
const hash = `0x${'91'.repeat(32)}`;
const voters = {
  setId: '3',
  totalWeight: '2',
  thresholdWeight: '2',
  authorities: [
    { id: alice, weight: '1', isOwn: true },
    { id: bob, weight: '1', isOwn: false },
  ],
  changes: [],
  justified: null,
  doubleVotes: [],
};
const roundOf = (round: number, prevotes: readonly string[]) => ({
  round,
  totalWeight: 2,
  thresholdWeight: 2,
  prevotes: { currentWeight: 2 - prevotes.length, missing: prevotes },
  precommits: { currentWeight: 1, missing: [bobAddress] },
});
const rounds = { setId: 3, best: roundOf(8, []), background: [roundOf(7, [bobAddress])] };
const noVoter = () => Promise.reject({ code: 1, message: 'GRANDPA RPC endpoint not ready' });

/** The part, with these answers to its two calls; `name` selects a part of it by its label. */
const open = (answers: { readonly voters: () => unknown; readonly rounds: () => unknown }) => {
  const { context, asked } = openContext((method) => {
    if (method === 'dev_grandpa') return answers.voters();
    return method === 'grandpa_roundState' ? answers.rounds() : new Promise(() => undefined);
  });
  const page = mountIn(context, GrandpaPart, { slotMs: 6000 });
  const text = (name?: string): string => {
    const part = name === undefined ? page : page.querySelector(`[aria-label="${name}"]`);
    return (part?.textContent ?? '').replace(/\s+/g, ' ').trim();
  };
  const shows = (words: string, name?: string) => vi.waitFor(() => expect(text(name)).toContain(words));
  const count = () => asked.filter(([method]) => method === 'grandpa_roundState').length;
  return { page, text, shows, count };
};

it('shows who has voted in the running round, and who is missing in the background', async () => {
  const { page, text, shows } = open({ voters: () => voters, rounds: () => rounds });
  await shows('set 3');
  await shows('2 of 2 votes');
  expect(text('Round 8')).toContain('running');
  expect(text('Round 8')).toContain('2 of 2, enough; all have voted');
  expect(text('Round 8')).toContain('1 of 2, 1 more vote needed; no vote yet: Bob');
  expect(text('Round 7')).toContain('in the background');
  const bar = page.querySelector('meter[aria-label="prevotes of round 7"]') as HTMLMeterElement;
  // Above the threshold is best: otherwise the browser paints a bar that reaches it as a warning.
  expect([bar.value, bar.max, bar.high, bar.optimum]).toEqual([1, 2, 1.5, 2]);
  const mark = bar.nextElementSibling;
  const [own, around] = [mark, bar].map((one) => one?.getBoundingClientRect());
  expect(((own?.left ?? 0) + (own?.right ?? 0)) / 2, 'at the end of a bar of two').toBeCloseTo(
    around?.right ?? 0,
  );
  const rows = [...page.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map(({ textContent }) => textContent.replace(/\s+/g, ' ').trim()),
  );
  expect(rows.map(([who]) => [/Alice/.test(who ?? ''), /this node/.test(who ?? '')])).toEqual([
    [true, true],
    [false, false],
  ]);
  expect(rows.map(([, ...rest]) => rest)).toEqual([
    ['1', '✓ cast', '✓ cast'],
    ['1', '✓ cast', 'not yet'],
  ]);
  expect(text()).toContain('no block yet');
});

it('the table of the voters reaches both edges of the panel, and its text is in line with the rest', async () => {
  const { page, shows } = open({ voters: () => voters, rounds: () => rounds });
  await shows('Alice');
  page.style.container = 'aside / inline-size';
  widen(page, 344);
  const leftOf = (name: string) => {
    const range = document.createRange();
    range.selectNodeContents(page.querySelector(name) as Element);
    return range.getBoundingClientRect().left;
  };
  const { left, right } = page.getBoundingClientRect();
  const row = page.querySelector('tbody tr')?.getBoundingClientRect();
  expect([row?.left, row?.right]).toEqual([left, right]);
  expect(leftOf('tbody td')).toBe(leftOf('dl.facts dt'));
});

it('the table of the voters fits into a narrow panel', async () => {
  const none = { ...rounds, best: roundOf(8, [alice, bob]) };
  const { page, shows } = open({ voters: () => voters, rounds: () => none });
  page.style.container = 'aside / inline-size';
  await shows('not yet');
  // The panel of a window of 1024 px, also with a scroll bar, and that of a phone.
  for (const width of [325, 340, 390]) {
    widen(page, width);
    const frame = page.querySelector('table')?.parentElement;
    expect(frame?.clientWidth).toBe(width);
    expect(frame?.scrollWidth).toBeLessThanOrEqual(width);
    const mark = page.querySelector('td svg')?.getBoundingClientRect();
    expect(mark?.width, 'the mark of the authority').toBeGreaterThan(10);
    const parts = [...page.querySelectorAll('td:first-child :is(b, i, .anywhere, button)')];
    const middles = parts.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => top + bottom);
    const lines = middles
      .toSorted((a, b) => a - b)
      .filter((at, index, all) => at - (all[index - 1] ?? 0) > 9);
    if (width >= 340) expect(lines.length, 'lines of two authorities').toBeLessThanOrEqual(4);
    for (const copy of page.querySelectorAll('td button')) {
      const [button, key] = [copy, copy.previousElementSibling].map((one) => one?.getBoundingClientRect());
      expect(button?.left, 'beside its key').toBeGreaterThanOrEqual(key?.right ?? 999);
    }
    const { right } = page.getBoundingClientRect();
    for (const cell of page.querySelectorAll('tr > :last-child')) {
      const range = document.createRange();
      range.selectNodeContents(cell);
      expect(range.getClientRects()).toHaveLength(1);
      expect(range.getBoundingClientRect().right).toBeLessThanOrEqual(right - 16);
    }
  }
});

it('draws the newest rounds of the background, and counts the others', async () => {
  const background = [3, 4, 5, 6, 7].map((round) => roundOf(round, []));
  const { page, text, shows } = open({ voters: () => voters, rounds: () => ({ ...rounds, background }) });
  await shows('2 older in the background');
  const names = [...page.querySelectorAll('section[aria-label^="Round"]')].map(({ ariaLabel }) => ariaLabel);
  expect(names).toEqual(['Round 8', 'Round 7', 'Round 6', 'Round 5']);
  expect(text('Round 8')).toContain('running');
});

it('shows the last justification, changes to come and double votes', async () => {
  const change = { hash, number: 7, authorities: [{ id: bob, weight: '1' }] };
  const { page, text, shows } = open({
    voters: () => ({
      ...voters,
      changes: [
        { ...change, effectiveNumber: 9, isForced: false },
        { ...change, hash: alice, effectiveNumber: 1234, isForced: true },
      ],
      justified: { hash, number: 1200, round: '44' },
      doubleVotes: [{ round: '5', phase: 'precommit', voter: bob }],
    }),
    rounds: () => rounds,
  });
  await shows('in round 44');
  expect(page.querySelector(`dd a[href$="${hash}"]`)?.textContent).toMatch(/^#1.200$/);
  expect(text()).toContain('next set Bob once #9 is final, announced in #7');
  expect(text()).toMatch(/forced change Bob when #1.234 is imported, announced in #7/);
  expect(text()).toContain('double vote Bob: two precommits in round 5');
});

it('without GRANDPA, without a key and without a voter it says so', async () => {
  const none = open({ voters: () => null, rounds: noVoter });
  await none.shows('This chain has no GRANDPA.');
  expect(none.page.querySelectorAll('table, dl, a')).toHaveLength(0);
  const authorities = voters.authorities.map((one) => ({ ...one, isOwn: false }));
  const keyless = open({ voters: () => ({ ...voters, authorities }), rounds: noVoter });
  await keyless.shows('The keystore has no key of a GRANDPA authority.');
  const idle = open({ voters: () => voters, rounds: noVoter });
  await idle.shows('This node does not vote. Choose grandpa in Control');
  expect(idle.page.querySelectorAll('thead th')).toHaveLength(2);
});

it('a node without dev_grandpa shows its rounds', async () => {
  const { page, shows } = open({
    voters: () => Promise.reject({ code: -32601, message: 'Method not found' }),
    rounds: () => rounds,
  });
  await shows('no vote yet: Bob', 'Round 8');
  expect(page.querySelector('table')).toBeNull();
});

it('shows what failed, and reads it again', async () => {
  let fails = true;
  const { page, shows, text } = open({
    voters: () => (fails ? Promise.reject(new Error('the disk is on fire')) : voters),
    rounds: () => rounds,
  });
  await shows('The voters could not be read');
  expect(page.querySelector('[role="alert"]')?.textContent).toContain('the disk is on fire');
  fails = false;
  press(page, 'Try again');
  await shows('2 of 2 votes');
  expect(text()).not.toContain('could not be read');
});

it('reads once per slot while no block comes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const { shows, count } = open({ voters: () => voters, rounds: () => rounds });
    await shows('2 of 2 votes');
    const first = count();
    vi.advanceTimersByTime(5999);
    expect(count()).toBe(first);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(count()).toBe(first + 1));
  } finally {
    vi.useRealTimers();
  }
});
