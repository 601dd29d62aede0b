import type { NetworkDeps } from './deps.ts';
import { type Announces, createAnnounces } from './links/announces.ts';
import { createTransactions, type Transactions } from './links/transactions.ts';
import { createVotes, type VoteListeners, type Votes } from './links/votes.ts';
import type { Member, Members } from './peers/members.ts';
import type { Reputations } from './peers/reputation.ts';
import { encodeRole, type Role } from './protocol/block-announces.ts';
import type { Sync } from './sync/sync.ts';
import type { Connection } from './transport/connection.ts';

/** The side that has dialled leaves it to the other for so long to open the links besides announcements. */
const patienceMs = 1000;

export type ChainLinks = {
  readonly announces: Announces;
  readonly votes: Votes;
  readonly transactions: Transactions;
};

type Deps = NetworkDeps & {
  readonly listeners: VoteListeners;
  readonly members: Members;
  readonly reputations: Reputations;
  readonly sync: Sync;
  /** The names of a protocol by its end. */
  readonly names: (suffix: string) => readonly string[];
  readonly hasSlot: (member: Member, role: Role) => boolean;
};

/** The three notification protocols of a chain. Announcements come first: they make a connection a peer of the chain. */
export const createChainLinks = (deps: Deps): ChainLinks => {
  const { members, sync, names, schedule } = deps;
  const { rate } = deps.reputations;
  const handshake = () => encodeRole(deps.role());
  const roleOf = (connection: Connection): Role | null => members.of(connection)?.role ?? null;
  const votes = createVotes({
    ...{ names: names('grandpa/1'), schedule, handshake, listeners: deps.listeners },
    connectionOf: (peer) => {
      const member = members.get(peer);
      return member === null || member.role === null ? null : member.connection;
    },
  });
  const transactions = createTransactions({
    ...{ ...deps, rate, names: names('transactions/1'), handshake },
    isMember: (connection) => [null, 'light'].includes(roleOf(connection)) === false,
  });
  const openOthers = (connection: Connection): void => {
    const role = roleOf(connection);
    if (role === null) return;
    votes.open(connection);
    if (role !== 'light') transactions.open(connection);
  };
  const announces = createAnnounces({
    ...{ ...deps, rate, names: names('block-announces/1') },
    memberOf: members.of,
    members: members.all,
    joined: ({ id, best, role, connection }) => {
      if (role !== 'light') sync.addPeer(id, best);
      // The other side's own links come at once, and a native node refuses a link that comes before them.
      if (connection.isDialer) schedule(patienceMs, () => openOthers(connection));
      else openOthers(connection);
    },
    announced: (member, announcement) => sync.announced(member.id, announcement),
    left: ({ connection }) => connection.close('The peer has ended its announcements'),
  });
  return { announces, votes, transactions };
};
