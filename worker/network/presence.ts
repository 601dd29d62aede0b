import { version } from '../../src/protocol/version.ts';
import type { Connection, ConnectOptions, NodeKey, Served } from './transport/connection.ts';
import { identify, type PeerInfo, serveIdentify } from './transport/identify.ts';
import { servePing, startPings } from './transport/ping.ts';

export type PresenceDeps = Pick<ConnectOptions, 'schedule' | 'now' | 'random'> & {
  readonly nodeKey: NodeKey;
  /** What the chain's protocols serve now. */
  readonly served: () => readonly Served[];
  /** Where others can dial this node, as bytes. */
  readonly addresses: () => readonly Uint8Array[];
  /** The name of this node, if it has one. */
  readonly name: () => string | undefined;
};

const maxNameLength = 64;

/** Two nodes of any chain tell each other what they are, and that they are still there: identify and ping. */
export const createPresence = ({ nodeKey, addresses, name, ...deps }: PresenceDeps) => {
  const describe = (): PeerInfo => {
    const given = name();
    return {
      agent: `Tabnode/v${version}${given === undefined ? '' : ` (${given.slice(0, maxNameLength)})`}`,
      protocols: served().flatMap(({ names }) => names),
      addresses: addresses(),
      observed: null,
    };
  };
  const own = [servePing, serveIdentify(nodeKey.publicKey, describe, deps.schedule)];
  const served = (): readonly Served[] => [...deps.served(), ...own];
  return {
    /** All that is served now, the chain's protocols included. */
    served,
    /** Ends a connection whose other side does not answer any more, and learns what that is, if it says so. */
    watch: (connection: Connection, onInfo: (info: PeerInfo) => void): void => {
      startPings(connection, deps);
      // A peer that does not say what it is, is one as well.
      identify(connection).then(onInfo, () => undefined);
    },
  };
};
