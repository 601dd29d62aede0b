import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { hardLimitOf } from './access.ts';

/** The number of bytes received of one client's incomplete request. */
export type Incoming = {
  add(bytes: number): void;
  /** Called when the request is complete or its client has disconnected. */
  clear(): void;
};

/**
 * Bounds the memory held by the incomplete requests of all clients. Per-client limits alone would still allow
 * gigabytes.
 */
export type InputBudget = {
  /**
   * `disconnect` must disconnect the client. It is called if the total exceeds the limit and this client holds the
   * most.
   */
  open(disconnect: () => void): Incoming;
};

const defaultMaxBytes = 256 * 1024 * 1024;

export const createInputBudget = (maxBytes = defaultMaxBytes): InputBudget => {
  const held = new Map<() => void, number>();
  let all = 0;
  const drop = (disconnect: () => void): void => {
    all -= held.get(disconnect) ?? 0;
    held.delete(disconnect);
  };
  return {
    open: (disconnect) => {
      const own = (): void => disconnect();
      return {
        add: (bytes) => {
          held.set(own, (held.get(own) ?? 0) + bytes);
          all += bytes;
          if (all <= maxBytes) return;
          const [[most]] = [...held].sort(([, a], [, b]) => b - a) as [[() => void, number]];
          drop(most);
          most();
        },
        clear: () => drop(own),
      };
    },
  };
};

/**
 * Null if the body exceeds the limit. It is still read to the end, because most clients read no response
 * until they have sent the whole body.
 */
export const readBody = async (
  request: IncomingMessage,
  maxBytes: number,
  incoming: Incoming,
): Promise<Uint8Array | null> => {
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    sizeBytes += part.length;
    incoming.add(part.length);
    if (sizeBytes > hardLimitOf(maxBytes)) return null;
    if (sizeBytes > maxBytes) parts = [];
    else parts.push(part);
  }
  return sizeBytes > maxBytes ? null : Buffer.concat(parts, sizeBytes);
};
