import { createAcknowledger, type NetworkPortMessage } from '../../src/protocol/network.ts';
import { onPortMessage } from '../../src/protocol/port.ts';
import { createLocalPorts } from '../server/local-ports.ts';

/** A socket to another node, of any kind. */
export type PeerSocket = {
  /** Calls back when the system has taken the bytes. */
  send(bytes: Uint8Array, onTaken: () => void): void;
  /** Stops or resumes reading. */
  pause(isPaused: boolean): void;
  close(): void;
};

/** What a socket tells. */
export type PeerSocketEvents = { bytes(bytes: Uint8Array): void; close(reason: string): void };

/** How much may wait for the node before the socket is not read any more, and when it is again. */
const maxUnreadBytes = 1024 * 1024;
const resumeBytes = maxUnreadBytes / 2;

/** Reads less while the node has not taken what has been read. */
const createBrake = (socket: PeerSocket) => {
  let unread = 0;
  let isPaused = false;
  const pause = (isWanted: boolean): void => {
    if (isPaused === isWanted) return;
    isPaused = isWanted;
    socket.pause(isWanted);
  };
  return {
    add: (bytes: number): void => {
      unread += bytes;
      if (unread > maxUnreadBytes) pause(true);
    },
    take: (bytes: number): void => {
      unread = Math.max(0, unread - bytes);
      if (unread < resumeBytes) pause(false);
    },
  };
};

/**
 * A port that carries what a socket does, for a node of the same thread (`portCarrier` is its other side). `open`
 * starts the socket.
 */
export const joinSocket = (open: (events: PeerSocketEvents) => PeerSocket): MessagePort => {
  const [near, far] = createLocalPorts();
  let isOver = false;
  const post = (message: NetworkPortMessage): void => near.postMessage(message);
  const acknowledge = createAcknowledger(post);
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    socket.close();
    near.close();
  };
  const socket = open({
    bytes: (bytes) => {
      if (isOver) return;
      brake.add(bytes.length);
      post(bytes);
    },
    close: (reason) => {
      if (isOver) return;
      post(reason);
      end();
    },
  });
  const brake = createBrake(socket);
  onPortMessage(near, (data) => {
    if (isOver) return;
    if (data instanceof Uint8Array) socket.send(data, () => isOver || acknowledge(data.length));
    else if (typeof data === 'number') brake.take(data);
    else end();
  });
  near.addEventListener('close', end);
  return far;
};
