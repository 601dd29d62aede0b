import { acknowledgedBytes, maxUnderWayBytes } from './costs.ts';
import { encodeLinkMessage, type LinkMessage } from './wire.ts';

/**
 * Bounds what is under way to a peer, because a port keeps everything that the other end has not read. What
 * exceeds the bound is dropped, and `onRoom` called once there is room again.
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
    /** The peer has acknowledged so many bytes. */
    acknowledge: (bytes: number): void => {
      underWay = Math.max(0, underWay - bytes);
      if (!hasDropped || underWay > maxUnderWayBytes / 2) return;
      hasDropped = false;
      onRoom();
    },
    /** So many bytes of the peer have been handled here. */
    handle: (bytes: number): void => {
      handled += bytes;
      if (handled < acknowledgedBytes) return;
      post(encodeLinkMessage({ type: 'taken', bytes: handled }));
      handled = 0;
    },
  };
};

export type Flow = ReturnType<typeof createFlow>;
