import { describe, expect, it } from 'vitest';
import { decodeAuthoritySet, type ForkNode } from '../../../test/consensus/sync-state-types.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { type AuthoritySet, createSet, type IsBelow, type PendingChange } from './authorities.ts';
import { encodeSdkSet } from './set-record.ts';

const fill = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
/** Block 5 of branch a is "a5". Branches c and d fork off a at 6. */
const hashOf = (name: string): BlockHash =>
  bytesToBlockHash(fill(name.charCodeAt(0)).fill(Number(name.slice(1)), 1));
const nameOf = (hash: string): string =>
  String.fromCharCode(Number(hash.slice(0, 4))) + Number(`0x${hash.slice(4, 6)}`);

const isBelow: IsBelow = (ancestor, block) => {
  const [from, to] = [nameOf(ancestor.hash)[0], nameOf(block.hash)[0]];
  const isTrunk = from === 'a' && (to === 'c' || to === 'd') && ancestor.number <= 6;
  return ancestor.number < block.number && (from === to || isTrunk);
};
const change = (name: string, delay: number, medianFinalized: number | null = null): PendingChange => ({
  ...{ hash: hashOf(name), number: Number(name.slice(1)), delay, medianFinalized },
  authorities: [{ publicKey: fill(delay), weight: 3n }],
});
const shape = <T>(nodes: readonly ForkNode<T>[]): unknown[] =>
  nodes.map(({ hash, children }) => [nameOf(hash), ...shape(children)]);
const encode = (parts: Partial<AuthoritySet>, finalized = 4): Uint8Array =>
  encodeSdkSet({ ...createSet(7n, [{ publicKey: fill(1), weight: 2n }]), ...parts }, finalized, isBelow);

describe("the authority set in the SDK's encoding", () => {
  it('stores pending changes as a tree, longest branch first, and equal ones in order of import', () => {
    const scheduled = ['b5', 'a5', 'a6', 'c7', 'd7', 'd8', 'c8'].map((name) => change(name, 1));
    const set = decodeAuthoritySet(encode({ scheduled }));
    expect(shape(set.pendingStandardChanges.roots)).toEqual([
      ['a5', ['a6', ['d7', ['d8']], ['c7', ['c8']]]],
      ['b5'],
    ]);
    expect(set.pendingStandardChanges.bestFinalizedNumber).toBe(4);
    expect(set.pendingStandardChanges.roots[1]?.data).toEqual({
      ...{ delay: 1, canonHeight: 5, canonHash: hashOf('b5') },
      nextAuthorities: [[bytesToBlockHash(fill(1)), 3n]],
      delayKind: { type: 'Finalized', value: undefined },
    });
  });

  it('stores forced changes by effective height, then by the height of their block', () => {
    const forced = [change('b9', 3, 2), change('a5', 9, 1), change('c8', 4, 0)];
    const set = decodeAuthoritySet(encode({ forced, changes: [{ setId: 6n, last: 3 }] }));
    const found = set.pendingForcedChanges.map(({ canonHash, delayKind }) => [nameOf(canonHash), delayKind]);
    expect(found).toEqual([
      ['c8', { type: 'Best', value: 0 }],
      ['b9', { type: 'Best', value: 2 }],
      ['a5', { type: 'Best', value: 1 }],
    ]);
    expect(set).toMatchObject({ setId: 7n, authoritySetChanges: [[6n, 3]] });
    expect(set.currentAuthorities).toEqual([[bytesToBlockHash(fill(1)), 2n]]);
  });
});
