import { NodeError } from '../../src/protocol/errors.ts';
import { yieldNow } from '../tasks/pace.ts';
import type { NetworkDeps } from './deps.ts';
import type { Carrier } from './transport/carrier.ts';
import { connect } from './transport/connect.ts';
import type { Connection, ConnectOptions } from './transport/connection.ts';
import { createTurns } from './transport/turns.ts';

export const random = (length: number): Uint8Array =>
  globalThis.crypto.getRandomValues(new Uint8Array(length));

/** How a connection came about. */
export type Origin = { readonly isDialer: boolean; readonly expectedId?: string };

/** Makes connections of carriers, as long as the node runs. */
export const createConnecting = (deps: NetworkDeps, served: ConnectOptions['served']) => {
  const { nodeKey, crypto, schedule, now, onError } = deps;
  const opening = new Set<Carrier>();
  const turns = createTurns(yieldNow);
  let isClosed = false;
  return {
    connect: async (carrier: Carrier, origin: Origin): Promise<Connection> => {
      if (isClosed) {
        carrier.close();
        throw new NodeError('Disconnected', 'The node is stopping');
      }
      opening.add(carrier);
      try {
        return await connect(carrier, {
          ...{ ...origin, key: nodeKey, verify: crypto.ed25519Verify, served },
          ...{ schedule, now, onError, random, turns },
        });
      } finally {
        opening.delete(carrier);
      }
    },
    close: (): void => {
      isClosed = true;
      for (const carrier of opening) carrier.close();
    },
  };
};
