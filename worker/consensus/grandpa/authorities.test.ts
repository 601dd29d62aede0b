import { describe, expect, it } from 'vitest';
import { Writer } from '../../bytes/writer.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { encodeEngineItem } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';
import type { BlockHash } from '../../codec/identity.ts';
import {
  type AuthoritySet,
  createSet,
  enacts,
  finalizeJustified,
  finalizeUnjustified,
  type IsBelow,
  importHeader,
  setOfBlock,
} from './authorities.ts';
import { type AnnouncedChange, findChange } from './codec.ts';
import { decodeSet, encodeSet } from './set-record.ts';

const authority = (byte: number, weight = 1n) => ({ publicKey: new Uint8Array(32).fill(byte), weight });
const genesis = createSet(0n, [authority(1)]);

/** Block n of branch `a` is `a<n>`. Branch `b` forks off at 10. */
const block = (name: string): BlockRef => {
  const branch = name.charCodeAt(0).toString(16);
  const number = Number(name.slice(1));
  return { hash: `0x${branch}${number.toString(16).padStart(62, '0')}` as BlockHash, number };
};
const branchOf = ({ hash }: BlockRef): string => hash.slice(2, 4);
const isBelow: IsBelow = (low, high) =>
  low.number < high.number && (low.number <= 10 || branchOf(low) === branchOf(high));

const scheduled = (byte: number, delay = 0): AnnouncedChange => ({
  authorities: [authority(byte)],
  delay,
  medianFinalized: null,
});
const forced = (byte: number, delay: number, median: number): AnnouncedChange => ({
  ...scheduled(byte, delay),
  medianFinalized: median,
});

const take = (set: AuthoritySet, name: string, change: AnnouncedChange | null): AuthoritySet => {
  const result = importHeader(set, block(name), change, isBelow);
  if (!result.ok) throw new Error(result.message);
  return result.set;
};
const finalize = (set: AuthoritySet, name: string): AuthoritySet => {
  const result = finalizeJustified(set, block(name), isBelow);
  if (!result.ok) throw new Error(result.message);
  return result.set;
};
const voterOf = (set: AuthoritySet) => set.authorities[0]?.publicKey[0];

describe('the authority set', () => {
  it('changes exactly when a block at the announced height is finalized', () => {
    let set = take(genesis, 'a12', scheduled(2, 3));
    set = finalize(set, 'a14');
    expect([set.setId, voterOf(set)]).toEqual([0n, 1]);
    expect(enacts(set, block('a14'), isBelow)).toBe('no');
    expect(enacts(set, block('a15'), isBelow)).toBe('now');
    set = finalize(set, 'a15');
    expect([set.setId, voterOf(set)]).toEqual([1n, 2]);
    expect(set.changes).toEqual([{ setId: 0n, last: 15 }]);
    expect(set.justified).toEqual(block('a15'));
  });

  it('tracks each fork, and drops abandoned ones', () => {
    let set = take(take(genesis, 'a12', scheduled(2)), 'b12', scheduled(3));
    expect(enacts(set, block('b12'), isBelow)).toBe('now');
    expect(enacts(set, block('a13'), isBelow)).toBe('no');
    set = finalize(set, 'b12');
    expect([set.setId, voterOf(set), set.scheduled.length]).toEqual([1n, 3, 0]);
  });

  it('applies the changes of one branch in order', () => {
    const set = take(take(genesis, 'a12', scheduled(2)), 'a14', scheduled(3));
    expect(enacts(set, block('a14'), isBelow)).toBe('later');
    expect(finalizeJustified(set, block('a14'), isBelow)).toMatchObject({
      ok: false,
      code: 'BadJustification',
    });
    const second = finalize(finalize(set, 'a12'), 'a14');
    expect([second.setId, voterOf(second)]).toEqual([2n, 3]);
  });

  it('applies every change on the path when the operator finalizes', () => {
    const set = take(take(genesis, 'a12', scheduled(2)), 'a14', scheduled(3, 1));
    const final = finalizeUnjustified(set, block('a20'), isBelow);
    expect(final.changes).toEqual([
      { setId: 0n, last: 12 },
      { setId: 1n, last: 15 },
    ]);
    expect([final.setId, voterOf(final), final.justified]).toEqual([2n, 3, null]);
  });

  it('is replaced by a forced change when the block at its height is imported, only on its branch', () => {
    let set = take(take(genesis, 'a12', scheduled(2)), 'a13', forced(9, 2, 5));
    set = take(set, 'b15', null);
    expect(set.setId).toBe(0n);
    set = take(set, 'a15', null);
    expect([set.setId, voterOf(set), set.scheduled, set.forced]).toEqual([1n, 9, [], []]);
    expect(set.changes).toEqual([{ setId: 0n, last: 5 }]);
  });

  it('refuses a forced change that depends on a scheduled one, and a second one', () => {
    const waiting = take(take(genesis, 'a12', scheduled(2)), 'a13', forced(9, 2, 12));
    expect(importHeader(waiting, block('a15'), null, isBelow)).toMatchObject({ ok: false, code: 'BadBlock' });
    expect(importHeader(waiting, block('a14'), forced(8, 5, 1), isBelow)).toMatchObject({ code: 'BadBlock' });
    expect(importHeader(waiting, block('b14'), forced(8, 5, 1), isBelow)).toMatchObject({ ok: true });
  });

  it('drops a forced change announced before a block whose finality changed the set or dropped a fork', () => {
    const forcedAt13 = take(take(genesis, 'a12', scheduled(2, 3)), 'a13', forced(9, 10, 5));
    expect(finalize(forcedAt13, 'a14').forced).toHaveLength(1);
    const later = finalize(forcedAt13, 'a15');
    expect([later.setId, later.forced]).toEqual([1n, []]);
    expect(take(later, 'a23', null).setId).toBe(1n);
    const lost = finalize(take(forcedAt13, 'b12', scheduled(3)), 'a14');
    expect([lost.scheduled.length, lost.forced]).toEqual([1, []]);
    expect(
      finalize(take(take(genesis, 'a16', forced(9, 10, 5)), 'a12', scheduled(2)), 'a15').forced,
    ).toHaveLength(1);
    // After another change, a fork is dropped silently: the root stays.
    const behind = take(
      take(take(genesis, 'a9', scheduled(2, 20)), 'b12', scheduled(3)),
      'a13',
      forced(9, 10, 5),
    );
    expect(finalize(behind, 'a14').forced).toHaveLength(1);
  });

  it('applies overlapping changes only in the order of their announcement', () => {
    const set = take(take(genesis, 'a12', scheduled(2, 10)), 'a13', scheduled(3, 1));
    const waiting = finalize(set, 'a15');
    expect([waiting.setId, waiting.scheduled.length]).toEqual([0n, 2]);
    // The first change is not due by then, and the second depends on it.
    expect(take(take(set, 'a16', forced(9, 1, 15)), 'a17', null)).toMatchObject({ setId: 1n, scheduled: [] });
  });

  it('refuses a change to an empty set, or to a voter without weight', () => {
    const nobody = { ...scheduled(2), authorities: [] };
    const light = { ...scheduled(2), authorities: [authority(1), authority(2, 0n)] };
    for (const change of [nobody, light])
      expect(importHeader(genesis, block('a12'), change, isBelow)).toMatchObject({ code: 'BadBlock' });
  });

  it('returns the set of a block', () => {
    expect(setOfBlock(genesis, 3)).toEqual({ kind: 'unknown' });
    const changes = [
      { setId: 0n, last: 12 },
      { setId: 1n, last: 20 },
    ];
    const at = (number: number, from = 0) => setOfBlock({ ...genesis, changes: changes.slice(from) }, number);
    expect([0, 12, 13, 20].map((number) => at(number))).toMatchObject([
      { setId: 0n, last: 12 },
      { setId: 0n, last: 12 },
      { setId: 1n, last: 20 },
      { setId: 1n, last: 20 },
    ]);
    expect(at(21)).toEqual({ kind: 'latest' });
    // The sets before set 1 are unknown.
    expect(at(15, 1)).toEqual({ kind: 'unknown' });
  });

  it('survives encoding and decoding', () => {
    let set = take(take(genesis, 'a12', scheduled(2, 7)), 'b13', forced(9, 9, 5));
    expect(decodeSet(encodeSet(set))).toEqual(set);
    set = finalize(take(set, 'a14', null), 'a19');
    expect(decodeSet(encodeSet(set))).toEqual(set);
    expect(() => decodeSet(encodeSet(set).slice(1))).toThrow();
  });
});

describe('a header', () => {
  const log = (write: (writer: Writer) => Writer): Uint8Array =>
    encodeEngineItem('consensus', 'FRNK', write(new Writer()).finish());
  const list = (writer: Writer): Writer => writer.compact(1).raw(new Uint8Array(32).fill(2)).u64(5n);
  const header = (...digest: Uint8Array[]): Header => ({
    parentHash: new Uint8Array(32),
    number: 1,
    stateRoot: new Uint8Array(32),
    extrinsicsRoot: new Uint8Array(32),
    digest,
  });
  const schedule = log((writer) => list(writer.u8(1)).u32(4));
  const force = log((writer) => list(writer.u8(2).u32(11)).u32(6));

  it('announces a scheduled or a forced change; the forced one takes precedence', () => {
    const authorities = [authority(2, 5n)];
    expect(findChange(header(schedule))).toEqual({ authorities, delay: 4, medianFinalized: null });
    expect(findChange(header(schedule, force))).toEqual({ authorities, delay: 6, medianFinalized: 11 });
  });

  it('announces no change in other logs, or in one that does not decode', () => {
    const disabled = log((writer) => writer.u8(3).u64(0n));
    const cut = log((writer) => writer.u8(1).compact(1).u8(1));
    const foreign = encodeEngineItem('consensus', 'BABE', schedule.slice(6));
    expect(findChange(header())).toBe(null);
    expect(findChange(header(disabled, cut, foreign))).toBe(null);
    expect(findChange(header(cut, schedule))).not.toBe(null);
  });
});
