import type { BlockHash, NamedBlock } from '../../worker/codec/identity.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { peerIdEncode } from '../../worker/crypto/peer-id.ts';
import { chooseDialer } from '../../worker/network/dialer-choice.ts';
import { createNotifications, type Notifications } from '../../worker/network/links/notifications.ts';
import {
  type Announcement,
  decodeAnnouncement,
  encodeAnnouncement,
  encodeRole,
  encodeStatus,
  type Role,
} from '../../worker/network/protocol/block-announces.ts';
import {
  type BlockRequest,
  decodeBlockRequest,
  decodeBlockResponse,
  encodeBlockRequest,
  type ReceivedBlock,
} from '../../worker/network/protocol/block-request.ts';
import { protocolNames } from '../../worker/network/protocol/names.ts';
import { serveRequests } from '../../worker/network/requests.ts';
import type { Carrier } from '../../worker/network/transport/carrier.ts';
import { connect } from '../../worker/network/transport/connect.ts';
import type { Connection, Served } from '../../worker/network/transport/connection.ts';
import { portCarrier } from '../../worker/network/transport/port.ts';
import type { Node } from '../../worker/node.ts';

const crypto = await loadCrypto();

const schedule = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
const random = (length: number) => globalThis.crypto.getRandomValues(new Uint8Array(length));

export type PeerOptions = {
  /** Distinguishes peers. */
  readonly seed?: number;
  readonly role?: Role;
  readonly best?: NamedBlock;
  /** What a status says instead of the truth. */
  readonly status?: (bytes: Uint8Array) => Uint8Array;
  /** The response to a request; by default none is known. Null refuses it, `never` keeps it open. */
  readonly respond?: (request: BlockRequest) => Promise<Uint8Array | null> | Uint8Array | null;
  /** Whether it serves `sync/2`; it does by default. */
  readonly servesBlocks?: boolean;
  /** What it serves besides, by its public key. */
  readonly serves?: (publicKey: Uint8Array) => readonly Served[];
};

/** Events that a test awaits, in their order. */
const createInbox = <T>() => {
  const items: T[] = [];
  let wake = (): void => undefined;
  return {
    items,
    put: (item: T): void => {
      items.push(item);
      wake();
    },
    /** Removes and returns the next one. */
    next: async (): Promise<T> => {
      for (;;) {
        const item = items.shift();
        if (item !== undefined) return item;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
};

/** A peer whose messages a test makes: it speaks all protocols, and does nothing by itself. */
export const meetOver = async (
  { carrier, isDialer }: { readonly carrier: Carrier; readonly isDialer: boolean },
  genesis: BlockHash,
  options: PeerOptions = {},
) => {
  const { seed = 1, role = 'full' } = options;
  const best = options.best ?? { hash: genesis, number: 0 };
  const { publicKey, secret } = crypto.suriToPair(`0x${seed.toString(16).padStart(64, '0')}`, 'ed25519');
  const announcements = createInbox<Announcement>();
  const votes = createInbox<Uint8Array>();
  const transactions = createInbox<Uint8Array>();
  const requests = createInbox<BlockRequest>();
  const names = (suffix: string) => protocolNames({ genesis, forkId: null, protocolId: null }, suffix);
  const opened = Promise.withResolvers<void>();
  const status = encodeStatus({ role, best, genesis });
  const create = (
    suffix: string,
    handshake: Uint8Array,
    message: (bytes: Uint8Array) => void,
    onOpen: () => void = () => undefined,
  ): Notifications =>
    createNotifications({
      ...{ names: names(suffix), schedule, handshake: () => handshake, accepts: () => true },
      limits: { maxMessageBytes: 2 ** 24, maxQueuedBytes: 2 ** 26, priority: 'announce' },
      ...{ opened: onOpen, message: (_connection, bytes) => message(bytes), closed: () => undefined },
    });
  const links = {
    announces: create(
      'block-announces/1',
      options.status?.(status) ?? status,
      (bytes) => announcements.put(decodeAnnouncement(bytes) as Announcement),
      opened.resolve,
    ),
    votes: create('grandpa/1', encodeRole(role), votes.put),
    transactions: create('transactions/1', encodeRole(role), transactions.put),
  };
  const served: Served[] = [
    ...(options.serves?.(publicKey) ?? []),
    ...Object.values(links).map((link) => link.served),
  ];
  if (options.servesBlocks !== false)
    served.push(
      serveRequests(
        names('sync/2'),
        async (_peer, bytes) => {
          const request = decodeBlockRequest(bytes) as BlockRequest;
          requests.put(request);
          return options.respond === undefined ? new Uint8Array(0) : options.respond(request);
        },
        { schedule },
      ),
    );
  const connection: Connection = await connect(carrier, {
    ...{ isDialer, schedule, random, now: () => performance.now(), served: () => served },
    key: { publicKey, sign: (message) => crypto.ed25519Sign(secret, message) },
    verify: crypto.ed25519Verify,
  });
  if (isDialer) links.announces.open(connection);
  return {
    id: peerIdEncode(publicKey),
    connection,
    /** Resolves when it is a peer of the chain. */
    ready: opened.promise,
    announcements,
    votes,
    transactions,
    requests,
    announce: (announcement: Announcement): boolean =>
      links.announces.send(connection, encodeAnnouncement(announcement)),
    sendRaw: (bytes: Uint8Array): boolean => links.announces.send(connection, bytes),
    /** Resolves when the vote is sent: the link may come up later than that of announcements. */
    vote: async (bytes: Uint8Array): Promise<void> => {
      while (!links.votes.send(connection, bytes)) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    submit: async (bytes: Uint8Array): Promise<void> => {
      while (!links.transactions.send(connection, bytes))
        await new Promise((resolve) => setTimeout(resolve, 5));
    },
    request: async (request: Partial<BlockRequest>): Promise<ReceivedBlock[] | null> => {
      const whole = { parts: 19, from: 1, isDescending: false, max: 0, takesSeveral: true, ...request };
      const options = { maxBytes: 2 ** 24, timeoutMs: 10_000 };
      return decodeBlockResponse(
        await connection.request(names('sync/2'), encodeBlockRequest(whole), options),
      );
    },
    names,
    leave: (): void => connection.close('The test is over'),
  };
};

/** Meets a node of this process. */
export const meet = async ({ parts }: Pick<Node, 'parts'>, options: PeerOptions = {}) => {
  const { port1, port2 } = new MessageChannel();
  const link = await parts.network.link(port1 as unknown as MessagePort);
  const chosen = await chooseDialer(portCarrier(port2 as unknown as MessagePort), random);
  return { link, ...(await meetOver(chosen, parts.chain.genesisHash, options)) };
};

export type MadeUpPeer = Awaited<ReturnType<typeof meetOver>>;
