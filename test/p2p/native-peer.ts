import { onPortMessage } from '../../src/protocol/port.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import type { Header } from '../../worker/codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import type { SignedBlock } from '../../worker/codec/signed-block.ts';
import { decodeLinkMessage, encodeLinkMessage, type LinkMessage } from '../../worker/link/wire.ts';
import type { NodeParts } from '../../worker/node.ts';
import { createQueue } from '../../worker/tasks/queue.ts';
import { serveBlocks } from './block-server.ts';
import { createPeer, type Peer } from './connection.ts';
import { createNotifications } from './notifications.ts';
import {
  authority,
  type BlockRequest,
  decodeAnnouncement,
  decodeBlockResponse,
  decodeStatus,
  encodeAnnouncement,
  encodeBlockRequest,
  encodeStatus,
  parts,
  protocolName,
} from './substrate.ts';

/** Limits of one response, as a native node sends it. */
const maxResponseBytes = 16 * 1024 * 1024;
const maxRequestBytes = 1024 * 1024;
const maxMessageBytes = 1024 * 1024;
const maxBlocks = 64;
const maxWaiting = 64;

type Served = Pick<NodeParts, 'chain' | 'crypto' | 'links'>;

/** Fetches blocks from the other side. */
const createFetcher = ({ chain, crypto }: Served, connection: Peer) => {
  const protocol = protocolName(chain.genesisHash, 'sync/2');
  const fetchBlocks = async (request: Omit<BlockRequest, 'parts'>): Promise<SignedBlock[]> => {
    const wanted = { ...request, parts: parts.header | parts.body | parts.justification };
    const reply = await connection.request(protocol, encodeBlockRequest(wanted), maxResponseBytes);
    return decodeBlockResponse(reply);
  };
  const isKnown = async (hash: BlockHash): Promise<boolean> => (await chain.loadHeader(hash)) !== null;
  /** The newest height of ours that the other side's best chain shares. */
  const findCommon = async (known: readonly BlockHash[]): Promise<number> => {
    for (const hash of known) {
      const from = (await chain.loadHeader(hash))?.number ?? 0;
      const [theirs] = await fetchBlocks({ from, isDescending: false, max: 1 });
      if (theirs !== undefined && hashHeader(crypto, theirs.header) === hash) return from;
    }
    return 0;
  };
  return {
    isKnown,
    one: async (hash: BlockHash): Promise<SignedBlock | null> =>
      (await fetchBlocks({ from: hash, isDescending: true, max: 1 }))[0] ?? null,
    /** Ascending blocks up to the target, starting with a child of a known one. */
    upTo: async (target: BlockHash, known: readonly BlockHash[]): Promise<SignedBlock[]> => {
      const down = await fetchBlocks({ from: target, isDescending: true, max: maxBlocks });
      const isJoined = async ({ header }: SignedBlock) => isKnown(bytesToBlockHash(header.parentHash));
      for (const [index, block] of down.entries())
        if (await isJoined(block)) return down.slice(0, index + 1).reverse();
      return fetchBlocks({ from: (await findCommon(known)) + 1, isDescending: false, max: maxBlocks });
    },
  };
};

/** The other end of a node's link (decision 45), held by a carrier. */
const openLink = async ({ links }: Served, onMessage: (message: LinkMessage) => void, onEnd: () => void) => {
  const { port1, port2 } = new MessageChannel();
  const port = port2 as unknown as MessagePort;
  const send = (message: LinkMessage): void => port.postMessage(encodeLinkMessage(message));
  onPortMessage(port, (data) => {
    const message = data instanceof Uint8Array ? decodeLinkMessage(new Reader(data)) : null;
    if (message === null) return onEnd();
    send({ type: 'taken', bytes: (data as Uint8Array).length });
    onMessage(message);
  });
  const id = await links.open(port1 as unknown as MessagePort);
  return {
    send,
    close: async (): Promise<void> => {
      await links.cut(id);
      port.close();
    },
  };
};

/** The three notification protocols, and the handlers of their requests. */
const createProtocols = (
  { chain }: Served,
  connection: Peer,
  onFault: (fault: unknown) => void,
  on: { readonly header: (header: Header) => void; readonly grandpa: (bytes: Uint8Array) => void },
) => {
  const { genesisHash: genesis } = chain;
  const role = () => Uint8Array.of(authority);
  const create = (suffix: string, handshake: () => Uint8Array, onMessage: (message: Uint8Array) => void) =>
    createNotifications(connection, {
      ...{ protocol: protocolName(genesis, suffix), maxBytes: maxMessageBytes },
      ...{ handshake, onMessage, onFault },
    });
  const status = () => encodeStatus({ role: authority, best: chain.best(), genesis });
  const announces = create('block-announces/1', status, (bytes) => on.header(decodeAnnouncement(bytes)));
  create('transactions/1', role, () => undefined);
  const grandpa = create('grandpa/1', role, on.grandpa);
  connection.serve({
    names: [protocolName(genesis, 'sync/2')],
    maxMessageBytes: maxRequestBytes,
    priority: 'answer',
    accept: (stream) => ({
      message: (request) => {
        serveBlocks(chain, request)
          .then((response) => stream.send(response))
          .catch(onFault)
          .finally(stream.close);
      },
      end: () => undefined,
    }),
  });
  return { announces, grandpa };
};

/** Passes messages to the node; those before the first status wait for it. */
const createGate = () => {
  let early: LinkMessage[] = [];
  let pass: ((message: LinkMessage) => void) | null = null;
  return {
    send: (message: LinkMessage): void => {
      if (pass !== null) pass(message);
      else if (early.length < maxWaiting) early.push(message);
    },
    open: (send: (message: LinkMessage) => void): void => {
      pass = send;
      for (const message of early) send(message);
      early = [];
    },
  };
};

/**
 * Links a node with a native one. Votes are passed on unchanged, blocks are announced by their headers and
 * fetched through `sync/2`. That protocol has no message for proofs of finality, only for commits.
 */
export const linkNative = async (node: Served, url: string, secret: Uint8Array) => {
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  const connection = createPeer(secret, onFault);
  const fetcher = createFetcher(node, connection);
  const queue = createQueue(maxWaiting);
  const gate = createGate();
  let isClosing = false;
  const enqueue = (job: () => Promise<void>): void => void queue.run(job).catch(onFault);
  const onHeader = (header: Header): void => {
    const hash = hashHeader(node.crypto, header);
    enqueue(async () => {
      const block = (await fetcher.isKnown(hash)) ? null : await fetcher.one(hash);
      if (block !== null) gate.send({ type: 'block', block });
    });
  };
  const { announces, grandpa } = createProtocols(node, connection, onFault, {
    header: onHeader,
    grandpa: (bytes) => gate.send({ type: 'grandpa', bytes }),
  });
  const onLink = (message: LinkMessage): void => {
    if (message.type === 'grandpa') grandpa.send(message.bytes);
    if (message.type === 'block') announces.send(encodeAnnouncement(message.block.header));
    if (message.type !== 'request') return;
    const { target, known } = message;
    enqueue(async () => gate.send({ type: 'blocks', target, blocks: await fetcher.upTo(target, known) }));
  };
  const { remoteId, ended } = await connection.dial(url);
  const isOver = ended.then((reason) => {
    if (!isClosing) onFault(reason);
    throw reason;
  });
  await Promise.race([isOver, announces.open()]);
  const { best, genesis } = decodeStatus(await Promise.race([isOver, announces.ready()]));
  // From the first status on, the voter sends.
  await Promise.race([isOver, grandpa.ready()]);
  const link = await openLink(node, onLink, () => {
    if (!isClosing) onFault(new Error('the node has ended the link'));
    connection.close();
  });
  link.send({ type: 'status', genesis, best, finalized: node.chain.finalized() });
  gate.open(link.send);
  return {
    peerId: connection.peerId,
    remoteId,
    ping: connection.ping,
    /** Closes both sides. Throws if something went wrong in between. */
    close: async (): Promise<void> => {
      isClosing = true;
      await link.close();
      connection.close();
      await isOver.catch(() => undefined);
      await queue.idle();
      if (faults.length > 0) throw new AggregateError(faults, `the carrier had ${faults.length} faults`);
    },
  };
};

export type NativeLink = Awaited<ReturnType<typeof linkNative>>;
