import type { Connection } from './connection.ts';
import { type ByteStream, readMessage, StreamEnd, withLength } from './streams.ts';

const maxHandshakeBytes = 1024;

export type NotificationOptions = {
  readonly protocol: string;
  readonly maxBytes: number;
  /** Called when a stream is opened. */
  readonly handshake: () => Uint8Array;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onFault: (fault: unknown) => void;
};

/**
 * A notification protocol of Substrate: two streams, each with messages in one direction, after a handshake
 * of both sides. A stream that the other side opens is accepted, and ours opened in return, because a native
 * node ends a connection with only one of them after five seconds.
 */
export const createNotifications = (connection: Connection, options: NotificationOptions) => {
  const { protocol, handshake, onFault } = options;
  let outgoing: ByteStream | null = null;
  let opening: Promise<Uint8Array> | null = null;
  let isAccepted: () => void;
  const accepted = new Promise<void>((resolve) => {
    isAccepted = resolve;
  });
  /** Resolves when no message can be sent any more. */
  const watch = async (stream: ByteStream): Promise<void> => {
    await stream.read(1);
    throw new Error(`${protocol}: a message against the direction of its stream`);
  };
  const start = async (): Promise<Uint8Array> => {
    const stream = await connection.open(protocol);
    stream.send(withLength(handshake()));
    const theirs = await readMessage(stream, maxHandshakeBytes);
    outgoing = stream;
    watch(stream).catch((error: unknown) => {
      outgoing = null;
      if (!(error instanceof StreamEnd)) onFault(error);
    });
    return theirs;
  };
  const open = (): Promise<Uint8Array> => {
    opening ??= start();
    return opening;
  };
  connection.handle(protocol, async (stream) => {
    await readMessage(stream, maxHandshakeBytes);
    stream.send(withLength(handshake()));
    open().catch(onFault);
    isAccepted();
    for (;;) options.onMessage(await readMessage(stream, options.maxBytes));
  });
  return {
    /** Opens our stream, unless theirs has done so. Resolves with the other side's handshake. */
    open,
    /** Resolves with the other side's handshake when both streams are open, whichever side opened first. */
    ready: async (): Promise<Uint8Array> => {
      await accepted;
      return open();
    },
    /** False if there is no stream. */
    send: (message: Uint8Array): boolean => {
      outgoing?.send(withLength(message));
      return outgoing !== null;
    },
  };
};
