import type { Duplex } from 'node:stream';
import type { Refusal } from './access.ts';

const statusLines = {
  400: '400 Bad Request',
  403: '403 Forbidden',
  404: '404 Not Found',
  429: '429 Too Many Requests',
  503: '503 Service Unavailable',
} as const;

/** Responds to an upgrade request with a refusal. */
export const refuseUpgrade = (stream: Duplex, { status, text }: Refusal): void => {
  const length = new TextEncoder().encode(text).length;
  // Closes without waiting for the client.
  stream.once('finish', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${statusLines[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
};
