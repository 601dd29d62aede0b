import { expect, test } from 'vitest';
import type { Role } from '../protocol/block-announces.ts';
import type { Connection } from '../transport/connection.ts';
import { createMembers, type Member } from './members.ts';
import { createSlots } from './slots.ts';

const connectionOf = (remoteId: string, isDialer: boolean) => {
  const closed: string[] = [];
  const connection = {
    remoteId,
    isDialer,
    close: (why: string) => closed.push(why),
  } as unknown as Connection;
  return { connection, closed };
};

const unknown = { hash: `0x${'00'.repeat(32)}`, number: 0 } as Member['best'];

const world = () => {
  let nowMs = 0;
  const members = createMembers('m', () => nowMs);
  const reserved = new Set<string>();
  const slots = createSlots(members, (id) => reserved.has(id));
  /** A peer that has dialled us; null if there is no slot. */
  const enter = (id: string, role: Role, isDialer = false): Member | null => {
    const member = members.add(connectionOf(id, isDialer).connection, unknown) as Member;
    if (slots.hasSlot(member, role)) {
      member.role = role;
      return member;
    }
    members.remove(member);
    return null;
  };
  return { members, reserved, slots, enter, pass: (ms: number) => (nowMs += ms) };
};

test('full nodes and light clients that dial have slots of their own; reserved and dialled peers need none', () => {
  const { slots, enter, reserved, members } = world();
  expect(enter('a', 'full'), 'there is no network').toBeNull();
  slots.open({ inPeers: 2, inPeersLight: 1 });
  expect(['b', 'c', 'd'].map((id) => enter(id, 'full') !== null)).toEqual([true, true, false]);
  expect(['e', 'f'].map((id) => enter(id, 'light') !== null)).toEqual([true, false]);
  expect(enter('g', 'authority')).toBeNull();
  expect(enter('h', 'full', true)).not.toBeNull();
  reserved.add('i');
  expect(enter('i', 'full')).not.toBeNull();
  const b = members.get('b') as Member;
  expect(slots.hasSlot(b, 'full'), 'it has its slot already').toBe(true);
  members.remove(b);
  expect(enter('d', 'full')).not.toBeNull();
});

test('with reserved peers only, all others are refused, and none is dialled', () => {
  const { slots, enter, reserved } = world();
  slots.open({ reservedOnly: true });
  reserved.add('a');
  expect([enter('a', 'full') !== null, enter('b', 'full') !== null, slots.outPeers()]).toEqual([
    true,
    false,
    0,
  ]);
  slots.close();
  slots.open({});
  expect([slots.outPeers(), slots.limits()]).toEqual([8, { maxBlocks: 64, maxParallel: 5 }]);
});

test('of two connections that cross, both sides keep the one that the smaller id has dialled', () => {
  for (const [own, theirs] of [
    ['a', 'b'],
    ['b', 'a'],
  ] as const) {
    const members = createMembers(own, () => 0);
    const [outbound, inbound] = [connectionOf(theirs, true), connectionOf(theirs, false)];
    members.add(outbound.connection, unknown);
    const second = members.add(inbound.connection, unknown);
    const keepsOutbound = own < theirs;
    expect(second === null).toBe(keepsOutbound);
    expect([outbound.closed.length, inbound.closed.length]).toEqual(keepsOutbound ? [0, 1] : [1, 0]);
    expect(members.of(keepsOutbound ? outbound.connection : inbound.connection)).not.toBeNull();
  }
});

test('a later connection replaces one whose peer has begun anew', () => {
  let nowMs = 0;
  const members = createMembers('a', () => nowMs);
  const [first, second] = [connectionOf('b', true), connectionOf('b', false)];
  const before = members.add(first.connection, unknown) as Member;
  nowMs = 6000;
  const after = members.add(second.connection, unknown);
  expect([after?.connection === second.connection, first.closed.length]).toEqual([true, 1]);
  // The end of the first must not remove the second.
  members.remove(before);
  expect(members.get('b')).toBe(after);
});
