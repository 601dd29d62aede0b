import type { Chain } from '../../chain/chain.ts';
import type { ChainEvent } from '../../chain/events.ts';
import { hashHeader } from '../../chain/hashes.ts';
import { isNew } from '../../chain/steps.ts';
import type { BlockRef } from '../../chain/tree.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Member } from '../peers/members.ts';
import {
  type Announcement,
  decodeAnnouncement,
  decodeStatus,
  encodeAnnouncement,
  encodeStatus,
  type Role,
  type Status,
} from '../protocol/block-announces.ts';
import { reputationChanges } from '../reputation-changes.ts';
import type { Connection } from '../transport/connection.ts';
import { createNotifications, type NotificationOptions, type Notifications } from './notifications.ts';

export type AnnouncesDeps = Pick<NotificationOptions, 'names' | 'schedule'> & {
  readonly chain: Pick<Chain, 'base' | 'best' | 'loadHeader' | 'onEvent'>;
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  readonly role: () => Role;
  readonly memberOf: (connection: Connection) => Member | null;
  readonly members: () => readonly Member[];
  readonly rate: (peer: string, change: number) => void;
  /** Whether there is a slot for a peer of this role. */
  readonly hasSlot: (member: Member, role: Role) => boolean;
  readonly joined: (member: Member) => void;
  readonly announced: (member: Member, announcement: Announcement, block: BlockRef) => void;
  readonly left: (member: Member) => void;
  readonly onError: (error: unknown) => void;
};

/** A header has at most a few kilobytes; the limit is that of the SDK. */
const maxMessageBytes = 1024 * 1024;

export type Announces = Pick<Notifications, 'served' | 'open' | 'isOpen' | 'close'> & {
  /** Ends the announcements of our own blocks. */
  end(): void;
};

/** Sends a block to those that do not have it. */
const announceTo = (
  { members }: AnnouncesDeps,
  links: Notifications,
  announcement: Announcement,
  hash: BlockHash,
): void => {
  const receivers = members().filter(({ known, connection }) => !known.has(hash) && links.isOpen(connection));
  if (receivers.length === 0) return;
  const bytes = encodeAnnouncement(announcement);
  for (const { connection, known } of receivers) if (links.send(connection, bytes)) known.keep(hash, true);
};

/** Announces blocks of the present, and what became the best block otherwise. */
const announceEvent = async (deps: AnnouncesDeps, links: Notifications, event: ChainEvent): Promise<void> => {
  if (event.kind === 'imported') {
    if (isNew(event.origin)) announceTo(deps, links, event, event.hash);
    return;
  }
  if (event.enacted.length === 0 && event.retracted.length === 0) return;
  const { hash } = deps.chain.best();
  const header = await deps.chain.loadHeader(hash);
  if (header !== null) announceTo(deps, links, { header, isBest: true }, hash);
};

/** `block-announces/1`: the link that makes a connection a peer of the chain. */
export const createAnnounces = (deps: AnnouncesDeps): Announces => {
  const { chain, memberOf, rate } = deps;
  /** Null if the peer is on another chain, which is charged, or sends nonsense. */
  const readStatus = (member: Member, handshake: Uint8Array): Status | null => {
    const status = decodeStatus(handshake);
    if (status !== null && status.genesis === chain.base.hash) return status;
    rate(member.id, status === null ? reputationChanges.undecodable : reputationChanges.fatal);
    return null;
  };
  const links = createNotifications({
    ...deps,
    limits: { maxMessageBytes, priority: 'announce' },
    handshake: () => encodeStatus({ role: deps.role(), best: chain.best(), genesis: chain.base.hash }),
    accepts: (connection, handshake) => {
      const member = memberOf(connection);
      const status = member && readStatus(member, handshake);
      return member !== null && status !== null && deps.hasSlot(member, status.role);
    },
    opened: (connection, handshake) => {
      const member = memberOf(connection);
      const status = member && readStatus(member, handshake);
      if (member === null || status === null || !deps.hasSlot(member, status.role))
        return connection.close('The peer cannot be used');
      member.role = status.role;
      member.best = status.best;
      member.known.keep(status.best.hash, true);
      deps.joined(member);
    },
    message: (connection, message) => {
      const member = memberOf(connection);
      const announcement = decodeAnnouncement(message);
      if (member === null) return;
      if (announcement === null) return rate(member.id, reputationChanges.badAnnouncement);
      const hash = hashHeader(deps.crypto, announcement.header);
      const block = { hash, number: announcement.header.number };
      member.known.keep(hash, true);
      if (announcement.isBest) member.best = block;
      deps.announced(member, announcement, block);
    },
    closed: (connection) => {
      const member = memberOf(connection);
      if (member !== null) deps.left(member);
    },
  });
  const end = chain.onEvent((event) => void announceEvent(deps, links, event).catch(deps.onError));
  return { ...links, end };
};
