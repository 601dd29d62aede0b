import { version } from '../../src/protocol/version.ts';
import type { Connection, ConnectOptions, NodeKey, Served } from './transport/connection.ts';
import { serveIdentify } from './transport/identify.ts';
import { servePing, startPings } from './transport/ping.ts';

export type PresenceDeps = Pick<ConnectOptions, 'schedule' | 'now' | 'random'> & {
  readonly nodeKey: NodeKey;
  /** What the chain's protocols serve. */
  readonly served: readonly Served[];
};

/** Two nodes of any chain tell each other what they are, and that they are still there: identify and ping. */
export const createPresence = ({ nodeKey, served, ...deps }: PresenceDeps) => {
  const all: Served[] = [...served, servePing];
  const describe = () => ({
    agent: `Tabnode/v${version}`,
    protocols: all.flatMap(({ names }) => names),
    addresses: [],
    observed: null,
  });
  all.push(serveIdentify(nodeKey.publicKey, describe, deps.schedule));
  return {
    /** All that is served, the chain's protocols included. */
    served: all as readonly Served[],
    /** Ends a connection whose other side does not answer any more. */
    watch: (connection: Connection): void => void startPings(connection, deps),
  };
};
