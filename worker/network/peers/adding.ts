import type { BlockRef } from '../../chain/tree.ts';
import type { createConnecting, Origin } from '../connecting.ts';
import type { createPresence } from '../presence.ts';
import type { Carrier } from '../transport/carrier.ts';
import type { Connection } from '../transport/connection.ts';
import type { Member, Members } from './members.ts';
import type { Reputations } from './reputation.ts';

type AddingDeps = {
  readonly members: Pick<Members, 'add'>;
  readonly reputations: Pick<Reputations, 'isBanned'>;
  readonly connecting: Pick<ReturnType<typeof createConnecting>, 'connect'>;
  readonly presence: Pick<ReturnType<typeof createPresence>, 'watch'>;
  /** The best block of a node that has not said it. */
  readonly unknown: BlockRef;
  /** Opens the first link to a node that was dialed. */
  readonly greet: (connection: Connection) => void;
  readonly leave: (member: Member) => void;
};

export type Add = (carrier: Carrier, origin: Origin) => Promise<Connection>;

/** Connects with another node, and keeps it if it is not banned. */
export const createAdding =
  ({ members, reputations, connecting, presence, unknown, greet, leave }: AddingDeps): Add =>
  async (carrier, origin) => {
    const connection = await connecting.connect(carrier, origin);
    const isBanned = reputations.isBanned(connection.remoteId);
    const member = isBanned ? null : members.add(connection, unknown);
    if (member === null) {
      connection.close('The peer is banned, or connected already');
      return connection;
    }
    void connection.closed.then(() => leave(member));
    presence.watch(connection, (info) => {
      member.info = info;
    });
    if (origin.isDialer) greet(connection);
    return connection;
  };
