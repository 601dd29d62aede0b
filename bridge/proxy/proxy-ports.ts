import { WebSocket } from 'ws';
import { NodeError } from '../../src/protocol/errors.ts';
import { hear } from '../../src/protocol/hear.ts';
import type { ConnectOptions, Dialect } from '../../src/protocol/node.ts';
import { isNumberedText, isPortNote, type NumberedAnswer } from '../../src/protocol/port.ts';
import { hardLimitOf } from '../access.ts';
import { createLocalPorts, type OpenPort } from '../local-ports.ts';
import type { AllowList } from './allow-list.ts';
import { createSession, type Session } from './session.ts';

const connectWithinMs = 10_000;
/** What may wait for a node that reads slowly, per client. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** The node's address with the client's dialect, which nodes that know no dialects ignore. */
const addressFor = (to: string, dialect: Dialect): string => {
  const url = new URL(to);
  if (!url.searchParams.has('dialect')) url.searchParams.set('dialect', dialect);
  return url.href;
};

const connect = (address: string, maxPayload: number): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const options = { maxPayload, perMessageDeflate: false, handshakeTimeout: connectWithinMs };
    const socket = new WebSocket(address, options);
    socket.once('open', () => resolve(socket));
    // Stays, because an error without a listener would end the process; the socket is closed after it.
    socket.on('error', (cause) =>
      reject(new NodeError('Disconnected', 'The node behind this proxy cannot be reached', { cause })),
    );
  });

/** Connects the port of a client with its own connection to the node; when one ends, so does the other. */
const join = (port: MessagePort, node: WebSocket, session: Session): void => {
  node.on('message', (data: Uint8Array) => {
    let notification: string | null;
    try {
      notification = session.hear(new TextDecoder().decode(data));
    } catch {
      // Not JSON: whatever is there, it is not a node.
      return node.terminate();
    }
    if (notification !== null) port.postMessage(notification);
  });
  node.once('close', () => port.close());
  port.addEventListener('close', () => node.close());
  hear(port, (data) => {
    if (typeof data === 'string')
      session.ask(data, (text) => {
        if (text !== null) port.postMessage(text);
      });
    else if (isNumberedText(data))
      session.ask(data.text, (text) => port.postMessage({ id: data.id, text } satisfies NumberedAnswer));
    else if (isPortNote(data)) {
      if (data.note === 'bye') port.close();
      else if (data.note === 'blocked' && data.isBlocked) node.pause();
      else if (data.note === 'blocked') node.resume();
    }
  });
};

/** Opens ports to a node at `to` that pass the methods of a list only. Each has its own connection to the node. */
export const createProxyPorts =
  (to: string, allow: AllowList): OpenPort =>
  async ({ dialect, limits = {}, transport }: ConnectOptions) => {
    const node = await connect(addressFor(to, dialect), hardLimitOf(limits.maxResponseBytes ?? 0));
    const [near, far] = createLocalPorts();
    const session = createSession({
      allow,
      limits,
      transport: transport === 'http' ? 'http' : 'ws',
      now: () => performance.now(),
      send: (text) => {
        if (node.readyState !== node.OPEN || node.bufferedAmount > maxWaitingBytes) return false;
        node.send(text);
        return true;
      },
    });
    join(far, node, session);
    return near;
  };
