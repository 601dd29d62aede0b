import { maxUnsentBytes, maxUnsentBytesOfAll } from '../../src/protocol/limits.ts';

/** A client, as far as its unsent bytes are concerned. */
export type Reader = {
  /** The bytes that wait to be sent to it now. */
  unsentBytes(): number;
  /** Disconnects it, with the reason if it can still be sent. */
  end(reason: string): void;
  /** Disconnects it at once, so that nothing waits for it anymore. */
  kill(): void;
};

export type Outgoing = {
  /** Counts again. To be called after each change. */
  update(): void;
  /** Called when the client has disconnected. */
  leave(): void;
};

/**
 * What waits to be sent to all clients, over WebSockets and HTTP. Bounds per client alone would still allow
 * gigabytes.
 */
export type OutputBudget = {
  open(reader: Reader): Outgoing;
  /** Whether so much waits for all that nothing more should be sent to a client for which anything waits. */
  isTight(): boolean;
  /**
   * Whether a result of this length may be added. Makes room for it at the expense of a client for which more
   * waits.
   */
  admits(bytes: number): boolean;
};

export type OutgoBounds = { readonly oneBytes: number; readonly allBytes: number };

const defaultBounds: OutgoBounds = { oneBytes: maxUnsentBytes, allBytes: maxUnsentBytesOfAll };
const oneReason = 'Too much waits to be sent to this client';
const allReason = 'Too much waits to be sent to all clients, and the most to this one';

type Counted = { readonly reader: Reader; bytes: number; isEnding: boolean };

export const createOutputBudget = ({ oneBytes, allBytes }: OutgoBounds = defaultBounds): OutputBudget => {
  const all = new Set<Counted>();
  let waitingBytes = 0;
  /** Of the clients that are being disconnected, which is still included in `waitingBytes`. */
  let endingBytes = 0;

  const count = (one: Counted, bytes: number): void => {
    waitingBytes += bytes - one.bytes;
    if (one.isEnding) endingBytes += bytes - one.bytes;
    one.bytes = bytes;
  };
  const end = (one: Counted, reason: string): void => {
    one.isEnding = true;
    endingBytes += one.bytes;
    one.reader.end(reason);
  };
  const slowest = (): Counted | null => {
    let most: Counted | null = null;
    for (const one of all) if (!one.isEnding && one.bytes > (most?.bytes ?? 0)) most = one;
    return most;
  };
  const relieve = (one: Counted): void => {
    if (one.bytes > oneBytes && !one.isEnding) end(one, oneReason);
    while (waitingBytes - endingBytes > allBytes) {
      const most = slowest();
      if (most === null) break;
      end(most, allReason);
    }
    // Those that do not even read the reason for it.
    if (waitingBytes > 2 * allBytes) for (const { isEnding, reader } of [...all]) if (isEnding) reader.kill();
  };

  return {
    open: (reader) => {
      const one: Counted = { reader, bytes: 0, isEnding: false };
      all.add(one);
      return {
        update: () => {
          if (!all.has(one)) return;
          count(one, reader.unsentBytes());
          if (waitingBytes > allBytes || one.bytes > oneBytes) relieve(one);
        },
        leave: () => {
          count(one, 0);
          all.delete(one);
        },
      };
    },
    isTight: () => waitingBytes > allBytes / 2,
    admits: (bytes) => {
      while (waitingBytes - endingBytes + bytes > allBytes) {
        const most = slowest();
        if (most === null || most.bytes < bytes) return false;
        end(most, allReason);
      }
      return true;
    },
  };
};
