/**
 * What passes over the port that carries a connection to another node: bytes as they are; how many bytes of the other
 * side have been taken from it, so that it knows how much waits; or why the connection is over, as a last message.
 */
export type NetworkPortMessage = Uint8Array | number | string;

/** Bytes are acknowledged when this many have been taken, so that few messages do. */
export const acknowledgeBytes = 32 * 1024;

/** Acknowledges bytes in few messages. */
export const createAcknowledger = (send: (bytes: number) => void): ((bytes: number) => void) => {
  let taken = 0;
  return (bytes) => {
    taken += bytes;
    if (taken < acknowledgeBytes) return;
    send(taken);
    taken = 0;
  };
};
