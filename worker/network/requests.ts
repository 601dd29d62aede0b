import type { Members } from './peers/members.ts';
import { prices } from './prices.ts';
import { type BlockRequest, encodeBlockRequest } from './protocol/block-request.ts';
import type { Standing } from './standing.ts';
import type { Served } from './transport/connection.ts';

const maxRequestBytes = 1024 * 1024;
const maxResponseBytes = 16 * 1024 * 1024;
/** As in sc-network-sync, `generate_protocol_config`. */
const requestMs = 20_000;

/** Sends a request of `sync/2`; a peer that does not respond is left. */
export const createBlockRequests =
  (members: Pick<Members, 'get'>, { punish }: Standing, names: readonly string[]) =>
  async (peer: string, request: BlockRequest): Promise<Uint8Array> => {
    const connection = members.get(peer)?.connection;
    if (connection === undefined) throw new Error('The peer has left');
    const options = { maxBytes: maxResponseBytes, timeoutMs: requestMs };
    try {
      return await connection.request(names, encodeBlockRequest(request), options);
    } catch (error) {
      if (members.get(peer)?.connection === connection) punish(peer, prices.timeout);
      throw error;
    }
  };

/** Serves the requests of one protocol. */
export type RequestServer = {
  /** Resolves with the response; null if the request is refused. */
  serve(peer: string, request: Uint8Array): Promise<Uint8Array | null>;
  forget(peer: string): void;
};

/** Serves a protocol with one request and one response a stream; a request that is refused gets none. */
export const serveRequests = (
  names: readonly string[],
  serve: RequestServer['serve'],
  maxBytes = maxRequestBytes,
): Served => ({
  names,
  maxMessageBytes: maxBytes,
  priority: 'answer',
  isLasting: false,
  accept: (stream, { remoteId }) => {
    let isServed = false;
    return {
      message: (request) => {
        if (isServed) return stream.reset();
        isServed = true;
        void serve(remoteId, request).then((response) => {
          if (response === null) return stream.reset();
          stream.send(response);
          stream.close();
        });
      },
      end: () => undefined,
    };
  },
});
