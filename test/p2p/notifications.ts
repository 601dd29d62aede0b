import type { Served, Stream } from '../../worker/network/transport/connection.ts';
import type { Peer } from './connection.ts';

export type NotificationOptions = {
  readonly protocol: string;
  readonly maxBytes: number;
  /** Called when a stream is opened. */
  readonly handshake: () => Uint8Array;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onFault: (fault: unknown) => void;
};

const deferred = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
};

/**
 * A notification protocol of Substrate: two streams, each with messages in one direction, after a handshake
 * of both sides. A stream that the other side opens is accepted, and ours opened in return, because a native
 * node ends a connection with only one of them after five seconds.
 */
export const createNotifications = (peer: Peer, options: NotificationOptions) => {
  const { protocol, handshake, onFault } = options;
  const limits = { maxMessageBytes: options.maxBytes, priority: 'vote' } as const;
  let outgoing: Stream | null = null;
  let opening: Promise<Uint8Array> | null = null;
  const accepted = deferred<void>();
  const start = (): Promise<Uint8Array> => {
    const theirs = deferred<Uint8Array>();
    let isOpen = false;
    const stream = peer.open(
      protocol,
      { ...limits, first: handshake() },
      {
        message: (message) => {
          if (isOpen) onFault(new Error(`${protocol}: a message against the direction of its stream`));
          isOpen = true;
          outgoing = stream;
          theirs.resolve(message);
        },
        end: (reason) => {
          outgoing = null;
          theirs.reject(new Error(`${protocol}: ${reason}`));
        },
      },
    );
    return theirs.promise;
  };
  const open = (): Promise<Uint8Array> => {
    opening ??= start();
    return opening;
  };
  const accept: Served['accept'] = (stream) => {
    let isOpen = false;
    return {
      message: (message) => {
        if (isOpen) return options.onMessage(message);
        isOpen = true;
        stream.send(handshake());
        open().catch(onFault);
        accepted.resolve();
      },
      end: () => stream.close(),
    };
  };
  peer.serve({ names: [protocol], ...limits, accept });
  return {
    /** Opens our stream, unless theirs has done so. Resolves with the other side's handshake. */
    open,
    /** Resolves with the other side's handshake when both streams are open, whichever side opened first. */
    ready: async (): Promise<Uint8Array> => {
      await accepted.promise;
      return open();
    },
    /** False if there is no stream. */
    send: (message: Uint8Array): boolean => outgoing?.send(message) ?? false,
  };
};
