import { peerIdBytes } from '../crypto/peer-id.ts';
import { encodeAddresses } from './address-bytes.ts';
import type { NetworkDeps } from './deps.ts';
import { createLightServer } from './light/light-server.ts';
import { createWarpServer, warpRequestBytes } from './light/warp-server.ts';
import { type DialablePeer, maxKademliaBytes, respondKademlia } from './peers/kademlia.ts';
import type { Member, Members } from './peers/members.ts';
import type { Reputations } from './peers/reputation.ts';
import { serveRequests } from './requests.ts';
import { createBlockServer } from './sync/server.ts';
import type { Served } from './transport/connection.ts';

export type ServingDeps = NetworkDeps & {
  readonly members: Pick<Members, 'all'>;
  readonly reputations: Reputations;
  /** The names of a protocol by its end. */
  readonly names: (suffix: string) => readonly string[];
  /** The addresses at which a peer was dialled. */
  readonly dialledAt: (id: string) => Iterable<string>;
  /** Whether others can dial this node. */
  readonly isReachable: () => boolean;
};

export type Serving = {
  /** What other nodes may request now. */
  served(): readonly Served[];
  forget(peer: string): void;
};

/** A peer that can be dialled: it says so by naming the chain's Kademlia, or was dialled by this node. */
const dialable = (
  { info, connection }: Member,
  names: readonly string[],
  dialledAt: ServingDeps['dialledAt'],
): DialablePeer[] => {
  const isListening = info?.protocols.some((name) => names.includes(name)) === true;
  const told = isListening ? info.addresses : [];
  const dialled = () => encodeAddresses(connection.isDialer ? dialledAt(connection.remoteId) : []);
  const addresses = told.length > 0 ? told : dialled();
  return addresses.length === 0 ? [] : [{ id: peerIdBytes(connection.remoteKey), addresses }];
};

/** The requests that this node serves to any other, light clients included. */
export const createServing = (deps: ServingDeps): Serving => {
  const { names, members, schedule } = deps;
  const common = { ...deps, ...deps.reputations };
  const blocks = createBlockServer(common);
  const light = createLightServer(common);
  const warp = createWarpServer(common);
  const others = (peer: string): DialablePeer[] =>
    members
      .all()
      .filter(({ id }) => id !== peer)
      .flatMap((member) => dialable(member, names('kad'), deps.dialledAt));
  const kad = serveRequests(
    names('kad'),
    async (peer, request) => respondKademlia(request, () => others(peer)),
    { schedule, maxBytes: maxKademliaBytes },
  );
  const always: readonly Served[] = [
    serveRequests(names('sync/2'), blocks.serve, { schedule }),
    serveRequests(names('light/2'), light.serve, { schedule }),
    serveRequests(names('sync/warp'), warp.serve, { schedule, maxBytes: warpRequestBytes }),
  ];
  return {
    // Whoever names Kademlia says that it can be dialled.
    served: () => (deps.isReachable() ? [...always, kad] : always),
    forget: (peer) => {
      for (const server of [blocks, light, warp]) server.forget(peer);
    },
  };
};
