import type { Connection } from '../transport/connection.ts';
import type { Member } from './members.ts';

/**
 * Why a connection is over, and whether the other node was a peer of the chain meanwhile. Null: the other node has said nothing
 * that tells why.
 */
export type End = { readonly reason: string | null; readonly wasPeer: boolean };

/** A connection makes a peer only if the other node takes our announcements. */
const whyNoPeer = ({ info }: Member, announces: string): string | null => {
  if (info === null) return null;
  return info.protocols.includes(announces)
    ? 'The node takes no more peers, or does not want this one'
    : 'The node is on another chain';
};

/**
 * The end of a connection, in the words of an operator. `announces`: the name of our announcements that has the genesis
 * hash, as chains may have the others in common.
 */
export const endOf = async (
  { closed }: Pick<Connection, 'closed'>,
  member: Member | null,
  announces: string,
): Promise<End> => {
  const reason = await closed;
  if (member === null) return { reason: null, wasPeer: false };
  if (member.role !== null) return { reason, wasPeer: true };
  return { reason: whyNoPeer(member, announces), wasPeer: false };
};
