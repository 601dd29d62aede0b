import { NodeError } from '../../src/protocol/errors.ts';
import type { Members } from './peers/members.ts';
import type { Reputations } from './peers/reputation.ts';
import { type BlockRequest, encodeBlockRequest } from './protocol/block-request.ts';
import { reputationChanges } from './reputation-changes.ts';
import type { Served } from './transport/connection.ts';

const maxRequestBytes = 1024 * 1024;
const maxResponseBytes = 16 * 1024 * 1024;
/** For a request and its response (sc-network-sync `generate_protocol_config`). */
const requestMs = 20_000;

/** What a peer without a response pays; null if the connection has ended, which has an amount of its own. */
const changeFor = (error: unknown): number | null => {
  const reason = error instanceof NodeError ? error.details['reason'] : null;
  if (reason === 'closed') return null;
  return reason === 'timeout' ? reputationChanges.timeout : reputationChanges.refused;
};

/** Sends a request of `sync/2`; a peer that does not respond is disconnected. */
export const createBlockRequests =
  (members: Pick<Members, 'get'>, { punish }: Reputations, names: readonly string[]) =>
  async (peer: string, request: BlockRequest): Promise<Uint8Array> => {
    const connection = members.get(peer)?.connection;
    if (connection === undefined) throw new Error('The peer has left');
    const options = { maxBytes: maxResponseBytes, timeoutMs: requestMs };
    try {
      return await connection.request(names, encodeBlockRequest(request), options);
    } catch (error) {
      const change = changeFor(error);
      if (change !== null && members.get(peer)?.connection === connection) punish(peer, change);
      throw error;
    }
  };

/** Serves the requests of one protocol. */
export type RequestServer = {
  /** Resolves with the response; null if the request is refused. */
  serve(peer: string, request: Uint8Array): Promise<Uint8Array | null>;
  forget(peer: string): void;
};

type ServeOptions = {
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Of a request. */
  readonly maxBytes?: number;
};

/** Serves a protocol with one request and one response a stream; a request that is refused gets none. */
export const serveRequests = (
  names: readonly string[],
  serve: RequestServer['serve'],
  { schedule, maxBytes = maxRequestBytes }: ServeOptions,
): Served => ({
  names,
  maxMessageBytes: maxBytes,
  priority: 'answer',
  isLasting: false,
  accept: (stream, { remoteId }) => {
    let isServed = false;
    // Otherwise a peer could keep all of its streams open for nothing.
    const cancel = schedule(requestMs, stream.reset);
    return {
      message: (request) => {
        if (isServed) return stream.reset();
        isServed = true;
        cancel();
        void serve(remoteId, request).then((response) => {
          if (response === null) return stream.reset();
          stream.send(response);
          stream.close();
        });
      },
      end: cancel,
    };
  },
});
