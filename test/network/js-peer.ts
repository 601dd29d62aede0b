import { type Libp2p, readMessages, startLibp2p } from '../../bridge/network/libp2p.fixture.ts';
import {
  type Announcement,
  decodeAnnouncement,
  encodeAnnouncement,
  encodeStatus,
} from '../../worker/network/protocol/block-announces.ts';
import { protocolNames } from '../../worker/network/protocol/names.ts';
import { createBlockServer } from '../../worker/network/sync/server.ts';
import { withLength } from '../../worker/network/transport/framing.ts';
import type { Node } from '../../worker/node.ts';

type Connection = Awaited<ReturnType<Libp2p['dial']>>;
type Stream = Awaited<ReturnType<Connection['newStream']>>;

const announcesProtocol = 'block-announces/1';

const onMessages = (stream: Stream, onMessage: (message: Uint8Array) => void): void => {
  const read = readMessages(onMessage);
  stream.addEventListener('message', ({ data }) => read(data.subarray()));
};

/** Resolves with the first message of a stream. */
const firstMessage = (stream: Stream): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    onMessages(stream, resolve);
    stream.addEventListener('close', () => reject(new Error('The stream has ended')));
  });

/**
 * A peer whose transport, encryption and streams are those of js-libp2p. It has the chain of a node: it serves the
 * node's blocks, and can announce them.
 */
export const startJsPeer = async (kind: 'tcp' | 'ws', { parts }: Node) => {
  const { chain } = parts;
  const started = await startLibp2p(kind);
  const { node } = started;
  const genesis = chain.genesisHash;
  const names = (suffix: string) => protocolNames({ genesis, forkId: null, protocolId: null }, suffix);
  const handshake = () => withLength(encodeStatus({ role: 'full', best: chain.best(), genesis }));
  const received: Announcement[] = [];
  /** The two streams of a link: what they announce, and what we do. */
  const link: { inbound: Stream | null; outbound: Stream | null } = { inbound: null, outbound: null };
  let served = 0;
  let wake = (): void => undefined;

  const openOutbound = async (connection: Connection): Promise<void> => {
    const stream = await connection.newStream(names(announcesProtocol).slice(0, 1));
    const accepted = firstMessage(stream);
    stream.send(handshake());
    await accepted;
    link.outbound = stream;
    wake();
  };
  await node.handle([...names(announcesProtocol)], (stream, connection) => {
    let isOpen = false;
    onMessages(stream, (message) => {
      if (isOpen) received.push(decodeAnnouncement(message) as Announcement);
      else {
        isOpen = true;
        stream.send(handshake());
        link.inbound = stream;
        if (link.outbound === null) void openOutbound(connection);
      }
      wake();
    });
  });
  const server = createBlockServer({
    ...{ chain, now: () => performance.now(), rate: () => undefined },
    onError: (error) => {
      throw error;
    },
  });
  await node.handle([...names('sync/2')], (stream, connection) => {
    void firstMessage(stream).then(async (request) => {
      served++;
      const response = await server.serve(connection.remotePeer.toString(), request);
      stream.send(withLength(response ?? new Uint8Array(0)));
      await stream.close();
    });
  });
  return {
    ...started,
    received,
    link,
    served: () => served,
    openOutbound,
    /** Resolves when a condition is met; it is checked when something has arrived. */
    until: async (isMet: () => boolean): Promise<void> => {
      while (!isMet())
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    announce: (announcement: Announcement): void => {
      link.outbound?.send(withLength(encodeAnnouncement(announcement)));
    },
    /** The response to a request of `sync/2`. */
    request: async (connection: Connection, request: Uint8Array): Promise<Uint8Array> => {
      const stream = await connection.newStream(names('sync/2').slice(0, 1));
      const response = firstMessage(stream);
      stream.send(withLength(request));
      return response;
    },
  };
};
