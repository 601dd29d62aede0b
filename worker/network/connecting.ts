import { NodeError } from '../../src/protocol/errors.ts';
import { yieldNow } from '../tasks/pace.ts';
import type { NetworkDeps } from './deps.ts';
import type { Carrier } from './transport/carrier.ts';
import { connect } from './transport/connect.ts';
import type { Connection, ConnectOptions } from './transport/connection.ts';
import { createTurns } from './transport/turns.ts';

/** How a connection came about. */
export type Origin = {
  readonly isDialer: boolean;
  readonly expectedId?: string;
  /** Where the other node has dialed from, if it has and that is known. */
  readonly host?: string | undefined;
};

/** Handshakes at a time with nodes that have dialed this one: in total, and from one host. */
export const maxHandshakes = 128;
export const maxHandshakesPerHost = 32;

export const random = (length: number): Uint8Array =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

type Deps = Pick<NetworkDeps, 'nodeKey' | 'crypto' | 'schedule' | 'now' | 'onError'>;

/** Makes connections of carriers, as long as the node runs. */
export const createConnecting = (deps: Deps, served: ConnectOptions['served']) => {
  const { nodeKey, crypto, schedule, now, onError } = deps;
  const opening = new Map<Carrier, Origin>();
  const turns = createTurns(yieldNow);
  let isClosed = false;
  const isFull = ({ isDialer, host }: Origin): boolean => {
    if (isDialer) return false;
    const inbound = [...opening.values()].filter((one) => !one.isDialer);
    if (inbound.length >= maxHandshakes) return true;
    return host !== undefined && inbound.filter((one) => one.host === host).length >= maxHandshakesPerHost;
  };
  const refusal = (origin: Origin): NodeError | null => {
    if (isClosed) return new NodeError('Disconnected', 'The node is stopping');
    return isFull(origin)
      ? new NodeError('PeerFailed', 'Too many nodes connect at the same time; retry in a few seconds')
      : null;
  };
  return {
    /** Rejects with `PeerFailed` or `Disconnected`, and has closed the carrier then. */
    connect: async (carrier: Carrier, origin: Origin): Promise<Connection> => {
      const refused = refusal(origin);
      if (refused !== null) {
        carrier.close();
        throw refused;
      }
      opening.set(carrier, origin);
      const { isDialer, expectedId } = origin;
      try {
        return await connect(carrier, {
          ...{ isDialer, key: nodeKey, verify: crypto.ed25519Verify, served },
          ...(expectedId === undefined ? {} : { expectedId }),
          ...{ schedule, now, onError, random, turns },
        });
      } finally {
        opening.delete(carrier);
      }
    },
    close: (): void => {
      isClosed = true;
      for (const carrier of opening.keys()) carrier.close();
    },
  };
};
