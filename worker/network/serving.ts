import { peerIdBytes } from '../crypto/peer-id.ts';
import { encodeAddress } from './address-bytes.ts';
import type { ChainLinks } from './chain-links.ts';
import type { NetworkDeps } from './deps.ts';
import { createLightServer } from './light/light-server.ts';
import { createWarpServer, warpRequestBytes } from './light/warp-server.ts';
import { type DialablePeer, maxKademliaBytes, respondKademlia } from './peers/kademlia.ts';
import type { Member, Members } from './peers/members.ts';
import { serveRequests } from './requests.ts';
import type { Standing } from './standing.ts';
import { createBlockServer } from './sync/server.ts';
import type { Connection, Served } from './transport/connection.ts';
import { serveIdentify } from './transport/identify.ts';
import { servePing } from './transport/ping.ts';

export type ServingDeps = NetworkDeps & {
  readonly links: ChainLinks;
  readonly members: Pick<Members, 'all'>;
  readonly standing: Standing;
  /** The names of a protocol by its end. */
  readonly names: (suffix: string) => readonly string[];
  /** The addresses at which a peer was dialled. */
  readonly dialledAt: (id: string) => Iterable<string>;
  /** What the network was joined with. */
  readonly settings: () => { readonly name?: string; readonly publicAddresses?: readonly string[] };
};

export type Serving = {
  /** What other nodes may open now. */
  served(): readonly Served[];
  forget(peer: string): void;
};

const maxAgentName = 64;

const toBytes = (addresses: Iterable<string>): Uint8Array[] =>
  [...addresses].map(encodeAddress).filter((address) => address !== null);

/** Peers that have the chain's Kademlia, which only nodes do that can be dialled. */
const dialable = (
  { info, connection }: Member,
  names: readonly string[],
  dialledAt: ServingDeps['dialledAt'],
): DialablePeer[] => {
  const isListening = info?.protocols.some((name) => names.includes(name)) === true;
  const told = isListening ? info.addresses : [];
  const addresses =
    told.length > 0 ? told : toBytes(connection.isDialer ? dialledAt(connection.remoteId) : []);
  return addresses.length === 0 ? [] : [{ id: peerIdBytes(connection.remoteKey), addresses }];
};

/** The protocols that this node serves to any other, light clients included. */
export const createServing = (deps: ServingDeps): Serving => {
  const { names, links, members, localPeer } = deps;
  const common = { ...deps, ...deps.standing };
  const blocks = createBlockServer(common);
  const light = createLightServer(common);
  const warp = createWarpServer(common);
  const ownAddresses = (): Uint8Array[] =>
    toBytes([...localPeer.addresses(), ...(deps.settings().publicAddresses ?? [])]);
  const kad = serveRequests(
    names('kad'),
    async (peer, request) =>
      respondKademlia(request, () =>
        members
          .all()
          .filter(({ id }) => id !== peer)
          .flatMap((member) => dialable(member, names('kad'), deps.dialledAt)),
      ),
    maxKademliaBytes,
  );
  const describe = (_connection: Connection) => {
    const { name } = deps.settings();
    return {
      agent: name === undefined ? 'tabnode' : `tabnode (${name.slice(0, maxAgentName)})`,
      protocols: served().flatMap((one) => one.names),
      addresses: ownAddresses(),
      observed: null,
    };
  };
  const always: readonly Served[] = [
    servePing,
    serveIdentify(deps.nodeKey.publicKey, describe, deps.schedule),
    ...[links.announces, links.votes, links.transactions].map((link) => link.served),
    serveRequests(names('sync/2'), blocks.serve),
    serveRequests(names('light/2'), light.serve),
    serveRequests(names('sync/warp'), warp.serve, warpRequestBytes),
  ];
  // Whoever names this protocol says that it can be dialled.
  const served = (): readonly Served[] => (ownAddresses().length > 0 ? [...always, kad] : always);
  return {
    served,
    forget: (peer) => {
      for (const server of [blocks, light, warp]) server.forget(peer);
    },
  };
};
