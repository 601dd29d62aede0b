import { toDialable } from '../../src/protocol/addresses/dialable.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { SocketReply, SocketRequest } from '../../src/protocol/network.ts';
import { onPortMessage } from '../../src/protocol/port.ts';
import type { Carrier } from './transport/carrier.ts';
import { portCarrier } from './transport/port.ts';
import { dialWebSocket } from './transport/web-socket.ts';

const failed = (message: string): NodeError => new NodeError('PeerFailed', message);

/** Dials addresses: WebSockets by itself, TCP through whoever holds the other end of the port, if there is one. Rejects with `PeerFailed`. */
export const createSockets = (
  schedule: (ms: number, run: () => void) => () => void,
  service: MessagePort | undefined,
) => {
  let made = 0;
  const waiting = new Map<number, PromiseWithResolvers<Carrier>>();
  if (service !== undefined)
    onPortMessage(service, (data) => {
      const message = data as SocketReply;
      const reply = waiting.get(message.id);
      waiting.delete(message.id);
      if ('port' in message) reply?.resolve(portCarrier(message.port));
      else reply?.reject(failed(message.error));
    });
  const dialTcp = (host: string, port: number): Promise<Carrier> => {
    if (service === undefined)
      return Promise.reject(
        failed('Plain TCP cannot be dialed from here: use an address that ends in /ws or /wss'),
      );
    const id = ++made;
    const reply = Promise.withResolvers<Carrier>();
    waiting.set(id, reply);
    service.postMessage({ id, host, port } satisfies SocketRequest);
    return reply.promise;
  };
  return async (address: string): Promise<Carrier> => {
    const dialable = toDialable(address);
    if (dialable === null) throw failed(`${address} cannot be dialed from here`);
    return dialable.kind === 'ws'
      ? dialWebSocket(dialable.url, { schedule })
      : dialTcp(dialable.host, dialable.port);
  };
};
