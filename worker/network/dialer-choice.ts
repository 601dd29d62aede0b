import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes, noBytes } from '../bytes/bytes.ts';
import type { Carrier, CarrierEvents } from './transport/carrier.ts';

/** Random bytes that each side sends first. */
const drawBytes = 16;

const compare = (a: Uint8Array, b: Uint8Array): number => {
  for (let at = 0; at < drawBytes; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
};

/**
 * Two nodes that get the two ends of a channel have not dialled each other, but Noise and yamux need one side that has:
 * each sends random bytes, and the higher ones make the dialer. Rejects with `PeerFailed` if the carrier ends before.
 */
export const chooseDialer = (
  inner: Carrier,
  random: (length: number) => Uint8Array,
): Promise<{ readonly carrier: Carrier; readonly isDialer: boolean }> => {
  const own = random(drawBytes);
  let received = noBytes;
  let end: string | null = null;
  let events: CarrierEvents | null = null;
  const carrier: Carrier = {
    ...inner,
    listen: (given) => {
      events = given;
      if (received.length > 0) given.bytes(received);
      received = noBytes;
      if (end !== null) given.close(end);
    },
  };
  return new Promise((resolve, reject) => {
    let isChosen = false;
    const choose = (): void => {
      if (isChosen || received.length < drawBytes) return;
      isChosen = true;
      const order = compare(own, received.subarray(0, drawBytes));
      received = received.slice(drawBytes);
      if (order !== 0) resolve({ carrier, isDialer: order > 0 });
      else {
        inner.close();
        reject(new NodeError('PeerFailed', 'The other end of the channel is this end'));
      }
    };
    inner.listen({
      bytes: (bytes) => {
        if (events !== null) events.bytes(bytes);
        else {
          received = concatBytes(received, bytes);
          choose();
        }
      },
      close: (reason) => {
        end = reason;
        events?.close(reason);
        reject(new NodeError('PeerFailed', reason));
      },
      drain: () => events?.drain(),
    });
    inner.send(own);
  });
};
