import type { Connection, OpenOptions, Served, Stream, StreamEvents } from '../transport/connection.ts';

/** A notification protocol of one node, for all its connections. */
export type NotificationOptions = {
  readonly names: readonly string[];
  readonly limits: Pick<OpenOptions, 'maxMessageBytes' | 'priority' | 'maxQueuedBytes' | 'isLasting'>;
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Read when a stream is opened. */
  readonly handshake: () => Uint8Array;
  /** Whether the other side may open the link now, by its handshake. */
  readonly accepts: (connection: Connection, handshake: Uint8Array) => boolean;
  /** Both streams are open. `handshake` is the other side's. */
  readonly opened: (connection: Connection, handshake: Uint8Array) => void;
  readonly message: (connection: Connection, message: Uint8Array) => void;
  /** A link that was open is over. */
  readonly closed: (connection: Connection) => void;
};

/**
 * A notification protocol of Substrate (sc-network `protocol/notifications`): two streams, each with messages in one
 * direction, after a handshake of both sides. A stream that the other side opens is accepted, and ours opened in return,
 * because a native node ends a connection with only one of them after five seconds.
 */
export type Notifications = {
  readonly served: Served;
  /** Opens our stream, unless there is one. */
  open(connection: Connection): void;
  isOpen(connection: Connection): boolean;
  /** False if there is no link, or its queue is full. */
  send(connection: Connection, message: Uint8Array): boolean;
  close(connection: Connection): void;
};

/** The other side has this long for its handshake, and for a stream in return (litep2p `notification`). */
const handshakeMs = 10_000;
const maxHandshakeBytes = 1024;
/** Messages that arrive before our own stream is accepted. */
const maxEarly = 32;

type Link = {
  /** Theirs, and whether its handshakes are exchanged. */
  inbound: Stream | null;
  isInboundReady: boolean;
  outbound: Stream | null;
  /** The other side's handshake, from either stream; that of its acceptance if both came. */
  handshake: Uint8Array | null;
  isOutboundReady: boolean;
  isOpen: boolean;
  readonly early: Uint8Array[];
  cancel: () => void;
};

/** The links of a protocol, and what ends or opens one. */
const createLinkTable = (options: NotificationOptions) => {
  const links = new Map<Connection, Link>();
  const drop = (connection: Connection, link: Link): void => {
    if (links.get(connection) !== link) return;
    links.delete(connection);
    link.cancel();
    const { inbound, outbound, isOpen } = link;
    inbound?.reset();
    outbound?.reset();
    if (isOpen) options.closed(connection);
  };
  return {
    drop,
    find: (connection: Connection): Link | undefined => links.get(connection),
    need: (connection: Connection): Link => {
      const known = links.get(connection);
      if (known !== undefined) return known;
      const link: Link = {
        ...{ inbound: null, isInboundReady: false, outbound: null, isOutboundReady: false },
        ...{ handshake: null, isOpen: false, early: [] },
        cancel: options.schedule(handshakeMs, () => drop(connection, link)),
      };
      links.set(connection, link);
      return link;
    },
    openIfReady: (connection: Connection, link: Link): void => {
      if (link.isOpen || !link.isInboundReady || !link.isOutboundReady || link.handshake === null) return;
      link.isOpen = true;
      link.cancel();
      options.opened(connection, link.handshake);
      for (const message of link.early.splice(0)) if (link.isOpen) options.message(connection, message);
    },
  };
};

type LinkTable = ReturnType<typeof createLinkTable>;

/** Opens our stream of a link, unless there is one. */
const openOutbound = (options: NotificationOptions, links: LinkTable, connection: Connection): void => {
  const link = links.need(connection);
  if (link.outbound !== null) return;
  const handshake = options.handshake();
  const stream = connection.open(options.names, options.limits, {
    message: (message) => {
      // Messages flow in one direction.
      if (link.isOutboundReady || message.length > maxHandshakeBytes) {
        links.drop(connection, link);
        return;
      }
      link.isOutboundReady = true;
      link.handshake = message;
      links.openIfReady(connection, link);
    },
    end: () => {
      link.outbound = null;
      // The other side may be about to open its own, if it has refused ours.
      if (link.isOpen || link.inbound === null) links.drop(connection, link);
    },
  });
  link.outbound = stream;
  stream.send(handshake);
};

/** The stream of the other side, whose first message is its handshake. */
const acceptInbound = (
  options: NotificationOptions,
  links: LinkTable,
  connection: Connection,
  stream: Stream,
): StreamEvents | null => {
  const link = links.need(connection);
  if (link.inbound !== null) return null;
  link.inbound = stream;
  const onHandshake = (handshake: Uint8Array): void => {
    if (handshake.length > maxHandshakeBytes || !options.accepts(connection, handshake)) {
      links.drop(connection, link);
      return;
    }
    link.isInboundReady = true;
    link.handshake ??= handshake;
    stream.send(options.handshake());
    openOutbound(options, links, connection);
    links.openIfReady(connection, link);
  };
  return {
    message: (message) => {
      if (!link.isInboundReady) onHandshake(message);
      else if (link.isOpen) options.message(connection, message);
      else if (link.early.length < maxEarly) link.early.push(message);
      else links.drop(connection, link);
    },
    end: () => {
      link.inbound = null;
      links.drop(connection, link);
    },
  };
};

export const createNotifications = (options: NotificationOptions): Notifications => {
  const links = createLinkTable(options);
  const { names, limits } = options;
  return {
    served: {
      ...{ names, ...limits },
      accept: (stream, connection) => acceptInbound(options, links, connection, stream),
    },
    open: (connection) => openOutbound(options, links, connection),
    isOpen: (connection) => links.find(connection)?.isOpen ?? false,
    send: (connection, message) => {
      const link = links.find(connection);
      return link?.isOpen === true && (link.outbound?.send(message) ?? false);
    },
    close: (connection) => {
      const link = links.find(connection);
      if (link !== undefined) links.drop(connection, link);
    },
  };
};
