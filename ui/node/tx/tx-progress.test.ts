import { expect, it } from 'vitest';
import { noNews, type SentItem } from './sent-item.ts';
import { stateOf, type TxFacts, type TxProgress, txProgress } from './tx-progress.ts';

const inBlock = { kind: 'block', block: '0xaa', number: 168, index: 2, best: true } as const;
const facts: TxFacts = {
  place: inBlock,
  lastNumber: 168,
  isSearched: true,
  item: null,
  finalized: 160,
  seal: 'manual',
  finality: { kind: 'delayed', ms: 1500 },
};

const step = (name: string) => ({ name, hash: null, atMs: 1 });
const item: SentItem = {
  ...{ id: 'a', hash: '0x5e', hex: '0x00', label: 'System.remark', args: '', by: 'Alice', atMs: 1 },
  ...noNews,
  steps: [step('ready')],
};
const before = { ...facts, ...stateOf(item) };
const stages = (news: TxProgress) => news.stages.map(({ state, word }) => (word === '' ? state : word));

it('names a block that has left the best chain, even if it was finalized before', () => {
  const left = 'Block #168 is no longer on the best chain.';
  for (const place of [null, { ...inBlock, best: false }]) {
    const news = txProgress({ ...facts, place, finalized: 168 });
    expect(news).toMatchObject({
      text: `${left} The transaction was undone with it.`,
      awaitsSeal: false,
      tone: 'warn',
    });
    expect(stages(news)).toEqual(['done', '–', '–']);
    expect(txProgress({ ...facts, place, item }).text).toBe(
      `${left} The transaction was undone with it. Send it again.`,
    );
  }
  const back = txProgress({ ...facts, place: { kind: 'pool', hex: '0x', queue: 'ready' } });
  expect(back).toMatchObject({
    text: `${left} The transaction is back in the pool. Sealing is manual.`,
    awaitsSeal: true,
    tone: 'warn',
  });
  expect(stages(back)).toEqual(['done', 'waiting…', 'waiting…']);
});

it('says what the transfer is waiting for', () => {
  const tell = (change: Partial<TxFacts>) => {
    const { text, awaitsSeal } = txProgress({ ...facts, ...change });
    return [text, awaitsSeal];
  };
  expect(tell(before)).toEqual(['In the pool. Sealing is manual.', true]);
  expect(tell({ ...before, place: { kind: 'pool', hex: '0x', queue: 'future' } })).toEqual([
    'In the pool, waiting for another transaction.',
    false,
  ]);
  expect(tell({ place: { ...inBlock, best: false }, lastNumber: null })).toEqual([
    'In block #168 of a fork, not on the best chain.',
    false,
  ]);
  expect(tell({})).toEqual(['In block #168. Waiting for finality.', false]);
  expect(tell({ finality: { kind: 'manual' } })).toEqual([
    'In block #168. Finality is manual: finalize the block yourself.',
    false,
  ]);
  expect(tell({ finality: { kind: 'delayed', blocks: 2 } })[1]).toBe(true);
  expect(tell({ finality: { kind: 'delayed', blocks: 2 }, seal: 'instant' })[1]).toBe(false);
  expect(tell({ finalized: 168, finality: { kind: 'manual' } })).toEqual(['Finalized in block #168.', false]);
});

it('lights a stage only once it is known to be reached', () => {
  const open = (steps: SentItem['steps'], change: Partial<SentItem> = {}) =>
    stages(txProgress({ ...facts, ...stateOf({ ...item, steps, ...change }) }));
  expect(open([], { hash: '' })).toEqual(['signing…', 'waiting…', 'waiting…']);
  expect(open([])).toEqual(['sending…', 'waiting…', 'waiting…']);
  expect(open([step('unknown')], { lost: true })).toEqual(['checking…', 'waiting…', 'waiting…']);
  expect(open([step('ready')])).toEqual(['done', 'waiting…', 'waiting…']);
  expect(stages(txProgress(facts))).toEqual(['done', 'done', 'waiting…']);
  expect(stages(txProgress({ ...facts, finalized: 168 }))).toEqual(['done', 'done', 'done']);
  const inIt = { hash: '0xaa', number: 168, index: 2 };
  const outcome = { kind: 'failed', text: 'Token.FundsUnavailable' } as const;
  const failed = txProgress({ ...facts, item: { ...item, block: inIt, outcome } });
  expect([failed.tone, failed.text]).toEqual([
    'bad',
    'The transaction failed in block #168: Token.FundsUnavailable',
  ]);
  expect(stages(failed)).toEqual(['done', 'failed', 'waiting…']);
});

it('a transaction that ended without a block says so at the pool, why, and what to do; nothing waits any more', () => {
  const ends: readonly (readonly [Partial<SentItem>, string, RegExp])[] = [
    [{ refused: 'The node is busy. Try again later.', open: false }, 'refused', /^The node is busy/],
    [{ refused: 'The key is gone.', hash: '', open: false }, 'not sent', /^The key is gone/],
    ...['usurped', 'dropped', 'invalid'].map(
      (name) => [{ steps: [step(name)], open: false, why: 'Why.' }, name, /^Why\.$/] as const,
    ),
    [
      { steps: [step('expired')], open: false, era: { birth: 1, until: 64 } },
      'expired',
      /up to block #64.*Send/,
    ],
    [
      { steps: [step('not included')], lost: true },
      'not included',
      /neither in the pool .* Send it again\.$/,
    ],
  ];
  for (const [change, word, why] of ends) {
    const news = txProgress({ ...facts, ...stateOf({ ...item, ...change }) });
    expect(stages(news)).toEqual([word, '–', '–']);
    expect([news.stages[0].state, news.tone, news.awaitsSeal]).toEqual(['bad', 'bad', false]);
    expect(news.text).toMatch(why);
  }
  // Of one that was not sent from this page, the search decides.
  const gone = { ...facts, place: null, lastNumber: null };
  expect(stages(txProgress(gone))).toEqual(['not included', '–', '–']);
  const found: TxFacts = { ...gone, item: { ...item, steps: [step('not included')], lost: true } };
  expect(stages(txProgress({ ...found, place: { kind: 'pool', hex: '0x', queue: 'ready' } }))[0]).toBe(
    'done',
  );
  // What is in a block has not been refused, whatever a second submission of it was told.
  expect(stages(txProgress({ ...facts, item: { ...item, refused: 'No.', open: false } }))[1]).toBe('done');
});

it('the statuses of a transaction say where it is: a block that it has left, the pool again, a fork', () => {
  const block = { hash: '0xaa', number: 168, index: 2 };
  const stateIn = (change: Partial<SentItem>) => {
    const { place, lastNumber } = stateOf({ ...item, ...change });
    return [place?.kind === 'block' ? [place.block, place.best] : (place?.queue ?? null), lastNumber];
  };
  expect(stateIn({ block })).toEqual([['0xaa', true], 168]);
  expect(stateIn({ block: { ...block, best: false } })).toEqual([['0xaa', false], null]);
  expect(stateIn({ steps: [step('retracted')], leftNumber: 168 })).toEqual(['ready', 168]);
  expect(stateIn({ steps: [step('future')] })).toEqual(['future', null]);
  expect(stateIn({ steps: [step('inBlock')] })).toEqual([null, null]);
  expect(stateIn({ steps: [step('usurped')], open: false })).toEqual([null, null]);
  const reading = txProgress({ ...facts, ...stateOf({ ...item, steps: [step('ready'), step('inBlock')] }) });
  expect([reading.text, reading.awaitsSeal]).toEqual(['', false]);
});
