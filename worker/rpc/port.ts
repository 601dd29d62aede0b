import type { ConnectOptions } from '../../src/protocol/node.ts';
import { isNumberedText, isPortNote, type NumberedAnswer } from '../../src/protocol/port.ts';
import type { Connection } from './connection.ts';
import type { RpcServer } from './server.ts';

/** Asks for the lock that a client holds: it is granted when the client's page is gone. */
const whenReleased = (name: string, signal: AbortSignal, run: () => void): void => {
  const locks = (globalThis as { navigator?: { locks?: LockManager } }).navigator?.locks;
  locks?.request(name, { signal }, run).catch(() => undefined);
};

/** Serves one client over a port. Ports do not tell when their other side is gone, so the client says bye or its lock falls. */
export const servePort = (connect: RpcServer['connect'], port: MessagePort, options: ConnectOptions): void => {
  const watch = new AbortController();
  const connection: Connection = connect(
    (text) => port.postMessage(text),
    { ...options, transport: options.transport ?? 'port' },
    (texts) => port.postMessage(texts),
  );
  const close = (): void => {
    watch.abort();
    connection.close();
    port.close();
  };
  const answerNumbered = async (id: number, text: string): Promise<void> => {
    port.postMessage({ id, text: await connection.handle(text) } satisfies NumberedAnswer);
  };
  port.onmessage = ({ data }: { data: unknown }): void => {
    if (typeof data === 'string') connection.receive(data);
    else if (isNumberedText(data)) void answerNumbered(data.id, data.text);
    else if (!isPortNote(data)) return;
    else if (data.note === 'bye') close();
    else whenReleased(data.lock, watch.signal, close);
  };
};
