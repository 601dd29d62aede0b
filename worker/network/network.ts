import { checkAddress, peerOfAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { NetworkConfig } from '../../src/protocol/network.ts';
import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../chain/tree.ts';
import { peerIdEncode } from '../crypto/peer-id.ts';
import { encodeAddresses } from './address-bytes.ts';
import { createChainLinks } from './chain-links.ts';
import { checkNetworkConfig } from './config.ts';
import { createConnecting, random } from './connecting.ts';
import type { NetworkDeps } from './deps.ts';
import { chooseDialer } from './dialer-choice.ts';
import type { Announces } from './links/announces.ts';
import type { VoteListeners, Votes } from './links/votes.ts';
import { type Add, createAdding } from './peers/adding.ts';
import { createDialing } from './peers/dialing.ts';
import { endOf } from './peers/end.ts';
import { createKnownAddresses } from './peers/known-addresses.ts';
import { createMembers, type Member, type Members, peersOf } from './peers/members.ts';
import { createReputations, type Reputations } from './peers/reputation.ts';
import { createSlots } from './peers/slots.ts';
import { createPresence } from './presence.ts';
import type { Role } from './protocol/block-announces.ts';
import { protocolNames } from './protocol/names.ts';
import { reputationChanges } from './reputation-changes.ts';
import { createBlockRequests } from './requests.ts';
import { checkPeerId, createReserved } from './reserved.ts';
import { createServing } from './serving.ts';
import { createSockets } from './sockets.ts';
import { startJustifications } from './sync/justifications.ts';
import { createSync } from './sync/sync.ts';
import type { Carrier } from './transport/carrier.ts';
import type { Connection } from './transport/connection.ts';
import { portCarrier } from './transport/port.ts';
import { findWait } from './waiting.ts';

/** A peer on the same chain. */
export type NetworkPeer = {
  /** Its peer id. */
  readonly id: string;
  readonly role: Role;
  readonly best: BlockRef;
  readonly reputation: number;
};

/** The node's connections with others. */
export type OpenNetwork = {
  peers(): NetworkPeer[];
  readonly votes: Pick<Votes, 'sendTo' | 'peers'>;
  rate(peer: string, change: number): void;
  /** Connects with the node at the other end of a port. Returns the number of the link. */
  link(port: MessagePort): number;
  /** Ends a link, if it is still there. */
  unlink(link: number): void;
  /** Dials nodes, and has slots for those that dial. Throws `BadConfig` for a wrong address. */
  join(config: NetworkConfig, bootNodes: readonly string[]): void;
  /** A node that has dialed us, from this host; the port carries the bytes of its connection. */
  accept(port: MessagePort, host?: string): void;
  /** Always connected from now on while the node takes part in a network, or not any more. Throw `BadConfig`, `BadKey`. */
  reserve(address: string): void;
  release(id: string): void;
  /** The ids of the reserved peers. */
  reserved(): readonly string[];
  /** Connects once, unless there is a connection. Rejects with `PeerFailed`, or `BadConfig` for no address. */
  dial(address: string): Promise<void>;
  /** Leaves a peer, and refuses it for a minute. Throws `BadKey` for no peer id. */
  ban(id: string): void;
  /** Why nodes that are to be connected are not, by their ids. */
  faults(): ReadonlyMap<string, string>;
  /** Why an authority seals no blocks by slots for now; null if it may. */
  findWait(): Promise<string | null>;
  /** Ends all connections but the links, and makes no more. */
  leave(): void;
  /** Resolves when nothing of a peer is being handled any more. */
  close(): Promise<void>;
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The names of a chain's protocols by their ends. Two forks of one live chain are different chains. */
const namesFor = ({ base, spec }: Chain) => {
  const { forkId, protocolId } = spec.rest;
  const identity = { genesis: base.hash, forkId: textOf(forkId), protocolId: textOf(protocolId) };
  return (suffix: string) => protocolNames(identity, suffix);
};

/** What is not said again stays as the operator chose it before. */
const mergeSettings = (
  { reservedOnly: _, ...kept }: NetworkConfig,
  config: NetworkConfig,
): NetworkConfig => ({
  ...kept,
  ...config,
});

type PeerParts = {
  readonly members: Members;
  readonly reputations: Reputations;
  readonly slots: ReturnType<typeof createSlots>;
};

/** Dials nodes once, or whenever they are not connected, and remembers with the chain which it has reached. */
const createPeerDialing = (
  deps: NetworkDeps,
  { members, reputations, slots }: PeerParts,
  { served }: Pick<Announces, 'served'>,
  add: Add,
) => {
  const dialSocket = createSockets(deps.schedule, deps.sockets);
  const [ofChain = ''] = served.names;
  const known = createKnownAddresses(deps.db);
  const dial = async (address: string, expectedId: string): Promise<Connection> => {
    const connection = await add(await dialSocket(address), { isDialer: true, expectedId });
    known.note(address).catch(deps.onError);
    return connection;
  };
  const dialing = createDialing({
    ...{ ...deps, members, isBanned: reputations.isBanned, outPeers: slots.outPeers },
    dial: async (address, expectedId) => {
      const connection = await dial(address, expectedId);
      return { closed: endOf(connection, members.of(connection), ofChain) };
    },
  });
  /** While the node is in no network there are no slots for them. */
  const dialKnown = async (): Promise<void> => {
    for (const address of await known.load()) dialing.add(peerOfAddress(address), address, false);
  };
  return { dial, dialing, dialKnown };
};

const createParts = (deps: NetworkDeps, listeners: VoteListeners) => {
  const members = createMembers(peerIdEncode(deps.nodeKey.publicKey), deps.now);
  const reputations = createReputations(members, deps.now);
  const slots = createSlots(members, (id) => dialing.isReserved(id));
  const names = namesFor(deps.chain);
  const request = createBlockRequests(members, reputations, names('sync/2'));
  const common = { ...deps, ...reputations, request };
  const sync = createSync({ ...common, limits: slots.limits });
  const links = createChainLinks({ ...deps, ...slots, listeners, members, reputations, sync, names });
  const justifications = startJustifications({
    ...common,
    holders: (number) => members.all().flatMap(({ id, best }) => (best.number >= number ? [id] : [])),
  });
  const { announces, votes, transactions } = links;
  let settings: NetworkConfig = {};
  const addresses = () =>
    encodeAddresses([...deps.localPeer.addresses(), ...(settings.publicAddresses ?? [])]);
  const serving = createServing({
    ...{ ...deps, members, reputations, names },
    dialledAt: (id) => dialing.addressesOf(id),
    isReachable: () => addresses().length > 0,
  });
  const chainLinks = [announces, votes, transactions].map((link) => link.served);
  const presence = createPresence({
    ...{ ...deps, random, addresses },
    name: () => settings.name,
    served: () => [...chainLinks, ...serving.served()],
  });
  const connecting = createConnecting(deps, presence.served);
  const leave = (member: Member): void => {
    for (const link of [votes, transactions, announces]) link.close(member.connection);
    members.remove(member);
    if (member.role !== null) reputations.rate(member.id, reputationChanges.disconnected);
    sync.removePeer(member.id);
    serving.forget(member.id);
    dialing.check();
  };
  const add = createAdding({
    ...{ members, reputations, connecting, presence, unknown: deps.chain.base, leave },
    greet: announces.open,
  });
  const { dial, dialing, dialKnown } = createPeerDialing(
    deps,
    { members, reputations, slots },
    announces,
    add,
  );
  const close = async (): Promise<void> => {
    dialing.close();
    announces.end();
    transactions.end();
    connecting.close();
    const closed = members.all().map(({ connection }) => {
      connection.close('The node is stopping');
      return connection.closed;
    });
    await Promise.all([...closed, justifications.close(), sync.close()]);
  };
  const use = (config: NetworkConfig): void => {
    settings = mergeSettings(settings, config);
    slots.open(settings);
  };
  return { members, reputations, slots, votes, sync, add, use, dial, dialKnown, dialing, close };
};

/** The links to nodes of the same page or process, by their numbers. */
const createPortLinks = (add: Add) => {
  const linked = new Map<number, { readonly carrier: Carrier; connection: Connection | null }>();
  let made = 0;
  return {
    link: (port: MessagePort): number => {
      const id = ++made;
      const one = { carrier: portCarrier(port), connection: null as Connection | null };
      linked.set(id, one);
      chooseDialer(one.carrier, random)
        .then(({ carrier, isDialer }) => add(carrier, { isDialer }))
        .then((connection) => {
          one.connection = connection;
          return connection.closed;
        })
        // A link that fails is none: its port is closed.
        .catch(() => undefined)
        .finally(() => linked.delete(id));
      return id;
    },
    unlink: (id: number): void => {
      const one = linked.get(id);
      if (one?.connection) one.connection.close('The link was cut');
      else one?.carrier.close();
    },
    has: (connection: Connection): boolean =>
      [...linked.values()].some((one) => one.connection === connection),
    close: (): void => {
      for (const { carrier } of linked.values()) carrier.close();
    },
  };
};

export const startNetwork = (deps: NetworkDeps, listeners: VoteListeners): OpenNetwork => {
  const { members, reputations, slots, votes, dialing, ...parts } = createParts(deps, listeners);
  const { sync, add, use, dial, dialKnown, close } = parts;
  const reserved = createReserved();
  const links = createPortLinks(add);
  slots.except(({ connection }) => links.has(connection));
  const target = (address: string, isReserved: boolean): void =>
    dialing.add(peerOfAddress(address), address, isReserved);
  let isJoined = false;
  const peers = () => peersOf(members.all(), reputations.of);
  return {
    peers,
    votes,
    rate: reputations.rate,
    link: links.link,
    unlink: links.unlink,
    join: (config, bootNodes) => {
      // All is checked before the first is dialled.
      checkNetworkConfig(config);
      for (const address of [...bootNodes, ...(config.reservedNodes ?? [])]) peerOfAddress(address);
      for (const address of config.publicAddresses ?? []) checkAddress(address);
      use(config);
      isJoined = true;
      for (const address of config.reservedNodes ?? []) reserved.add(address);
      for (const address of reserved.addresses()) target(address, true);
      if (config.reservedOnly === true) return;
      for (const address of bootNodes) target(address, false);
      dialKnown().catch(deps.onError);
    },
    // A connection that fails is not ours to report.
    accept: (port, host) => void add(portCarrier(port), { isDialer: false, host }).catch(() => undefined),
    reserve: (address) => {
      reserved.add(address);
      if (isJoined) target(address, true);
    },
    release: (id) => {
      reserved.release(id);
      dialing.release(id);
    },
    reserved: reserved.ids,
    dial: async (address) => {
      const expectedId = peerOfAddress(address);
      if (reputations.isBanned(expectedId))
        throw new NodeError('PeerFailed', 'The peer is banned: dial it again in a minute');
      if (members.get(expectedId) === null) await dial(address, expectedId);
    },
    ban: (id) => {
      checkPeerId(id);
      reputations.rate(id, reputationChanges.fatal);
    },
    faults: dialing.faults,
    findWait: () => findWait({ ...deps, isAlone: () => isJoined && peers().length === 0 }),
    leave: () => {
      isJoined = false;
      slots.close();
      dialing.clear();
      for (const { connection } of members.all())
        if (!links.has(connection)) connection.close('The node has left the network');
      sync.drop();
    },
    close: async () => {
      links.close();
      await close();
    },
  };
};
