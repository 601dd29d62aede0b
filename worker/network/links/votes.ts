import type { Carrier as VoteCarrier } from '../../consensus/grandpa/voter/polite.ts';
import type { Connection } from '../transport/connection.ts';
import { createNotifications, type NotificationOptions, type Notifications } from './notifications.ts';

type Received = readonly [peer: string, bytes: Uint8Array];

/** The node's voters, and what has arrived before there were any. */
export type VoteListeners = {
  readonly message: Set<(...received: Received) => void>;
  readonly peer: Set<(peer: string) => void>;
  readonly leave: Set<(peer: string) => void>;
  /** A peer sends each message only once, and may do so before we follow its votes. */
  readonly early: Received[];
};

/** Most messages that wait for a voter, and their bytes. */
export const maxEarly = 64;
export const maxEarlyBytes = 1024 * 1024;
const maxMessageBytes = 1024 * 1024;

/** Keeps the last of them. */
export const keepEarly = (early: Received[], received: Received): void => {
  early.push(received);
  let bytes = early.reduce((sum, one) => sum + one[1].length, 0);
  while (early.length > maxEarly || bytes > maxEarlyBytes) bytes -= early.shift()?.[1].length ?? 0;
};

type Options = Pick<NotificationOptions, 'names' | 'schedule' | 'handshake'> & {
  readonly listeners: VoteListeners;
  /** The connection of a peer, if it is on our chain. */
  readonly connectionOf: (peer: string) => Connection | null;
};

export type Votes = Notifications &
  Pick<VoteCarrier, 'peers'> & {
    sendTo(peer: string, bytes: Uint8Array): void;
  };

/** `grandpa/1`, as the voters use it. Only peers of the chain have such a link. */
export const createVotes = ({ listeners, connectionOf, ...options }: Options): Votes => {
  const open = new Set<string>();
  const links = createNotifications({
    ...options,
    limits: { maxMessageBytes, priority: 'vote' },
    accepts: (connection) => connectionOf(connection.remoteId) === connection,
    opened: ({ remoteId }) => {
      open.add(remoteId);
      for (const listener of listeners.peer) listener(remoteId);
    },
    message: ({ remoteId }, bytes) => {
      if (listeners.message.size === 0) keepEarly(listeners.early, [remoteId, bytes]);
      for (const listener of listeners.message) listener(remoteId, bytes);
    },
    closed: ({ remoteId }) => {
      open.delete(remoteId);
      for (const listener of listeners.leave) listener(remoteId);
    },
  });
  return {
    ...links,
    peers: () => [...open],
    sendTo: (peer, bytes) => {
      const connection = connectionOf(peer);
      if (connection !== null) links.send(connection, bytes);
    },
  };
};
