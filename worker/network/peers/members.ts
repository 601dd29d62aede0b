import { createBoundedMap } from '../../bytes/bounded-map.ts';
import type { BlockRef } from '../../chain/tree.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Role } from '../protocol/block-announces.ts';
import type { Connection } from '../transport/connection.ts';
import type { PeerInfo } from '../transport/identify.ts';

/** Another node that we are connected with. */
export type Member = {
  /** Its peer id. */
  readonly id: string;
  readonly connection: Connection;
  readonly sinceMs: number;
  /** Null until its announcement link is open. */
  role: Role | null;
  /** What it says about itself; null until it has. */
  info: PeerInfo | null;
  best: BlockRef;
  /** Blocks that it has announced, or were announced to it. */
  readonly known: ReturnType<typeof createBoundedMap<BlockHash, true>>;
};

/** As in the SDK (sc-network-sync `MAX_KNOWN_BLOCKS`). */
const maxKnown = 1024;

/** Both sides have dialled at the same time if the second connection comes within this time. */
const crossingMs = 5000;

export type Members = {
  /** Null: another connection with this peer is kept instead, and this one is closed. */
  add(connection: Connection, unknown: BlockRef): Member | null;
  remove(member: Member): void;
  of(connection: Connection): Member | null;
  get(id: string): Member | null;
  all(): readonly Member[];
};

/**
 * The connections, one a peer. Of two that have crossed, both sides keep the one that the smaller id has dialled; a later
 * one replaces the first, because its peer has begun anew.
 */
export const createMembers = (ownId: string, now: () => number): Members => {
  const members = new Map<string, Member>();
  const isOurs = ({ isDialer, remoteId }: Connection): boolean => isDialer === ownId < remoteId;
  return {
    add: (connection, best) => {
      const id = connection.remoteId;
      const before = members.get(id);
      if (before !== undefined && now() - before.sinceMs < crossingMs && !isOurs(connection)) {
        connection.close('There is another connection with this peer');
        return null;
      }
      const known = createBoundedMap<BlockHash, true>(maxKnown);
      const member: Member = { id, connection, sinceMs: now(), role: null, info: null, best, known };
      members.set(id, member);
      before?.connection.close('The peer has connected again');
      return member;
    },
    remove: (member) => {
      if (members.get(member.id) === member) members.delete(member.id);
    },
    of: (connection) => {
      const member = members.get(connection.remoteId);
      return member?.connection === connection ? member : null;
    },
    get: (id) => members.get(id) ?? null,
    all: () => [...members.values()],
  };
};

/** Those with a slot. */
export const peersOf = (members: readonly Member[], reputationOf: (id: string) => number) =>
  members.flatMap(({ id, role, best }) =>
    role === null ? [] : [{ id, role, best, reputation: reputationOf(id) }],
  );
