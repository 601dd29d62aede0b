import type { ConnectOptions } from '../../../src/protocol/node.ts';
import {
  holdLock,
  isNumberedText,
  isPortNote,
  type NumberedAnswer,
  onPortMessage,
  type PortNote,
  whenReleased,
} from '../../../src/protocol/port.ts';
import type { Connect, Connection } from './connection.ts';

/**
 * Serves one client over a port. Ports do not report that their other side is gone, so each side holds a lock
 * that the other waits for.
 */
export const servePort = (
  connect: Connect,
  port: MessagePort,
  options: ConnectOptions,
  stayAwake: () => void,
): void => {
  const ended = new AbortController();
  let isBlocked = false;
  const connection: Connection = connect(
    (text) => port.postMessage(text),
    { ...options, transport: options.transport ?? 'port', isBlocked: () => isBlocked },
    (texts) => port.postMessage(texts),
  );
  const close = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    connection.close();
    port.close();
  };
  const watchPeerLock = (lock: string): void => {
    whenReleased(lock, ended.signal, close);
    const own = `${lock}:node`;
    holdLock(own, ended.signal, () => port.postMessage({ note: 'lock', lock: own } satisfies PortNote));
  };
  const answerNumbered = async (id: number, text: string): Promise<void> => {
    port.postMessage({ id, text: await connection.handle(text) } satisfies NumberedAnswer);
  };
  const handleNote = (note: PortNote): void => {
    if (note.note === 'bye') close();
    else if (note.note === 'blocked') {
      isBlocked = note.isBlocked;
      connection.setFull('messages', isBlocked);
    } else if (note.note === 'full') connection.setFull('bytes', note.isFull);
    else watchPeerLock(note.lock);
  };
  // Node.js emits `close` for a closed port; browsers never do.
  port.addEventListener('close', close);
  onPortMessage(port, (data) => {
    if (typeof data === 'string') connection.receive(data);
    else if (isNumberedText(data)) void answerNumbered(data.id, data.text);
    else if (isPortNote(data)) handleNote(data);
    stayAwake();
  });
};
