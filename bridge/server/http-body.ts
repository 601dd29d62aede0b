import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { hardLimitOf } from './access.ts';
import type { Incoming } from './intake.ts';

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
