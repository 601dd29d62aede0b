import { expect, it } from 'vitest';
import { firstAmount } from './transfer.ts';
import { type TxFacts, txNews } from './tx-news.ts';

const inBlock = { kind: 'block', block: '0xaa', number: 168, index: 2, best: true } as const;
const facts: TxFacts = {
  place: inBlock,
  lastNumber: 168,
  finalized: 160,
  seal: 'manual',
  finality: { kind: 'delayed', ms: 1500 },
};

it('names a block that has left the best chain, even if it was finalized before', () => {
  const left = 'Block #168 is no longer on the best chain.';
  for (const place of [null, { ...inBlock, best: false }])
    expect(txNews({ ...facts, place, finalized: 168 })).toEqual({
      text: `${left} The transaction was undone with it.`,
      awaitsSeal: false,
      isLost: true,
    });
  expect(txNews({ ...facts, place: { kind: 'pool', hex: '0x', queue: 'ready' } })).toEqual({
    text: `${left} The transaction is back in the pool. Sealing is manual.`,
    awaitsSeal: true,
    isLost: true,
  });
});

it('says what the transfer is waiting for', () => {
  const tell = (change: Partial<TxFacts>) => {
    const { text, awaitsSeal } = txNews({ ...facts, ...change });
    return [text, awaitsSeal];
  };
  expect(tell({ place: null, lastNumber: null })).toEqual(['In the pool. Sealing is manual.', true]);
  expect(tell({ place: { kind: 'pool', hex: '0x', queue: 'future' }, lastNumber: null })).toEqual([
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

it('computes an amount without a unit too, but only if the sender can afford it', () => {
  const unit = { decimals: 12, symbol: 'UNIT' };
  expect(firstAmount(unit, 10n ** 18n)).toBe(5n * 10n ** 12n);
  expect(firstAmount(unit, 9n * 10n ** 12n)).toBeNull();
  expect(firstAmount(null, 1n << 60n)).toBe(10n ** 15n);
  expect(firstAmount(null, 1n)).toBeNull();
});
