import { WebSocket } from 'ws';
import { NodeError } from '../../src/protocol/errors.ts';
import type { ConnectOptions, Dialect } from '../../src/protocol/node.ts';
import { isNumberedText, isPortNote, type NumberedAnswer, onPortMessage } from '../../src/protocol/port.ts';
import { hardLimitOf } from '../server/access.ts';
import { createLocalPorts, type OpenPort } from '../server/local-ports.ts';
import { createPause } from '../server/ws-sender.ts';
import type { AllowList } from './allow-list.ts';
import { createSession, type Session } from './session.ts';

const connectWithinMs = 10_000;
/** Maximum number of bytes queued per client for a node that reads slowly. */
const maxWaitingBytes = 16 * 1024 * 1024;

/** The node's address with the client's dialect. Nodes without dialects ignore it. */
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
    // This listener stays, because an unhandled error would end the process. A close event follows.
    socket.on('error', (cause) =>
      reject(new NodeError('Disconnected', 'The node behind this proxy cannot be reached', { cause })),
    );
  });

/** Connects a client's port with a separate connection to the node. Closing either closes the other. */
const join = (port: MessagePort, node: WebSocket, session: Session): void => {
  node.on('message', (data: Uint8Array) => {
    let notification: string | null;
    try {
      notification = session.receive(new TextDecoder().decode(data));
    } catch {
      // The message is not JSON, so the other side is not a node.
      return node.terminate();
    }
    if (notification !== null) port.postMessage(notification);
  });
  const pause = createPause(node);
  node.once('close', () => port.close());
  port.addEventListener('close', () => node.close());
  onPortMessage(port, (data) => {
    if (typeof data === 'string')
      session.ask(data, (text) => {
        if (text !== null) port.postMessage(text);
      });
    else if (isNumberedText(data))
      session.ask(data.text, (text) => port.postMessage({ id: data.id, text } satisfies NumberedAnswer));
    else if (isPortNote(data)) {
      if (data.note === 'bye') port.close();
      else if (data.note === 'blocked') pause('messages', data.isBlocked);
      else if (data.note === 'full') pause('bytes', data.isFull);
    }
  });
};

/** Opens ports that forward only allowed methods to the node at `to`. Each port has its own connection. */
export const createProxyPorts =
  (to: string, allow: AllowList): OpenPort =>
  async ({ dialect, limits = {}, transport }: ConnectOptions) => {
    const node = await connect(addressFor(to, dialect), hardLimitOf(limits.maxResponseBytes ?? 0));
    const [near, far] = createLocalPorts();
    const ended = new AbortController();
    far.addEventListener('close', () => ended.abort());
    const session = createSession({
      allow,
      limits,
      transport: transport === 'http' ? 'http' : 'ws',
      now: () => performance.now(),
      signal: ended.signal,
      send: (text) => {
        if (node.readyState !== node.OPEN || node.bufferedAmount > maxWaitingBytes) return false;
        node.send(text);
        return true;
      },
    });
    join(far, node, session);
    return near;
  };
