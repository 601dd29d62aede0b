import { concatBytes } from '../../bytes/bytes.ts';
import type { Carrier } from './carrier.ts';
import { type Fill, fillWith } from './noise/records.ts';
import type { Mux } from './yamux/yamux.ts';

/** How much may wait in the carrier before answers wait here, where others overtake them, and before all wait. */
const answersWaitBytes = 256 * 1024;
const allWaitBytes = 1024 * 1024;

/**
 * What a connection sends, in one go and after everything else that runs in the same turn. `seal` encrypts what it is
 * given to write.
 */
export const createOutput = (
  carrier: Carrier,
  seal: (fill: Fill) => Uint8Array | null,
  mux: () => Mux | null,
) => {
  let handshake: Uint8Array[] = [];
  let isDue = false;
  let isOver = false;
  /** False if there was nothing to send. */
  const sendFrames = (from: Mux): boolean => {
    const lowest = carrier.buffered() < answersWaitBytes ? 'answer' : 'announce';
    const bytes = seal((target, at, end) => from.fill(target, at, end, lowest));
    if (bytes !== null) carrier.send(bytes);
    return bytes !== null;
  };
  const flush = (): void => {
    isDue = false;
    if (handshake.length > 0) {
      const bytes = concatBytes(...handshake);
      handshake = [];
      carrier.send(bytes);
    }
    const from = mux();
    if (from === null) return;
    while (!isOver && carrier.buffered() < allWaitBytes && sendFrames(from));
  };
  const request = (): void => {
    if (isDue || isOver) return;
    isDue = true;
    queueMicrotask(() => {
      if (!isOver) flush();
    });
  };
  return {
    /** Sends bytes of the handshake. */
    send: (bytes: Uint8Array): void => {
      handshake.push(bytes);
      request();
    },
    /** Something is to be sent. */
    request,
    /** Sends what the carrier takes at once, and a last frame; nothing after it. */
    end: (last: Uint8Array | null): void => {
      if (isOver) return;
      flush();
      isOver = true;
      if (last === null) return;
      const bytes = seal(fillWith(last));
      if (bytes !== null) carrier.send(bytes);
    },
  };
};
