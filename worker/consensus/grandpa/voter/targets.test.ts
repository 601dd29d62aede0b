import { expect, test } from 'vitest';
import type { BlockRef } from '../../../chain/tree.ts';
import { bytesToBlockHash } from '../../../codec/identity.ts';
import { createLineage } from './lineage.ts';
import {
  castVote,
  continueRecord,
  decodeRecord,
  encodeRecord,
  recordCompleted,
  recordVote,
  restartRecord,
} from './record.ts';
import { chooseTarget, ruledHeight } from './targets.ts';

const hash = (id: number) => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, id);
  return bytesToBlockHash(bytes);
};
const block = (number: number, fork = 0): BlockRef => ({ hash: hash(number + 1_000_000 * fork), number });

/** A trunk from 0 to 20, and a fork above 5 up to 9. */
const createView = (changes: Partial<Parameters<typeof chooseTarget>[0]> = {}) => {
  const lineage = createLineage();
  for (let number = 0; number <= 20; number++) lineage.add({ ...block(number), parent: hash(number - 1) });
  for (let number = 6; number <= 9; number++)
    lineage.add({ ...block(number, 1), parent: number === 6 ? hash(5) : block(number - 1, 1).hash });
  const leaves = (): BlockRef[] => [block(20), block(9, 1)];
  return { lineage, best: () => block(20), leaves, changeHeight: () => null, isRuled: true, ...changes };
};

test('the rules: two below the best block, three quarters of the way, never below the base', () => {
  expect([ruledHeight(0, 1), ruledHeight(0, 3), ruledHeight(0, 10), ruledHeight(10, 110)]).toEqual([
    0, 1, 8, 85,
  ]);
});

test('blocks that were forgotten are no ancestors any more, also of blocks whose ancestors were looked up', () => {
  const { lineage } = createView();
  expect(lineage.ancestorAt(hash(20), 3)).toEqual({ ...block(3), parent: hash(2) });
  lineage.forgetBelow(4);
  expect([lineage.size(), lineage.ancestorAt(hash(20), 3), lineage.get(hash(3))]).toEqual([21, null, null]);
  expect(lineage.between(hash(4), hash(6))).toEqual([hash(5)]);
});

test('the target is on the best chain, on the fork of its base, and not above a change of the set', () => {
  expect(chooseTarget(createView(), block(4).hash)).toEqual(block(16));
  expect(chooseTarget(createView({ isRuled: false }), block(4).hash)).toEqual(block(20));
  expect(chooseTarget(createView({ isRuled: false }), block(7, 1).hash)).toEqual(block(9, 1));
  expect(chooseTarget(createView({ changeHeight: () => 6 }), block(4).hash)).toEqual(block(6));
  expect(chooseTarget(createView(), hash(77))).toBeNull();
});

test('blocks between two: none next to each other, null if they are on different branches', () => {
  const { lineage } = createView();
  expect(lineage.between(hash(3), hash(6))).toEqual([hash(5), hash(4)]);
  expect(lineage.between(hash(3), hash(4))).toEqual([]);
  for (const [base, above] of [
    [hash(3), hash(3)],
    [hash(6), block(8, 1).hash],
    [hash(4), hash(3)],
    [hash(3), hash(77)],
  ] as const)
    expect(lineage.between(base, above)).toBeNull();
  lineage.forgetBelow(5);
  expect([lineage.get(hash(4)), lineage.size()]).toEqual([null, 20]);
});

test('the record keeps the first vote of a kind, and is read as written', () => {
  const first = continueRecord(null, 1n, block(0));
  const voted = recordVote(first, 3n, { kind: 0, target: block(4) });
  const again = recordVote(voted, 3n, { kind: 0, target: block(5) });
  expect(castVote(again, 3n, 0)?.target).toEqual(block(4));
  expect(castVote(again, 3n, 1)).toBeNull();
  const done = recordCompleted(again, { round: 3n, base: block(2), votes: [] });
  expect(recordCompleted(done, { round: 2n, base: block(1), votes: [] })).toBe(done);
  expect(decodeRecord(encodeRecord(done))).toEqual(done);
  expect(continueRecord(done, 1n, block(9))).toBe(done);
});

test('another set begins with its first round, a moved chain after the last one voted in', () => {
  const voted = recordVote(continueRecord(null, 1n, block(0)), 3n, { kind: 0, target: block(4) });
  expect(continueRecord(voted, 2n, block(4)).last).toEqual({ round: 0n, base: block(4), votes: [] });
  const moved = restartRecord(voted, 1n, block(2));
  expect([moved.session, moved.last.round, moved.own]).toEqual([1, 3n, []]);
  const back = restartRecord(continueRecord(voted, 2n, block(4)), 1n, block(2));
  expect(back.last.round).toBe(3n);
});
