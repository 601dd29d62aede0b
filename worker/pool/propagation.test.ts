import { describe, expect, it } from 'vitest';
import type { ExtrinsicHash } from '../codec/identity.ts';
import type { PoolTransaction } from './pool.ts';
import { createPropagation } from './propagation.ts';
import { sketchToTransaction } from './sketch.fixture.ts';

const createWorld = () => {
  const ready: PoolTransaction[] = [];
  let listener = (_transaction: PoolTransaction): void => undefined;
  const told: [ExtrinsicHash, readonly string[]][] = [];
  const propagation = createPropagation({
    pool: {
      ready: () => Object.assign(ready.values(), { skipDependents: () => undefined }),
      onReady: (given) => {
        listener = given;
        return () => {
          listener = () => undefined;
        };
      },
      broadcast: (hash, peers) => void told.push([hash, peers]),
    },
  });
  const enter = (id: number, propagate = true): PoolTransaction => {
    const transaction = { ...sketchToTransaction(id, {}), propagate };
    ready.push(transaction);
    listener(transaction);
    return transaction;
  };
  const peer = (id: string, takes = { now: true }) => {
    const got: Uint8Array[] = [];
    const send = (extrinsic: Uint8Array): boolean => {
      if (takes.now) got.push(extrinsic);
      return takes.now;
    };
    return { id, send, got, takes };
  };
  return { propagation, enter, peer, told };
};

describe('propagation', () => {
  it('gives a peer what is ready now and later, once each, and tells who was reached', () => {
    const { propagation, enter, peer, told } = createWorld();
    const first = enter(1);
    const [alice, bob] = [peer('alice'), peer('bob')];
    propagation.addPeer(alice);
    propagation.addPeer(bob);
    const second = enter(2);
    propagation.sweep();
    expect(alice.got).toEqual([first.extrinsic, second.extrinsic]);
    expect(told).toEqual([
      [first.hash, ['alice']],
      [first.hash, ['bob']],
      [second.hash, ['alice', 'bob']],
    ]);
  });

  it('keeps back what may not be propagated and what the peer has itself', () => {
    const { propagation, enter, peer, told } = createWorld();
    const alice = peer('alice');
    propagation.addPeer(alice);
    propagation.known('alice', sketchToTransaction(1, {}).hash);
    enter(1);
    enter(2, false);
    expect([alice.got, told]).toEqual([[], []]);
  });

  it('offers again in a sweep what a peer could not take, and nothing to one that left', () => {
    const { propagation, enter, peer, told } = createWorld();
    const alice = peer('alice', { now: false });
    const leave = propagation.addPeer(alice);
    enter(1);
    expect(told).toEqual([]);
    alice.takes.now = true;
    propagation.sweep();
    expect(alice.got.length).toBe(1);
    leave();
    enter(2);
    propagation.close();
    expect(alice.got.length).toBe(1);
  });
});
