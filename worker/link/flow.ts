import { acknowledgedBytes, maxUnderWayBytes } from './peers.ts';
import { encodeLinkMessage, type LinkMessage } from './wire.ts';

/**
 * Bounds the bytes in flight to a peer, because a port keeps everything that the other end has not read.
 * Messages beyond the bound are dropped, and `onRoom` is called once there is room again.
 */
export const createFlow = (post: (bytes: Uint8Array) => void, onRoom: () => void) => {
  let underWay = 0;
  let hasDropped = false;
  let handled = 0;
  return {
    send: (message: LinkMessage): void => {
      const bytes = encodeLinkMessage(message);
      hasDropped ||= underWay + bytes.length > maxUnderWayBytes;
      if (hasDropped) return;
      underWay += bytes.length;
      post(bytes);
    },
    /** The peer has acknowledged this many bytes. */
    acknowledge: (bytes: number): void => {
      underWay = Math.max(0, underWay - bytes);
      if (!hasDropped || underWay > maxUnderWayBytes / 2) return;
      hasDropped = false;
      onRoom();
    },
    /** This many bytes from the peer have been handled here. */
    handle: (bytes: number): void => {
      handled += bytes;
      if (handled < acknowledgedBytes) return;
      post(encodeLinkMessage({ type: 'taken', bytes: handled }));
      handled = 0;
    },
  };
};

export type Flow = ReturnType<typeof createFlow>;
